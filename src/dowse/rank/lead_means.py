"""What all pages say of one URL: the means of what each of them says, one page after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.rank.evidence import Fields, Rows
from dowse.score.tokens import Vector

_MOST_PARENTS = 60_000
_SHORT_LIST = 5.0
"""Items of a list that promises half of what a long one does."""


class Finder(NamedTuple):
    """The page that has the links: its number, that of its host (0 for a seed), how much of the topic's words it has,
    whether it is in another language, what the page above is worth, its vector, and how much the lists of these links
    name the topic."""

    number: int
    host: int
    keywords: float
    foreign: float
    above: float
    vector: NDArray[Any]
    hubs: NDArray[np.float32]


def taken_in(leads: Rows, hints: Rows, finder: Finder) -> Rows:
    """The leads with what one more page says of each of their URLs."""
    rows = np.empty(len(hints), leads.dtype)
    old, said, mixed = Fields(leads), Fields(hints), Fields(rows)
    parents = np.minimum(leads["parents"], _MOST_PARENTS) + np.float32(1)
    rows["parents"] = parents
    share = (1 / parents)[:, None]
    rows["heading"] = np.maximum(leads["heading"], hints["heading"])
    mixed.kinds[:] = said.kinds
    is_new = leads["parents"] == 0
    rows["list"] = np.where(is_new, list_numbers(finder.number, hints), leads["list"])
    rows["source"] = np.where(is_new, finder.host, leads["source"])
    rows["hub"] = np.maximum(leads["hub"], finder.hubs)
    numbers = np.empty(mixed.numbers.shape, np.float32)
    numbers[:, :3], numbers[:, 3:] = said.numbers, (finder.keywords, finder.foreign, finder.above)
    mixed.numbers[:] = _mean(old.numbers, numbers, share)
    size = finder.vector.shape[-1]
    vectors = np.empty(mixed.vectors.shape, np.float32)
    vectors[:, :-size] = said.vectors
    vectors[:, -size:] = finder.vector
    mixed.vectors[:] = np.rint(_mean(old.vectors, vectors, share), out=vectors)
    return rows


def list_numbers(page: int, hints: Rows) -> NDArray[np.uint32]:
    """The numbers of the lists that links of a page stand in."""
    return np.uint32((page & 0xFFFF) << 16) + hints["path"].astype(np.uint32)


def hubs(hints: Rows, head: float) -> NDArray[np.float32]:
    """How much the lists that the links of a page stand in name the topic, in its title (`head`) or in the heading
    above, the more the longer they are; 0 for words in sentences."""
    _, lists = np.unique(hints["path"], return_inverse=True)
    items = np.bincount(lists, hints["is_item"])[lists] if len(lists) else np.zeros(0)
    named = np.maximum(hints["heading_match"], head) * hints["is_item"]
    found: NDArray[np.float32] = (named * items / (items + _SHORT_LIST)).astype(np.float32)
    return found


def _mean(before: NDArray[Any], new: Vector, share: Any) -> Vector:
    """The mean of numbers, one more taken in; `new` is made into it, for they are many."""
    old = before.astype(np.float32)
    new -= old
    new *= share
    new += old
    return new
