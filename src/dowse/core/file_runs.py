"""How far a crawl for files is: how many may be left, and whether to go on. Pure.

Files come in runs: a page links to some of them, and they are fetched before the next page. How many answers ago the
last runs came tells the chance that one more page brings a run (the rule of succession), and how many pages wait is
known. A fixed number of answers without a file is too few where thousands of links wait, and too many where few do:
with 200 to 500 a crawl ended with a seventh to a half of the files on five sites of twenty (docs/benchmarks.md).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_LATEST = (3.0, 2.37, 2.1)
"""The last runs that are looked at, the one that promises least of them; and up to how many times what that promises
there may be in 19 crawls of 20, by how many runs it rests on."""

_NOT_SEEN, _SLACK = 1.6, 2.0
"""What pages that wait lead to may have files too: so many times as many, and a few more. There are never more than if
each link that waits, and each that they lead to, brings a run of the usual length."""

_SHORTEST = 150
"""Answers that have to bring next to nothing in any case."""

_TEEMING = 0.8
"""The share of files among the last answers from which on too few of these are pages to tell anything: where four pages
of five had up to twenty files each, there were always more left than was said."""

_NEXT_TO_NOTHING = 0.01
_LITTLE = 0.05
"""The share of the files found that may be left."""

_MANY = 2_500.0
"""Links that wait from which on more answers have to bring next to nothing than the user said, in proportion."""


class Rest(NamedTuple):
    """How many files may be left: what is to be expected, and how many there are at the most in nine crawls of ten. If
    nothing but the most can be told, it is not `is_known`."""

    left: float
    most: int
    is_known: bool = True


def rest(is_file: NDArray[np.bool_], waiting: float) -> Rest:
    """What may be left after such answers while so many links wait."""
    files = np.flatnonzero(is_file)
    if not len(files):
        return Rest(waiting, int(np.ceil(waiting)), is_known=False)
    runs = files[np.diff(files, prepend=-2) > 1]
    limit = waiting * len(files) / len(runs)
    most = int(np.ceil(_NOT_SEEN * limit))
    if is_file[-_SHORTEST:].mean() > _TEEMING:
        return Rest(limit, most, is_known=False)
    latest = runs[::-1][: len(_LATEST)]
    chances = (np.arange(len(latest)) + 1) / (len(is_file) - latest)
    least = int(chances.argmin())
    left = float(chances[least]) * limit
    return Rest(left, min(int(np.ceil(_NOT_SEEN * _LATEST[least] * left + _SLACK)), most))


def is_over(is_file: NDArray[np.bool_], waiting: float, patience: int) -> bool:
    """Whether a crawl may end: the last answers brought next to nothing, and few files are left or these were many."""
    if not _is_dry(is_file, min(_SHORTEST, patience)):
        return False
    found = rest(is_file, waiting)
    if found.is_known and found.left <= max(1.0, _LITTLE * float(is_file.sum())):
        return True
    return _is_dry(is_file, round(patience * max(1.0, waiting / _MANY)))


def _is_dry(is_file: NDArray[np.bool_], answers: int) -> bool:
    """Whether so many of the last answers brought next to nothing."""
    return len(is_file) >= answers and int(is_file[-answers:].sum()) <= max(1, int(_NEXT_TO_NOTHING * answers))
