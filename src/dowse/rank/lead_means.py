"""What all pages say of one URL: the means of what each of them says, one page after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.rank.evidence import Fields, Rows
from dowse.score.tokens import Vector

_MOST_PARENTS = 60_000


class Finder(NamedTuple):
    """The page that has the links: how much of the topic's words it has, what the page above is worth, its vector."""

    keywords: float
    above: float
    vector: NDArray[Any]


def taken_in(leads: Rows, hints: Rows, finder: Finder) -> Rows:
    """The leads with what one more page says of each of their URLs."""
    rows = np.empty(len(hints), leads.dtype)
    old, said, mixed = Fields(leads), Fields(hints), Fields(rows)
    parents = np.minimum(leads["parents"], _MOST_PARENTS) + np.float32(1)
    rows["parents"] = parents
    share = (1 / parents)[:, None]
    rows["heading"] = np.maximum(leads["heading"], hints["heading"])
    mixed.kinds[:] = said.kinds
    rows["section"] = hints["section"]
    numbers = np.empty(mixed.numbers.shape, np.float32)
    numbers[:, :3], numbers[:, 3:] = said.numbers, (finder.keywords, finder.above)
    mixed.numbers[:] = _mean(old.numbers, numbers, share)
    size = finder.vector.shape[-1]
    vectors = np.empty(mixed.vectors.shape, np.float32)
    vectors[:, :-size] = said.vectors
    vectors[:, -size:] = finder.vector
    mixed.vectors[:] = np.rint(_mean(old.vectors, vectors, share), out=vectors)
    return rows


def _mean(before: NDArray[Any], new: Vector, share: Any) -> Vector:
    """The mean of numbers, one more taken in; `new` is made into it, for they are many."""
    old = before.astype(np.float32)
    new -= old
    new *= share
    new += old
    return new
