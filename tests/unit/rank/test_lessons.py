"""How wide a topic is taken to be: by the likely pages, and by how much all pages of the crawl are alike."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.rank.lessons import alike, width
from dowse.score.tokens import Vector

PAGES = 300


def odds(likely: int, possible: int) -> np.ndarray:
    return np.array([1.0] * likely + [-0.5] * (possible - likely) + [-4.0] * (PAGES - possible))


def vectors(in_common: float) -> Vector:
    """Pages with so much of one direction, and as much again of their own."""
    own = np.random.default_rng(1).normal(size=(PAGES, 128)).astype(np.float32)
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    made: Vector = own + np.float32(in_common) * np.eye(128, dtype=np.float32)[0]
    return made


@pytest.mark.parametrize(("in_common", "expected"), [(0.0, 0.06), (1.0, 0.71), (50.0, 1.0)])
def test_pages_are_alike_as_far_as_they_have_a_direction_in_common(in_common: float, expected: float) -> None:
    assert alike(vectors(in_common)) == pytest.approx(expected, abs=0.05)


def test_pages_without_a_meaning_are_not_alike() -> None:
    assert alike(np.zeros((3, 128), np.float32)) == 0


def test_where_pages_are_about_many_things_fewer_likely_ones_make_a_topic_wide() -> None:
    some = odds(36, 66)
    assert width(some, vectors(0.3)) > 0.9
    assert width(some, vectors(1.0)) < 0.1


@pytest.mark.parametrize("in_common", [0.3, 1.0])
def test_few_likely_pages_make_no_topic_wide_and_many_make_any(in_common: float) -> None:
    assert width(odds(8, 20), vectors(in_common)) == 0
    assert width(odds(150, 160), vectors(in_common)) > 0.9
    assert width(odds(100, 160), vectors(in_common)) < 0.1 or in_common < 1, "most of them only may be"


def test_words_alone_are_never_as_much_alike_as_meanings() -> None:
    some, between = odds(36, 66), vectors(0.55)
    assert 0.40 < alike(between) < 0.56
    assert width(some, between) > 0.9
    assert width(some, between, by_meaning=False) < 0.1
    assert width(some, vectors(0.3), by_meaning=False) > 0.9
