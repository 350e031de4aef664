"""The crawlers of the rule-crawler paper's figures, run to a depth for some kinds of documents of level_site.py."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.cache import scratch
from benchmarks.crawlers import PYTHON
from benchmarks.level_site import TOPIC as WORD
from benchmarks.level_site import LevelServer, rules, wanted
from benchmarks.process import measure
from benchmarks.rule_crawl import EVERYTHING, FOCUS, RULES, TOPIC, saved_links
from benchmarks.tables import Aim, Cell, Column, Lines, Table, at_least
from dowse import app
from dowse.modes.rules.rule_table import COLUMNS

_FAST = ("-o", "{out}/crawl", "--delay", "0", "--per-host", "64", "--retries", "0", "--allow-private", "--quiet")
_COMMANDS = {
    RULES: (*PYTHON, "dowse", "rules", "run", "{out}/rules.csv", *_FAST),
    FOCUS: (*PYTHON, "dowse", "focus", "{url}", "--topic", WORD, "--depth", "{depth}", *_FAST),
    TOPIC: (*PYTHON, "benchmarks.rivals.topic_crawler", "{url}", "{out}/crawl", "host", "{depth}", WORD),
    EVERYTHING: (*PYTHON, "dowse", "site", "{url}", "--depth", "{depth}", *_FAST),
}
MEASURES = ("seconds", "CPU seconds", "instructions", "useful of saved, %")


class Run(NamedTuple):
    """One crawl in the measures, in their order, and what it found of what is wanted, in percent."""

    seconds: float
    cpu: float
    instructions: float
    useful: float
    found: float


def curves(name: str, title: str, across: dict[int, tuple[int, int]], repeats: int, notes: list[str]) -> Table:
    """The measures of each crawler over the keys of `across`, which stand for a depth and a number of kinds."""
    runs = {
        (crawler, at): min(_once(crawler, depth, kinds) for _ in range(repeats))
        for crawler in _COMMANDS
        for at, (depth, kinds) in across.items()
    }
    rows: list[list[Cell]] = [
        [crawler, measure_, *(runs[crawler, at][number] for at in across)]
        for number, measure_ in enumerate(MEASURES)
        for crawler in _COMMANDS
    ]
    return Table(
        name=name,
        title=title,
        columns=[Column("crawler"), Column("measure"), *(Column(str(at), "{:,.4g}") for at in across)],
        rows=rows,
        aims=_aims({at: runs[RULES, at] for at in across}),
        notes=[*notes, *_least_found(runs), f"best of {repeats} runs" if repeats > 1 else "times are of single runs"],
        lines=Lines(2, 1, f"{title} (both scales are logarithmic)", own_scales=True),
    )


def _least_found(runs: dict[tuple[str, int], Run]) -> list[str]:
    least = {crawler: min(run.found for (name, _), run in runs.items() if name == crawler) for crawler in _COMMANDS}
    return ["found of wanted, at the least: " + ", ".join(f"{name} {share:.0f} %" for name, share in least.items())]


def _aims(ours: dict[int, Run]) -> list[Aim]:
    return [
        at_least("by rules: found of wanted, everywhere", min(run.found for run in ours.values()), 100, "{:.1f} %"),
        at_least("by rules: useful of saved, everywhere", min(run.useful for run in ours.values()), 99, "{:.1f} %"),
    ]


def _once(crawler: str, depth: int, kinds: int) -> Run:
    with scratch() as out, LevelServer() as server:
        _write(out / "rules.csv", server.url, depth, kinds)
        words = {"url": server.url, "out": str(out), "depth": str(depth)}
        measured = measure([word.format(**words) for word in _COMMANDS[crawler]], out)
        if measured.status:
            raise RuntimeError(f"{crawler}: status {measured.status}, {measured.output[-500:]}")
        crawl = app.read(out / "crawl")
        saved, right = saved_links(crawl, crawler, documents=r"/documents/"), wanted(server.url, depth, kinds)
        useful, pages = len(saved & right), crawl.status().pages
    run = Run(measured.seconds, measured.cpu, pages, 100 * useful / max(len(saved), 1), 100 * useful / len(right))
    print(f"  {crawler}, depth {depth}, {kinds} kinds: {run}", file=sys.stderr, flush=True)
    return run


def _write(file: Path, url: str, depth: int, kinds: int) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(COLUMNS), restval="")
        writer.writeheader()
        writer.writerows(rules(url, depth, kinds))
