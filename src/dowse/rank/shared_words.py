"""The words that pages on a topic have in common, and how much of them a page has.

Pages that seem to be on topic are taken for examples, the words that they have more often than the rest are weighed by
that, and all pages are judged by these words; this is done again until the same pages are examples. So pages are found
that have the topic's company of words but not its own, and those are dropped that have one of its words by chance.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.rank.evidence import Rows

Numbers = NDArray[np.float64]

_ROUNDS = 3
"""More rounds drift from the topic: they find fewer of its pages, and no fewer others."""

_WORDS = 60
_FEWEST_PAGES = 3
_MOST_PAGES = 0.5
"""Words on fewer pages, or on a larger part of them, tell nothing."""

_DOUBT = 0.02
_FEWEST_EXAMPLES = 5
_CURVE = 0.75
"""How much a page has of the words is their worth to this power, which spreads low values: the cut between low and high
ones comes to be a little lower, for high ones vary more."""


class SharedWords(Struct, frozen=True):
    """What words are worth, by the numbers that stand for them, and the most that a page had of all."""

    stems: list[int] = []
    worths: list[float] = []
    most: float = 1.0

    def found(self, words: Rows) -> Numbers:
        """How much of the words pages have, 0 to 1, given a row of their words for each."""
        if not self.stems:
            return np.zeros(len(words))
        stems, worths = np.array(self.stems, np.uint32), np.array(self.worths)
        places = np.minimum(np.searchsorted(stems, words["stem"]), len(stems) - 1)
        worth = np.where(stems[places] == words["stem"], worths[places], 0.0)
        made: Numbers = (np.minimum((worth * words["weight"]).sum(axis=1) / 100, self.most) / self.most) ** _CURVE
        return made


def shared_words(seeming: Numbers, words: Rows) -> SharedWords:
    """What pages have in common that seem to be on topic, given how far each does and a row of its words."""
    pages, stems, weights, numbers = _told(words)
    found, lesson, before = seeming, SharedWords(), np.zeros(len(seeming), bool)
    if len(seeming) < 2 * _FEWEST_EXAMPLES or not len(numbers):
        return lesson
    usual = np.bincount(stems, weights, len(numbers)) / len(seeming)
    for _ in range(_ROUNDS):
        is_example = found >= min(cut(found), np.sort(found)[-_FEWEST_EXAMPLES])
        if (is_example == before).all():
            break
        within = is_example[pages]
        among = np.bincount(stems[within], weights[within], len(numbers)) / is_example.sum()
        worth = np.log((among + _DOUBT) / (usual + _DOUBT)) * np.sqrt(among)
        worth[np.argsort(-worth, kind="stable")[_WORDS:]] = 0
        sums = np.bincount(pages, weights * np.maximum(worth, 0)[stems], len(seeming))
        if not sums.any():
            break
        told = np.flatnonzero(worth > 0)
        lesson = SharedWords(numbers[told].tolist(), worth[told].tolist(), float(sums.max()))
        before, found = is_example, (sums / sums.max()) ** _CURVE
    return lesson


def cut(values: Numbers) -> float:
    """The value that parts low from high ones best, so that those on either side are alike (Otsu's method)."""
    ordered = np.sort(values)
    if len(ordered) < 2 or ordered[0] == ordered[-1]:
        return float(ordered[-1]) if len(ordered) else 0.0
    below = np.arange(1, len(ordered))
    sums = np.cumsum(ordered)
    low, high = sums[:-1] / below, (sums[-1] - sums[:-1]) / (len(ordered) - below)
    place = int((below * (len(ordered) - below) * (high - low) ** 2).argmax())
    return float(ordered[place] + ordered[place + 1]) / 2


def _told(words: Rows) -> tuple[NDArray[np.intp], NDArray[np.intp], Numbers, NDArray[np.uint32]]:
    """The words that tell something: on which page, which, how much of them, and the numbers of the different ones."""
    pages, _ = np.nonzero(words["weight"])
    there = words[words["weight"] > 0]
    numbers, stems = np.unique(there["stem"], return_inverse=True)
    on = np.bincount(stems, minlength=len(numbers))
    is_told = (on >= _FEWEST_PAGES) & (on < _MOST_PAGES * len(words))
    kept = is_told[stems]
    places = np.cumsum(is_told) - 1
    return pages[kept], places[stems[kept]], there["weight"][kept] / 100, numbers[is_told]
