"""What is usual among the pages of a crawl: the sight that one of them is judged against.

A manual on a web server is near to "redirect http to https" on every page, and has "http" on every page. So words count
the less the more pages have them, and how near a page is to the topic in meaning is placed between what is usual here
and the best there is. Both are known after a few dozen pages, and stay.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_LOW = 0.2
_BEST = 3
_FLOOR = 0.8
"""Between usual and best there is at least so much: where no page is nearer than another, none is the best."""

_ALL_NEAR = 0.7
"""What is usual is no more than this: where all pages are near to the topic, all may be about it."""


class Surroundings(Struct, frozen=True):
    """The share of pages that have each term, and how near to the topic pages usually are and the best ones are."""

    shares: tuple[float, ...]
    usual: float
    best: float

    def place(self, nearness: Numbers) -> Numbers:
        """Where pages are between what is usual and the best: about 0 to 1."""
        placed: Numbers = (nearness - self.usual) / max(self.best - self.usual, _FLOOR)
        return placed


def nothing_known(terms: int) -> Surroundings:
    """Before there are pages."""
    return Surroundings((0.0,) * terms, 0.0, 1.0)


def surroundings(has_terms: NDArray[np.bool_], nearness: Numbers) -> Surroundings:
    """Look at pages: which terms each has, and how near it is to the topic."""
    usual = min(float(np.quantile(nearness, _LOW)), _ALL_NEAR)
    return Surroundings(tuple(has_terms.mean(axis=0).tolist()), usual, float(np.sort(nearness)[-_BEST:].mean()))
