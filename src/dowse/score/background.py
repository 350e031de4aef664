"""What texts are like in general: how common words are, and how near to a topic pages are that have none of it.

The numbers are shipped (`background.npz`, made by benchmarks/relevance_training.py), so that they are the same from the
first page of a crawl to its last: what a crawl has seen so far is no fair sample of anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.score.tokens import SCALE, Vector
from dowse.score.vocabulary import word_number

FILE = f"{__file__.rpartition('/')[0]}/background.npz"

_RAREST = 0.0005
"""The share of texts that words have which are not in the table."""

_LEAST_TELLING = 0.05


class Usual(NamedTuple):
    """How near to a topic texts are that have nothing to do with it: the mean, and how much it varies."""

    mean: float
    spread: float


class _Tables(NamedTuple):
    stems: NDArray[np.uint32]
    shares: NDArray[np.float32]
    pages: Vector


@cache
def _tables() -> _Tables:
    with np.load(FILE) as kept:
        pages = kept["pages"].astype(np.float32) / np.float32(SCALE)
        return _Tables(kept["stems"], kept["shares"].astype(np.float32), pages)


def telling(stem: str) -> float:
    """How much a word tells of what a text is about, 0.05 to 1: the rarer the more."""
    tables = _tables()
    number = word_number(stem)
    place = int(np.searchsorted(tables.stems, number))
    is_known = place < len(tables.stems) and tables.stems[place] == number
    share = max(float(tables.shares[place]), _RAREST) if is_known else _RAREST
    return max(float(np.log(share) / np.log(_RAREST)), _LEAST_TELLING)


def usual_nearness(nearness: Callable[[Vector], Vector]) -> Usual:
    """How near to a topic pages usually are, where vectors know meaning; `nearness` says how near vectors are."""
    near = nearness(_tables().pages)
    return Usual(float(near.mean()), float(near.std()))
