"""What a 50 MB sitemap costs in memory, plain and gzipped, made and fed piece by piece. It must be under 5 MB.

    python benchmarks/sitemap_memory.py

Exit status 1: it is more.
"""

from __future__ import annotations

import resource
import sys
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from dowse.parse.sitemap import SitemapReader

SIZE = 50 * 1024 * 1024
LIMIT = 5 * 1024 * 1024
CHUNK = 32 * 1024
PAGE = resource.getpagesize()
IMAGE = "<image:image><image:loc>https://images.example.org/%d/%d.jpg</image:loc><image:title>%s</image:title></image:image>"


def wide(number: int) -> str:
    """An entry of about 1,050 bytes: 50,000 of them are 50 MB, both the most that sitemaps.org allows."""
    images = "".join(IMAGE % (number, image, "a title of some length" * 3) for image in range(5))
    return f"<url><loc>https://example.org/article/{number}.html</loc><lastmod>2024-01-01</lastmod>{images}</url>\n"


def narrow(number: int) -> str:
    """A bare entry, of which 50 MB hold far more than are allowed."""
    return f"<url><loc>https://example.org/article/{number}.html?page=1&amp;x=2</loc></url>\n"


def sitemap(entry: Callable[[int], str]) -> Iterator[bytes]:
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    size, number, held = 0, 0, bytearray()
    while size < SIZE:
        octets = entry(number).encode()
        size += len(octets)
        number += 1
        held += octets
        if len(held) >= CHUNK:
            yield bytes(held)
            held.clear()
    yield bytes(held) + b"</urlset>\n"


def packed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    compressor = zlib.compressobj(6, wbits=31)
    for chunk in chunks:
        if octets := compressor.compress(chunk):
            yield octets
    yield compressor.flush()


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def read(chunks: Iterator[bytes]) -> tuple[int, int, float]:
    """The entries found, the growth of the resident memory and the time in the reader."""
    reader = SitemapReader(max_entries=1_000_000)
    before = most = resident()
    entries, spent = 0, 0.0
    for chunk in chunks:
        start = time.perf_counter()
        entries += len(reader.feed(chunk))
        spent += time.perf_counter() - start
        most = max(most, resident())
    entries += len(reader.close())
    if reader.error:
        raise SystemExit(f"the reader stopped: {reader.error}")
    return entries, most - before, spent


def traced(chunks: Iterator[bytes]) -> int:
    tracemalloc.start()
    read(chunks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main() -> int:
    worst = 0
    for shape in (wide, narrow):
        for name, pack in (("plain", iter), ("gzip", packed)):
            entries, grown, spent = read(pack(sitemap(shape)))
            peak = traced(pack(sitemap(shape)))
            worst = max(worst, grown, peak)
            print(
                f"50 MB {name:5} of {entries:7,} entries: {peak / 1e6:.2f} MB by tracemalloc, "
                f"{grown / 1e6:.2f} MB resident, {spent:.2f} s"
            )
    print(f"at most {worst / 1e6:.2f} MB of {LIMIT / 1e6:.2f} MB")
    return 1 if worst > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
