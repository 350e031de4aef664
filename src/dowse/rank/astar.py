"""Adaptive A*: paths to pages of the topic, ordered by f = g + h, with h corrected by what was found.

    g    relevance gathered on the way to the page a link is on: the mean of the pages of the path, the page included
    h    relevance still to come: how much more relevant than that page a goal is, as far as the link promises it
    f    g + h; the links with the most are next

The published lines, and what they are here:

    4    b = log(Graph Size)                  `rounds`, fixed at the start: log2 of the pages of the web, as given, or
                                              estimated by the first page: as many as its links lead to in two steps,
                                              if other pages have as many links
    5    repeat b times                       rounds are longer and longer, and the last ends after b x b pages.
                                              A round is a search that was paused, not begun anew, for a page that was
                                              fetched is not fetched again
    7-12 seeds in, best out, fetch            the engine
    15   g := relevance of the node           `Path.gathered`
    17   h := relevance of goal - of node     `_promise`: the goal is as relevant as the example pages, or else as the
                                              mean of the best pages found so far (at first 1)
    19   f := g + h                           `rank`
    21   insert the best                      the frontier is sorted by f
         the user gives the first h           `first_h`, or else the words of a link tell
         after each round h is corrected      `_correct`: h is multiplied by what h of this kind really brought, so it
                                              is better informed each time; everything that waits is ranked anew
    24   then plain A*                        after b rounds h is left as it is

Where the paper minimises a cost, relevance is maximised; where it knows the goal page, there is only a topic.

The rounds do not depend on how many pages may be fetched: a crawl that is stopped and goes on with another limit must
take the same pages as one that was never stopped.

Two lines are done otherwise here, and their literal forms are rankers of their own, to compare with:

    literal       lines 15 to 19 as they stand. g + h is the relevance of the goal then, the same for every link, so
                  links are taken first come, first served
    best child    line 21 as it stands: of the links of a page only the one with the highest f is inserted, and the rest
                  is dropped. It is a path, and ends where a page has nothing new
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log2
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from dowse.core.model import Judged, Outcome, Task
from dowse.rank.evidence import PLAIN_HINT, Rows, records_of, rows_at, rows_of
from dowse.rank.ranker_state import pack, unpack

PATH = np.dtype([("gathered", "<f4"), ("node", "<f4"), ("anchor", "<f4"), ("context", "<f4"), ("length", "<f4")])
"""The best path to a URL: its mean relevance, the relevance of its last page, what the link says, how long it is."""

Variant = Literal["adaptive", "literal", "best child"]
ASTAR: dict[str, Variant] = {"astar": "adaptive", "astar-literal": "literal", "astar-best-child": "best child"}

_ALL = 1_000_000_000
_GOALS = 10
_LEAST_GOAL = 0.25
"""A goal is a page that matches: while none is found, links must promise something, or none is before another."""

_NOT_INSERTED = -1.0
"""The length of a path that is not in the frontier."""

_BINS = 4
_DIGITS = 6
_SHRINK = 2.0
_ANCHOR = 0.7
_SIZES = (PATH.itemsize, _BINS)

Numbers = NDArray[np.float64]


class State(msgspec.Struct):
    """What was learned, as it is saved."""

    ends: list[int] = []
    pages: int = 0
    round: int = 0
    inherited: tuple[float, float] = (0.0, 0.0)
    goals: list[float] = []
    factors: list[float] = msgspec.field(default_factory=lambda: [1.0] * _BINS)
    brought: list[tuple[float, float]] = msgspec.field(default_factory=lambda: [(0.0, 0.0)] * _BINS)


class AdaptiveRanker:
    """Ranks links by f, and learns how far h can be trusted."""

    slack = 0.0

    def __init__(
        self, variant: Variant = "adaptive", graph_size: int = 0, *, goal: float = -1.0, first_h: float = -1.0
    ) -> None:
        """`graph_size` is how many pages there are (0: not known); `goal` is the relevance of what is looked for,
        `first_h` the h of links (-1: both are found out)."""
        self._variant = variant
        self._goal = goal
        self._first_h = first_h
        self._state = State(round_ends(graph_size) if graph_size else [])

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        state = self._state
        state.pages += 1
        state.goals = sorted([*state.goals, judged.relevance], reverse=True)[:_GOALS]
        path = rows_of([lead], PATH)
        length = max(float(path["length"][0]), 0.0)
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
        if not self._state.ends:
            self._state.ends = round_ends(len(links) ** 2)
        worth, known = self._f(rows), self._f(rows_of(leads, PATH))
        if self._variant == "best child" and len(rows):
            others = np.arange(len(rows)) != worth.argmax()
            rows["length"][others] = _NOT_INSERTED
            worth[others] = -inf
        made = records_of(rows)
        return [
            old if old and before >= now else new
            for old, before, now, new in zip(leads, known, worth, made, strict=True)
        ]

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        ranks: list[float] = self._f(rows_of(leads, PATH)).tolist()
        return ranks

    def rejudge(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        return []

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        paths = rows_of(leads, PATH)
        both = zip(self._g(paths).tolist(), self._h(paths).tolist(), strict=True)
        return [{"g": round(gathered, 4), "h": round(expected, 4)} for gathered, expected in both]

    def due(self) -> int:
        state = self._state
        if self._variant == "literal" or state.round >= self.rounds or state.pages < state.ends[state.round]:
            return 0
        state.round += 1
        self._correct()
        return _ALL

    @property
    def rounds(self) -> int:
        """How often h is corrected before plain A* goes on."""
        return len(self._state.ends)

    def dump(self) -> bytes:
        return pack(self._state, _SIZES)

    def load(self, state: bytes) -> None:
        self._state = unpack(state, State, _SIZES)

    def _f(self, paths: Rows) -> Numbers:
        total: Numbers = self._g(paths) + self._h(paths)
        if self._variant == "literal":
            total = total.round(_DIGITS)  # or links that are worth the same would be sorted by errors of rounding
        total[paths["length"] == _NOT_INSERTED] = -inf
        return total

    def _g(self, paths: Rows) -> Numbers:
        gathered: Numbers = paths["node" if self._variant == "literal" else "gathered"].astype(float)
        return gathered

    def _h(self, paths: Rows) -> Numbers:
        if self._variant == "literal":
            rest: Numbers = (1.0 if self._goal < 0 else self._goal) - paths["node"].astype(float)
            return rest
        corrected: Numbers = self._promise(paths) * np.array(self._state.factors)[self._bin(paths)]
        return corrected

    def _promise(self, paths: Rows) -> Numbers:
        """What a goal has more than the page the link is on, as far as the link's words are those of the topic."""
        if self._first_h >= 0:
            return np.full(len(paths), self._first_h)
        told = _ANCHOR * paths["anchor"] + (1 - _ANCHOR) * paths["context"]
        rest = np.maximum(self._goal_now - paths["node"] * (1 - told), 0.0)
        promise: Numbers = rest * np.maximum(told, 0.05)
        return promise

    @property
    def _goal_now(self) -> float:
        if self._goal >= 0:
            return self._goal
        goals = self._state.goals
        return max(sum(goals) / len(goals), _LEAST_GOAL) if goals else 1.0

    def _bin(self, paths: Rows) -> NDArray[np.intp]:
        """The kind of a link: how much of the topic its words have."""
        told = _ANCHOR * paths["anchor"] + (1 - _ANCHOR) * paths["context"]
        kinds: NDArray[np.intp] = np.minimum(told * _BINS, _BINS - 1).astype(np.intp)
        return kinds

    def _correct(self) -> None:
        self._state.factors = [
            (real + _SHRINK * 0.1) / (promised + _SHRINK * 0.1) for promised, real in self._state.brought
        ]


def round_ends(graph_size: int) -> list[int]:
    """After how many pages each of the rounds ends.

    >>> round_ends(5_000)
    [2, 3, 4, 5, 8, 12, 18, 27, 42, 63, 95, 144]
    """
    rounds = int(log2(max(graph_size, 2)))
    ends: list[int] = []
    for number in range(1, rounds + 1):
        end = round(rounds ** (2 * number / rounds))
        ends.append(max(end, ends[-1] + 1) if ends else end)
    return ends
