"""Crawling a real site on one core: dowse beside other crawlers, and beside the shortest loop its own parts allow."""

from __future__ import annotations

from benchmarks.crawlers import RIVALS, Crawler, dowse
from benchmarks.runs import Run, compare
from benchmarks.sites import all_manuals
from benchmarks.tables import Aim, Bars, Cell, Column, Table, at_least, at_most

_MEGABYTE = 1_000_000

FIVE_FIELDS = ("title=//title", "heading=//h1", "first=//p[1]", "language=//html/@lang", "cell=css:table td")
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
    fields = [part for field in FIVE_FIELDS for part in ("--extract", field)]
    crawlers = (dowse(), dowse(*fields, name="dowse, five fields"), *RIVALS)
    results = list(zip(crawlers, compare(site, crawlers, repeats), strict=True))
    done = [(crawler, run) for crawler, run in results if isinstance(run, Run)]
    fastest_first = sorted(done, key=lambda pair: pair[1].seconds)
    total = len(site.reachable)
    return Table(
        name="crawl",
        title=f"One core, {total:,} pages of five manuals",
        columns=_COLUMNS,
        rows=[_row(crawler, run, total) for crawler, run in fastest_first],
        aims=_aims({crawler.name: run for crawler, run in done}, total),
        notes=[f"{crawler.name} was not run: {reason}" for crawler, reason in results if isinstance(reason, str)],
        bars=Bars(5, "pages per second on one core"),
    )


def _row(crawler: Crawler, run: Run, total: int) -> list[Cell]:
    return [
        crawler.name,
        crawler.version(),
        run.pages,
        run.pages / total,
        run.seconds,
        run.pages_per_second,
        run.milliseconds_a_page,
        run.memory / _MEGABYTE,
    ]


def _aims(done: dict[str, Run], total: int) -> list[Aim]:
    ours = done["dowse"]
    times = {name: run.seconds / ours.seconds for name, run in done.items()}
    aims = [at_least("reachable pages fetched", ours.pages, total, "{:,.0f}")]
    wanted = {"Scrapy": 6.0, "wget": 1.0, "HTTrack": 1.0}
    aims += [
        at_least(f"pages/s, times {name}'s", times[name], least, "{:.1f}")
        for name, least in wanted.items()
        if name in done
    ]
    if "bare loop" in done:
        aims.append(at_most("CPU per page, times the bare loop's", ours.cpu / done["bare loop"].cpu, 2))
    aims.append(at_most("peak memory in MB", ours.memory / _MEGABYTE, 150, "{:.0f}"))
    return aims
