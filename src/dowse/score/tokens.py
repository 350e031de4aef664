"""Texts as rows of words: cut, each word looked up, and a vector made of each text.

This is most of what reading a page for a topic takes, so it is in C (`_words.c`) where there was a compiler when dowse
was installed. Both ways give the same answers (`tests/unit/score/test_tokens.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Small = NDArray[np.int8]
Rows = NDArray[np.int32]
"""The telling words of texts in their order, each as the row of its vector, and `END` behind each text."""

Counts = NDArray[np.uint32]
"""Pairs of a number and how often it is there."""

END, SILENT = 0, 1
"""The rows of the mark behind a text, whose vector is 0, and of all words that say nothing, which are left out."""

_MARK = "\x01"
_PLAIN = bytes(
    byte if byte >= 0x80 or byte == ord(_MARK) else ord(chr(byte).lower()) if chr(byte).isalnum() else ord(" ")
    for byte in range(256)
)
"""Letters of ASCII in lower case, a space for what is none; characters of more than one byte stay as they are."""

SCALE = 256.0
"""What a component is multiplied with to be kept as one byte: those of a vector of length 1 are seldom over a half."""

Missing = Callable[[bytes], int]
"""Says which row a word has that is met for the first time."""


class Table(Protocol):
    """The rows of words."""

    def find(self, texts: Sequence[str], missing: Missing, /) -> bytes:
        """The `Rows` of texts, four bytes each. Words that say nothing are left out."""
        ...

    def count(self, rows: Rows, numbers: NDArray[np.int64], /) -> bytes | None:
        """The numbers of the rows of the first text, each with how often it is there, four bytes each, in the order in
        which they are met. Those that are 0 are left out. None where one is below 0."""
        ...


class PlainTable(dict[bytes, int]):
    """The table without a compiler."""

    def __init__(self) -> None:
        super().__init__({_MARK.encode(): END})

    def find(self, texts: Sequence[str], missing: Missing, /) -> bytes:
        self._ask = missing
        pieces = _cut(texts)
        rows: Rows = np.fromiter(map(self.__getitem__, pieces), np.int32, len(pieces))
        found: bytes = rows[rows != SILENT].tobytes()
        return found

    def count(self, rows: Rows, numbers: NDArray[np.int64], /) -> bytes | None:
        counts = Counter(numbers[rows[: rows.argmin()]].tolist())
        del counts[0]
        if min(counts, default=0) < 0:
            return None
        return np.array([*counts.items()], np.uint32).tobytes()

    def __missing__(self, piece: bytes) -> int:
        row = self[piece] = self._ask(piece)
        return row


def add_up(rows: Rows, vectors: Small) -> NDArray[np.float64]:
    """The sums of vectors, one for each text, exact."""
    ends = np.flatnonzero(rows == END)
    starts = np.zeros_like(ends)
    starts[1:] = ends[:-1] + 1
    # Taken in pairs, as complex numbers, they are added up in half the time.
    pairs = vectors.take(rows, axis=0).astype(np.float64).view(np.complex128)
    return np.add.reduceat(pairs, starts, axis=0).view(np.float64)


def plain_units(rows: Rows, vectors: Small, /) -> bytes:
    """The sums of vectors, their lengths made 1, in a byte a component.

    Squares of whole numbers add up to the same in any order, and so both ways round the same numbers.
    """
    sums = add_up(rows, vectors)
    squares = np.square(sums).sum(axis=1, keepdims=True)
    scales = np.divide(SCALE, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
    made: bytes = np.clip(np.rint(sums * scales), -127, 127).astype(np.int8).tobytes()
    return made


def _cut(texts: Sequence[str]) -> list[bytes]:
    """The words of texts, with a mark behind each of them."""
    whole = f" {_MARK} ".join([*texts, ""])
    if whole.count(_MARK) != len(texts):
        whole = f" {_MARK} ".join([*(text.replace(_MARK, " ") for text in texts), ""])
    return whole.encode("utf-8", "replace").translate(_PLAIN).split()


make_table: Callable[[], Table]
units: Callable[[Rows, Small], bytes]
try:
    from dowse.score import _words
except ImportError:  # no compiler
    IS_COMPILED = False
    make_table, units = PlainTable, plain_units
else:
    IS_COMPILED = True
    make_table, units = _words.Table, _words.units
