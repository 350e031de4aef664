"""The words that texts are made of, each looked up once: its vector, and a number that stands for its stem.

Where the vectors come from is a `WordSource`: embeddings that know which words mean alike (semantic.py), or hashing,
that needs nothing and only knows which words are the same. What is built on top does not tell them apart.

A page has a thousand words and is read in a fraction of a millisecond, so texts are cut as bytes, all of them in one
go (tokens.py), and a word that was met before costs a look-up in a table. Words that say nothing are left out: they are
half of a text, and embeddings give them next to no weight. Vectors are kept in a byte a component, for what takes time
is to fetch them from memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from xxhash import xxh3_64_intdigest

from dowse.score.language import Language, words_of
from dowse.score.tokens import SILENT, Counts, Rows, Small, Vector, make_table

_WORDS_KEPT = 200_000
_BYTES_KEPT = 16_000_000
"""Of these words: one of a page without spaces may be as long as the page."""

_SCALE = 12.0
"""What a component of a word is multiplied with to be kept as one byte: those of embeddings are seldom over 8."""

_NOT_STEMMED = -1

_HASHED_SIZE = 256
_HASHED_PLACES = 4


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
        """One row a word, of letters and digits; there is at least one."""
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


class Vocabulary:
    """What is known of words, by their rows."""

    def __init__(self, source: WordSource, language: Language) -> None:
        self._source = source
        self._language = language
        self.vectors: Small = np.zeros((1024, source.size), np.int8)
        self.began = 0
        """How often it has begun anew, for there is a limit to the words it keeps."""
        self._forget()

    def read(self, texts: Sequence[str]) -> Rows:
        """Cut texts into words; those that are new are looked up."""
        if self._met >= _WORDS_KEPT or self._bytes >= _BYTES_KEPT:
            self._forget()
        rows = np.frombuffer(self._table.find(texts, self._meet), np.int32)
        if self._new:
            self._learn()
        return rows

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._words)

    def stem_counts(self, rows: Rows) -> Counts:
        """How often the first of texts that were read just now has each stem, by the numbers that stand for them, in
        the order in which they are met. Single letters are left out.

        A word is stemmed when it is first asked for, which takes as long as all else that is done with it.
        """
        counts = self._table.count(rows, self._stems)
        if counts is None:
            self._stem(rows[: rows.argmin()])
            counts = self._table.count(rows, self._stems)
        assert counts is not None
        return np.frombuffer(counts, np.uint32).reshape(-1, 2)

    def _stem(self, rows: Rows) -> None:
        for row in rows[self._stems[rows] == _NOT_STEMMED].tolist():
            word = self._words[row]
            self._stems[row] = word_number(self._language.stem(word)) if len(word) > 1 else 0

    def _forget(self) -> None:
        self.began += 1
        self._table = make_table()
        self._met = self._bytes = 0
        self._words = ["", ""]
        """The words that have rows: a piece of a text that has several is known by the first of them."""
        self._new: list[list[str]] = []
        self._stems = np.full(len(self.vectors), _NOT_STEMMED)

    def _meet(self, piece: bytes) -> int:
        """The row of a piece of a text that is new. One that says something gets the next, and is to be looked up."""
        text = piece.decode()
        words = self._language.telling([text] if text.isascii() else words_of(text))
        self._met += 1
        self._bytes += len(piece)
        if not words:
            return SILENT
        self._words.append(words[0])
        self._new.append(words)
        return len(self._words) - 1

    def _learn(self) -> None:
        """Look up what was met for the first time."""
        new, end = self._new, len(self._words)
        if end > len(self.vectors):
            self.vectors = np.concatenate([self.vectors, np.zeros((2 * end, self._source.size), np.int8)])
            self._stems = np.concatenate([self._stems, np.full(2 * end, _NOT_STEMMED)])
        start = end - len(new)
        starts = list(itertools.accumulate(map(len, new[:-1]), initial=0))
        sums = np.add.reduceat(self._source.vectors(list(itertools.chain.from_iterable(new))), starts, axis=0)
        self.vectors[start:end] = np.clip(np.rint(sums * _SCALE), -127, 127)
        self._new = []


@lru_cache(maxsize=100_000)
def word_number(stem: str) -> int:
    """The number that stands for a word, in four bytes; none stands for nothing, which is 0."""
    return xxh3_64_intdigest(stem.encode("utf-8", "replace")) & 0xFFFFFFFF or 1
