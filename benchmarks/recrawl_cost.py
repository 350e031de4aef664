"""What it costs to visit a site again in which nothing changed, beside the first crawl of it.

    python -m benchmarks recrawl_cost

The same folder is served twice: by a server that answers 304 to those who have the page, and by one that knows neither
ETag nor Last-Modified, so that every page comes again as a whole and is found to be the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.cache import scratch
from benchmarks.crawlers import PYTHON
from benchmarks.process import Measured, measure
from benchmarks.server import Server
from benchmarks.sites import one_manual
from benchmarks.tables import Aim, Cell, Column, Table, at_most

MANUALS = ("postgresql", "linux")
SMALL_PAGES, LINKS = 3_000, 20
MOST = 0.5
NO_VALIDATORS = "etag off; if_modified_since off; add_header Last-Modified '';"
SERVERS = {"304": "", "whole pages": NO_VALIDATORS}
_OPTIONS = ("--delay", "0", "--per-host", "64", "--quiet")


class Visits(NamedTuple):
    """Seconds of CPU: of the first crawl, and of the next one, in which nothing changed."""

    first: float
    again: float


def run(repeats: int) -> Table:
    rows: list[list[Cell]] = []
    aims: list[Aim] = []
    with scratch() as made:
        for name, folder, start in _sites(made):
            for server, settings in SERVERS.items():
                turns = [_once(folder, start, settings) for _ in range(repeats)]
                best = Visits(min(turn.first for turn in turns), min(turn.again for turn in turns))
                print(f"  {name}, {server}: {best}", file=sys.stderr, flush=True)
                rows.append([name, server, best.first, best.again, best.again / best.first])
                aims.append(at_most(f"{name}, {server}: CPU of the recrawl", best.again / best.first, MOST, "{:.2f}"))
    columns = [Column("site"), Column("the server sends"), Column("first crawl, s of CPU", "{:.2f}")]
    columns += [Column("recrawl", "{:.2f}"), Column("as a part", "{:.2f}")]
    notes = [f"small pages: {SMALL_PAGES:,} pages of 2 kB with {LINKS} links", "both times with the start of Python"]
    return Table("recrawl_cost", "A recrawl in which nothing changed", columns, rows, aims, notes)


def _sites(made: Path) -> Iterator[tuple[str, Path, str]]:
    yield "small pages", _small_pages(made / "small"), ""
    for name in MANUALS:
        site = one_manual(name)
        yield name, site.folder, site.start


def _small_pages(folder: Path) -> Path:
    folder.mkdir()
    for number in range(SMALL_PAGES):
        links = "".join(
            f'<li><a href="/{(number * 7 + each * 131 + 1) % SMALL_PAGES}.html">{each}</a>' for each in range(LINKS)
        )
        text = f"<p>This is page {number} of a site whose pages are small.</p>" * 10
        name = "index.html" if not number else f"{number}.html"
        (folder / name).write_text(f"<!doctype html><title>Page {number}</title><ul>{links}</ul>{text}")
    (folder / "0.html").write_text("<!doctype html><title>Page 0</title>")
    return folder


def _once(folder: Path, start: str, settings: str) -> Visits:
    with scratch() as home, Server(folder, home / "nginx", settings=settings) as server:
        commands = (("site", server.url + start, "-o", "crawl"), ("recrawl", "crawl"))
        runs = [measure((*PYTHON, "dowse", *command, *_OPTIONS), home) for command in commands]
    for each in runs:
        _check(each)
    return Visits(runs[0].cpu, runs[1].cpu)


def _check(run: Measured) -> None:
    if run.status:
        raise RuntimeError(run.output[-500:])
