"""Credit for pages by what they led to, so that a dull page with many good ones behind it is worth following.

A page is worth its own relevance and a part of what the pages that were first found on it are worth beyond the usual,
on the mean. These are worth more for what they led to in turn, so credit goes back the whole path, less at every step.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

PASSED_BACK = 0.5
"""The part of a page's worth that the page gets on which it was found."""

_DOUBT = 3.0
"""Pages that have to be found on a page for it to get half of what they are worth on the mean."""


def with_credit(relevance: Numbers, numbers: Sequence[int], finders: Sequence[int], usual: float) -> Numbers:
    """What pages are worth, given their relevance, in the order they came, their numbers and those of the pages they
    were found on. No page is worth less than its relevance."""
    worth: list[float] = relevance.tolist()
    places = {number: place for place, number in enumerate(numbers)}
    gains, found = [0.0] * len(worth), [0] * len(worth)
    for place in range(len(worth) - 1, -1, -1):  # what was found on a page came after it
        worth[place] += PASSED_BACK * gains[place] / (found[place] + _DOUBT)
        finder = places.get(finders[place], place)
        if finder < place:
            gains[finder] += max(0.0, worth[place] - usual)
            found[finder] += 1
    return np.array(worth)
