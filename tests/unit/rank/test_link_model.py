"""The linear model of links: its prior, what it learns, and that it is the ridge regression it says it is."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.rank.link_model import CONSTANT, ZONES, LinkModel
from dowse.score.tokens import Vector

SIZE = 4
PRIOR = np.array([0.0, 1.0])


def links(count: int) -> tuple[np.ndarray, Vector]:
    chance = np.random.default_rng(1)
    features = np.column_stack([np.full(count, CONSTANT), chance.random(count)])
    return features, (chance.random((count, len(ZONES) * SIZE), np.float32) - 0.5)


def made() -> LinkModel:
    return LinkModel(PRIOR, SIZE)


def test_nothing_learned_is_the_order_of_the_prior() -> None:
    features, vectors = links(5)
    assert made().worth(features, vectors) == pytest.approx(features[:, 1] / 2)


def test_it_is_a_ridge_regression_around_the_scaled_prior() -> None:
    features, vectors = links(30)
    relevance = np.random.default_rng(2).random(30)
    model = made()
    model.fit(features, vectors, relevance)
    whole = np.hstack([features, vectors])
    start = np.concatenate([model._scaled(features @ PRIOR, relevance), np.zeros(3 * SIZE)])
    firm = np.diag([3.0] * 2 + [2.0] * 3 * SIZE)
    expected = start + np.linalg.solve(whole.T @ whole + firm, whole.T @ (relevance - whole @ start))
    assert np.concatenate([model.weights, model.leanings.ravel()]) == pytest.approx(expected, abs=1e-4)


def test_links_come_to_be_worth_what_pages_are() -> None:
    """The prior tells which link is better; how relevant the pages are that they lead to, they tell themselves."""
    features, _ = links(200)
    features[:, 1] *= 4  # a prior far above any relevance
    model = made()
    model.fit(features, np.zeros((200, 3 * SIZE), np.float32), 0.35 * features[:, 1] - 0.3)
    worth = model.worth(features, np.zeros((200, 3 * SIZE), np.float32))
    assert worth.mean() == pytest.approx(0.4, abs=0.05)
    assert (np.argsort(worth) == np.argsort(features[:, 1])).all()


def test_it_is_saved_and_loaded() -> None:
    features, vectors = links(8)
    model, again = made(), made()
    model.fit(features, vectors, np.linspace(0, 1, 8))
    again.load(model.dump())
    assert again.worth(features, vectors).tolist() == model.worth(features, vectors).tolist()
