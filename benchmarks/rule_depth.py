"""The experiment of the rule-crawler paper further: time, instructions and useful links over the depth of the crawl."""

from __future__ import annotations

from benchmarks.level_runs import curves
from benchmarks.level_site import LEVELS
from benchmarks.tables import Table


def run(repeats: int) -> Table:
    return curves(
        "rule_depth",
        "Crawlers with one target, by crawl depth",
        {depth: (depth, 1) for depth in range(1, LEVELS + 1)},
        repeats,
        ["two rules a level; the other crawlers are stopped at the same depth"],
    )
