"""The linear model of links: its prior, what it learns, and that it is the ridge regression it says it is."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.rank.link_model import ZONES, LinkModel
from dowse.score.tokens import Vector

SIZE = 4
PRIOR = np.array([0.0, 1.0])


def links(count: int) -> tuple[np.ndarray, Vector]:
    chance = np.random.default_rng(1)
    return chance.random((count, 2)), (chance.random((count, len(ZONES) * SIZE), np.float32) - 0.5)


def test_nothing_learned_is_the_prior() -> None:
    features, vectors = links(5)
    assert LinkModel(PRIOR, SIZE).worth(features, vectors) == pytest.approx(features[:, 1])


def test_it_is_a_ridge_regression_around_the_prior() -> None:
    features, vectors = links(30)
    relevance = np.random.default_rng(2).random(30)
    model = LinkModel(PRIOR, SIZE)
    model.fit(features, vectors, relevance)
    whole, start = np.hstack([features, vectors]), np.concatenate([PRIOR, np.zeros(3 * SIZE)])
    firm = np.diag([3.0] * 2 + [2.0] * 3 * SIZE)
    expected = start + np.linalg.solve(whole.T @ whole + firm, whole.T @ (relevance - whole @ start))
    assert np.concatenate([model.weights, model.leanings.ravel()]) == pytest.approx(expected, abs=1e-4)


def test_it_is_saved_and_loaded() -> None:
    features, vectors = links(8)
    model, again = LinkModel(PRIOR, SIZE), LinkModel(PRIOR, SIZE)
    model.fit(features, vectors, np.linspace(0, 1, 8))
    again.load(model.dump())
    assert again.worth(features, vectors).tolist() == model.worth(features, vectors).tolist()
