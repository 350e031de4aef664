"""How links turned out that have something in common: their place in the markup, the folder of their URL, their host.

Of links that led to no page, or to a copy of one, it is noted to which section they were, a host and the first part of
a path. By their place in the markup they would tell of others in the same cell of a table, which cost harvest.

A section of a known host of which nothing was tried yet may be as good as the best there is: the best link to it is
worth that much, and the less the less the first pages of other sections were worth. So a crawl does not spend all its
pages on the first of four manuals.

What was seldom tried is worth a little more than it seems, so that of links that promise about the same the
untried come first. That bonus fades with the pages fetched. It is small, for a larger one cost harvest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dowse.rank.evidence import Fields, Rows

KINDS = ("path", "folder", "host")
"""What links have in common whose fates are noted."""

_EACH = np.arange(len(KINDS))
_HOST = KINDS.index("host")

EXPLORED = 0.05
"""What a link is worth more of which nothing like it was tried, at first."""

_FADES = 50.0
"""Pages after which that is half."""

_BUCKETS = 1024
_SHRINK = 10.0
_HOPE = 2.0
"""How many sections have to be tried until what their first pages were worth counts as much as the hope."""


class Fates:
    """For each kind, and each of its groups of links: how many were followed, and how much more relevant than usual the
    pages were that they led to."""

    def __init__(self) -> None:
        self._records: NDArray[np.float32] = np.zeros((len(KINDS), _BUCKETS, 2), np.float32)
        self._sections: NDArray[np.float32] = np.zeros((_BUCKETS, 2), np.float32)
        """For each section how many links to it were followed, and how many of these led to no page."""
        self._firsts: NDArray[np.float32] = np.zeros(2, np.float32)
        """How many sections were tried, and what the first page of each was worth, all together."""

    def note(self, row: Rows, gain: float, relevance: float) -> None:
        """A link, a row of one lead, led to a page of that relevance, so much more than usual."""
        self._try_section(row, relevance)
        for kind, group in enumerate(Fields(row).kinds[0].tolist()):
            record = self._records[kind, group % _BUCKETS]
            record[0] += 1
            record[1] += gain
        self._sections[row["section"][0] % _BUCKETS, 0] += 1

    def miss(self, row: Rows) -> None:
        """A link led to no page."""
        self._try_section(row, 0.0)
        self._sections[row["section"][0] % _BUCKETS] += 1

    def dead(self, rows: Rows) -> NDArray[np.float32]:
        """The part of the links to the same section that led to no page."""
        found = self._sections[rows["section"] % _BUCKETS]
        made: NDArray[np.float32] = found[:, 1] / (found[:, 0] + np.float32(_SHRINK))
        return made

    def hope(self, rows: Rows, worth: NDArray[np.float64], best: float) -> NDArray[np.float64]:
        """What links are worth that are the best of a section of which nothing was tried yet: as much as the best page,
        until it is known what the first pages of sections were worth. For all others their `worth`."""
        hoped = worth.copy()
        new = np.flatnonzero(self._is_new(rows))
        if len(new):
            order = new[np.argsort(-worth[new], kind="stable")]
            _, first = np.unique(rows["section"][order], return_index=True)
            tried, together = self._firsts
            hoped[order[first]] = np.maximum(worth[order[first]], (_HOPE * best + together) / (_HOPE + tried))
        return hoped

    def _is_new(self, rows: Rows) -> NDArray[np.bool_]:
        """Whether nothing was tried of a section, of a host of which something was."""
        is_known = self._records[_HOST, rows["host"] % _BUCKETS, 0] > 0
        is_new: NDArray[np.bool_] = is_known & (self._sections[rows["section"] % _BUCKETS, 0] == 0)
        return is_new

    def _try_section(self, row: Rows, relevance: float) -> None:
        if self._is_new(row)[0]:
            self._firsts += (1, relevance)

    def gains(self, rows: Rows) -> NDArray[np.float32]:
        """What links like these brought, a column for each kind."""
        found = self._records[_EACH, Fields(rows).kinds % _BUCKETS]
        made: NDArray[np.float32] = found[..., 1] / (found[..., 0] + np.float32(_SHRINK))
        return made

    def novelty(self, rows: Rows, pages: int) -> NDArray[np.float32]:
        """What links are worth for being of a kind that was seldom tried."""
        tried = self._records[_EACH, Fields(rows).kinds % _BUCKETS, 0].min(axis=1)
        worth: NDArray[np.float32] = np.float32(EXPLORED * _FADES / (_FADES + pages)) / (1 + tried)
        return worth

    def dump(self) -> bytes:
        return self._firsts.tobytes() + self._records.tobytes() + self._sections.tobytes()

    def load(self, state: bytes) -> None:
        start, end = self._firsts.nbytes, self._firsts.nbytes + self._records.nbytes
        self._firsts = np.frombuffer(state[:start], np.float32).copy()
        self._records = np.frombuffer(state[start:end], np.float32).reshape(self._records.shape).copy()
        self._sections = np.frombuffer(state[end:], np.float32).reshape(self._sections.shape).copy()
