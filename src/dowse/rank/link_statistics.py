"""How links turned out that have something in common: their place in the markup, the list they stand in, their folder.

A *list* is the links of one page that stand in the same place of its markup. Where its title or the heading above it
names the topic, its items are promising whatever they say themselves: the names of students have no meaning that is
near to "students". What came of the first of them tells then what the others are worth.

What was seldom tried is worth a little more than it seems, so that of links that promise about the same the
untried come first. That bonus fades with the pages fetched. It is small, for a larger one cost harvest.

A request is to bring as much as it can. So what is behind a link counts the less the smaller the chance is that there
is a page at all (path_tree.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dowse.rank.evidence import Rows
from dowse.rank.path_tree import Numbers, PathTree
from dowse.rank.tongues import Tongues

EXPLORED = 0.05
"""What a link is worth more of which nothing like it was tried, at first."""

_FADES = 50.0
"""Pages after which that is half."""

_BUCKETS = 4096
_DOUBT = np.float32(10.0)
_LIST_DOUBT = np.float32(3.0)
"""Items that have to be followed for what came of them to count as much as what the list promises."""

_PROMISED = np.float32(0.3)
"""How much more relevant than usual the items are of the list that names the topic most."""

_LEAST_NAMED = 0.25
"""A list that names less of the topic does not promise all that, even if there is no better one."""

_CHANCE = 0.3
"""The power of the chance that there is a page. With 1 a request would bring the most if a page of twice the relevance
were worth two; but most pages have some relevance. On the web of one university 0.3 took a third fewer requests than
nothing and found as many relevant pages; 0.4 and more save requests and cost relevant pages."""

_MISSED = 3
"""After so many dead links what waits has to be ranked anew."""

_SPREAD = np.uint64(2654435761)


class Fates:
    """For each place and list how many links were followed, and how much more relevant than usual the pages were that
    they led to; the tree of hosts and folders, and the languages of these."""

    def __init__(self) -> None:
        self.tree = PathTree()
        self.tongues = Tongues()
        self._groups: NDArray[np.float32] = np.zeros((2, _BUCKETS, 2), np.float32)
        self._named = 0.0
        """How much the best list so far names the topic."""
        self._missed = 0
        """Dead links since others were ranked anew for them."""

    def note(self, row: Rows, gain: float, relevance: float) -> bool:
        """A link, a row of one lead, led to a page of that relevance, so much more than usual. Whether it was the first
        to a section."""
        for kind, bucket in enumerate(_buckets(row)[0].tolist()):
            self._groups[kind, bucket] += (1, gain)
        return self.tree.note(row, gain, relevance)

    def miss(self, row: Rows) -> bool:
        """A link led to no page. Whether there were so many by now that others are worth less."""
        self.tree.miss(row)
        self._missed = (self._missed + 1) % _MISSED
        return not self._missed

    def meet(self, rows: Rows) -> None:
        """These leads were made of the links of a page."""
        self._named = max(self._named, float(rows["hub"].max(initial=0.0)))

    def gains(self, rows: Rows) -> NDArray[np.float32]:
        """What links like these brought: by place, folder, host and list, a column each."""
        place, item = np.moveaxis(self._groups[np.arange(2), _buckets(rows)], 1, 0)
        promised = _LIST_DOUBT * _PROMISED * rows["hub"] / np.float32(max(self._named, _LEAST_NAMED))
        made = np.empty((len(rows), 4), np.float32)
        made[:, 0] = place[:, 1] / (place[:, 0] + _DOUBT)
        made[:, 1], made[:, 2] = self.tree.gains(rows)
        made[:, 3] = (item[:, 1] + promised) / (item[:, 0] + _LIST_DOUBT)
        return made

    def novelty(self, rows: Rows, pages: int) -> NDArray[np.float32]:
        """What links are worth for being of a kind that was seldom tried."""
        tried = np.minimum(self._groups[0, _buckets(rows)[:, 0], 0], self.tree.fetched(rows))
        worth: NDArray[np.float32] = np.float32(EXPLORED * _FADES / (_FADES + pages)) / (1 + tried)
        return worth

    def adjustments(self, rows: Rows, worth: Numbers, best: float, pages: int) -> Numbers:
        """What links are worth beside what they seem to be, given what the best page was and how many came: more for
        what may be learned from them, and for the best in a section where nothing was tried; less for dead links and
        for pages in other languages."""
        made = np.zeros((5, len(rows)))
        made[0] = self.novelty(rows, pages)
        made[3] = self.tongues.less(rows)
        made[4] = -self.tree.barren(rows)
        expected = worth + made[0] + made[3] + made[4]
        made[1] = self.tree.hope(rows, expected, best, pages) - expected
        made[2] = np.maximum(expected + made[1], 0) * (self.tree.chance(rows) ** _CHANCE - 1)
        return made

    def dump(self) -> bytes:
        """All but the tree and the languages, which are saved by themselves."""
        used = np.flatnonzero(self._groups[..., 0].any(axis=0)).astype("<u2")
        groups = used.tobytes() + self._groups[:, used].tobytes()
        return np.array([self._named, self._missed, len(used)]).tobytes() + groups

    def load(self, state: bytes) -> None:
        self._named, missed, number = np.frombuffer(state[:24]).tolist()
        self._missed, count = int(missed), int(number)
        middle = 24 + 2 * count
        used = np.frombuffer(state[24:middle], "<u2")
        self._groups[:] = 0
        self._groups[:, used] = np.frombuffer(state[middle:], np.float32).reshape(2, count, 2)


def _buckets(rows: Rows) -> NDArray[np.intp]:
    """Where the places and the lists of links are noted, two columns."""
    lists = (rows["list"].astype(np.uint64) * _SPREAD) >> np.uint64(13)
    return np.column_stack([rows["path"], lists]).astype(np.intp) % _BUCKETS
