"""The engine with its tables in PostgreSQL beside SQLite: speed, a million waiting URLs, ten million known ones.

The server is the one that the tests start, on this machine, with its own defaults but for fsync, which is off as the
disk of SQLite is not waited for either. It shares the cores with the crawl.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from benchmarks.cache import scratch
from benchmarks.crawlers import PYTHON
from benchmarks.null import ORIGIN, child
from benchmarks.process import measure
from benchmarks.tables import Cell, Column, Table, at_least, at_most
from tests.postgres import running

SIZES = (1_000, 1_000_000)
KNOWN = 10_000_000
PAGES = 3_000


def run(repeats: int) -> Table:
    cores = set(range(os.cpu_count() or 1))
    rows: list[list[Cell]] = []
    ratios: dict[int, float] = {}
    with running() as server, scratch() as folder:
        for size in SIZES:
            places = [folder / f"file-{size}", folder / f"server-{size}"]
            for place, url in zip(places, ("", server.database()), strict=True):
                child(folder, "build", place, ORIGIN, size, *filter(None, [url]), cores=cores)
            turns = [child(folder, "alternate", *places, cores=cores) for _ in range(repeats)]
            speeds = [max(turn["walls"][which] for turn in turns) for which in range(2)]
            ratios[size] = max(turn["walls"][1] / turn["walls"][0] for turn in turns)
            memory = [child(folder, "run", place, PAGES, cores=cores)["memory"] / 1e6 for place in places]
            rows += [
                ["SQLite", size, speeds[0], 1.0, memory[0]],
                ["PostgreSQL", size, speeds[1], ratios[size], memory[1]],
            ]
        opened = _known(folder, server.database())
    return Table(
        name="postgres",
        title="Tables in PostgreSQL beside a file",
        columns=[
            Column("tables in"),
            Column("waiting", "{:,}"),
            Column("pages per second", "{:,.0f}"),
            Column("times SQLite", "{:.2f}"),
            Column("peak MB", "{:.0f}"),
        ],
        rows=rows,
        aims=[
            at_least("pages per second, times SQLite", ratios[SIZES[0]], 0.5),
            at_least("the same with a million waiting URLs", ratios[SIZES[1]], 0.5),
            at_most("engine with ten million known URLs, MB", opened["megabytes"], 400, "{:.0f}"),
        ],
        notes=[
            "seconds on the wall without the making of the answers; the two take turns of 200 pages each",
            f"to open a crawl with {opened['known']:,} known URLs took {opened['seconds']} s",
        ],
    )


def _known(folder: Path, url: str) -> dict[str, Any]:
    command = [*PYTHON, "benchmarks.known_urls", str(folder / "known"), url, str(KNOWN)]
    done = measure(command, folder, cores=set(range(os.cpu_count() or 1)))
    answer: dict[str, Any] = json.loads(done.output.splitlines()[-1])
    return answer
