"""`--fetch http`, `browser` and `auto` on a mixed web of static, partly and wholly client-rendered sites."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from benchmarks.apps import client_rendered, partly, static
from benchmarks.cache import ROOT, Unavailable, scratch
from benchmarks.cores import ALL
from benchmarks.families import Family, measure_family
from benchmarks.server import Server
from benchmarks.tables import Bars, Column, Table, at_least, at_most
from dowse import app
from dowse.core.errors import CrawlError
from dowse.fetch.chromium import check_browser

_COLUMNS = [
    Column("fetch"),
    Column("pages", "{:,}"),
    Column("links", "{:,}"),
    Column("rendered", "{:,}"),
    Column("seconds", "{:.1f}"),
    Column("CPU s", "{:.1f}"),
    Column("links per CPU s", "{:.0f}"),
]
_QUICK = ("--delay", "0", "--per-host", "8", "--tabs", "8", "--dedup", "off", "--quiet")


def mixed_web() -> list[Path]:
    """The sites; three without need of a browser, one partly, three wholly."""
    root = ROOT / "mixed-web-1"
    if not root.exists():
        static(root / "static", 150)
        static(root / "scripted", 150, scripted=True)
        static(root / "scripted-2", 120, scripted=True)
        partly(root / "partly", 80, 8, 12)
        for kind in ("react", "vue", "plain"):
            client_rendered(root / kind, kind, 40)
    return sorted(root.iterdir())


def run(repeats: int) -> Table:
    try:
        check_browser()
    except CrawlError as trouble:
        raise Unavailable(str(trouble)) from trouble
    rows: dict[str, tuple[int, int, int, Family]] = {}
    for way in ("http", "browser", "auto"):
        runs = [_once(way, mixed_web()) for _ in range(repeats)]
        rows[way] = min(runs, key=lambda row: row[3].cpu)
    auto, always = rows["auto"], rows["browser"]
    return Table(
        name="auto",
        title="Seven sites, of which three show nothing without scripts and one hides part of itself",
        columns=_COLUMNS,
        rows=[
            [way, pages, links, rendered, family.seconds, family.cpu, links / family.cpu]
            for way, (pages, links, rendered, family) in rows.items()
        ],
        aims=[
            at_least("pages found by auto, of those found by rendering all", auto[0] / always[0], 0.99, "{:.1%}"),
            at_most("processor time of auto, of that of rendering all", auto[3].cpu / always[3].cpu, 1 / 3, "{:.0%}"),
        ],
        bars=Bars(6, "links found per second of processor time"),
        highlight="auto",
    )


def _once(way: str, sites: list[Path]) -> tuple[int, int, int, Family]:
    """Pages fetched, distinct links found, pages rendered, and what it took."""
    with ExitStack() as stack:
        home, out = stack.enter_context(scratch()), stack.enter_context(scratch())
        servers = [stack.enter_context(Server(site, home / site.name, ALL)) for site in sites]
        seeds = [server.url for server in servers]
        command = [sys.executable, "-m", "dowse", "site", *seeds, "-o", out / "crawl", "--fetch", way, *_QUICK]
        family = measure_family(command, out)
        crawl = app.read(out / "crawl")
        links = len({row["target"] for row in crawl.links})
        result = (len(crawl.pages), links, crawl.rendering().pages, family)
    print(f"  {way}: {result[0]} pages, {result[2]} rendered, {family.cpu:.1f} s of CPU", file=sys.stderr, flush=True)
    return result
