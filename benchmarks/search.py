"""Full-text search over 100,000 real pages: what the index costs, and how long a search takes.

    python -m benchmarks.search [PAGES] [REPEATS]

The pages are manuals as Debian packs them (2 GB of HTML), served by nginx and crawled by dowse. Then the index is made
by all cores, a search finds nothing to do, and each search is made again and again, all of them in turn. A search is
what `crawl.search` does: it looks whether the index is up to date, ranks all pages that match, and makes ten snippets.

Exit status: 0 every search takes under 50 ms in the middle; 1 one does not, 2 there is nothing to measure with.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import median

from benchmarks.cache import ROOT, Unavailable, scratch
from benchmarks.process import measure
from benchmarks.server import Server
from benchmarks.sites import unpacked
from dowse.app import Crawl, read

PAGES = 100_000
REPEATS = 15
MOST = 50.0
"""Milliseconds that a search may take."""

PACKAGES = (
    "rust-doc", "vtk9-doc", "libreoffice-dev-doc", "fp-docs-3.2.2", "openjdk-17-doc", "libpcl-doc", "sagemath-doc",
    "libstdc++-12-doc", "libboost1.81-doc", "scala-doc", "ghc-doc", "wx3.2-doc",
)  # fmt: skip

SEARCHES = {
    "a rare word": "hysteresis",
    "two words": "mutex deadlock",
    "three words": "parse date string",
    "a phrase": '"memory leak"',
    "the beginning of a word": "serializ*",
    "with a word left out": "iterator -vector",
    "either of two": "socket OR pipe",
    "a common word": "function",
    "three common words": "class function return",
    "a word of all pages": "the",
    "words that no page has all of": "heat pump subsidies",
    "nothing": "xylophonequartet",
}


def main(arguments: list[str]) -> int:
    pages = int(arguments[0]) if arguments else PAGES
    repeats = int(arguments[1]) if len(arguments) > 1 else REPEATS
    try:
        folder = crawled(pages)
    except Unavailable as error:
        print(error, file=sys.stderr)
        return 2
    with read(folder) as crawl:
        tell_index(crawl)
        slowest = tell_searches(crawl, repeats)
    return 0 if slowest < MOST else 1


def crawled(pages: int) -> Path:
    """A crawl of so many pages, made the first time."""
    folder = ROOT / f"search-{pages}"
    if (folder / "crawl.db").exists():
        return folder
    found = [
        path for name in PACKAGES for path in sorted((unpacked((name,)) / "usr").rglob("*.html")) if path.is_file()
    ]
    root = ROOT / "packages"
    with scratch() as home, Server(root, home) as server:
        seeds = home / "seeds.txt"
        seeds.write_text("".join(f"{server.url}{path.relative_to(root).as_posix()}\n" for path in found))
        words = [
            "site",
            "--seeds-from",
            seeds,
            "--depth",
            "0",
            "--max-pages",
            pages,
            "--delay",
            "0",
            "--per-host",
            "32",
        ]
        print(f"crawling {pages:,} of {len(found):,} pages ...", file=sys.stderr, flush=True)
        ended = measure([sys.executable, "-m", "dowse", *map(str, words), "--quiet", "-o", str(folder)], home)
        print(f"  {ended.seconds:.0f} s, {ended.output[-300:]}", file=sys.stderr, flush=True)
    return folder


def tell_index(crawl: Crawl) -> None:
    pages = len(crawl.pages)
    began = time.perf_counter()
    done = crawl.index()
    seconds = time.perf_counter() - began
    size = (crawl.directory / "search.db").stat().st_size
    bodies = sum(file.stat().st_size for file in (crawl.directory / "warc").iterdir())
    if done.read:
        print(f"index of {pages:,} pages: {seconds:.0f} s, {done.read / seconds:,.0f} pages/s")
    print(f"{size / 1e6:,.0f} MB beside {bodies / 1e6:,.0f} MB of stored answers; load {os.getloadavg()[0]:.1f}")
    began = time.perf_counter()
    crawl.index()
    print(f"nothing to do: {(time.perf_counter() - began) * 1e3:.1f} ms")


def tell_searches(crawl: Crawl, repeats: int) -> float:
    times: dict[str, list[float]] = {name: [] for name in SEARCHES}
    totals: dict[str, int] = {}
    for _ in range(repeats):
        for name, words in SEARCHES.items():
            began = time.perf_counter()
            found = crawl.search(words)
            times[name].append((time.perf_counter() - began) * 1e3)
            totals[name] = found.total
    print(f"{'':32}{'words':26}{'pages':>9}{'median ms':>11}{'worst':>8}")
    for name, words in SEARCHES.items():
        print(f"{name:32}{words:26}{totals[name]:>9,}{median(times[name]):>11.1f}{max(times[name]):>8.1f}")
    return max(median(each) for each in times.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
