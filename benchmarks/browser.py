"""Rendered pages a second and memory over many pages, beside the browsers of other crawlers on the same Chromium.

All have eight pages open, load no images, fonts or media, and wait until the page's one request for data is done:
dowse until the network is quiet, as it always does, the others for the element that shows the data, the fastest sign
there is. Scrapy's and Crawlee's plug-ins close a page after each use, as they are made to.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from benchmarks.apps import client_rendered
from benchmarks.cache import ROOT, Unavailable, scratch
from benchmarks.cores import ALL
from benchmarks.families import Family, measure_family
from benchmarks.server import Server
from benchmarks.tables import Aim, Bars, Cell, Column, Table, at_least, at_most
from dowse.core.errors import CrawlError
from dowse.fetch.chromium import check_browser

PAGES = int(os.environ.get("DOWSE_BENCH_RENDERED", "2000"))
TABS = 8
_MEGABYTE = 1_000_000
_COLUMNS = [
    Column("crawler"),
    Column("pages", "{:,}"),
    Column("pages/s", "{:.1f}"),
    Column("CPU ms/page", "{:.0f}"),
    Column("MB, first third", "{:.0f}"),
    Column("MB, last third", "{:.0f}"),
    Column("most MB", "{:.0f}"),
]


class Renderer(NamedTuple):
    """A crawler with a browser."""

    name: str
    command: tuple[str, ...]
    package: str


_PYTHON = (sys.executable, "-m")
_QUICK = ("--delay", "0", "--per-host", str(TABS), "--tabs", str(TABS), "--dedup", "off", "--quiet")
RENDERERS = (
    Renderer(
        "dowse", (*_PYTHON, "dowse", "site", "{url}", "-o", "{out}/crawl", "--fetch", "browser", *_QUICK), "dowse"
    ),
    Renderer("Scrapy", (*_PYTHON, "benchmarks.rivals.scrapy_rendered", "{url}"), "scrapy-playwright"),
    Renderer("Crawlee", (*_PYTHON, "benchmarks.rivals.crawlee_rendered", "{url}"), "crawlee"),
)


def run(repeats: int) -> Table:
    try:
        os.environ["BENCHMARK_CHROMIUM"] = str(check_browser())
    except CrawlError as trouble:
        raise Unavailable(str(trouble)) from trouble
    folder = ROOT / f"rendered-{PAGES}"
    if not folder.exists():
        client_rendered(folder, "react", PAGES)
    done: dict[str, tuple[Family, int]] = {}
    notes = []
    for renderer in RENDERERS:
        missing = _missing(renderer)
        if missing:
            notes.append(f"{renderer.name} was not run: {missing}")
            continue
        runs = [_once(renderer, folder) for _ in range(repeats)]
        done[renderer.name] = min(runs, key=lambda pair: pair[0].seconds)
    return Table(
        name="browser",
        title=f"{PAGES:,} pages of a React site, rendered in {TABS} tabs of one Chromium on {len(ALL)} cores",
        columns=_COLUMNS,
        rows=[_row(name, *pair) for name, pair in done.items()],
        aims=_aims(done),
        notes=notes,
        bars=Bars(2, "rendered pages per second"),
    )


def _missing(renderer: Renderer) -> str:
    try:
        version(renderer.package)
    except PackageNotFoundError:
        return f"pip install {renderer.package}"
    return ""


def _once(renderer: Renderer, folder: Path) -> tuple[Family, int]:
    with scratch() as home, scratch() as out:
        with Server(folder, home, ALL) as server:
            command = [part.format(url=server.url, out=out) for part in renderer.command]
            family = measure_family(command, out)
        data = {path for status, path in server.requests() if status == 200 and path.endswith("data.json")}
    print(f"  {renderer.name}: {len(data)} pages in {family.seconds:.1f} s, status {family.status}", file=sys.stderr)
    if not data:
        raise RuntimeError(f"{renderer.name} rendered nothing: {family.output[-500:]}")
    return family, len(data)


def _thirds(family: Family) -> tuple[float, float]:
    third = max(1, len(family.memory) // 3)
    first, last = family.memory[1 : third + 1] or [0], family.memory[-third:-1] or family.memory[-1:] or [0]
    return sum(first) / len(first), sum(last) / len(last)


def _row(name: str, family: Family, pages: int) -> list[Cell]:
    first, last = _thirds(family)
    return [
        name,
        pages,
        pages / family.seconds,
        family.cpu / pages * 1e3,
        first / _MEGABYTE,
        last / _MEGABYTE,
        family.most_memory / _MEGABYTE,
    ]


def _aims(done: dict[str, tuple[Family, int]]) -> list[Aim]:
    ours, pages = done["dowse"]
    first, last = _thirds(ours)
    aims = [
        at_least("pages rendered", pages, PAGES, "{:,.0f}"),
        at_most("memory of the last third of the pages, times the first's", last / first, 1.15),
    ]
    for name, (family, number) in done.items():
        if name != "dowse":
            ratio = (pages / ours.seconds) / (number / family.seconds)
            aims.append(at_least(f"pages/s, times {name}'s", ratio, 1.0, "{:.2f}"))
    return aims
