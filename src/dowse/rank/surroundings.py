"""What is usual among the pages of a crawl: the sight that one of them is judged against.

A manual on a web server is near to "redirect http to https" on every page, and has "http" on every page. So words count
the less the more pages have them, and how near a page is to the topic in meaning is measured by the best there
are here. Both are known after a few dozen pages, and stay.

That all of a site is about the topic cannot be told like this. A crawl fetches what is near first, so of its first
hundred pages nearly all are near to "trees" in a dictionary of algorithms, and a fifth of all pages is.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_BEST = 3
_FLOOR = 0.3
"""The best is at least so near: where no page is near, none is the best."""

_FOREIGN, _SOME = 2.5, 0.25
"""What the odds of a page in another language are less, and which part of the pages has to be in the topic's, and in
others, for all of that to count. On a site that is all in another one it is names that are looked for."""


class Surroundings(Struct, frozen=True):
    """The share of pages that have each term, how near to the topic the best texts and headings are, by words and in
    context, and what the odds of pages in another language are less."""

    shares: tuple[float, ...]
    best: float = 1.0
    best_heading: float = 1.0
    best_passages: float = 1.0
    best_words: float = 1.0
    best_closest: float = 1.0
    foreign: float = 0.0


def nothing_known(terms: int) -> Surroundings:
    """Before there are pages."""
    return Surroundings((0.0,) * terms)


def less_for_foreign(foreign: NDArray[np.int8]) -> float:
    """What the odds of pages in another language are less, given in which language pages are.

    >>> less_for_foreign(np.array([1, 1, 1, -1, 0], np.int8)), less_for_foreign(np.array([1, 1, 0], np.int8))
    (2.5, 0.0)
    """
    told = foreign[foreign != 0]
    if not len(told):
        return 0.0
    own = float((told < 0).mean())
    return _FOREIGN * min(own / _SOME, 1.0) * min((1 - own) / _SOME, 1.0)


def best_of(nearness: Numbers, floor: float = _FLOOR) -> float:
    """How near the nearest few are."""
    return max(float(np.sort(nearness)[-_BEST:].mean()), floor)
