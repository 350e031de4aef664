"""How good a crawl for a topic was, given which pages are relevant: harvest rate, precision, recall. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import sqrt

from msgspec import Struct

_NORMAL = 1.96
"""Standard deviations of a mean on either side of it that hold 95 of 100."""


class Score(Struct, frozen=True):
    """One crawl in numbers.

    `harvest` is the share of relevant pages among those fetched, `area` the mean of that share over the whole crawl (so
    that early finds count), `found` the share of all relevant pages that were fetched. `precision` and `recall` are
    those of the pages it says are matched.
    """

    pages: int
    relevant: int
    harvest: float
    area: float
    found: float
    precision: float
    recall: float


class Mean(Struct, frozen=True):
    """A mean and half the width of its 95 % confidence interval, 0 where there is only one value."""

    value: float
    margin: float


def score(pages: Sequence[tuple[str, float]], truth: Collection[str], threshold: float) -> Score:
    """Measure a crawl by its pages in the order they came, each with its relevance."""
    curve = harvest_curve(pages, truth)
    relevant = curve[-1] if curve else 0
    matched = {url for url, relevance in pages if relevance >= threshold}
    right = sum(url in truth for url in matched)
    return Score(
        pages=len(pages),
        relevant=relevant,
        harvest=_share(relevant, len(pages)),
        area=_share(sum(count / place for place, count in enumerate(curve, 1)), len(curve)),
        found=_share(relevant, len(truth)),
        precision=_share(right, len(matched)),
        recall=_share(right, len(truth)),
    )


def harvest_curve(pages: Sequence[tuple[str, float]], truth: Collection[str]) -> list[int]:
    """How many relevant pages there were after each page. A URL counts once, however many requests were made to it.

    >>> harvest_curve([("a", 0), ("b", 0), ("a", 0), ("c", 0)], {"a", "c"})
    [1, 1, 1, 2]
    """
    curve: list[int] = []
    found: set[str] = set()
    for url, _relevance in pages:
        if url in truth:
            found.add(url)
        curve.append(len(found))
    return curve


def mean(values: Sequence[float]) -> Mean:
    """The mean of some runs, and how sure it is."""
    if not values:
        return Mean(0.0, 0.0)
    middle = sum(values) / len(values)
    if len(values) < 2:
        return Mean(middle, 0.0)
    spread = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return Mean(middle, _NORMAL * sqrt(spread / len(values)))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
