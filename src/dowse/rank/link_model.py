"""From what is known of a link to the relevance that is to be expected behind it: one linear model, made anew often.

A link has a few numbers (features) and three vectors: of its words, of those around it, of the pages it is on. The
weights of the features start from a prior; those of the components of the vectors start from nothing, and come to say
which words and which pages have led to relevant pages here, whatever the topic is called.

The prior says which of two links is better, not how relevant the pages are. So it is scaled first, by the line that
fits it best to the pages that came. What links are worth can then be compared with the relevance of pages.

Few pages are known and the weights are many, so the ridge regression is solved for the pages (the dual), not for the
weights: with A the features, V the vectors, and r what the scaled prior gets wrong,

    (A A' / firm + V V' / loose + 1) s = r        weights = scaled prior + A' s / firm        leanings = V' s / loose
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dowse.score.tokens import Vector

Numbers = NDArray[np.float64]

ZONES = ("anchor", "context", "parent")
"""What the vectors of a lead are of, in the order of its fields."""

_FIRM = 3.0
"""How many pages the prior of a feature counts for."""

_LOOSE = 2.0
"""The same for a component of a vector."""

_SLOPE, _LEAST_SLOPE = 0.5, 0.3
"""What the prior is multiplied with at first, and at least."""

_DOUBT = 0.8
"""How much the prior has to vary, in squares, for half of the slope to be that of the pages that came."""

CONSTANT = 0.1
"""The first feature of every link, for what is usual."""


class LinkModel:
    """Weights of features, and what the model leans to in each zone of a link."""

    def __init__(self, prior: Numbers, size: int) -> None:
        self._prior = prior
        self._size = size
        self.weights: Numbers = _SLOPE * prior
        self.leanings: Vector = np.zeros((len(ZONES), size), np.float32)

    def leaning(self, vectors: Vector) -> Numbers:
        """What links are worth for their vectors, beside their features."""
        worth: Numbers = (vectors @ self.leanings.ravel()).astype(np.float64)
        return worth

    def worth(self, features: Numbers, vectors: Vector) -> Numbers:
        expected: Numbers = features @ self.weights + self.leaning(vectors)
        return expected

    def fit(self, features: Numbers, vectors: Vector, relevance: Numbers) -> None:
        """Take these links and the relevance of where they led for all there is to learn from."""
        start = self._scaled(features @ self._prior, relevance)
        known = features.astype(np.float32)
        alike = vectors @ vectors.T
        alike /= np.float32(_LOOSE)
        alike += (known / np.float32(_FIRM)) @ known.T
        alike.flat[:: len(alike) + 1] += 1
        missed = (relevance - features @ start).astype(np.float32)
        shares = np.linalg.solve(alike, missed)
        self.weights = start + shares.astype(np.float64) @ features / _FIRM
        leanings = shares @ vectors / np.float32(_LOOSE)
        self.leanings = leanings.reshape(len(ZONES), self._size)

    def _scaled(self, told: Numbers, relevance: Numbers) -> Numbers:
        """The prior, given what it told of links and the relevance of where they led."""
        middle, mean = float(told.mean()), float(relevance.mean())
        apart = told - middle
        slope = (float(apart @ (relevance - mean)) + _DOUBT * _SLOPE) / (float(apart @ apart) + _DOUBT)
        slope = max(slope, _LEAST_SLOPE)
        scaled: Numbers = slope * self._prior
        scaled[0] += (mean - slope * middle) / CONSTANT
        return scaled

    def dump(self) -> bytes:
        return self.weights.tobytes() + self.leanings.tobytes()

    def load(self, state: bytes) -> None:
        end = self._prior.nbytes
        self.weights = np.frombuffer(state[:end], np.float64).copy()
        self.leanings = np.frombuffer(state[end:], np.float32).reshape(len(ZONES), self._size).copy()
