"""An index of SimHash signatures: which rows have one that differs in at most `DISTANCE` bits.

Two signatures that differ in at most seven bits have at least one of their eight bytes in common. So rows are kept in
eight orders, each by one of the bytes, and a look-up compares with the rows that share a byte: one in 32, on random
signatures. Additions are kept apart, compared one by one, until there are enough of them to order all anew. 45 bytes a
row. Rejected: a dict for each byte, at 800 bytes a row, and a plain comparison with all, at 3 ms for a million.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

DISTANCE = 7
"""The most bits for which every look-up finds all: one less than a signature has bytes."""

_BYTES = 8
_ORDERED_AT = 16_384


class NearIndex:
    """Rows by signature, both signed 64-bit numbers. A row may have several signatures."""

    def __init__(self) -> None:
        self._signatures = np.empty(0, np.int64)
        self._rows = np.empty(0, np.int64)
        self._size = 0
        self._ordered = 0
        self._orders: list[npt.NDArray[np.uint32]] = []
        self._bounds = np.zeros((_BYTES, 257), np.intp)

    def __len__(self) -> int:
        return self._size

    def add(self, signature: int, row: int) -> None:
        if self._size == len(self._rows):
            self._grow(max(1_024, self._size + self._size // 4))
        self._signatures[self._size] = signature
        self._rows[self._size] = row
        self._size += 1
        if self._size - self._ordered >= max(_ORDERED_AT, self._ordered // 32):
            self._order()

    def load(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Take in many signatures with their rows."""
        table = np.fromiter(pairs, [("signature", np.int64), ("row", np.int64)])
        self._signatures = np.concatenate([self._signatures[: self._size], table["signature"]])
        self._rows = np.concatenate([self._rows[: self._size], table["row"]])
        self._size = len(self._rows)
        self._order()

    def near(self, signature: int, distance: int = DISTANCE) -> list[tuple[int, int]]:
        """(bits of difference, row) of all signatures that near, the nearest first."""
        number = np.int64(signature)
        places: list[npt.NDArray[Any]] = [np.arange(self._ordered, self._size)]
        for at, byte in enumerate(number.tobytes() if self._orders else b""):
            start, end = self._bounds[at, byte : byte + 2]
            places.append(self._orders[at][start:end])
        candidates = np.concatenate(places)
        bits = np.bitwise_count((self._signatures[candidates] ^ number).view(np.uint64))
        close = bits <= distance
        return sorted(set(zip(bits[close].tolist(), self._rows[candidates[close]].tolist(), strict=True)))

    def _grow(self, size: int) -> None:
        self._signatures = np.resize(self._signatures, size)
        self._rows = np.resize(self._rows, size)

    def _order(self) -> None:
        columns = self._signatures[: self._size].view(np.uint8).reshape(-1, _BYTES)
        self._orders = []
        for at in range(_BYTES):
            column = np.ascontiguousarray(columns[:, at])
            self._orders.append(column.argsort(kind="stable").astype(np.uint32))
            self._bounds[at, 1:] = np.bincount(column, minlength=256).cumsum()
        self._ordered = self._size
