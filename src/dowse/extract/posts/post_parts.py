"""The parts of the posts of a page, by their path within the post, so that what stands in the same place is together.

Paths are made as in `item_parts.py`, but lead to elements, for a text has to be written from its element later.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import Any

import regex

from dowse.extract.posts.block_names import QUOTE, named
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.post_blocks import Block
from dowse.extract.posts.time_marks import Mark

Column = dict[int, list[Spot]]
"""The elements on a path, by the number of their block."""

MOST_LEVELS = 60
"""What lies deeper in a post is no part of its own, but of what is there: paths are long, and so is the way down."""

MOST_SAMPLED = 30
_PLACE = regex.compile(r"#\d+")


class Parts:
    """The parts of all blocks by path."""

    def __init__(self, spots: Sequence[Spot], blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.columns: dict[str, Column] = defaultdict(dict)
        self.paths: dict[int, str] = {}
        self.below: dict[str, list[str]] = defaultdict(list)
        self.owner: dict[int, int] = {}
        self.quoted: set[int] = set()
        """What lies in something that a post quotes."""
        self.edits: dict[int, list[Mark]] = defaultdict(list)
        self.memberships: dict[int, list[Mark]] = defaultdict(list)
        """Times in each block that say since when its author is a member."""
        for number, block in enumerate(blocks):
            self._inner = {inner.index for inner in block.inner}
            self._deepest = block.rows[0].depth + MOST_LEVELS
            for place, row in enumerate(block.rows):
                self._walk(row, f"{place}" if len(block.rows) > 1 else "", number, False)

    def _walk(self, spot: Spot, path: str, number: int, quoted: bool) -> None:
        self.paths[spot.index] = path
        self.owner[spot.index] = number
        if quoted:
            self.quoted.add(spot.index)
        is_deep = spot.depth >= self._deepest
        if spot.depth <= self._deepest:
            self.columns[path].setdefault(number, []).append(spot)
        seen: Counter[str] = Counter()
        for child in spot.children:
            if child.index in self._inner:
                continue
            name = child.name
            seen[name] += 1
            place = path if is_deep else f"{path}/{name}" if seen[name] == 1 else f"{path}/{name}#{seen[name]}"
            if place not in self.columns:
                self.below[path].append(place)
            self._walk(child, place, number, quoted or is_quoted(child))

    def share(self, path: str) -> float:
        return len(self.columns[path]) / len(self.blocks)


def sample(column: dict[int, Any]) -> dict[int, Any]:
    """Some of the blocks that have a path, evenly spread: what they are like does not take all of them."""
    step = len(column) // MOST_SAMPLED + 1
    return column if step == 1 else dict(islice(column.items(), 0, None, step))


def unnumbered(path: str) -> str:
    """A path without the places of elements among others of their name."""
    return str(_PLACE.sub("", path))


def is_quoted(spot: Spot) -> bool:
    """Whether an element is something that a post quotes."""
    if spot.tag == "blockquote":
        return True
    return "quot" in spot.classes.lower() and not spot.is_line and not QUOTE.isdisjoint(named(spot))
