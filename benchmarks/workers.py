"""The same site with one process and with several, on all cores; the web server needs its share of them."""

from __future__ import annotations

from benchmarks.cores import ALL
from benchmarks.crawlers import dowse
from benchmarks.runs import Run, compare
from benchmarks.sites import all_manuals
from benchmarks.tables import Bars, Column, Table, at_least

_COUNTS = (1, 2, 4)


def run(repeats: int) -> Table:
    site = all_manuals()
    counts = [count for count in _COUNTS if count <= max(2, len(ALL))]
    crawlers = [dowse("--workers", str(count)) for count in counts]
    runs = [run for run in compare(site, crawlers, repeats, cores=ALL) if isinstance(run, Run)]
    return Table(
        name="workers",
        title=f"Processes on {len(ALL)} cores, {len(site.reachable):,} pages",
        columns=[
            Column("processes"),
            Column("pages", "{:,}"),
            Column("seconds", "{:.1f}"),
            Column("pages/s", "{:,.0f}"),
            Column("times one", "{:.2f}"),
            Column("CPU ms/page", "{:.2f}"),
            Column("peak MB", "{:.0f}"),
        ],
        rows=[
            [
                str(count), run.pages, run.seconds, run.pages_per_second, runs[0].seconds / run.seconds,
                run.milliseconds_a_page, run.memory / 1e6,
            ]
            for count, run in zip(counts, runs, strict=True)
        ],
        aims=[at_least("two processes, times one", runs[0].seconds / runs[1].seconds, 1.6)],
        notes=[
            f"the processes and nginx share {len(ALL)} cores",
            "memory is that of all processes together; what they share is counted in each",
        ],
        bars=Bars(3, "pages per second by number of processes"),
        highlight="",
    )  # fmt: skip
