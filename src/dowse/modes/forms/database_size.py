"""How many records a database has, by captures and recaptures.

Each of the last words that were asked for is a sample: the share of its results that was known before is the share of
the database that was known then. This is Schnabel's estimator, with its range.

Words are no fair sample. They are chosen because they should bring something new, which makes the estimate too high.
Records with rare words only are in no sample, which makes it too low.

Chao's estimator, from the records that came once and twice, was tried before. It takes all queries for equal samples,
and said that 12,838 records were left of 2,857 after ten queries of a box with 5,000; this one says 1,949.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import NamedTuple

_LAST = 0.2
_FEWEST = 3
"""The last words that are the sample: a share of all, and how many at least."""

_NINETY_PERCENT = 1.645


class DatabaseSize(NamedTuple):
    """The records that there are, by an estimate, and the least and the most that there may be (90 %)."""

    records: float
    least: float
    most: float


def database_size(found: int, answers: Sequence[tuple[int, int]]) -> DatabaseSize | None:
    """The estimate, from the records that were found, and the results and new records of each word in their order.

    None where the last words did not bring anything that was known.

    >>> database_size(100, [(50, 50), (50, 40), (20, 5), (20, 3), (20, 2)])
    DatabaseSize(records=113.2, least=103.3..., most=125.0...)
    >>> database_size(100, [(50, 50), (50, 50)]) is None
    True
    """
    sample = answers[-max(_FEWEST, ceil(_LAST * len(answers))) :]
    known, expected = found, 0
    for results, fresh in reversed(sample):
        known -= fresh
        expected += results * known  # by the size of the database, those of its results that should be known
    shown, new = sum(results for results, _ in sample), sum(fresh for _, fresh in sample)
    again = shown - new
    spread = _NINETY_PERCENT * sqrt(again * new / shown) if shown else 0.0
    if again <= spread:
        return None
    least, size, most = (max(found, expected / each) for each in (again + spread, again, again - spread))
    return DatabaseSize(size, least, most)
