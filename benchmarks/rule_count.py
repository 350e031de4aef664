"""The experiment of the rule-crawler paper further: time, instructions and useful links over the number of rules."""

from __future__ import annotations

from benchmarks.level_runs import curves
from benchmarks.level_site import KINDS
from benchmarks.tables import Table

_DEPTH = 3


def run(repeats: int) -> Table:
    return curves(
        "rule_count",
        "Crawlers with one target, by the number of rules",
        {_DEPTH * (1 + kinds): (_DEPTH, kinds) for kinds in range(1, len(KINDS) + 1)},
        repeats,
        [f"depth {_DEPTH}; one rule a level to go on, and one for each of one to {len(KINDS)} kinds of documents"],
    )
