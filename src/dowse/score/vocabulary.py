"""The words that texts are made of, each looked up once: its vector, and a number that stands for its stem.

Where the vectors come from is a `WordSource`: embeddings that know which words mean alike (semantic.py), or hashing,
that needs nothing and only knows which words are the same. What is built on top does not tell them apart.

A page has a thousand words and is read in a fraction of a millisecond, so texts are cut as bytes, all of them in one
go, and a word that was met before costs a look-up in a dictionary. Words that say nothing are left out: they are half
of a text, and embeddings give them next to no weight. Vectors are kept in a byte a component, for what takes time is to
fetch them from memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from dowse.score.language import Language, words_of

Vector = NDArray[np.float32]
Small = NDArray[np.int8]

_WORDS_KEPT = 200_000
_SCALE = 12.0
"""What a component of a word is multiplied with to be kept as one byte: those of embeddings are seldom over 8."""

_HASHED_SIZE = 256
_HASHED_PLACES = 4

_MARK = "\x01"
_PLAIN = bytes(
    byte if byte >= 0x80 or byte == ord(_MARK) else ord(chr(byte).lower()) if chr(byte).isalnum() else ord(" ")
    for byte in range(256)
)
"""Letters of ASCII in lower case, a space for what is none; characters of more than one byte stay as they are."""


_END, _SILENT = 0, 1
"""The rows of the mark behind a text, whose vector is 0, and of all words that say nothing."""


class WordSource(Protocol):
    """Gives words their vectors."""

    @property
    def name(self) -> str:
        """Which source it is; vectors of two sources cannot be compared."""
        ...

    @property
    def size(self) -> int: ...

    @property
    def knows_meaning(self) -> bool:
        """Whether words that mean alike have vectors that point alike."""
        ...

    def vectors(self, words: Sequence[str]) -> Vector:
        """One row a word."""
        ...


class HashedWords:
    """A word's stem stands for a few places of the vector, picked by its hash."""

    name = "hashed"
    size = _HASHED_SIZE
    knows_meaning = False

    def __init__(self, language: Language) -> None:
        self._language = language

    def vectors(self, words: Sequence[str]) -> Vector:
        rows = np.zeros((len(words), self.size), np.float32)
        for number, word in enumerate(words):
            value = xxh3_64_intdigest(self._language.stem(word).encode())
            for _ in range(_HASHED_PLACES):
                rows[number, value % self.size] += 1 if value & 0x8000 else -1
                value >>= 16
        return rows


class Words(NamedTuple):
    """The telling words of texts, as rows, each text with a mark behind it; and where these marks are."""

    rows: NDArray[np.intp]
    ends: NDArray[np.intp]


class Vocabulary:
    """What is known of words, by their rows."""

    def __init__(self, source: WordSource, language: Language) -> None:
        self._source = source
        self._language = language
        self._rows = _Rows(language)
        self.vectors: Small = np.zeros((1024, source.size), np.int8)
        self._stems: dict[int, int] = {}

    def read(self, texts: Sequence[str]) -> Words:
        """Cut texts into words; those that are new are looked up."""
        if self._rows.end >= _WORDS_KEPT:
            self._rows = _Rows(self._language)
            self._stems = {}
        pieces = _cut(texts)
        rows = np.fromiter(map(self._rows.__getitem__, pieces), np.intp, len(pieces))
        if self._rows.new:
            self._learn()
        told = rows[rows != _SILENT]
        return Words(told, np.flatnonzero(told == _END))

    def stems(self, rows: NDArray[np.intp]) -> list[int]:
        """The numbers of the stems of words that were read just now; 0 for a single letter.

        A word is stemmed when it is first asked for, which takes as long as all else that is done with it.
        """
        numbers: list[int] = rows.tolist()
        known = self._stems
        for row in [row for row in numbers if row not in known]:
            word = self._rows.words[row]
            known[row] = word_number(self._language.stem(word)) if len(word) > 1 else 0
        return [known[row] for row in numbers]

    def _learn(self) -> None:
        """Look up what was met for the first time."""
        new, end = self._rows.new, self._rows.end
        if end > len(self.vectors):
            self.vectors = np.concatenate([self.vectors, np.zeros((2 * end, self._source.size), np.int8)])
        start = end - len(new)
        owners = np.repeat(np.arange(len(new)), [len(words) for words in new])
        sums = np.zeros((len(new), self._source.size), np.float32)
        np.add.at(sums, owners, self._source.vectors(list(itertools.chain.from_iterable(new))))
        self.vectors[start:end] = np.clip(np.rint(sums * _SCALE), -127, 127)
        self._rows.new = []


class _Rows(dict[bytes, int]):
    """The rows of words. One that is new and says something gets the next row, and is noted to be looked up."""

    def __init__(self, language: Language) -> None:
        super().__init__({_MARK.encode(): _END})
        self._language = language
        self.words = ["", ""]
        self.new: list[list[str]] = []

    @property
    def end(self) -> int:
        """The row of the next word."""
        return len(self.words)

    def __missing__(self, piece: bytes) -> int:
        words = self._language.telling(words_of(piece.decode("utf-8", "replace")))
        row = self.end if words else _SILENT
        if words:
            self.words.append(words[0])
            self.new.append(words)
        self[piece] = row
        return row


@lru_cache(maxsize=100_000)
def word_number(stem: str) -> int:
    """The number that stands for a word, in four bytes; none stands for nothing, which is 0."""
    return xxh3_64_intdigest(stem.encode("utf-8", "replace")) & 0xFFFFFFFF or 1


def _cut(texts: Sequence[str]) -> list[bytes]:
    """The words of texts, with a mark behind each of them."""
    whole = f" {_MARK} ".join([*texts, ""])
    if whole.count(_MARK) != len(texts):
        whole = f" {_MARK} ".join([*(text.replace(_MARK, " ") for text in texts), ""])
    return whole.encode("utf-8", "replace").translate(_PLAIN).split()
