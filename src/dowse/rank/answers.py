"""What a person's yes and no on a few pages changes in the verdicts on all of them.

A few answers cannot teach a dozen coefficients. They tell how wide the topic is meant, which is one number for all,
and which pages are like those that were wanted, which is a direction in the space of meanings. Both start from nothing,
and every answer moves them as far as it is a surprise (a logistic regression with a prior, around the odds that were).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.score.tokens import Vector

Numbers = NDArray[np.float64]

_WIDTH = 3.0
"""How far all odds may well move."""

_LEANING = 5.0
"""How far odds may well move for what pages mean."""

_STEPS = 60
_NEAR_SURE = 6.0
"""Odds beyond this are no surer: one answer must be able to change them."""


class Adjustment(Struct, frozen=True):
    """What is added to the odds of a page: the same for all, and how far it leans to what was wanted."""

    shift: float = 0.0
    leaning: bytes = b""
    middle: bytes = b""

    def adjusted(self, odds: Numbers, vectors: Vector) -> Numbers:
        """The odds of pages with all that was answered."""
        if not self.leaning:
            return odds
        leaning, middle = (np.frombuffer(part, np.float32) for part in (self.leaning, self.middle))
        made: Numbers = np.clip(odds, -_NEAR_SURE, _NEAR_SURE) + self.shift + (vectors - middle) @ leaning
        return np.where(np.isneginf(odds), odds, made)


def adjustment(odds: Numbers, vectors: Vector, middle: Vector, answers: Sequence[bool]) -> Adjustment:
    """Learn from answers on pages with such odds and vectors; `middle` is the mean of all pages."""
    if not answers:
        return Adjustment()
    signs = np.column_stack([np.full(len(answers), _WIDTH), _LEANING * (vectors - middle)]).astype(float)
    start = np.clip(odds, -_NEAR_SURE, _NEAR_SURE)
    wanted = np.array(answers, float)
    # As many unknowns as answers: in the space that these span.
    kernel = signs @ signs.T
    weights = np.zeros(len(answers))
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-(start + kernel @ weights)))
        doubt = expected * (1 - expected) + 1e-6
        step = np.linalg.solve(np.eye(len(answers)) + doubt[:, None] * kernel, wanted - expected - weights)
        weights += step / 2  # whole steps may leap to and fro
        if np.abs(step).max() < 1e-6:
            break
    found = weights @ signs
    leaning = (_LEANING * found[1:]).astype(np.float32)
    return Adjustment(float(_WIDTH * found[0]), leaning.tobytes(), middle.astype(np.float32).tobytes())
