"""The baselines, to compare other rankers with: each a small rule, and the best of all links to a URL counts.

    breadth    the least links from a seed first               depth   the most
    random     by a number made of the URL                     parent  the most relevant page first
    keywords   the most keywords in the link and around it     shark   Shark-Search: what pages above were, and the link

Shark-Search has the constants of its paper: a relevant page hands on half of its relevance, an irrelevant one half of
what it got; the words of a link count for 0.8 beside those around it, and what is inherited for 0.8 beside the link.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dowse.core.model import Judged, Task
from dowse.rank.evidence import PLAIN_HINT, PLAIN_LEAD, Rows, rows_at, rows_of
from dowse.rank.unlearned_ranker import PlainRanker, better

_DECAY = 0.5
_ANCHOR = 0.8
_INHERITED = 0.8
_SMALLEST = 0.0

Worth = NDArray[np.float64]


class BaselineRanker(PlainRanker):
    """Ranks links by one rule. It learns nothing, so that there is nothing to save."""

    def __init__(self, rule: Callable[[Task, Judged, Rows, float], tuple[Worth, float]]) -> None:
        self._rule = rule
        self._inherited = 0.0

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        self._inherited = float(rows_of([lead], PLAIN_LEAD)["inherited"][0])
        return judged

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        hints = rows_at(judged.hints, PLAIN_HINT, links)
        worth, inherited = self._rule(task, judged, hints, self._inherited)
        rows = np.zeros(len(links), PLAIN_LEAD)
        rows["worth"], rows["inherited"] = worth, inherited
        return better(leads, rows)

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        return [{"worth": rank} for rank in self.rank(leads)]

    def dump(self) -> bytes:
        return b""

    def load(self, state: bytes) -> None:
        """There is nothing to load."""


def _breadth(task: Task, judged: Judged, hints: Rows, inherited: float) -> tuple[Worth, float]:
    return np.full(len(hints), -float(task.depth + 1)), 0.0


def _depth(task: Task, judged: Judged, hints: Rows, inherited: float) -> tuple[Worth, float]:
    return np.full(len(hints), float(task.depth + 1)), 0.0


def _random(task: Task, judged: Judged, hints: Rows, inherited: float) -> tuple[Worth, float]:
    return hints["address"].astype(np.float64) / 2**32, 0.0


def _parent(task: Task, judged: Judged, hints: Rows, inherited: float) -> tuple[Worth, float]:
    return np.full(len(hints), judged.relevance), 0.0


def _keywords(task: Task, judged: Judged, hints: Rows, inherited: float) -> tuple[Worth, float]:
    return 0.6 * hints["anchor"] + 0.2 * hints["context"] + 0.2 * judged.relevance, 0.0


def _shark(task: Task, judged: Judged, hints: Rows, inherited: float) -> tuple[Worth, float]:
    handed_on = _DECAY * (judged.relevance if judged.relevance > _SMALLEST else inherited)
    context = np.where(hints["anchor"] > 0, 1.0, hints["context"])
    beside: Any = _ANCHOR * hints["anchor"] + (1 - _ANCHOR) * context
    return _INHERITED * handed_on + (1 - _INHERITED) * beside, handed_on


RULES: dict[str, Callable[[Task, Judged, Rows, float], tuple[Worth, float]]] = {
    "breadth": _breadth,
    "depth": _depth,
    "random": _random,
    "parent": _parent,
    "keywords": _keywords,
    "shark": _shark,
}
