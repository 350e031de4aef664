"""How often pages change, and which of them to visit again."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.revisits.change_rates import NEVER, ChangeRates


def test_a_rate_is_learned_from_visits_that_only_tell_changed_or_not() -> None:
    random = Random(1)
    rates = ChangeRates(kinds=1)
    page = rates.add(["all"], at=0.0)
    now = 0.0
    for _ in range(400):
        gap = random.uniform(1.0, 9.0)
        now += gap
        rates.visited(page, now, changed=random.random() > np.exp(-0.2 * gap))
    rate = rates.rate(page)
    assert rate.low < 0.2 < rate.high
    assert rate.mean == pytest.approx(0.2, rel=0.25)


def test_a_page_changed_at_every_visit_did_so_oftener_than_it_was_visited() -> None:
    often, seldom = ChangeRates(kinds=1), ChangeRates(kinds=1)
    for rates in (often, seldom):
        rates.add(["all"], at=0.0)
    for visit in range(1, 50):
        often.visited(0, visit * 10.0, changed=True)
        seldom.visited(0, visit * 10.0, changed=True, last_changed=visit * 10.0 - 9.0)
    assert often.rate(0).mean > 0.1
    assert seldom.rate(0).mean < often.rate(0).mean, "the server said that the rest of the time there was no change"


def test_pages_of_a_still_folder_are_left_alone_before_each_was_visited() -> None:
    rates = ChangeRates(kinds=1)
    still = [rates.add(["papers"], at=0.0) for _ in range(50)]
    news = [rates.add(["news"], at=0.0) for _ in range(50)]
    for day in range(1, 21):
        rates.visited(still[day], float(day), changed=False)
        rates.visited(news[day], float(day), changed=True)
    assert set(rates.best(21.0, 20).tolist()) <= set(news)


def test_one_change_makes_its_neighbours_suspect_and_visits_clear_them() -> None:
    rates = ChangeRates(kinds=1)
    for folder in ("one", "other"):
        for _ in range(20):
            rates.add([folder], at=0.0)
    for visit in range(1, 6):
        for page in range(40):
            rates.visited(page, visit * 50.0, changed=visit % 2 == 0)
    assert rates.expected(255.0)[5] == pytest.approx(rates.expected(255.0)[25], rel=0.02)
    rates.visited(0, 255.0, changed=True)
    suspect = rates.expected(256.0)[5]
    assert suspect > 1.2 * rates.expected(256.0)[25]
    for page in range(6, 20):
        rates.visited(page, 256.0, changed=False)
    assert rates.expected(256.0)[5] < suspect


def test_a_page_that_is_said_to_be_old_is_thought_to_change_seldom() -> None:
    rates = ChangeRates(kinds=1)
    old = rates.add(["a"], at=1000.0, last_changed=0.0)
    new = rates.add(["b"], at=1000.0, last_changed=999.0)
    assert rates.rate(old).mean < rates.rate(new).mean


def test_what_matters_more_comes_first() -> None:
    rates = ChangeRates(kinds=1)
    for _ in range(10):
        rates.add(["all"], at=0.0)
    weights = np.ones(10)
    weights[7] = 3.0
    assert rates.best(10.0, 3, weights)[0] == 7


def test_a_page_that_changes_faster_than_it_can_be_followed_is_given_up_for_others() -> None:
    rates = ChangeRates(kinds=1)
    clock, paper = rates.add(["clock"], at=0.0), rates.add(["paper"], at=0.0)
    for visit in range(1, 200):
        rates.visited(clock, visit * 1.0, changed=True)
        rates.visited(paper, visit * 1.0, changed=visit % 20 == 0)
    rates.visited(clock, 210.0, changed=True)
    assert rates.best(212.0, 1).tolist() == [paper]


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.floats(-1.0, 1e4), st.booleans(), st.just(NEVER) | st.floats(-1e4, 1e4)),
        max_size=60,
    )
)
def test_neither_clock_nor_server_can_break_the_numbers(visits: list[tuple[int, float, bool, float]]) -> None:
    rates = ChangeRates(kinds=2)
    for page in range(5):
        rates.add([page % 2, page], at=0.0, last_changed=-5.0 if page else NEVER)
    now = 0.0
    for page, days, changed, said in visits:
        now += days
        rates.visited(page, now, changed, said)
        assert np.isfinite(rates.worth(now)).all()
        assert (rates.expected(now) >= 0.0).all()
        assert len(set(rates.best(now, 9).tolist())) == 5


def test_a_later_run_goes_on_where_the_one_before_ended() -> None:
    names = [["a", "a", "b", "b"], ["1", "2", "1", "2"]]
    whole, first, second = (ChangeRates(kinds=2) for _ in range(3))
    for rates in (whole, first):
        for page in range(4):
            rates.add([names[0][page], names[1][page]], at=0.0)
        for visit in range(1, 20):
            rates.visited(visit % 4, visit * 3.0, changed=visit % 3 == 0)
    second.restore(names, first.own(np.arange(4)))
    second.restore_activities(first.activities(), first.gap)
    assert second.expected(70.0) == pytest.approx(whole.expected(70.0), rel=0.05)
    assert second.best(70.0, 4).tolist() == whole.best(70.0, 4).tolist()


def test_pages_that_were_visited_by_a_clock_a_year_ahead_have_their_turn_when_it_is_put_back() -> None:
    rates = ChangeRates(kinds=1)
    for _ in range(20):
        rates.add(["all"], at=0.0)
    pages = np.arange(20)
    never = np.full(20, NEVER)
    rates.visited_all(pages, 1.0, np.zeros(20, bool), never)
    rates.visited_all(pages[:10], 366.0, np.zeros(10, bool), never[:10])
    known = rates.own(pages[:10])[:2].copy()
    assert set(rates.best(2.0, 20).tolist()[:10]) == set(range(10)), "nobody knows when these were visited"
    rates.visited_all(pages[:5], 2.0, np.ones(5, bool), never[:5])
    assert np.array_equal(rates.own(pages[:10])[:2], known), "nor what a change since then tells"
    usual = rates.gap
    rates.visited_all(pages, 3.0, np.zeros(20, bool), never)
    assert rates.gap < usual
