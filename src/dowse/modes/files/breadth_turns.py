"""The turns of breadth first: a part of all pages is fetched in the order that learns nothing.

Where files hang near the start, no order is better than breadth first, and where the last files are is a matter of
luck. So the links that breadth first would have fetched by now, with its part of the pages, go before all other pages.
That part is a half at first, and then what its pages brought beside those of the learned order: so a crawl is never
much worse than breadth first, and pays little for it where the learned order is better.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from dowse.rank.evidence import Rows

LEVELS = 32
"""Levels of links, by how many links they are from the start; the last one is for all that are farther."""

_LEAST, _MOST = 0.15, 0.6
_DOUBT = 10.0
"""Pages of either order that have to come for what they brought to count half."""

_MEMORY = 0.99


class Turns(Struct):
    """How many links of each level were met, how many turns breadth first had so far, and the pages and rewards of both
    orders, the learned one first."""

    met: list[int] = field(default_factory=lambda: [0] * LEVELS)
    taken: float = 0.0
    brought: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 0.0)] * 2)

    def place(self, level: int, is_new: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The places in their level of links that a page has, of those that are new."""
        before = self.met[level]
        self.met[level] += int(is_new.sum())
        places: NDArray[np.intp] = before + np.cumsum(is_new) - 1
        return places

    def is_due(self, rows: Rows) -> NDArray[np.bool_]:
        """Which links breadth first would have fetched by now."""
        starts = np.concatenate([[0], np.cumsum(self.met)[:-1]])
        due: NDArray[np.bool_] = starts[rows["level"]] + rows["place"] < self.taken
        return due

    def learn(self, reward: float, *, was_due: bool) -> None:
        """A page came and brought this."""
        self.brought = [(_MEMORY * pages, _MEMORY * rewards) for pages, rewards in self.brought]
        pages, rewards = self.brought[was_due]
        self.brought[was_due] = (pages + 1, rewards + reward)
        self.taken += self.share

    @property
    def share(self) -> float:
        """The part of the pages that breadth first has."""
        usual = sum(rewards for _, rewards in self.brought) / (sum(pages for pages, _ in self.brought) + 1)
        learned, breadth = ((rewards + _DOUBT * usual) / (pages + _DOUBT) for pages, rewards in self.brought)
        return min(max(breadth / (learned + breadth), _LEAST), _MOST) if learned + breadth else 0.5
