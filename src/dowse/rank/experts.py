"""What the baselines say of links, as numbers that can be added: how few of all links they rank as high.

`learned` begins with its own baselines (baselines.py, priority.py) and leaves them as far as the pages that came say
so: each is an expert whose rank of a link is a feature of its model, with a weight to begin with (link_features.py).
Their scales are different, and the same number is much in one crawl and little in another. So an expert's rank is told
by the part of all links met so far that it ranks as high or higher: the logarithm of it, which adds up as bits do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dowse.core.model import Judged, Task
from dowse.rank.baselines import RULES
from dowse.rank.evidence import EXPERTS, PLAIN_HINT, Rows
from dowse.rank.priority import MOST, priority_of

Numbers = NDArray[np.float64]

_BINS = 64
_SCALE = 5.0
"""A link that one of e^5 = 150 is as high as has 1."""

_GROWTH = 1.2
"""How many times more links there have to be for ranks to be counted anew."""

_EACH = np.arange(len(EXPERTS))


class Experts:
    """Keeps in leads what each expert makes of a link, 0 to 1, the best of all pages; and tells how much that is."""

    def __init__(self) -> None:
        self._counts: Numbers = np.zeros((len(EXPERTS), _BINS))
        self._ranks: Numbers = np.zeros((len(EXPERTS), _BINS))
        self._ranked = 0.0

    def advise(self, rows: Rows, before: Rows, hints: Rows, task: Task, judged: Judged, inherited: float) -> None:
        """Write into leads what the experts make of a page's links, given what the leads were before. The
        relevance of the page is by keywords alone, as the experts know it; `inherited` is Shark-Search's."""
        plain = np.zeros(len(hints), PLAIN_HINT)
        plain["anchor"], plain["context"] = hints["anchor_match"], hints["context_match"]
        said = np.empty((len(rows), len(EXPERTS)), np.float32)
        said[:, 0], _ = RULES["keywords"](task, judged, plain, inherited)
        said[:, 1], handed_on = RULES["shark"](task, judged, plain, inherited)
        said[:, 2] = judged.relevance
        said[:, 3] = sum(priority_of(judged.parts, related=False).values()) / MOST
        said[:, 4] = 1 / (1 + task.depth)
        is_new = before["parents"] == 0
        rows["experts"] = np.maximum(said, before["experts"])
        rows["inherited"] = np.where(said[:, 1] >= before["experts"][:, 1], handed_on, before["inherited"])
        self._count(said[is_new])

    def ranks(self, rows: Rows) -> Numbers:
        """How high the experts rank links, a column each: 0 and more, and 1 is much."""
        found: Numbers = self._ranks[_EACH, _bins(rows["experts"])]
        return found

    def dump(self) -> bytes:
        return self._counts.tobytes() + self._ranks.tobytes() + np.float64(self._ranked).tobytes()

    def load(self, state: bytes) -> None:
        numbers = np.frombuffer(state)
        self._counts, self._ranks = numbers[:-1].reshape(2, len(EXPERTS), _BINS).copy()
        self._ranked = float(numbers[-1])

    def _count(self, said: NDArray[np.float32]) -> None:
        for expert, bins in enumerate(_bins(said).T):
            self._counts[expert] += np.bincount(bins, minlength=_BINS)
        links = float(self._counts[0].sum())
        if links > _GROWTH * self._ranked:
            as_high = self._counts[:, ::-1].cumsum(axis=1)[:, ::-1] - self._counts / 2
            self._ranks = -np.log((as_high + 0.5) / (links + 1)) / _SCALE
            self._ranked = links


def _bins(said: NDArray[np.float32]) -> NDArray[np.intp]:
    bins: NDArray[np.intp] = np.clip(said * _BINS, 0, _BINS - 1).astype(np.intp)
    return bins
