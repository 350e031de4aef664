"""What a site repeats: menus, footers, notices, links, titles. Learned as its pages come in, by counting.

Only pages that are kept are counted, so that copies of a page do not make a template of what it says. What is repeated
stays repeated: fingerprints of pages must not depend on when they were made more than they have to.

Numbers are what tells many pages apart (prices, versions, dates), and a number comes on several pages by chance. A
block with a number in it is repeated only when a good part of the host's pages has it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dowse.core.duplicates.passages import Passages

REPEATED_AT = 6
"""On so many pages of a host a block is no longer what one of them says."""

NUMERIC_SHARE = 3
"""A block with a number in it is repeated when one in so many pages has it."""

REMEMBERED = 200_000
"""Blocks that are counted, about 150 bytes each; those that came once are forgotten first."""

Pages = tuple[int, ...]


class RepeatedBlocks:
    """Which blocks each host repeats. A block of a host is known by one number, `key`."""

    def __init__(self) -> None:
        self._repeated: set[int] = set()
        self._seen: dict[int, Pages] = {}
        self._pages: dict[int, int] = {}

    def load(self, host: int, pages: int) -> None:
        """How many pages of a host were counted before."""
        self._pages[host] = pages

    def mark(self, key: int) -> None:
        """Take a block as repeated."""
        self._repeated.add(key)

    def among(self, host: int, passages: Passages) -> npt.NDArray[np.bool_]:
        """Which parts of a page its host repeats."""
        repeated = self._repeated
        keys = keys_of(host, passages)
        return np.fromiter((key in repeated for key in keys), np.bool_, len(keys))

    def count(self, host: int, passages: Passages, page: int) -> dict[int, Pages]:
        """Count the blocks of a page that is kept. The answer is those that are repeated from now on, and where."""
        self._pages[host] = pages = self._pages.get(host, 0) + 1
        found: dict[int, Pages] = {}
        seen, repeated = self._seen, self._repeated
        for key in set(keys_of(host, passages)) - repeated:
            where = seen[key] = (*seen.get(key, ()), page)
            if len(where) >= REPEATED_AT and (not key & 1 or len(where) * NUMERIC_SHARE >= pages):
                found[key] = seen.pop(key)
        repeated.update(found)
        if len(seen) > REMEMBERED:
            self._forget()
        return found

    def _forget(self) -> None:
        self._seen = {key: where for key, where in self._seen.items() if len(where) > 1}
        if len(self._seen) > REMEMBERED // 2:
            self._seen.clear()


def keys_of(host: int, passages: Passages) -> list[int]:
    """The parts of a page as numbers that are different for every host."""
    keys: list[int] = (passages.parts() ^ np.uint64(host << 1)).view(np.int64).tolist()
    return keys
