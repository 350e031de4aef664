"""Crawling a real site on one core: dowse beside other crawlers, and beside the shortest loop its own parts allow."""

from __future__ import annotations

from benchmarks.crawlers import BARE_LOOP, RIVALS, SCRAPY, Crawler, dowse
from benchmarks.runs import Run, compare
from benchmarks.sites import all_manuals
from benchmarks.tables import Aim, Bars, Column, Table, at_least, at_most

_MEGABYTE = 1_000_000
_COLUMNS = [
    Column("crawler"),
    Column("version"),
    Column("pages", "{:,}"),
    Column("of reachable", "{:.1%}"),
    Column("seconds", "{:.1f}"),
    Column("pages/s", "{:,.0f}"),
    Column("CPU ms/page", "{:.2f}"),
    Column("peak MB", "{:.0f}"),
]


def run(repeats: int) -> Table:
    site = all_manuals()
    crawlers = (dowse(), *RIVALS)
    results = dict(zip(crawlers, compare(site, crawlers, repeats), strict=True))
    done = {crawler: run for crawler, run in results.items() if isinstance(run, Run)}
    fastest_first = sorted(done, key=lambda crawler: done[crawler].seconds)
    total = len(site.reachable)
    return Table(
        name="crawl",
        title=f"One core, {total:,} pages of five manuals",
        columns=_COLUMNS,
        rows=[
            [
                crawler.name, crawler.version(), done[crawler].pages, done[crawler].pages / total, done[crawler].seconds,
                done[crawler].pages_per_second, done[crawler].milliseconds_a_page, done[crawler].memory / _MEGABYTE,
            ]
            for crawler in fastest_first
        ],
        aims=_aims(done, total),
        notes=[f"{crawler.name} was not run: {reason}" for crawler, reason in results.items() if isinstance(reason, str)],
        bars=Bars(5, "pages per second on one core"),
    )  # fmt: skip


def _aims(done: dict[Crawler, Run], total: int) -> list[Aim]:
    ours = next(run for crawler, run in done.items() if crawler.name == "dowse")
    by_name = {crawler.name: run for crawler, run in done.items()}
    aims = [at_least("reachable pages fetched", ours.pages, total, "{:,.0f}")]
    if SCRAPY in done:
        aims.append(at_least("pages/s, times Scrapy's", done[SCRAPY].seconds / ours.seconds, 6, "{:.1f}"))
    if BARE_LOOP in done:
        aims.append(at_most("CPU per page, times the bare loop's", ours.cpu / done[BARE_LOOP].cpu, 2))
    for name in ("wget", "HTTrack"):
        if name in by_name:
            aims.append(at_least(f"pages/s, times {name}'s", by_name[name].seconds / ours.seconds, 1, "{:.1f}"))
    aims.append(at_most("peak memory in MB", ours.memory / _MEGABYTE, 150, "{:.0f}"))
    return aims
