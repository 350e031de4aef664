"""Records that take several rows each: the quote in one row and its tags in the next, again and again.

    “The world ...” Albert Einstein        a cell of text
    Tags: change, world                    a cell with links
    “It is our choices ...” J.K. Rowling   a cell of text
    Tags: choices                          a cell with links

Rows are compared by their shape, never by how they look: every second row of a striped table looks different and is a
record of its own. Most tables have one shape, so that one glance is enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

LEAST_GROUPS = 3
MOST_ROWS_EACH = 4
# Rows at the top that may be something else, such as a heading or a search box.
_MOST_BEFORE = 3
_ALIKE = 0.85


class Groups(NamedTuple):
    """From row `first` on, each `size` rows up to row `end` are one record; `shapes` is what its rows have."""

    first: int
    size: int
    end: int
    shapes: tuple[Hashable, ...]


def groups_of(shapes: Sequence[Hashable]) -> Groups | None:
    """How rows of these shapes make up records; None if each is one of its own.

    >>> groups_of(["text", "links"] * 5)
    Groups(first=0, size=2, end=10, shapes=('text', 'links'))
    >>> groups_of(["search", *["text", "links"] * 5, "next page"])
    Groups(first=1, size=2, end=11, shapes=('text', 'links'))
    >>> groups_of(["text"] * 10)
    """
    if len(set(shapes)) < 2:
        return None
    for size in range(2, MOST_ROWS_EACH + 1):
        found = [
            (share, -first, groups) for first in range(_MOST_BEFORE + 1) for share, groups in _at(shapes, first, size)
        ]
        if found:
            return max(found, key=lambda each: each[:2])[2]
    return None


def _at(shapes: Sequence[Hashable], first: int, size: int) -> list[tuple[float, Groups]]:
    """The groups that begin at a row, and how alike they are; none if they are not."""
    number = (len(shapes) - first) // size
    if number < LEAST_GROUPS:
        return []
    end = first + number * size
    usual = [Counter(shapes[first + place : end : size]).most_common(1)[0] for place in range(size)]
    names = tuple(shape for shape, _ in usual)
    share = sum(count for _, count in usual) / (end - first)
    return [(share, Groups(first, size, end, names))] if share >= _ALIKE and len(set(names)) == size else []
