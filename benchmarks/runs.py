"""Crawlers on a site, again and again in turn, so that a busy moment of the machine hits all of them alike."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.cache import scratch
from benchmarks.cores import CRAWLER, SERVER
from benchmarks.crawlers import Crawler
from benchmarks.process import Measured, measure
from benchmarks.server import Server
from benchmarks.sites import Site


class Run(NamedTuple):
    """What crawling a site took, at best, and how many of its reachable pages were delivered, at worst."""

    seconds: float
    cpu: float
    memory: int
    pages: int

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds

    @property
    def milliseconds_a_page(self) -> float:
        return self.cpu / self.pages * 1e3


def compare(site: Site, crawlers: Sequence[Crawler], repeats: int, cores: set[int] = CRAWLER) -> list[Run | str]:
    """The best run of each crawler, or why it was not run."""
    best: list[Run | str] = [crawler.missing() for crawler in crawlers]
    for turn in range(repeats):
        for number, crawler in enumerate(crawlers):
            before = best[number]
            if isinstance(before, str) and before:
                continue
            for command in range(len(crawler.commands)):
                run = _once(site, crawler, command, cores)
                _tell(f"{site.name} {turn + 1}/{repeats}: {crawler.name} {run.seconds:.2f} s, {run.cpu:.2f} s of CPU")
                best[number] = _better(run, best[number])
    return best


def _once(site: Site, crawler: Crawler, command: int, cores: set[int]) -> Run:
    with scratch() as home, scratch(in_memory=crawler.in_memory) as out:
        with Server(site.folder, home, SERVER if cores == CRAWLER else cores) as server:
            filled = crawler.filled(server.url + site.start, out)[command]
            measured = measure(filled, out, cores=cores)
        pages = len(server.pages() & site.reachable)
    if not pages:
        raise RuntimeError(f"{crawler.name} fetched nothing: {_end_of(measured)}")
    return Run(measured.seconds, measured.cpu, measured.memory, pages)


def _better(run: Run, before: Run | str) -> Run:
    if isinstance(before, str):
        return run
    return Run(
        min(run.seconds, before.seconds),
        min(run.cpu, before.cpu),
        max(run.memory, before.memory),
        min(run.pages, before.pages),
    )


def _end_of(measured: Measured) -> str:
    return f"status {measured.status}, {measured.output[-500:]}"


def _tell(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)
