"""Hosts and the folders below them as a tree that unfolds: what came of links into each part of it.

The tree has hosts at the top, each below the host that the first link to it was found on; below a host are its folders.
A link goes down the tree from its host to its folder. The first part on the way of which nothing was tried yet is its
*section*: a host, or a folder of a known host, or a folder in a known folder. So `/lib/` is one section until a page of
it was fetched, and then each of its folders is one.

    gains   how much more relevant than usual pages of a folder were, drawn to those of the folder above if they are few
    hope    the best link to a new section may be as good as the best page so far. It is worth the less the less the
            first pages of other folders were worth, above all of those beside it; of a host, those of other hosts that
            were named by the same one. So the dead hosts that one manual names are no reason not to try the next
            manual. The hope is renewed with the pages fetched: a part of any crawl goes to sections that were not
            tried.
    chance  how likely it is that there is a page behind a link: the share of live links of its folder, drawn to that of
            the folder above if few were tried, and so on up to the host. Of a host that was never tried, it is the
            share of live ones among those that the same host named. A dead link costs a request and not the reputation
            of its folder: what pages there are worth is not made less by it, only how soon it pays to ask for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dowse.rank.evidence import LEVELS, Rows, deepest_folders

Numbers = NDArray[np.float64]

_BUCKETS = 4096
_TRIED, _PAGES, _GAIN, _SECTIONS, _FIRSTS = range(5)
"""Of a host or folder: links followed into it, pages that came, how much more relevant than usual these were together,
sections of it that were tried, and what the first pages of these were worth together."""

_HOST_DOUBT, _FOLDER_DOUBT = np.float32(10.0), np.float32(5.0)
"""Pages that have to come for half of what they tell to count: of a host against nothing, of a folder against the one
above it."""

_HOSTS, _FOLDERS = 4.0, 2.0
"""How many hosts that the same one named have to be tried, and how many folders anywhere, until what their first pages
were worth counts as much as the hope."""

_RENEWED = 10.0
"""One more for so many pages fetched."""

_BESIDE = 2.0
"""How many folders beside a new one have to be tried to count as much as all others."""

_OWN = 0.1
"""What a link to a new section counts for itself: of two of them the better one is first."""

_BARREN, _BARREN_AFTER, _MAY_BE = 0.2, 20.0, 0.25
"""While no page may be on topic, that is, none has such a chance: what a link is worth less whose folder brought many,
and after how many pages that begins; after twice as many it is half of that. They may all seem to be as near to the
topic as anything was, and yet the next folder should have its turn."""

_LIVE_DOUBT = 1.0
"""How many hosts have to be tried for the share of live ones to count as much as that all are there, and how many links
to a host for theirs to count as much. Without dead links every chance is 1, so that none is preferred."""


class PathTree:
    """What is known of hosts and folders, by the numbers that stand for them."""

    def __init__(self) -> None:
        self._known: NDArray[np.float32] = np.zeros((_BUCKETS, 5), np.float32)
        self._named: NDArray[np.float32] = np.zeros((_BUCKETS, 3), np.float32)
        """Of a host, how many hosts were tried that it was the first to name, what their first pages were worth, and
        how many there were."""
        self._firsts: NDArray[np.float32] = np.zeros(2, np.float32)
        """How many folders were tried anywhere, and what their first pages were worth together."""
        self.likeliest = 0.0
        """How likely the likeliest page is on topic."""

    def note(self, row: Rows, gain: float, relevance: float) -> bool:
        """A link led to a page of that relevance, so much more than usual. Whether it was the first to a section."""
        is_first = self._try(row, relevance, is_live=True)
        self._known[_buckets(row), _PAGES] += 1
        self._known[_buckets(row), _GAIN] += gain
        return is_first

    def miss(self, row: Rows) -> bool:
        """A link led to no page. Whether it was the first to a section."""
        return self._try(row, 0.0, is_live=False)

    def gains(self, rows: Rows) -> tuple[Numbers, Numbers]:
        """What pages of the same folder brought, and of the same host."""
        tree = rows["tree"]
        known = self._known[tree % _BUCKETS]
        host = known[:, 0, _GAIN] / (known[:, 0, _PAGES] + _HOST_DOUBT)
        folder = host
        for level in range(1, LEVELS):
            drawn = (known[:, level, _GAIN] + _FOLDER_DOUBT * folder) / (known[:, level, _PAGES] + _FOLDER_DOUBT)
            folder = np.where(tree[:, level] > 0, drawn, folder)
        return folder, host

    def fetched(self, rows: Rows) -> Numbers:
        """How many pages came from the folder of each link."""
        pages: Numbers = self._known[deepest_folders(rows) % _BUCKETS, _PAGES]
        return pages

    def barren(self, rows: Rows) -> Numbers:
        """How much less links are worth because their folder brought nothing."""
        beyond = np.maximum(self.fetched(rows) - _BARREN_AFTER, 0)
        less: Numbers = _BARREN * beyond / (beyond + _BARREN_AFTER) * max(1 - self.likeliest / _MAY_BE, 0)
        return less

    def chance(self, rows: Rows) -> Numbers:
        """How likely it is that there is a page behind each link."""
        named = self._named[rows["source"] % _BUCKETS]
        share: Numbers = _drawn(named[:, 0], named[:, 2], 1.0, _LIVE_DOUBT)
        known = self._known[rows["tree"] % _BUCKETS]
        for level in range(LEVELS):
            doubt = _FOLDER_DOUBT if level else _LIVE_DOUBT
            drawn = _drawn(known[:, level, _TRIED], known[:, level, _PAGES], share, doubt)
            share = np.where(rows["tree"][:, level] > 0, drawn, share)
        return share

    def hope(self, rows: Rows, worth: Numbers, best: float, pages: int) -> Numbers:
        """What links are worth, given what they seem to be, what the best page was and how many came."""
        hoped = worth.copy()
        levels = self._levels(rows)
        new = np.flatnonzero(levels < LEVELS)
        if len(new):
            order = new[np.argsort(-worth[new], kind="stable")]
            _, first = np.unique(rows["tree"][order, levels[order]], return_index=True)
            chosen = order[first]
            hopes = self._hopes(rows[chosen], levels[chosen], best, pages)
            hoped[chosen] += (1 - _OWN) * np.maximum(hopes - worth[chosen], 0)
        return hoped

    def dump(self) -> bytes:
        used = np.flatnonzero((self._known[:, _TRIED] > 0) | (self._named[:, 0] > 0)).astype("<u2")
        whole = np.hstack([self._known[used], self._named[used]])
        return np.float64(self.likeliest).tobytes() + self._firsts.tobytes() + used.tobytes() + bytes(whole.tobytes())

    def load(self, state: bytes) -> None:
        self.likeliest, state = float(np.frombuffer(state[:8])[0]), state[8:]
        start, width = self._firsts.nbytes, self._known.shape[1] + self._named.shape[1]
        number = (len(state) - start) // (2 + 4 * width)
        self._firsts = np.frombuffer(state[:start], np.float32).copy()
        used = np.frombuffer(state[start : start + 2 * number], "<u2")
        whole = np.zeros((_BUCKETS, width), np.float32)
        whole[used] = np.frombuffer(state[start + 2 * number :], np.float32).reshape(number, width)
        self._known, self._named = np.hsplit(whole, [self._known.shape[1]])

    def _levels(self, rows: Rows) -> NDArray[np.intp]:
        """How far down the section of each link is; LEVELS if all on its way was tried."""
        is_new = (self._known[rows["tree"] % _BUCKETS, _TRIED] == 0) & (rows["tree"] > 0)
        levels: NDArray[np.intp] = np.where(is_new.any(axis=1), is_new.argmax(axis=1), LEVELS)
        return levels

    def _hopes(self, rows: Rows, levels: NDArray[np.intp], best: float, pages: int) -> Numbers:
        """What may be hoped for in new sections that are so far down."""
        tried, together = self._firsts.tolist()
        renewed = pages / _RENEWED
        usual = ((_FOLDERS + renewed) * best + together) / (_FOLDERS + renewed + tried)
        above = rows["tree"][np.arange(len(rows)), np.maximum(levels - 1, 0)] % _BUCKETS
        folders, hosts = self._known[above, _SECTIONS:], self._named[rows["source"] % _BUCKETS]
        in_folder = (_BESIDE * usual + folders[:, 1]) / (_BESIDE + folders[:, 0])
        on_host = ((_HOSTS + renewed) * best + hosts[:, 1]) / (_HOSTS + renewed + hosts[:, 0])
        hoped: Numbers = np.where(levels > 0, in_folder, on_host)
        return hoped

    def _try(self, row: Rows, relevance: float, *, is_live: bool) -> bool:
        level = int(self._levels(row)[0])
        is_first = level < LEVELS
        if is_first:
            if level:
                self._firsts += (1, relevance)
                self._known[row["tree"][0, level - 1] % _BUCKETS, _SECTIONS:] += (1, relevance)
            else:
                self._named[row["source"][0] % _BUCKETS] += (1, relevance, is_live)
        self._known[_buckets(row), _TRIED] += 1
        return is_first


def _buckets(row: Rows) -> NDArray[np.intp]:
    """The places of the host and the folders of one link, each once."""
    tree = row["tree"][0]
    buckets: NDArray[np.intp] = np.unique(tree[tree > 0] % _BUCKETS).astype(np.intp)
    return buckets


def _drawn(tried: Any, live: Any, towards: Any, doubt: float | np.float32) -> Any:
    """The share of live ones, drawn towards another as if so many more had been tried."""
    return (live + doubt * towards) / (tried + doubt)
