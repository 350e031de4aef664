"""Texts as vectors: the sum of their words' vectors, of length 1, kept as small whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dowse.score.language import Language
from dowse.score.tokens import SCALE, Rows, Small, Vector, add_up, units
from dowse.score.vocabulary import Vocabulary, WordSource


class Embedder:
    """Makes vectors of texts."""

    def __init__(self, source: WordSource, language: Language) -> None:
        self.source = source
        self.size = source.size
        self.vocabulary = Vocabulary(source, language)

    def embed(self, texts: Sequence[str]) -> Vector:
        """One row for each text, of length 1, or of 0 if it has no words."""
        return unit(add_up(self.vocabulary.read(texts), self.vocabulary.vectors))

    def embed_text(self, text: str) -> Vector:
        """The vector of one text."""
        row: Vector = self.embed([text])[0]
        return row

    def units(self, rows: Rows) -> Small:
        """The same of texts that were read, in a byte a component."""
        return np.frombuffer(units(rows, self.vocabulary.vectors), np.int8).reshape(-1, self.size)


def unit(vectors: NDArray[Any]) -> Vector:
    """Vectors with their lengths made 1; what has no length keeps it."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    made: Vector = (vectors / np.maximum(lengths, 1e-9)[..., None]).astype(np.float32, copy=False)
    return made


def nearness(vectors: NDArray[Any], others: NDArray[Any]) -> Vector:
    """The dot products of vectors and others, added up in doubles.

    In single precision the last bit hangs on where in memory a vector begins, and two workers would differ.
    """
    made: Vector = (vectors.astype(np.float64) @ others.astype(np.float64).T).astype(np.float32)
    return made


def large(vectors: Small) -> Vector:
    """Vectors that were made small, nearly as they were."""
    made: Vector = vectors.astype(np.float32)
    made *= np.float32(1 / SCALE)
    return made
