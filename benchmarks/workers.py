"""One process and several, on all cores: on the real site, and without a server that needs its share of the cores."""

from __future__ import annotations

from benchmarks.cache import scratch
from benchmarks.cores import ALL
from benchmarks.crawlers import dowse
from benchmarks.null import ORIGIN, WAITING, child
from benchmarks.runs import Run, compare
from benchmarks.sites import all_manuals
from benchmarks.tables import Bars, Cell, Column, Table, at_least

_COUNTS = (1, 2, 4)
_NULL_PAGES = 20_000


def run(repeats: int) -> Table:
    counts = [count for count in _COUNTS if count <= max(2, len(ALL))]
    speeds = {"nginx": _on_the_site(counts, repeats), "memory": _without_a_server(counts, repeats)}
    rows: list[list[Cell]] = [
        [f"{count}, pages from {source}", speed, speed / speeds[source][0]]
        for source in speeds
        for count, speed in zip(counts, speeds[source], strict=True)
    ]
    return Table(
        name="workers",
        title=f"Processes on {len(ALL)} cores",
        columns=[Column("processes"), Column("pages/s", "{:,.0f}"), Column("times one", "{:.2f}")],
        rows=rows,
        aims=[
            at_least(f"two processes, times one, pages from {source}", speeds[source][1] / speeds[source][0], 1.6)
            for source in speeds
        ],
        notes=[f"the processes share {len(ALL)} cores, with nginx where the pages come from it"],
        bars=Bars(1, "pages per second by number of processes"),
        highlight="",
    )


def _on_the_site(counts: list[int], repeats: int) -> list[float]:
    crawlers = [dowse("--workers", str(count)) for count in counts]
    runs = compare(all_manuals(), crawlers, repeats, cores=ALL)
    return [run.pages_per_second for run in runs if isinstance(run, Run)]


def _without_a_server(counts: list[int], repeats: int) -> list[float]:
    """Every process makes its pages itself, see `null_site`."""
    best = dict.fromkeys(counts, 0.0)
    for count in counts * repeats:
        with scratch() as folder:
            child(folder, "build", folder / "crawl", ORIGIN, WAITING)
            ran = child(folder, "run", folder / "crawl", _NULL_PAGES, count, cores=ALL)
        best[count] = max(best[count], ran["pages"] / ran["wall"])
    return list(best.values())
