"""Crawling for files: how many requests it takes to have nine of ten, beside orders that learn nothing.

    python -m benchmarks.files [SITE ...]

All orders fetch a file at once when a page links to it, by its extension; they differ in the order of pages. The
numbers of the mode were chosen on astropy and on the manuals of linux and erlang; jdk was looked at while it was
written. When it stops was chosen on all but skimage and gnuradio, which were only measured. No order can be below
`at best`: the fewest pages that link to nine of ten files, and these files.
"""

from __future__ import annotations

import heapq
import math
import random
import sys
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any

from benchmarks.files_webs import WEBS, FilesWeb, Graph, finder, graph_of
from benchmarks.tables import Cell, Column, Panel, Panels, Table, at_least, at_most
from dowse.config import make_job
from dowse.fetch.replay import Replayed
from dowse.workflows.simulate import replayed

USED = {
    "astropy": "used to choose numbers", "jdk": "looked at while the mode was written",
    "django": "used to choose the turns of breadth first", "sqlite": "used to choose the turns of breadth first",
    "postgresql": "used to choose the turns of breadth first",
} | dict.fromkeys(("sage", "gimp", "erlang", "grass", "csound", "manuals"), "used to choose when to stop")  # fmt: skip
SHARE = 0.9
MOST, LEAST = 1.25, 0.9
"""The learned order is never much worse than breadth first, and stops with most of the files."""

SEEDS = 10
ALONE: dict[str, Any] = {
    "concurrency": 1, "per_host": 1, "delay": 0.0, "retries": 0, "robots": "ignore", "sitemaps": False, "bodies": False,
}  # fmt: skip

Key = Callable[[int, int], float]
"""From the depth of a page and the number of its discovery to its place; the lowest is next."""


def run(_repeats: int = 1) -> Table:
    """The table of all sites."""
    return measured(WEBS)


def measured(webs: Sequence[FilesWeb]) -> Table:
    rows: list[list[Cell]] = []
    aims = []
    for web in webs:
        graph = graph_of(web)
        found = _rows(web, graph)
        rows += found
        learned_order, breadth_first = (float(found[place][2]) for place in range(2))
        label = f"{web.name}, {web.types}"
        what = f"{label}: requests for {SHARE:.0%} of the files, of those breadth first takes"
        aims.append(at_most(what, learned_order / breadth_first, MOST, "{:.2f}"))
        aims.append(at_least(f"{label}: files when it stops", float(found[0][6]) / len(graph.files), LEAST, "{:.2f}"))
    title = f"Requests until {SHARE:.0%} of the files are there"
    return Table(
        name="files",
        title=title,
        columns=[Column("order of pages"), Column("site"), Column("requests", "{:,}"), Column("share", "{:.3f}"),
                 Column("files", "{:,}"), Column("stopped after", "{:,}"), Column("files then", "{:,}")],
        rows=rows,
        aims=aims,
        notes=_notes(webs),
        panels=Panels(1, [Panel(3, "share of a full crawl")], title),
        highlight="dowse files",
    )  # fmt: skip


def _rows(web: FilesWeb, graph: Graph) -> list[list[Cell]]:
    chosen = random.Random(1)
    orders: dict[str, Key] = {
        "breadth first": lambda depth, number: depth + number / 1e9,
        "depth first": lambda depth, number: -depth - number / 1e9,
    }
    asked = learned(web, graph)
    needed = {"dowse files": float(_place(asked, graph))}
    needed |= {name: float(unlearned(graph, key)) for name, key in orders.items()}
    needed["random"] = mean(unlearned(graph, lambda _d, _n: chosen.random()) for _ in range(SEEDS))
    needed["at best"] = float(bound(graph))
    label = f"{web.name} ({web.types})"
    rows: list[list[Cell]] = [
        [name, label, round(each), each / graph.requests, len(graph.files), "", ""] for name, each in needed.items()
    ]
    rows[0][-2:] = len(asked), len(set(graph.files).intersection(asked))
    return rows


def learned(web: FilesWeb, graph: Graph) -> list[str]:
    """What `dowse files` asks for, in the engine, one after the other, until it stops by itself."""
    asked: list[str] = []
    answer = finder(web)

    def find(url: str) -> Replayed | None:
        asked.append(url)
        return answer(url)

    job = make_job("files", graph.start, type=web.types, output="simulation", **ALONE)
    replayed(job, find)
    return asked


def unlearned(graph: Graph, key: Key) -> int:
    """Requests of an order that depends on the way to a page alone."""
    files, asked = set(graph.files), []
    waiting: list[tuple[float, int, int, str]] = [(0.0, 0, 0, graph.start)]
    seen = {graph.start}
    while waiting:
        _, _number, depth, url = heapq.heappop(waiting)
        asked.append(url)
        for link in graph.links.get(url, ()):
            if link not in seen:
                seen.add(link)
                rank = -math.inf if link in files else key(depth + 1, len(seen))
                heapq.heappush(waiting, (rank, len(seen), depth + 1, link))
    return _place(asked, graph)


def bound(graph: Graph) -> int:
    """The fewest pages, taken greedily, that link to so many of the files, and the files."""
    files = set(graph.files)
    on_page = {url: files.intersection(links) for url, links in graph.links.items() if files.intersection(links)}
    found: set[str] = set()
    pages = 0
    while len(found) < _enough(graph):
        best = max(on_page, key=lambda url: len(on_page[url] - found))
        found |= on_page.pop(best)
        pages += 1
    return pages + _enough(graph)


def _place(asked: Sequence[str], graph: Graph) -> int:
    """The requests until enough files are there; all there are if a crawl ended before."""
    files, count = set(graph.files), 0
    for place, url in enumerate(asked, 1):
        count += url in files
        if count >= _enough(graph):
            return place
    return graph.requests


def _enough(graph: Graph) -> int:
    return math.ceil(SHARE * len(graph.files))


def _notes(webs: Sequence[FilesWeb]) -> list[str]:
    return [
        f"{web.name}: {len(graph.links):,} pages, {len(graph.files):,} files ({web.types}), {graph.requests:,} requests"
        f" in a full crawl; {USED.get(web.name, 'only measured')}"
        for web, graph in ((web, graph_of(web)) for web in webs)
    ]


if __name__ == "__main__":
    from benchmarks.tables import as_text

    named = [web for web in WEBS if web.name in sys.argv[1:]] or WEBS
    print(as_text(measured(named)))
