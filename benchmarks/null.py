"""The engine's own microseconds per page: lease, judge and commit, with a fetcher that answers from memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.cache import scratch
from benchmarks.cores import CRAWLER
from benchmarks.crawlers import PYTHON
from benchmarks.process import measure
from benchmarks.tables import Bars, Column, Table, at_most

PAGES = 10_000
WAITING = 1_000
ORIGIN = "http://127.0.0.1:9/"
"""Where nothing listens, and nothing is asked."""


def run(repeats: int) -> Table:
    best: dict[str, float] = {}
    for _ in range(repeats):
        with scratch() as folder:
            child(folder, "build", folder / "crawl", ORIGIN, WAITING)
            seconds = child(folder, "run", folder / "crawl", PAGES)["seconds"]
        if not best or seconds["all"] < best["all"]:
            best = seconds
    cost = {part: spent / PAGES * 1e6 for part, spent in best.items()}
    parts = [
        ("lease", "the next tasks out of the frontier", cost["lease"]),
        ("scan", "the tags that matter, without a tree", cost["scan"]),
        ("judge", "charset, links, texts, keys, scope, verdict", cost["visit"] - cost["scan"]),
        ("commit", "seen test, traps, ledger, rows on disk", cost["commit"]),
        ("loop", "event loop, pool, progress", cost["all"] - cost["lease"] - cost["visit"] - cost["commit"]),
    ]
    return Table(
        name="null",
        title=f"The engine without a network, {PAGES:,} pages of 36 kB with 103 links",
        columns=[Column("part"), Column("what it does"), Column("us/page", "{:.0f}"), Column("share", "{:.0%}")],
        rows=[
            *([name, what, spent, spent / cost["all"]] for name, what, spent in parts),
            ["all", "", cost["all"], 1.0],
            ["to compare", "what the HTML parser alone would take", cost["parser"], cost["parser"] / cost["all"]],
        ],
        aims=[at_most("all, times the HTML parser alone", cost["all"] / cost["parser"], 3.5)],
        notes=["processor time of one thread, the best of the runs; the making of the answers is not counted"],
        bars=Bars(2, "microseconds of processor time a page"),
        highlight="all",
    )


def child(folder: Path, *arguments: Any, cores: set[int] = CRAWLER) -> dict[str, Any]:
    """One run of `null_crawl` in a process of its own."""
    measured = measure([*PYTHON, "benchmarks.null_crawl", *map(str, arguments)], folder, cores=cores)
    if measured.status:
        raise RuntimeError(f"null_crawl {arguments} ended with status {measured.status}: {measured.output[-500:]}")
    answer: dict[str, Any] = json.loads(measured.output.splitlines()[-1])
    return answer
