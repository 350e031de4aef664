"""The first part of each page alone, as the smart-crawler paper reads 10 KB: what it saves, and what is not found."""

from __future__ import annotations

import sys
import time
from typing import NamedTuple

import dowse
from benchmarks.cache import scratch
from benchmarks.server import Server
from benchmarks.sites import Site, one_manual
from benchmarks.tables import Cell, Column, Panel, Panels, Table

SITES = ("cpp", "linux")
CUTS = (0, 100_000, 30_000, 10_000)
"""Bytes that are read of a page; 0 is all of it, 10,000 is the paper's."""


PANELS = [Panel(3, "pages"), Panel(4, "URLs"), Panel(6, "bytes")]
"""The columns that are drawn."""


class Part(NamedTuple):
    """A crawl that read a part of each page: what it found, and what that took."""

    pages: int
    urls: int
    received: int
    cpu: float


def run(repeats: int) -> Table:
    rows: list[list[Cell]] = []
    for name in SITES:
        site = one_manual(name)
        parts = {cut: min((_once(site, cut) for _ in range(repeats)), key=lambda part: part.cpu) for cut in CUTS}
        whole = parts[0]
        for cut, part in parts.items():
            rows.append([
                f"first {cut:,} bytes" if cut else "all of it", name, part.pages, part.pages / whole.pages,
                part.urls / whole.urls, part.received / 1e6, part.received / whole.received, part.cpu / whole.cpu,
            ])  # fmt: skip
    return Table(
        name="cut_body",
        title="Crawls that read the first part of each page",
        columns=[
            Column("of each page"),
            Column("site"),
            Column("pages", "{:,}"),
            Column("of all pages", "{:.1%}"),
            Column("of all URLs", "{:.1%}"),
            Column("MB", "{:,.1f}"),
            Column("of all bytes", "{:.1%}"),
            Column("of the CPU time", "{:.0%}"),
        ],
        rows=rows,
        notes=[
            "the paper reads 10 KB of a page and does not say what that leaves out",
            "of all: as a part of what the same crawl with whole pages has, on the same machine",
        ],
        panels=Panels(1, PANELS, "as a part of what a crawl with whole pages has"),
        highlight="first 10,000 bytes",
    )


def _once(site: Site, cut: int) -> Part:
    with scratch() as home, Server(site.folder, home / "nginx") as server:
        started = time.process_time()
        crawl = dowse.site(
            server.url + site.start, output=str(home / "crawl"), delay=0.0, per_host=64, dedup="off", cut_body=cut
        )
        cpu = time.process_time() - started
        status = crawl.status()
        part = Part(status.pages, sum(status.counts.values()), status.bytes_received, cpu)
        crawl.close()
    print(f"  {site.name}, {cut:,}: {part}", file=sys.stderr, flush=True)
    return part
