"""What it costs to export a crawl of a million pages as Parquet, beside one of ten thousand.

    python -m benchmarks.parquet [PAGES]

Exit status 1: the larger one needs over 150 MB more memory.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.cache import scratch
from benchmarks.process import measure
from dowse.store.folder import take_over
from dowse.store.schema import SET_META
from dowse.store.versions import create

PAGES = 1_000_000
LINKS = 10
MEGABYTE = 1e6
MOST_ADDED = 150 * MEGABYTE
"""In-links are counted in some 25 bytes a URL, and a row group has 32 MB. PageRank (nodes) needs 40 an edge."""

WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "while", "nobody", "is", "looking"]


def build(folder: Path, pages: int) -> Path:
    """A crawl as the store leaves it: a thousand distinct titles, links to pages near and far, one record a page."""
    folder.mkdir()
    with closing(take_over(folder)) as database, database.transaction():
        create(database)
        database.execute(SET_META, ("stop_reason", "complete"))
        database.executemany(f"INSERT INTO task VALUES ({','.join('?' * 18)})", tasks(pages))
        database.executemany(f"INSERT INTO visit VALUES ({','.join('?' * 20)})", visits(pages))
        database.executemany("INSERT INTO record VALUES (?, ?, 'fields', '', ?)", records(pages))
    return folder


def tasks(pages: int) -> Iterator[tuple[Any, ...]]:
    for number in range(1, pages + 1):
        url = f"https://www.example.org/section-{number % 97}/a-page-with-a-name-{number}.html"
        yield (number, number, url, None, 1, 1, "", 3, -3.0, number // 2, "a page", 2, "", 0, 0, 0, 0.0, number)


def visits(pages: int) -> Iterator[tuple[Any, ...]]:
    chance = random.Random(7)
    for number in range(1, pages + 1):
        links = [(chance.randrange(1, pages + 1), f"anchor {chance.randrange(1000)}") for _ in range(LINKS)]
        title = f"{' '.join(chance.choices(WORDS, k=6))} {number % 1000}"
        yield (
            number, number, 1.79e9 + number * 0.001, 0.0123, 200, "", "", "text/html", "UTF-8", "utf-8", title, 12_345,
            chance.getrandbits(62), "", "", None, None, json.dumps(links, separators=(",", ":")), "", None,
        )  # fmt: skip


def records(pages: int) -> Iterator[tuple[int, int, str]]:
    chance = random.Random(8)
    for number in range(1, pages + 1):
        text = " ".join(chance.choices(WORDS, k=80))
        fields = {"title": f"page {number}", "price": number / 7, "tags": chance.sample(WORDS, 3), "text": text}
        yield number, number, json.dumps(fields)


def main(arguments: list[str]) -> int:
    sizes = (10_000, int(arguments[0]) if arguments else PAGES)
    memory: dict[tuple[str, int], int] = {}
    for size in sizes:
        with scratch() as folder:
            crawl = build(folder / "crawl", size)
            print(f"{size:,} pages, {LINKS} links each: {(crawl / 'crawl.db').stat().st_size / MEGABYTE:,.0f} MB")
            for table in ("pages", "links", "records", "nodes"):
                file = folder / f"{table}.parquet"
                ended = measure([sys.executable, "-m", "dowse", "export", crawl, table, "-f", file], folder)
                if ended.status != 0:
                    print(ended.output, file=sys.stderr)
                    return 1
                memory[table, size] = ended.memory
                print(
                    f"  {table:8} {file.stat().st_size / MEGABYTE:7.1f} MB of Parquet in {ended.seconds:6.1f} s, "
                    f"{ended.memory / MEGABYTE:5.0f} MB of memory at most",
                    flush=True,
                )
    added = max(memory[table, sizes[1]] - memory[table, sizes[0]] for table in ("pages", "links", "records"))
    print(f"rows of pages, links and records add {added / MEGABYTE:.0f} MB of {MOST_ADDED / MEGABYTE:.0f} MB at most")
    return 1 if added > MOST_ADDED else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
