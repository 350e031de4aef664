"""When a topic is exhausted: which pages count as matched, how many there may be in all, and whether to go on. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

FEWEST = 10
"""Pages below which nothing can be said."""

_ALMOST_NOTHING = 0.01
"""The share of matched pages among the last ones that means there is next to nothing more."""

_BINS = 64
_FALLBACK = 0.25
_LEAST = 0.1
"""Less is what pages have by chance, however many have even less."""


class Prospect(NamedTuple):
    """How far a crawl is: pages, matched ones, those among the last pages, and how many may be left.

    `left` is a rough estimate, and from `least` to `most` what it would be if chance had dealt otherwise. It is worth
    nothing but as a bound while the matches are not `is_falling` in number.
    """

    pages: int
    matched: int
    window: int
    recent: int
    left: float
    least: int
    most: int
    is_falling: bool

    @property
    def total(self) -> float:
        """How many matching pages there may be in all."""
        return self.matched + self.left

    @property
    def recall(self) -> float:
        """The share of the matching pages that is found already, as far as can be told."""
        return self.matched / self.total if self.total else 0.0

    @property
    def is_saturated(self) -> bool:
        """Whether the last pages brought next to nothing."""
        return self.pages >= self.window and self.recent <= max(1, int(_ALMOST_NOTHING * self.window))


def find_threshold(relevances: Sequence[float], given: float = -1.0) -> float:
    """From which relevance a page counts as matched: the one given, or the deepest cut between many low and few high
    values (Otsu's method), if it is not next to nothing."""
    if given >= 0:
        return given
    values = np.asarray(relevances, float)
    if len(values) < FEWEST or values.max() - values.min() < 1e-6:
        return _FALLBACK
    counts, edges = np.histogram(values, _BINS)
    middles = (edges[:-1] + edges[1:]) / 2
    below = counts.cumsum()[:-1]
    above = len(values) - below
    sums = (counts * middles).cumsum()
    low, high = sums[:-1] / np.maximum(below, 1), (sums[-1] - sums[:-1]) / np.maximum(above, 1)
    between = below * above * (high - low) ** 2
    return max(float(edges[1:-1][int(between.argmax())]), _LEAST)


def patience_after(pages: int, matched: int, patience: int, least: int) -> int:
    """How many of the last pages have to bring next to nothing for a crawl to end that fetched so many.

    That is its `patience`. If it may be less (`least`), half of all pages are enough once a few matched: where all
    there is was found in 80 pages, a crawl does not go on for 500.
    """
    return min(patience, max(least, pages // 2)) if least and matched >= FEWEST else patience


def prospect(relevances: Sequence[float], threshold: float, window: int, waiting: int) -> Prospect:
    """Look at a crawl's pages in the order they came.

    The matched pages of its first half and those of its second are the first two terms of a falling series; what is
    left is the sum of the others, at most all that waits. Numbers of this kind vary by about their square root, so the
    range is what two of these more or less would make of it.
    """
    is_match = np.asarray(relevances, float) >= threshold
    matched = int(is_match.sum())
    recent = int(is_match[-window:].sum()) if window else matched
    half = len(is_match) // 2
    first, second = int(is_match[:half].sum()), int(is_match[half:].sum())
    least = _left(first + 2 * sqrt(first), max(second - 2 * sqrt(second), 0), waiting)
    most = _left(first - 2 * sqrt(first + 1), second + 2 * sqrt(second + 1), waiting)
    left = _left(first, second, waiting)
    return Prospect(len(is_match), matched, window, recent, left, int(least), ceil(most), is_falling=second < first)


def _left(first: float, second: float, waiting: int) -> float:
    """The sum of a falling series but for its first two terms; all that waits if it does not fall."""
    return min(second * second / (first - second), float(waiting)) if second < first else float(waiting)
