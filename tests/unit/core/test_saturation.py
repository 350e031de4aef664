"""When a topic is exhausted, and how good a crawl was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.metrics import mean, score
from dowse.core.saturation import find_threshold, patience_after, prospect


@pytest.mark.parametrize(
    ("relevances", "given_", "low", "high"),
    [
        ([0.1] * 50 + [0.9] * 10, -1.0, 0.1, 0.9),
        ([0.0, 0.05, 0.1] * 20 + [0.5, 0.6, 0.7] * 4, -1.0, 0.1, 0.5),
        ([0.1] * 50 + [0.9] * 10, 0.95, 0.95, 0.95),
        ([0.1] * 50, 0.0, 0.0, 0.0),
        ([0.0] * 50 + [0.02] * 20, -1.0, 0.1, 0.1),
        ([0.3] * 50, -1.0, 0.25, 0.25),
        ([], -1.0, 0.25, 0.25),
    ],
)
def test_the_threshold_parts_many_low_from_few_high(
    relevances: list[float], given_: float, low: float, high: float
) -> None:
    assert low <= find_threshold(relevances, given_) <= high


def test_a_crawl_that_finds_less_and_less_is_nearly_done() -> None:
    found = prospect([1.0] * 80 + [0.0] * 20 + [1.0] * 10 + [0.0] * 90, 0.5, 80, 1000)
    assert (found.pages, found.matched, found.recent) == (200, 90, 0)
    assert found.is_saturated
    assert found.total == pytest.approx(80 / (1 - 10 / 80))
    assert 0.95 < found.recall < 1
    assert found.is_falling
    assert (found.least, found.most) == (0, 7)


def test_where_little_was_seen_little_is_known() -> None:
    found = prospect([1.0] * 2 + [0.0] * 18, 0.5, 20, 60)
    assert found.is_falling
    assert (found.left, found.least, found.most) == (0, 0, 60)


def test_a_crawl_that_finds_as_much_as_ever_is_not() -> None:
    found = prospect([1.0, 0.0] * 50, 0.5, 40, 30)
    assert not found.is_saturated
    assert found.total == 80
    assert not found.is_falling


@given(st.lists(st.floats(0, 1), max_size=60), st.integers(1, 50), st.integers(0, 100))
def test_the_estimate_is_between_what_was_found_and_all_there_is(
    values: list[float], window: int, waiting: int
) -> None:
    found = prospect(values, 0.5, window, waiting)
    assert found.matched <= found.total <= found.matched + waiting
    assert 0 <= found.recall <= 1
    assert 0 <= found.least <= found.left <= found.most <= waiting


def test_scores() -> None:
    pages = [("a", 0.9), ("b", 0.8), ("c", 0.1), ("d", 0.7)]
    found = score(pages, {"a", "c", "d", "e"}, 0.5)
    assert (found.pages, found.relevant, found.harvest, found.found) == (4, 3, 0.75, 0.75)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == 0.5
    assert found.area == pytest.approx((1 + 1 / 2 + 2 / 3 + 3 / 4) / 4)
    nothing = score([], set(), 0.5)
    assert (nothing.harvest, nothing.precision, nothing.recall, nothing.area) == (0, 0, 0, 0)


def test_a_mean_has_a_margin_when_there_are_several() -> None:
    assert (mean([0.5]).value, mean([0.5]).margin) == (0.5, 0)
    assert mean([0.4, 0.6]).value == pytest.approx(0.5)
    assert mean([0.4, 0.6]).margin == pytest.approx(1.96 * 0.1)


def test_patience_may_be_half_of_the_pages_once_a_few_matched() -> None:
    assert patience_after(1_000, 50, 500, 0) == 500
    assert [patience_after(pages, 50, 500, 200) for pages in (100, 600, 5_000)] == [200, 300, 500]
    assert patience_after(600, 9, 500, 200) == 500  # too few to tell
    assert patience_after(600, 50, 100, 200) == 100  # asked for
