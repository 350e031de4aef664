"""How many records a database has, from records that several queries brought.

The queries are samples. Records that one query alone brought stand for those that none has brought yet: where nearly
all records came twice, little is left. This is Chao's estimator for captures and recaptures, with his range. It is a
lower bound where some records are much harder to get than others, which is so for most databases.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, sqrt
from typing import NamedTuple

_NINETY_PERCENT = 1.645


class DatabaseSize(NamedTuple):
    """The records that there are, by an estimate, and the least and the most that there may be (90 %)."""

    records: float
    least: float
    most: float


def database_size(times: Iterable[int]) -> DatabaseSize | None:
    """The estimate, from the number of queries that brought each record. None where no record came twice.

    >>> database_size([1] * 40 + [2] * 40 + [3] * 20)
    DatabaseSize(records=119.02..., least=109.52..., most=137.99...)
    >>> database_size([1, 1, 1]) is None
    True
    """
    counts = list(times)
    found, once, twice = len(counts), counts.count(1), counts.count(2)
    if not twice:
        return None
    unseen = once * (once - 1) / (2 * (twice + 1))
    if not unseen:
        return DatabaseSize(found, found, found)
    ratio = once / twice
    variance = twice * (ratio**2 / 2 + ratio**3 + ratio**4 / 4)
    spread = exp(_NINETY_PERCENT * sqrt(log(1 + variance / unseen**2)))
    return DatabaseSize(found + unseen, found + unseen / spread, found + unseen * spread)
