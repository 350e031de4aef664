"""What a person's yes and no on a few pages changes in the verdicts on all of them.

A few answers cannot fit a model anew. They tell how wide the topic is meant (one number for all pages), how far the
odds that were are to be trusted (a factor), which signs count for more or less than elsewhere, and which pages are like
those that were wanted (a direction in the space of signs and meanings). All start from nothing, and every answer moves
them as far as it is a surprise: a logistic regression with a prior, around the odds that were.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.score.tokens import Vector

Numbers = NDArray[np.float64]

_WIDTH = 3.0
"""How far all odds may well move."""

_TRUST = 0.33
"""How far what the odds that were count for may well be off."""

_LEANING, _SIGN = 5.0, 0.4
"""How far odds may well move for what pages mean, and for each sign, in units of how much that varies."""

_HARDLY = 0.1
"""A sign that varies less than this is not taken for one that tells much."""

_STEPS = 60
_NEAR_SURE = 6.0
"""Odds beyond this are no surer: one answer must be able to change them."""


class Adjustment(Struct, frozen=True):
    """What the odds of a page become: moved the same for all, stretched, and by how far it leans to what was wanted."""

    shift: float = 0.0
    stretch: float = 0.0
    direction: bytes = b""
    middle: bytes = b""

    def adjusted(self, odds: Numbers, vectors: Vector, signs: Numbers) -> Numbers:
        """The odds of pages with all that was answered."""
        if not self.direction:
            return odds
        direction, middle = (np.frombuffer(part) for part in (self.direction, self.middle))
        meaning, by_signs = np.split(direction, [vectors.shape[1]])
        leaning = vectors @ meaning.astype(np.float32) + signs @ by_signs - middle @ direction
        made: Numbers = (1 + self.stretch) * _known(odds) + self.shift + leaning
        return np.where(np.isneginf(odds), odds, made)


def adjustment(odds: Numbers, vectors: Vector, signs: Numbers, answers: Mapping[int, bool]) -> Adjustment:
    """Learn from answers, by the numbers of pages, given the odds, the vectors and the signs of all pages."""
    if not answers:
        return Adjustment()
    asked = list(answers)
    middle = np.concatenate([vectors.mean(axis=0), signs.mean(axis=0)]).astype(float)
    units = np.concatenate([np.full(vectors.shape[1], _LEANING), _SIGN / (signs.std(axis=0) + _HARDLY)])
    start, places = _known(odds)[asked], np.hstack([vectors[asked], signs[asked]])
    known = np.column_stack([np.full(len(asked), _WIDTH), _TRUST * start, (places - middle) * units])
    found = _weights(known, start, np.array(list(answers.values()), float)) @ known
    direction = units * found[2:]
    return Adjustment(float(_WIDTH * found[0]), float(_TRUST * found[1]), direction.tobytes(), middle.tobytes())


def _weights(known: Numbers, start: Numbers, wanted: Numbers) -> Numbers:
    """What each answer counts for. There are as many unknowns as answers: it is solved in the space that these span."""
    kernel = known @ known.T
    weights = np.zeros(len(wanted))
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-(start + kernel @ weights)))
        doubt = expected * (1 - expected) + 1e-6
        step = np.linalg.solve(np.eye(len(wanted)) + doubt[:, None] * kernel, wanted - expected - weights)
        weights += step / 2  # whole steps may leap to and fro
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _known(odds: Numbers) -> Numbers:
    made: Numbers = np.clip(odds, -_NEAR_SURE, _NEAR_SURE)
    return made
