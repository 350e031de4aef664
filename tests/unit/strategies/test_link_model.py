"""The linear model of links: its prior, what it learns, and that it is the ridge regression it says it is."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.strategies.evidence import Rows, lead_type
from dowse.strategies.link_model import ZONES, LinkModel

SIZE = 4
PRIOR = np.array([0.0, 1.0])


def links(count: int) -> tuple[np.ndarray, Rows]:
    chance = np.random.default_rng(1)
    rows = np.zeros(count, lead_type(SIZE))
    for zone in ZONES:
        rows[zone] = chance.integers(-100, 100, (count, SIZE))
    return chance.random((count, 2)), rows


def test_nothing_learned_is_the_prior() -> None:
    features, rows = links(5)
    assert LinkModel(PRIOR, SIZE).worth(features, rows) == pytest.approx(features[:, 1])


def test_it_is_a_ridge_regression_around_the_prior() -> None:
    features, rows = links(30)
    relevance = np.random.default_rng(2).random(30)
    model = LinkModel(PRIOR, SIZE)
    model.fit(features, rows, relevance)
    vectors = np.hstack([rows[zone] / 256 for zone in ZONES])
    whole, start = np.hstack([features, vectors]), np.concatenate([PRIOR, np.zeros(3 * SIZE)])
    firm = np.diag([3.0] * 2 + [2.0] * 3 * SIZE)
    expected = start + np.linalg.solve(whole.T @ whole + firm, whole.T @ (relevance - whole @ start))
    assert np.concatenate([model.weights, model.leanings.ravel()]) == pytest.approx(expected, abs=1e-4)


def test_it_is_saved_and_loaded() -> None:
    features, rows = links(8)
    model, again = LinkModel(PRIOR, SIZE), LinkModel(PRIOR, SIZE)
    model.fit(features, rows, np.linspace(0, 1, 8))
    again.load(model.dump())
    assert again.worth(features, rows).tolist() == model.worth(features, rows).tolist()
