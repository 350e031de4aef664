"""How likely a link leads to a page in another language than the topic's, on sites that are in several.

Pages tell what they are written in (score/spoken.py). A link is told by three signs, each as odds that are added up: in
which language the pages are that it is on, those that came of its folder, and those whose address names the same
language (`/de/`, `manual-de/`, `index.de.html`). A folder that has both says nothing.

Where all pages are in one language nothing is worth less.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dowse.rank.evidence import Rows, deepest_folders

Numbers = NDArray[np.float64]

_BUCKETS = 4096
_USUAL, _NAMED, _OWN = -2.5, 2.0, -4.0
"""The odds of a link of which nothing is known, and how much more they are if its address names another language, or
the topic's own."""

_BY_PARENTS, _BY_FOLDER, _BY_NAME = 2.5, 1.0, 2.0
_MOST = 2.0
"""What the signs count, and how far odds of folders and names go: three pages that are alike are enough."""

_LESS, _SOME = 0.4, 0.2
"""What a page in another language is worth less, and which part of the pages has to be in one, and in the topic's, for
all of that."""


class Tongues:
    """Of each folder, and of each name of a language, how many pages are in the topic's language and how many not."""

    def __init__(self) -> None:
        self._told: NDArray[np.float32] = np.zeros((2, _BUCKETS, 2), np.float32)
        self._all: NDArray[np.float32] = np.array([1, 0], np.float32)

    def note(self, row: Rows, foreign: int) -> None:
        """The page of a link, a row of one lead, is in another language (1), in that of the topic (-1), or it is not
        told (0)."""
        if foreign:
            folder, name = _buckets(row)
            self._all[int(foreign > 0)] += 1
            self._told[0, folder, int(foreign > 0)] += 1
            self._told[1, name, int(foreign > 0)] += 1

    def less(self, rows: Rows) -> Numbers:
        """What links are worth less for that."""
        folder, name = _buckets(rows)
        odds = _USUAL + _BY_PARENTS * rows["parent_foreign"].astype(float)
        named = np.where(rows["language"] > 1, _NAMED, _OWN) + _BY_NAME * self._odds(1, name)
        odds += _BY_FOLDER * self._odds(0, folder) + np.where(rows["language"] > 0, named, 0.0)
        own, foreign = (self._all / (self._all.sum() + 1)).tolist()
        both = min(own / _SOME, 1.0) * min(foreign / _SOME, 1.0)
        less: Numbers = -_LESS * both / (1 + np.exp(-odds))
        return less

    def dump(self) -> bytes:
        used = np.flatnonzero(self._told.any(axis=(0, 2))).astype("<u2")
        return self._all.tobytes() + used.tobytes() + self._told[:, used].tobytes()

    def load(self, state: bytes) -> None:
        start = self._all.nbytes
        number = (len(state) - start) // (2 + 2 * 2 * 4)
        self._all = np.frombuffer(state[:start], np.float32).copy()
        self._told[:] = 0
        used = np.frombuffer(state[start : start + 2 * number], "<u2")
        self._told[:, used] = np.frombuffer(state[start + 2 * number :], np.float32).reshape(2, number, 2)

    def _odds(self, kind: int, buckets: NDArray[np.intp]) -> Numbers:
        own, foreign = self._told[kind, buckets].T.astype(float) + 0.5
        odds: Numbers = np.clip(np.log(foreign / own), -_MOST, _MOST)
        return odds


def _buckets(rows: Rows) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where the deepest folders of links and the languages that their addresses name are noted."""
    return deepest_folders(rows) % _BUCKETS, rows["language"].astype(np.intp) % _BUCKETS
