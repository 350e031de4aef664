"""The link classifier: from the letters of a link's URL and words and its place in the markup to page, file or neither.

A logistic regression that is trained one answer at a time (AdaGrad), so that nobody has to be asked beforehand what
a URL is. The same features also predict how many more files than usual the page has that a link leads to.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PAGE, FILE, NEITHER = 0, 1, 2

Numbers = NDArray[np.float32]

_RATES = np.array([0.5, 0.5, 0.5, 0.1], np.float32)
_FIRM = 0.01
"""Squares of slopes to begin with; with fewer, the first answers would count for too much."""

_EXPECTED = np.array([[2.0, 0.0, 0.0], [0.0, 4.0, 0.0]], np.float32)
"""What is expected before anything is known: of a URL that names no wanted file, and of one that does."""


class LinkClasses:
    """Weights for three classes and, in the last column, for the reward."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._weights: Numbers = np.zeros((self._size, 4), np.float32)
        self._squares: Numbers = np.full((self._size, 4), _FIRM, np.float32)

    def predict(self, features: Numbers, named: NDArray[np.uint8]) -> Numbers:
        """How likely each link is a page, a file, neither; a row for each."""
        scores = features @ self._weights[:, :3] + _EXPECTED[named]
        exponents = np.exp(scores - scores.max(1, keepdims=True))
        shares: Numbers = exponents / exponents.sum(1, keepdims=True)
        return shares

    def extra(self, features: Numbers) -> Numbers:
        """How much more reward than their groups and folders promise links should bring."""
        extra: Numbers = features @ self._weights[:, 3]
        return extra

    def learn_class(self, features: Numbers, named: int, kind: int) -> None:
        """A link turned out to be this."""
        error = self.predict(features[None], np.array([named], np.uint8))[0]
        error[kind] -= 1
        self._step(features, slice(0, 3), error)

    def learn_reward(self, features: Numbers, missing: float) -> None:
        """The page brought so much more than was predicted."""
        self._step(features, slice(3, 4), np.array([-missing], np.float32))

    def dump(self) -> bytes:
        return self._weights.tobytes() + self._squares.tobytes()

    def load(self, state: bytes) -> None:
        both = np.frombuffer(state, np.float32).reshape(2, self._size, 4).copy()
        self._weights, self._squares = both[0], both[1]

    def _step(self, features: Numbers, columns: slice, error: Numbers) -> None:
        slope = features[:, None] * error
        self._squares[:, columns] += slope * slope
        self._weights[:, columns] -= _RATES[columns] * slope / np.sqrt(self._squares[:, columns])
