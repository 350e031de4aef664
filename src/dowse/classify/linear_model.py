"""A logistic regression over names of features, as data: one row of small numbers for each name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Weights = NDArray[np.float32]


class StoredModel(Struct, frozen=True):
    """What is kept of a model. `weights` has a row for each name with a byte for each class, times `scale`."""

    classes: list[str]
    names: list[str]
    weights: bytes
    scale: float
    intercepts: list[float]


class LinearModel:
    """A model that is ready to be asked."""

    def __init__(self, stored: StoredModel) -> None:
        self.classes = tuple(stored.classes)
        small = np.frombuffer(stored.weights, np.int8).reshape(len(stored.names), len(stored.classes))
        self._weights: Weights = small.astype(np.float32) * np.float32(stored.scale)
        self._rows = {name: row for row, name in enumerate(stored.names)}
        self._intercepts = np.array(stored.intercepts, np.float32)

    def probabilities(self, features: Iterable[str]) -> Weights:
        """How probable each class is, for features that are there or not."""
        known = self._rows
        rows = sorted([known[name] for name in features if name in known])  # sums are the same in every process
        return _softmax(self._weights[rows].sum(axis=0) + self._intercepts)

    def weighed_probabilities(self, several: Iterable[Mapping[str, float]]) -> Weights:
        """The same for features with weights, a row for each mapping."""
        known = self._rows
        scores = []
        for features in several:
            pairs = sorted([(known[name], weight) for name, weight in features.items() if name in known])
            rows = [row for row, _ in pairs]
            weights = np.array([weight for _, weight in pairs], np.float32)
            scores.append(weights @ self._weights[rows] + self._intercepts)
        return _softmax(np.array(scores, np.float32).reshape(-1, len(self.classes)))


def stored_model(classes: list[str], names: list[str], weights: Weights, intercepts: list[float]) -> StoredModel:
    """A trained model as data. Names whose weights are all next to nothing are left out."""
    scale = float(np.abs(weights).max()) / 127 or 1.0
    small = np.rint(weights / scale).astype(np.int8)
    telling = np.abs(small).max(axis=1) > 0
    kept = [name for name, tells in zip(names, telling, strict=True) if tells]
    return StoredModel(classes, kept, small[telling].tobytes(), scale, intercepts)


def _softmax(scores: Weights) -> Weights:
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: Weights = grown / grown.sum(axis=-1, keepdims=True)
    return found
