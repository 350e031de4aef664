"""Texts as vectors: the sum of their words' vectors, of length 1, kept as small whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dowse.score.language import Language
from dowse.score.vocabulary import Vocabulary, WordSource
from dowse.score.words import Rows, Small, Vector, add_up

_SCALE = 256.0
"""What a component is multiplied with to be kept as one byte: those of a vector of length 1 are seldom over a half."""


class Embedder:
    """Makes vectors of texts."""

    def __init__(self, source: WordSource, language: Language) -> None:
        self.source = source
        self.size = source.size
        self.vocabulary = Vocabulary(source, language)

    def embed(self, texts: Sequence[str]) -> Vector:
        """One row for each text, of length 1, or of 0 if it has no words."""
        return unit(self.sums(self.vocabulary.read(texts)))

    def embed_text(self, text: str) -> Vector:
        """The vector of one text."""
        row: Vector = self.embed([text])[0]
        return row

    def sums(self, rows: Rows) -> Vector:
        """The sums of the vectors of words, a row for each text; their lengths are those of the texts."""
        return np.frombuffer(add_up(rows, self.vocabulary.vectors), np.float32).reshape(-1, self.size)


def unit(vectors: NDArray[Any]) -> Vector:
    """Vectors with their lengths made 1; what has no length keeps it."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    made: Vector = (vectors / np.maximum(lengths, 1e-9)[..., None]).astype(np.float32, copy=False)
    return made


def small(vectors: Vector) -> Small:
    """Vectors in a byte a component."""
    made = np.rint(vectors * np.float32(_SCALE))
    kept: Small = np.minimum(np.maximum(made, -127, out=made), 127, out=made).astype(np.int8)
    return kept


def large(vectors: Small) -> Vector:
    """What `small` made small, nearly as it was."""
    made: Vector = vectors.astype(np.float32)
    made *= np.float32(1 / _SCALE)
    return made
