"""Mirrors of three real sites with styles and pictures, beside HTTrack and wget: what they take, and how they look.

A sample of pages is shown in Chromium, from the server and from each mirror with the network off, and the two pictures
are compared dot by dot. What a mirror has not, or has in the wrong place, is a difference.
"""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import split
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.cache import Unavailable, scratch
from benchmarks.crawlers import PYTHON, Crawler
from benchmarks.process import measure
from benchmarks.server import Server
from benchmarks.sites import Manual, unpacked
from benchmarks.tables import Aim, Bars, Cell, Column, Table, at_most

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

SITES = {
    "gimp": Manual(("gimp-help-en",), "usr/share/gimp/2.0/help/en"),
    "python": Manual(("python3.11-doc", "python3.13-doc"), "usr/share/doc/python3.*/html"),
    "apache": Manual(("apache2-doc",), "usr/share/doc/apache2-doc/manual"),
}
TYPES = (
    "text/html html htm; text/plain txt; text/css css; text/javascript js; image/png png; image/jpeg jpg jpeg;"
    " image/gif gif; image/svg+xml svg; image/x-icon ico; font/woff2 woff2; font/woff woff; font/ttf ttf;"
)
_SIZE: ViewportSize = {"width": 1000, "height": 1400}
SHOWN = 20
"""Pages of a site that are looked at."""

_HTTRACK = split("httrack {url} -O {out} -q -Q -%v0 -%! -%c0 -A0 -s0 -C0 -I0 -o0 -j0 -%k -n")
_FAST = split("--delay 0 --per-host 64 --quiet")
TOOLS = (
    Crawler(
        "dowse", ((*PYTHON, "dowse", "mirror", "{url}", "-o", "{out}/crawl", "-f", "{out}/mirror", *_FAST),), "dowse"
    ),
    Crawler("HTTrack", ([*_HTTRACK, "-c2"], [*_HTTRACK, "-c8"])),
    Crawler("wget", (split("wget -q -r -l inf -p -k -E -e robots=off -P {out} {url}"),)),
)


class Looks(NamedTuple):
    """How a mirror looks beside its site: pages that look the same, pages looked at, and dots that differ, in %."""

    same: int
    pages: int
    differing: float


class Mirrored(NamedTuple):
    """What a mirror took at best, and how it looks."""

    seconds: float
    cpu: float
    looks: Looks


def run(repeats: int) -> Table:
    for tool in TOOLS:
        if tool.missing():
            raise Unavailable(tool.missing())
    rows: list[list[Cell]] = []
    aims: list[Aim] = []
    for name, manual in SITES.items():
        found = _mirrors(name, manual, repeats)
        base = found["HTTrack"].seconds
        for tool, (seconds, cpu, looks) in found.items():
            rows.append([name, tool, seconds, seconds / base, cpu, looks.pages, looks.same, looks.differing])
        aims.append(at_most(f"{name}: time, times HTTrack's", found["dowse"].seconds / base, 0.5))
        worst = found["dowse"].looks
        aims.append(at_most(f"{name}: dots that differ, %", worst.differing, 0.0))
    return Table(
        name="mirror",
        title="Mirrors beside HTTrack and wget, one core",
        columns=[
            Column("site"),
            Column("by"),
            Column("s", "{:.2f}"),
            Column("times HTTrack's", "{:.2f}"),
            Column("CPU s", "{:.2f}"),
            Column("pages shown", "{:,}"),
            Column("look the same", "{:,}"),
            Column("dots that differ, %", "{:.3f}"),
        ],
        rows=rows,
        aims=aims,
        bars=Bars(3, "time to mirror a site, as a part of HTTrack's; a full bar would be as slow", full=1.0),
        highlight="dowse",
    )


def _mirrors(name: str, manual: Manual, repeats: int) -> dict[str, Mirrored]:
    folder = next(unpacked(manual.packages).glob(manual.folder), None)
    if folder is None:
        raise Unavailable(f"{manual.packages[0]} has no {manual.folder}")
    start = "" if manual.start == "index.html" else manual.start
    best: dict[str, Mirrored] = {}
    pages: list[str] = []
    for turn in range(repeats):
        for tool in TOOLS:
            for number in range(len(tool.commands)):
                with scratch() as home, scratch(in_memory=True) as out, Server(folder, home, types=TYPES) as server:
                    measured = measure(tool.filled(server.url + start, out)[number], out)
                    seconds, cpu = round(measured.seconds, 3), round(measured.cpu, 3)
                    print(f"  {name} {turn + 1}/{repeats}: {tool.name} {seconds} s, {cpu} s of CPU", file=sys.stderr)
                    before = best.get(tool.name)
                    top = next(path for path in out.rglob(f"127.0.0.1*{server.port}") if "crawl" not in path.parts)
                    pages = pages or _sample(top)
                    looks = before.looks if before else _looks(server, top, pages)
                if before is None or seconds < before.seconds:
                    best[tool.name] = Mirrored(seconds, cpu, looks)
    return best


# How it looks


def _looks(server: Server, top: Path, pages: Sequence[str]) -> Looks:
    """Compare pages of a mirror with those of the server; one that is not there differs in every dot."""
    with _browser() as browser:
        live, copy = (browser.new_context(viewport=_SIZE, offline=offline).new_page() for offline in (False, True))
        shares = [
            _difference(_shown(live, server.url + page), _shown(copy, (top / page).as_uri()))
            if (top / page).is_file()
            else 1.0
            for page in pages
        ]
    return Looks(sum(share == 0 for share in shares), len(pages), 100 * sum(shares) / len(shares))


def _sample(top: Path) -> list[str]:
    """Some pages of a mirror."""
    found = sorted(os.path.relpath(path, top) for path in top.rglob("*.html"))
    return random.Random(1).sample(found, min(SHOWN, len(found)))


@contextmanager
def _browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    from dowse.fetch.chromium import check_browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=check_browser(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def _shown(page: Page, url: str) -> bytes:
    page.goto(url, wait_until="networkidle")
    return page.screenshot()


def _difference(one: bytes, other: bytes) -> float:
    """The share of dots that differ."""
    if one == other:
        return 0.0
    from PIL import Image, ImageChops

    pictures = [Image.open(io.BytesIO(data)).convert("RGB") for data in (one, other)]
    difference = ImageChops.difference(*pictures).convert("L")
    histogram = difference.histogram()
    return 1 - histogram[0] / sum(histogram)
