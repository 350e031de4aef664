"""RCrawler's figures 4 and 5 again: what each part of a page takes, and pages a second, as the crawl proceeds.

The paper found that matching links with those that are known took longer and longer: R looked through all of them for
each page. It drew the time of each part, mended that one, and drew the speed before and after. Here a crawl grows from
nothing with pages from memory (benchmarks/null_site.py). Beside it stands the matching alone as the paper had it, in
both ways: a table of all known URLs made for each page, and one that is kept.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.cache import scratch
from benchmarks.cores import CRAWLER
from benchmarks.crawlers import PYTHON
from benchmarks.null import ORIGIN, child
from benchmarks.null_crawl import NullCrawl
from benchmarks.null_site import ANYWHERE, NAVIGATION, NEIGHBOURS, address
from benchmarks.process import measure
from benchmarks.tables import Cell, Column, Lines, Table, at_most

PAGES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
SEGMENT = 250
"""Pages that are measured at a time."""

LAST = 4
"""Segments before a number of pages is reached; their median stands for it."""

MATCHED = 20
"""Pages whose links are matched in the paper's ways."""

_LINKS = NAVIGATION + NEIGHBOURS + ANYWHERE
_PARTS = {"dowse: read": ["visit"], "dowse: match, append": ["lease", "commit"], "dowse: all": ["all"]}


def run(repeats: int) -> Table:
    runs = [_grown() for _ in range(repeats)]
    best = {name: [min(values) for values in zip(*(each[name] for each in runs), strict=True)] for name in runs[0]}
    rows: list[list[Cell]] = [[name, "us/page", *best[name]] for name in _PARTS]
    rows.append(["matching, table made anew", "us/page", *(_matching(pages, anew=True) for pages in PAGES)])
    rows.append(["matching, table kept", "us/page", *(_matching(pages, anew=False) for pages in PAGES)])
    rows.append(["dowse: all", "pages/s", *(1e6 / cost for cost in best["dowse: all"])])
    slowdown = best["dowse: all"][-1] / best["dowse: all"][0]
    return Table(
        name="growth",
        title=f"Time of each part and pages a second while a crawl grows to {PAGES[-1]:,} pages",
        columns=[Column("part"), Column("in"), *(Column(f"{pages}", "{:,.0f}") for pages in PAGES)],
        rows=rows,
        aims=[at_most(f"a page at {PAGES[-1]:,} pages, times one at {PAGES[0]:,}", slowdown, 1.25)],
        notes=[
            "processor time of one thread by pages fetched so far; pages come from memory, so nothing is fetched",
            "the paper has no numbers beside its figures: its speed falls after 1,000 pages and is steady once mended",
            f"matching: {_LINKS} links of a page looked up among as many URLs as there are pages, in Python",
        ],
        lines=Lines(2, 1, "by pages fetched so far (both scales are logarithmic)"),
    )


def _grown() -> dict[str, list[float]]:
    """Microseconds a page of each part, when so many pages are there."""
    with scratch() as folder:
        child(folder, "build", folder / "crawl", ORIGIN, PAGES[0])
        command = [*PYTHON, "benchmarks.growth", str(folder / "crawl")]
        measured = measure(command, folder, cores=CRAWLER)
    if measured.status:
        raise RuntimeError(f"growth ended with status {measured.status}: {measured.output[-500:]}")
    found: dict[str, list[float]] = json.loads(measured.output.splitlines()[-1])
    print(f"  {found}", file=sys.stderr, flush=True)
    return found


def grow(directory: Path) -> dict[str, list[float]]:
    """Let a crawl grow, and say what its parts took on the way."""
    crawl = NullCrawl(directory)
    costs: dict[str, list[float]] = {name: [] for name in _PARTS}
    for pages in PAGES:
        segments: list[dict[str, float]] = []
        while crawl.pages < pages:
            before = crawl.seconds()
            crawl.go(SEGMENT)
            after = crawl.seconds()
            segments.append({part: after[part] - before[part] for part in after})
        for name, parts in _PARTS.items():
            spent = median(sum(segment[part] for part in parts) for segment in segments[-LAST:])
            costs[name].append(spent / SEGMENT * 1e6)
    crawl.store.close()
    return costs


def _matching(known: int, *, anew: bool) -> float:
    """Microseconds a page for looking its links up among the known ones, in a table that is made anew or kept."""
    random = Random(9)
    urls = [address(ORIGIN, number) for number in range(known)]
    pages = [[urls[random.randrange(known)] for _ in range(_LINKS)] for _ in range(MATCHED)]
    kept = set(urls)
    started = time.thread_time()
    for links in pages:
        table = set(urls) if anew else kept
        sum(link in table for link in links)
    return (time.thread_time() - started) / MATCHED * 1e6


if __name__ == "__main__":
    print(json.dumps(grow(Path(sys.argv[1]))))
