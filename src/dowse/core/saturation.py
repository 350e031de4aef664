"""How far a best-first crawl is: how many of its pages match, how many there may be among the links that wait, and
whether to go on. Pure.

What a link was worth before it was followed tells how likely its page was to match: a logistic regression of the last
pages says how likely. Of the links that wait it is known what they are worth, so it is known how many to expect. A link
is worth what the ranker makes of it, and how well that is told changes from crawl to crawl; the regression says that,
too, and the range comes of it.

Where the relevance of a page is how likely it is to be on topic, these chances are added up, not the pages that match:
where few match or none, ten pages that are nearly as good tell more of what is left than none that matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.core.file_runs import is_over, rest
from dowse.core.patience import Patience

Numbers = NDArray[np.float64]

FEWEST = 20
"""Pages below which nothing can be said."""

_ENOUGH = 0.95
"""The share of all that match from which on a crawl has enough."""

_LITTLE = 0.3
"""A crawl also has enough if less than that of a page is to be expected."""

_AS_PROMISING = 0.1
"""While a link waits that was worth as much as nine of ten links that led to a match, a crawl has not enough."""

_LOOKED_AT = 200
_NOT_SEEN, _NOT_SEEN_DOUBT = 1.25, 0.15
"""What is to be found beyond the links that wait, on pages that they lead to, as a factor, and how far that may be
off."""

_HALF_AS_MUCH = 100
"""How many pages ago a page came that counts half: the ranker that chose it knew less."""

_LEVEL, _LEVEL_DOUBT = -2.0, 3.0
_STEEP, _STEEP_DOUBT = 2.9, 0.6
"""What the two numbers of the regression are taken to be before any page came, and how surely. With 2.6 for the second
too much was expected: 1.2 pages too many where mostly none was left."""

_STEPS = 30
_SPREAD = (-1.64, -1.0, -0.5, 0.0, 0.5, 1.0, 1.64)
_SURE = 0.9
_WIDE, _SLACK = 2, 3
"""A range that reaches to so many times what was found and a few more says nothing."""


class Prospect(NamedTuple):
    """How far a crawl is: pages, matched ones, those among the last pages, and how many may be left.

    `likely` is how many of the pages are on topic if one that may be counts as a part. `left` is what is to be
    expected, and in nine crawls of ten it is from `least` to `most`; if there is no saying, it is not `is_known`.
    """

    pages: int
    matched: int
    likely: float
    window: int
    recent: int
    left: float
    least: int
    most: int
    is_known: bool
    is_promising: bool = False
    """Whether a link waits that is worth as much as those that led to matches."""

    is_over: bool = False
    """Whether a crawl for files may end."""

    @property
    def total(self) -> float:
        """How many matching pages there may be in all."""
        return self.matched + self.left

    @property
    def recall(self) -> float:
        """The share of what there is that is found already, as far as can be told."""
        return self.likely / (self.likely + self.left) if self.likely else 0.0

    @property
    def has_enough(self) -> bool:
        """Whether next to all that matches was found, as far as can be told."""
        enough = self.left <= max(_LITTLE, (1 - _ENOUGH) / _ENOUGH * self.likely)
        return self.is_known and enough and not self.is_promising


class Waiting(NamedTuple):
    """The links that wait: what they are worth, how many are worth that, and which share of them is not dead."""

    worths: Sequence[float]
    counts: Sequence[int]
    alive: float = 1.0


def prospect(relevances: Sequence[float], worths: Sequence[float], patience: Patience, waiting: Waiting) -> Prospect:
    """Look at a crawl's pages in the order they came: their relevance, and what their links were worth, NaN where
    nobody knows."""
    relevance, worth = np.asarray(relevances, float), np.asarray(worths, float)
    is_match = relevance >= patience.threshold
    matched = int(is_match.sum())
    window = patience.answers
    recent = int(is_match[-window:].sum()) if window else matched
    if not patience.ends_by_left:
        return _files(is_match, recent, patience, waiting)
    chances = np.clip(relevance, 0, 1) if patience.has_chances else is_match.astype(float)
    likely = float(chances.sum())
    count = round(sum(waiting.counts) * waiting.alive)
    left, least, most = float(count), 0, count
    has_worth = ~np.isnan(worth)
    is_told = int(has_worth.sum()) >= FEWEST
    if is_told:
        left, least, most = _left(worth[has_worth], chances[has_worth], waiting)
    is_known = is_told and most <= _WIDE * likely + _SLACK
    led = worth[is_match & has_worth]
    is_promising = bool(len(led) and waiting.counts and max(waiting.worths) >= np.quantile(led, _AS_PROMISING))
    return Prospect(len(is_match), matched, likely, window, recent, left, least, most, is_known, is_promising)


def _files(is_file: NDArray[np.bool_], recent: int, patience: Patience, waiting: Waiting) -> Prospect:
    """The same by the runs that files come in: links to files are fetched at once, so what waits is worth nothing like
    what led to them."""
    found, count = int(is_file.sum()), sum(waiting.counts) * waiting.alive
    left, most, is_told = rest(is_file, count)
    is_known = is_told and most <= _WIDE * found + _SLACK
    is_next = any(worth >= patience.surely for worth in waiting.worths)
    ended = not is_next and is_over(is_file, count, patience.answers)
    return Prospect(len(is_file), found, found, patience.answers, recent, left, 0, most, is_known, is_over=ended)


def _left(worths: Numbers, chances: Numbers, waiting: Waiting) -> tuple[float, int, int]:
    """How many of the links that wait may match, and from how many to how many."""
    counts = np.asarray(waiting.counts, float) * waiting.alive
    if not counts.sum():
        return 0.0, 0, 0
    worths, chances = worths[-_LOOKED_AT:], chances[-_LOOKED_AT:]
    middle, scale = worths.mean(), max(float(worths.std()), 1e-3)
    level, doubt = _fit((worths - middle) / scale, chances)
    places = (np.asarray(waiting.worths, float) - middle) / scale
    root = np.linalg.cholesky(doubt)
    sums = np.array([
        _expected(level + root @ (one, other), places, counts) for one in _SPREAD for other in _SPREAD
    ])  # fmt: skip
    weights = np.array([np.exp(-(one**2 + other**2) / 2) for one in _SPREAD for other in _SPREAD])
    weights /= weights.sum()
    mean = float(sums @ weights)
    variance = _NOT_SEEN**2 * float((sums - mean) ** 2 @ weights) + (_NOT_SEEN_DOUBT * mean) ** 2
    left, limit = _NOT_SEEN * mean, int(np.ceil(_NOT_SEEN * counts.sum()))
    least, most = _range(left, variance, limit)
    return left, min(least, round(left)), max(most, round(left))


def _range(mean: float, variance: float, limit: int) -> tuple[int, int]:
    """The shortest range of whole numbers up to a limit that has nine tenths of all chances, if a number is drawn with
    a mean of which it is known only how far it may be off (negative binomial). Where the numbers are small, nearly all
    of them may be 0, and no half of a tenth lies below."""
    if mean <= 0:
        return 0, 0
    numbers = np.arange(1, limit + 1)
    spread = max(variance, 1e-6 * mean)
    shape, share = mean**2 / spread, spread / (spread + mean)
    steps = np.log(share * (numbers - 1 + shape) / numbers)
    logarithms = np.concatenate([[0.0], np.cumsum(steps)])
    chances = np.exp(logarithms - logarithms.max())
    reached = np.cumsum(chances) / chances.sum()
    below = np.concatenate([[0.0], reached[:-1]])
    ends = np.searchsorted(reached, below + _SURE - 1e-9)
    widths = np.where(ends <= limit, ends - np.arange(limit + 1), limit + 1)
    least = int(widths.argmin())
    return least, int(ends[least])


def _expected(level: Numbers, places: Numbers, counts: Numbers) -> float:
    chances = 1 / (1 + np.exp(-np.clip(level[0] + max(level[1], 0.0) * places, -30, 30)))
    return float(chances @ counts)


def _fit(places: Numbers, truth: Numbers) -> tuple[Numbers, Numbers]:
    """A logistic regression with a prior: its two numbers, and how they may be off. The truth may be a chance."""
    signs = np.column_stack([np.ones(len(places)), places])
    weights = 0.5 ** (np.arange(len(places))[::-1] / _HALF_AS_MUCH)
    prior, doubts = np.array([_LEVEL, _STEEP]), np.array([_LEVEL_DOUBT**-2, _STEEP_DOUBT**-2])
    found = prior.copy()
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(signs @ found, -30, 30)))
        slope = signs.T @ (weights * (chances - truth)) + doubts * (found - prior)
        curve = (signs * (weights * chances * (1 - chances))[:, None]).T @ signs + np.diag(doubts)
        step = np.linalg.solve(curve, slope)
        step /= max(1.0, np.abs(step).max())  # a whole step may leap to where every page seems to match, or none
        found = found - step
        if np.abs(step).max() < 1e-6:
            break
    return found, np.linalg.inv(curve)
