"""Fingerprints: 64-bit numbers by which a URL or a body is known again, and the memory of those seen.

The visited-URL test asks `SeenKeys` for the hash of a URL's key, the content-matching test for the checksum of a body;
`content_case` says what their two answers mean together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import md5
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Literal
from zlib import crc32

from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Checksum = Literal["xxh3", "md5", "crc32"]

# Where a checksum is 0, which means "none" everywhere else; no crc32 comes so high.
_INSTEAD_OF_ZERO = 1 << 32


class Case(StrEnum):
    """What a page is, by the two tests."""

    NEW = "new"  # new URL, new content: go on
    MIRROR = "mirror"  # new URL, known content: a copy, not processed
    CHANGED = "changed"  # known URL, new content: process it again
    SAME = "same"  # known URL, known content: skip it

    @property
    def is_processed(self) -> bool:
        return self in (Case.NEW, Case.CHANGED)

    @property
    def text(self) -> str:
        """What the two tests said, for people."""
        url = "new URL" if self in (Case.NEW, Case.MIRROR) else "known URL"
        return f"{url}, {'new' if self.is_processed else 'known'} content"


_CASES = {
    (False, False): Case.NEW,
    (False, True): Case.MIRROR,
    (True, False): Case.CHANGED,
    (True, True): Case.SAME,
}


def content_case(url_known: bool, content_known: bool) -> Case:
    """Which case the visited-URL test and the content-matching test make together."""
    return _CASES[url_known, content_known]


def checksum(body: bytes, kind: Checksum = "xxh3") -> int:
    """A body's fingerprint as a signed 64-bit number, never 0. md5 is cut to its first 64 bits, crc32 has only 32."""
    if kind == "xxh3":
        number = xxh3_64_intdigest(body)
    elif kind == "md5":
        number = int.from_bytes(md5(body, usedforsecurity=False).digest()[:8], "big")
    else:
        number = crc32(body)
    return number - ((number >> 63) << 64) or _INSTEAD_OF_ZERO


# Additions that are gathered before they are merged into the arrays. A merge into 5 M keys takes some 60 ms.
MERGED_AT = 32_768
# Entries of the dict in front of the arrays: one more would double its table.
NEAR_AT_MOST = 43_690
# How much a merge moves at a time, so that it needs no second copy of the arrays.
_BLOCK = 131_072


class SeenKeys:
    """Which row each 64-bit hash belongs to, in 16 bytes a key and 7 MB. The newest answer counts.

    Near is a dict: what was added and not merged yet, and what was looked up lately, since the pages of a site repeat
    their links. Far are two sorted arrays. numpy, which takes 80 ms to import, is asked for only when there are
    enough keys for the arrays.
    """

    def __init__(self) -> None:
        self._near: dict[int, int] = {}
        self._unmerged: dict[int, int] = {}
        self._far: _SortedKeys | None = None

    def __len__(self) -> int:
        recent = list(self._unmerged)
        return len(recent) if self._far is None else len(self._far) + self._far.find(recent).count(0)

    def get(self, key: int) -> int:
        """The row of a hash; 0 when it is unknown."""
        row = self._near.get(key, 0)
        return row if row or self._far is None else self._far.find([key])[0]

    def get_many(self, keys: Sequence[int]) -> list[int]:
        """The rows of many hashes, 0 for the unknown ones; 100 near ones take 6 microseconds, some far ones 15 more."""
        rows = list(map(self._near.get, keys, repeat(0)))
        if self._far is not None and 0 in rows:
            self._look_far(keys, rows)
        return rows

    def add(self, key: int, row: int) -> None:
        """Say which row (1 or higher) a hash belongs to from now on."""
        self._near[key] = self._unmerged[key] = row
        if len(self._unmerged) >= MERGED_AT:
            self._merge()
        elif len(self._near) > NEAR_AT_MOST:
            self._near = dict(self._unmerged)

    def forget(self, key: int) -> None:
        """Let a hash be unknown again; seldom, for it may take a merge."""
        self.add(key, 0)
        if self._far is not None:
            self._merge()

    def load(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Take in many hashes with their rows."""
        iterator = iter(pairs)
        self._unmerged.update(islice(iterator, MERGED_AT))
        for pair in iterator:
            self._merge().update(chain((pair,), islice(iterator, _BLOCK)))
        self._near = dict(self._unmerged)

    def _look_far(self, keys: Sequence[int], rows: list[int]) -> None:
        assert self._far is not None
        missing = [index for index, row in enumerate(rows) if not row]
        found = self._far.find([keys[index] for index in missing])
        has_room = len(self._near) + len(found) <= NEAR_AT_MOST
        if not has_room and len(self._near) > len(self._unmerged):
            self._near = dict(self._unmerged)
        for index, row in zip(missing, found, strict=True):
            rows[index] = row
            if row and has_room:
                self._near[keys[index]] = row

    def _merge(self) -> _SortedKeys:
        if self._far is None:
            self._far = _SortedKeys()
        if self._unmerged:
            self._far.update(self._unmerged.items())
            self._unmerged = {}
            self._near = {}
        return self._far


class _SortedKeys:
    """Two arrays side by side, hashes in ascending order and their rows."""

    def __init__(self) -> None:
        import numpy as np

        self._keys: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self._rows: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self._array = np.fromiter

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, keys: list[int]) -> list[int]:
        """The rows of hashes, 0 for the unknown ones."""
        wanted = self._array(keys, "i8", len(keys))
        places = self._keys.searchsorted(wanted)
        rows = self._rows.take(places, mode="clip")
        rows *= self._keys.take(places, mode="clip") == wanted
        found: list[int] = rows.tolist()
        return found

    def update(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Take in hashes and rows; the last row of a hash counts."""
        import numpy as np

        table = np.fromiter(pairs, [("key", np.int64), ("row", np.int64)])
        table = table[table["key"].argsort(kind="stable")]
        is_last = np.append(table["key"][1:] != table["key"][:-1], True)
        keys, rows = table["key"][is_last], table["row"][is_last]
        places = self._keys.searchsorted(keys)
        if len(self._keys):
            known = self._keys.take(places, mode="clip") == keys
            self._rows[places[known]] = rows[known]
            keys, rows, places = keys[~known], rows[~known], places[~known]
        self._insert(places, keys, rows)

    def _insert(self, places: npt.NDArray[np.int64], keys: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> None:
        """Make room at the end, then move block by block from there, each to where the additions below it push it."""
        import numpy as np

        old_end, new_end = len(self._keys), len(keys)
        self._keys.resize(old_end + new_end, refcheck=False)
        self._rows.resize(old_end + new_end, refcheck=False)
        while new_end:
            old = max(0, old_end - _BLOCK)
            new = int(places.searchsorted(old)) if old else 0
            at = places[new:new_end] - old
            for array, additions in ((self._keys, keys), (self._rows, rows)):
                array[old + new : old_end + new_end] = np.insert(array[old:old_end], at, additions[new:new_end])
            old_end, new_end = old, new
