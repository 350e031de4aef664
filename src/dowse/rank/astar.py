"""Adaptive A*: paths to pages of the topic, ordered by f = g + h, with h corrected by what was found.

    g    relevance gathered on the way to the page a link is on: the mean of the pages of the path, the page included
    h    relevance still to come: how much more relevant than that page a goal is, as far as the link promises it
    f    g + h; the links with the most are next

The published lines, and what they are here:

    4    b = log2(Graph Size)                 ROUNDS: log2 of the URLs discovered so far, so b grows with the graph
    5    repeat b times                       rounds end after 2, 4, 8, ... pages: a round is a search that was paused,
                                              not begun anew, for a page that was fetched is not fetched again
    7-12 seeds in, best out, fetch            the engine
    15   g := relevance of the node           `Path.gathered`
    17   h := relevance of goal - of node     `_promise`: goal is the mean of the best pages found so far (at first 1)
    19   f := g + h                           `rank`
    21   insert the best                      the frontier is sorted by f
         after each round h is corrected      `_correct`: h is multiplied by what h of this kind really brought, so it
                                              is better informed each time; everything that waits is ranked anew
    24   then plain A*                        after b rounds h is left as it is

Where the paper minimises a cost, relevance is maximised; where it knows the goal page, there is only a topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import msgspec
import numpy as np
from numpy.typing import NDArray

from dowse.core.model import Judged, Outcome, Task
from dowse.rank.evidence import PLAIN_HINT, Rows, records_of, rows_at, rows_of
from dowse.rank.ranker_state import pack, unpack

PATH = np.dtype([("gathered", "<f4"), ("node", "<f4"), ("anchor", "<f4"), ("context", "<f4"), ("length", "<f4")])
"""The best path to a URL: its mean relevance, the relevance of its last page, what the link says, how long it is."""

_ALL = 1_000_000_000
_GOALS = 10
_FIRST_ROUND = 2
_BINS = 4
_SHRINK = 2.0
_ANCHOR = 0.7
_SIZES = (PATH.itemsize, _BINS)

Numbers = NDArray[np.float64]


class State(msgspec.Struct):
    """What was learned, as it is saved."""

    pages: int = 0
    urls: int = 0
    round: int = 0
    inherited: tuple[float, float] = (0.0, 0.0)
    goals: list[float] = []
    factors: list[float] = msgspec.field(default_factory=lambda: [1.0] * _BINS)
    brought: list[tuple[float, float]] = msgspec.field(default_factory=lambda: [(0.0, 0.0)] * _BINS)


class AdaptiveRanker:
    """Ranks links by f, and learns how far h can be trusted."""

    slack = 0.0

    def __init__(self) -> None:
        self._state = State()

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        state = self._state
        state.pages += 1
        state.goals = sorted([*state.goals, judged.relevance], reverse=True)[:_GOALS]
        path = rows_of([lead], PATH)
        length = float(path["length"][0])
        gathered = (float(path["gathered"][0]) * length + judged.relevance) / (length + 1)
        state.inherited = (gathered, length + 1)
        if lead:
            place = int(self._bin(path)[0])
            promised = float(self._promise(path)[0])
            before, real = state.brought[place]
            gain = max(judged.relevance - float(path["node"][0]), 0.0)
            state.brought[place] = (before + promised, real + gain)
        return judged

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        return None

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        hints = rows_at(judged.hints, PLAIN_HINT, links)
        rows = np.zeros(len(links), PATH)
        rows["gathered"], rows["length"] = self._state.inherited
        rows["node"] = judged.relevance
        rows["anchor"], rows["context"] = hints["anchor"], hints["context"]
        self._state.urls += sum(not lead for lead in leads)
        made = records_of(rows)
        worth, known = self._f(rows), self._f(rows_of(leads, PATH))
        return [
            old if old and before >= now else new
            for old, before, now, new in zip(leads, known, worth, made, strict=True)
        ]

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        ranks: list[float] = self._f(rows_of(leads, PATH)).tolist()
        return ranks

    def rejudge(self, pages: Sequence[tuple[float, bytes]]) -> list[float]:
        return [relevance for relevance, _evidence in pages]

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        paths = rows_of(leads, PATH)
        both = zip(paths["gathered"].tolist(), self._h(paths).tolist(), strict=True)
        return [{"g": round(gathered, 4), "h": round(expected, 4)} for gathered, expected in both]

    def due(self) -> int:
        state = self._state
        if state.round >= self.rounds or state.pages < _FIRST_ROUND << state.round:
            return 0
        state.round += 1
        self._correct()
        return _ALL

    @property
    def rounds(self) -> int:
        """How often h is corrected before plain A* goes on."""
        return int(log2(max(self._state.urls, 2)))

    def dump(self) -> bytes:
        return pack(self._state, _SIZES)

    def load(self, state: bytes) -> None:
        self._state = unpack(state, State, _SIZES)

    def _f(self, paths: Rows) -> Numbers:
        total: Numbers = paths["gathered"] + self._h(paths)
        return total

    def _h(self, paths: Rows) -> Numbers:
        corrected: Numbers = self._promise(paths) * np.array(self._state.factors)[self._bin(paths)]
        return corrected

    def _promise(self, paths: Rows) -> Numbers:
        """What a goal has more than the page the link is on, as far as the link's words are those of the topic."""
        goals = self._state.goals
        goal = sum(goals) / len(goals) if goals else 1.0
        told = _ANCHOR * paths["anchor"] + (1 - _ANCHOR) * paths["context"]
        promise: Numbers = np.maximum(goal - paths["node"] * (1 - told), 0.0) * np.maximum(told, 0.05)
        return promise

    def _bin(self, paths: Rows) -> NDArray[np.intp]:
        """The kind of a link: how much of the topic its words have."""
        told = _ANCHOR * paths["anchor"] + (1 - _ANCHOR) * paths["context"]
        kinds: NDArray[np.intp] = np.minimum(told * _BINS, _BINS - 1).astype(np.intp)
        return kinds

    def _correct(self) -> None:
        self._state.factors = [
            (real + _SHRINK * 0.1) / (promised + _SHRINK * 0.1) for promised, real in self._state.brought
        ]
