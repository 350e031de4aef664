"""When a topic is exhausted, and how good a crawl was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.metrics import mean, score
from dowse.core.patience import Patience
from dowse.core.saturation import Prospect, Waiting, prospect

MATCHES = Patience(80, ends_by_left=True)
CHANCES = Patience(80, ends_by_left=True, has_chances=True)


def falling(matches: int, pages: int) -> tuple[list[float], list[float]]:
    """A crawl whose best links matched, and no other: relevances, and what links were worth."""
    return [1.0] * matches + [0.0] * (pages - matches), [1.0 - place / pages for place in range(pages)]


def test_a_crawl_whose_links_are_all_worth_less_than_what_matched_has_enough() -> None:
    found = prospect(*falling(30, 200), MATCHES, Waiting([-0.2, -0.5], [100, 100]))
    assert (found.pages, found.matched, found.recent) == (200, 30, 0)
    assert found.is_known
    assert found.has_enough
    assert found.left < 1
    assert (found.least, found.most) == (0, 0)


def test_a_crawl_with_links_as_good_as_those_that_matched_has_not() -> None:
    found = prospect(*falling(100, 200), MATCHES, Waiting([0.9], [60]))
    assert not found.has_enough
    assert found.left > 30
    assert found.least <= 55 <= found.most


def test_a_crawl_goes_on_while_one_link_waits_that_is_as_good_as_those_that_matched() -> None:
    relevances, worths = falling(30, 200)
    dull, good = Waiting([-0.5], [20]), Waiting([-0.5, 0.99], [20, 1])
    assert prospect(relevances, worths, MATCHES, dull).has_enough
    found = prospect(relevances, worths, MATCHES, good)
    assert found.left < 1.5
    assert found.is_promising
    assert not found.has_enough
    assert not prospect(relevances, worths, MATCHES, Waiting([], [])).is_promising


def test_where_all_that_waits_may_match_it_is_not_known_what_is_left() -> None:
    found = prospect([1.0, 0.0] * 30, [0.5] * 60, MATCHES, Waiting([0.5], [1_000]))
    assert not found.is_known
    assert not found.has_enough


def test_a_few_pages_say_nothing_of_what_is_left() -> None:
    found = prospect([1.0] * 2 + [0.0] * 17, [0.0] * 19, MATCHES, Waiting([0.0], [60]))
    assert (found.left, found.least, found.most, found.is_known) == (60, 0, 60, False)


def test_a_crawl_that_found_nothing_may_have_enough() -> None:
    found = prospect([0.0] * 200, [1 - place / 200 for place in range(200)], MATCHES, Waiting([-1.0], [50]))
    assert found.has_enough


@pytest.mark.parametrize(("left", "enough"), [(0.2, True), (0.7, False)])
def test_where_little_was_found_next_to_no_page_may_be_left(left: float, enough: bool) -> None:
    assert Prospect(200, 2, 2.0, 80, 0, left, 0, 2, is_known=True).has_enough is enough
    assert Prospect(200, 20, 20.0, 80, 0, left, 0, 2, is_known=True).has_enough


def test_pages_that_nearly_match_tell_of_what_is_left_where_none_matches() -> None:
    relevances, worths = [0.4] * 10 + [0.01] * 90, [1 - place / 100 for place in range(100)]
    good, bad = Waiting([0.95], [20]), Waiting([-0.5], [20])
    found = prospect(relevances, worths, CHANCES, good)
    assert found.matched == 0
    assert found.likely == pytest.approx(4.9)
    assert found.left > 2 * prospect(relevances, worths, MATCHES, good).left
    assert not found.has_enough
    assert prospect(relevances, worths, CHANCES, bad).has_enough


def test_pages_whose_links_were_worth_nobody_knows_what_say_nothing_of_links() -> None:
    relevances, worths = falling(10, 60)
    seeds = [1.0] * 5
    told, both = (
        prospect(values, worth, CHANCES, Waiting([0.05], [50]))
        for values, worth in ((relevances, worths), (seeds + relevances, [float("nan")] * 5 + worths))
    )
    assert (both.matched, both.left) == (told.matched + 5, told.left)
    unknown = prospect(relevances, [float("nan")] * 60, CHANCES, Waiting([0.05], [50]))
    assert (unknown.left, unknown.is_known) == (50, False)


@pytest.mark.parametrize(("links", "level", "steep"), [(40, 3.5, 2.0), (400, 5.0, 4.0), (400, 5.0, 6.0)])
def test_the_range_has_the_truth_in_about_nine_crawls_of_ten(links: int, level: float, steep: float) -> None:
    """Links match the likelier the more they are worth; the best go first, and the rest is to be told. In the last case
    three quarters of the first pages match."""
    chance = np.random.default_rng(5)
    known = right = widest = 0
    for _ in range(120):
        worths = np.sort(chance.normal(0, 1, 150 + links))[::-1]
        is_match = chance.random(len(worths)) < 1 / (1 + np.exp(level - steep * worths))
        waiting = Waiting(worths[150:].tolist(), [1] * links)
        found = prospect(is_match[:150].astype(float).tolist(), worths[:150].tolist(), MATCHES, waiting)
        known += found.is_known
        right += found.is_known and found.least <= is_match[150:].sum() <= found.most
        widest = max(widest, found.most - found.least)
    assert known > 60
    assert right / known > 0.85
    assert widest < 45


def test_a_crawl_for_files_goes_on_while_a_link_waits_that_is_surely_one() -> None:
    pages, patience = [1.0, *[0.0] * 30], Patience(20, surely=100.0)
    for worth, is_over in ((99.0, True), (100.5, False)):
        assert prospect(pages, [0.0] * 31, patience, Waiting([worth, 0.1], [1, 3])).is_over is is_over
    assert prospect(pages, [0.0] * 31, patience, Waiting([], [])).is_over


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1)), max_size=80), st.integers(1, 50), st.integers(0, 100))
def test_the_estimate_is_in_its_range(pages: list[tuple[float, float]], window: int, waiting: int) -> None:
    values, worths = [value for value, _ in pages], [worth for _, worth in pages]
    found = prospect(values, worths, Patience(window, ends_by_left=True), Waiting([0.0, -0.5], [waiting, 1]))
    assert 0 <= found.least <= round(found.left) <= found.most
    assert found.matched <= found.total
    assert 0 <= found.recall <= 1


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
