"""Which words of a topic tell something: those whose pages are alike.

The pages that have "sort" are about one thing, those that have "time" about anything. So a term weighs the more the
farther the mean of its pages' vectors is from the mean of all pages. At first terms weigh what the user gave them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dowse.score.tokens import Vector

_DOUBT = 10.0
"""Pages that have a term for half of its weight to be what was learned."""


class TermWeights:
    """Learns the weights of a topic's terms from pages: how much of each term they have, and their vectors."""

    def __init__(self, given: Vector, size: int) -> None:
        self._given = given
        self._weights = given
        # The last row is for all pages, the last column counts.
        self._sums: Vector = np.zeros((len(given) + 1, size + 1), np.float32)
        self._shares: Vector = np.ones((len(given) + 1, 1), np.float32)
        self._counted: Vector = np.ones(size + 1, np.float32)

    def learn(self, densities: Any, vector: Vector) -> None:
        """Take in one page."""
        self._shares[:-1, 0] = densities
        self._counted[:-1] = vector
        self._sums += self._shares * self._counted

    @property
    def weights(self) -> Vector:
        """What the terms weigh; they sum up to what the user's do."""
        return self._weights

    def weigh(self) -> None:
        """Weigh the terms by all pages that were taken in."""
        counts = self._sums[:-1, -1]
        middles = self._sums[:, :-1] / np.maximum(self._sums[:, -1:], 1e-6)
        apart = np.square(middles[:-1] - middles[-1]).sum(axis=1)
        most = apart.max(initial=0.0)
        told = apart / most if most > 0 else np.ones_like(apart)
        trust = counts / (counts + _DOUBT)
        weights = self._given * (1 - trust + trust * told)
        self._weights = (weights * self._given.sum() / np.maximum(weights.sum(), 1e-6)).astype(np.float32)

    def match(self, densities: Any) -> Any:
        """How much of the topic pages have, 0 to 1."""
        return densities @ self._weights / self._weights.sum()

    def dump(self) -> bytes:
        return self._weights.tobytes() + self._sums.tobytes()

    def load(self, state: bytes) -> None:
        end = self._given.nbytes
        self._weights = np.frombuffer(state[:end], np.float32)
        self._sums = np.frombuffer(state[end:], np.float32).reshape(self._sums.shape).copy()
