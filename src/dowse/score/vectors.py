"""Texts as vectors: the sum of their words' vectors, of length 1, kept as small whole numbers.

Where the vectors of words come from is a `WordSource`: embeddings that know which words mean alike (semantic.py), or
hashing, that needs nothing and only knows which words are the same. What is built on top does not tell them apart.

Texts are cut at spaces and no further. What stands between two of them ("Heap-sort," or "(music)") is cut into words,
and their vectors looked up, the first time it is met; from then on it costs a look-up in a dictionary.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from dowse.score.language import Language, words_of

Vector = NDArray[np.float32]
Small = NDArray[np.int8]

_SCALE = 256.0
"""What a component is multiplied with to be kept as one byte: those of a vector of length 1 are seldom over a half."""

_PIECES_KEPT = 200_000
_TEXTS_KEPT = 20_000
_HASHED_SIZE = 256
_HASHED_PLACES = 4
_HASHED_STOP_WORD = 0.05


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
            weight = _HASHED_STOP_WORD if word in self._language.stop_words or len(word) < 2 else 1.0
            for _ in range(_HASHED_PLACES):
                rows[number, value % self.size] += weight if value & 0x8000 else -weight
                value >>= 16
        return rows


class Embedder:
    """Makes vectors of texts."""

    def __init__(self, source: WordSource) -> None:
        self.source = source
        self.size = source.size
        self._rows = _Rows()
        self._table: Vector = np.zeros((1024, source.size), np.float32)
        self._known: dict[str, bytes] = {}

    def embed(self, texts: Sequence[str]) -> Vector:
        """One row for each text, of length 1, or of 0 if it has no words."""
        pieces = [text.split() for text in texts]
        lengths = np.fromiter(map(len, pieces), np.intp, len(texts))
        whole = int(lengths.sum())
        sums = np.zeros((len(texts), self.size), np.float32)
        if not whole:
            return sums
        if len(self._rows) >= _PIECES_KEPT:
            self._rows = _Rows()
        flat = itertools.chain.from_iterable(pieces)
        places = np.fromiter(map(self._rows.__getitem__, flat), np.intp, whole)
        if self._rows.new:
            self._learn()
        filled = lengths > 0
        starts = (np.cumsum(lengths) - lengths)[filled]
        # Taken in pairs, as complex numbers, they are added up in half the time.
        rows = self._table.take(places, axis=0).view(np.complex64)
        sums[filled] = np.add.reduceat(rows, starts, axis=0).view(np.float32)
        return unit(sums)

    def embed_small(self, text: str, repeated: Sequence[str]) -> tuple[bytes, bytes]:
        """The vector of one text, and those of others one after the other, in a byte a component.

        These others are remembered: pages of one site have the same links with the same words around them.
        """
        if len(self._known) + len(repeated) > _TEXTS_KEPT:
            self._known = {}
        known = self._known
        new = [each for each in dict.fromkeys(repeated) if each not in known]
        made, size = small(self.embed([text, *new])).tobytes(), self.size
        known.update((each, made[place * size : (place + 1) * size]) for place, each in enumerate(new, 1))
        return made[:size], b"".join([known[each] for each in repeated])

    def embed_text(self, text: str) -> Vector:
        """The vector of one text."""
        row: Vector = self.embed([text])[0]
        return row

    def _learn(self) -> None:
        """Look up what was met for the first time."""
        new, end = self._rows.new, len(self._rows)
        if end > len(self._table):
            grown = np.zeros((2 * end, self.size), np.float32)
            grown[: len(self._table)] = self._table
            self._table = grown
        parts = [words_of(piece) for piece in new]
        vectors = self.source.vectors(list(itertools.chain.from_iterable(parts)))
        owners = np.repeat(np.arange(end - len(new), end), [len(words) for words in parts])
        self._table[end - len(new) : end] = 0
        np.add.at(self._table, owners, vectors)
        self._rows.new = []


class _Rows(dict[str, int]):
    """Where in the table a piece of text is. One that is not yet gets the next row, and is noted to be looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.new: list[str] = []

    def __missing__(self, piece: str) -> int:
        row = self[piece] = len(self)
        self.new.append(piece)
        return row


def unit(vectors: NDArray[Any]) -> Vector:
    """Vectors with their lengths made 1; what has no length keeps it."""
    lengths = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    made: Vector = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return made


def small(vectors: Vector) -> Small:
    """Vectors in a byte a component."""
    made: Small = np.clip(np.rint(vectors * _SCALE), -127, 127).astype(np.int8)
    return made


def large(vectors: Small) -> Vector:
    """What `small` made small, nearly as it was."""
    made: Vector = vectors.astype(np.float32) / np.float32(_SCALE)
    return made
