"""How like links turned out, lists that name the topic, and what is seldom tried."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.rank.evidence import Rows, hint_type, lead_type
from dowse.rank.lead_means import hubs
from dowse.rank.link_statistics import EXPLORED, Fates

SIZE = 4


def links(*lists: int, path: int = 1, hub: float = 0.0) -> Rows:
    rows = np.zeros(len(lists), lead_type(SIZE))
    rows["list"] = lists
    rows["path"] = path
    rows["tree"][:, 0] = 1
    rows["hub"] = hub
    return rows


def test_places_that_led_to_good_pages_count_more() -> None:
    fates = Fates()
    for number in range(10):
        fates.note(links(number, path=1), 0.4, 0.0)
        fates.note(links(number, path=2), -0.4, 0.0)
    places = [float(fates.gains(links(99, path=path))[0, 0]) for path in (1, 2, 3)]
    assert places == pytest.approx([0.2, -0.2, 0.0], abs=1e-6)


def test_items_of_a_list_are_worth_what_the_first_of_them_were() -> None:
    fates = Fates()
    for _ in range(3):
        fates.note(links(1), 0.4, 0.0)
        fates.note(links(2), -0.4, 0.0)
    assert fates.gains(links(1, 2, 3))[:, 3].tolist() == pytest.approx([0.2, -0.2, 0.0], abs=1e-6)


def test_a_list_that_names_the_topic_is_promising_until_its_items_turn_out_dull() -> None:
    fates = Fates()
    named, other = links(1, hub=0.5), links(2, hub=0.1)
    fates.meet(named)
    promising, less = (float(fates.gains(rows)[0, 3]) for rows in (named, other))
    assert promising == pytest.approx(0.3)
    assert less == pytest.approx(0.06)
    for _ in range(6):
        fates.note(named, -0.2, 0.0)
    assert fates.gains(named)[0, 3] < 0 < less


def test_a_hub_is_a_long_list_whose_title_or_heading_names_the_topic() -> None:
    rows = np.zeros(24, hint_type(SIZE))
    rows["path"][20:] = 7
    rows["is_item"] = 1
    long, short = hubs(rows, 1.0)[[0, 20]]
    assert 0.7 < long < 1
    assert short < 0.5
    assert not hubs(rows, 0.0).any()
    rows["heading_match"][20:] = 0.5
    assert hubs(rows, 0.0)[[0, 20]].tolist() == pytest.approx([0, short / 2])
    rows["is_item"] = 0  # words in sentences
    assert not hubs(rows, 1.0).any()
    assert not len(hubs(rows[:0], 1.0))


def test_what_was_seldom_tried_counts_more_and_less_so_later() -> None:
    fates = Fates()
    for _ in range(9):
        fates.note(links(1), 0.0, 0.0)
    tried, new = (float(fates.novelty(links(1, path=path), 0)[0]) for path in (1, 2))
    assert new == pytest.approx(EXPLORED)
    assert tried == pytest.approx(EXPLORED / 10)
    later = [float(fates.novelty(links(1, path=2), pages)[0]) for pages in (0, 50, 500, 5_000)]
    assert later == sorted(later, reverse=True)
    assert later[1] == pytest.approx(EXPLORED / 2)
    assert later[-1] < EXPLORED / 100


def test_fates_are_saved_as_they_are() -> None:
    fates, again = Fates(), Fates()
    again.note(links(3), 0.1, 0.0)  # forgotten by what is loaded
    fates.note(links(7, hub=0.3), 0.3, 0.0)
    fates.meet(links(7, hub=0.3))
    fates.miss(links(7))
    again.load(fates.dump())
    again.tree.load(fates.tree.dump())
    again.note(links(7), 0.3, 0.0)
    fates.note(links(7), 0.3, 0.0)
    assert again.dump() == fates.dump()
    assert again.gains(links(7, hub=0.3)).tolist() == fates.gains(links(7, hub=0.3)).tolist()


def test_of_links_that_promise_the_same_the_one_is_worth_more_that_is_more_likely_to_be_there() -> None:
    fates = Fates()
    live, dead = links(1), links(2)
    live["tree"][:, 1], dead["tree"][:, 1] = 7, 8
    for _ in range(10):
        fates.note(live, 0.0, 0.5)
        fates.miss(dead)
    live_one, dead_one, dull_one = fates.adjustments(
        np.concatenate([live, dead, dead]), np.array([0.4, 0.4, 0.0]), 0.5, 20
    )[2].tolist()
    assert dead_one < 3 * live_one < 0
    assert dull_one == pytest.approx(0, abs=0.02)  # nothing can be lost where nothing is expected


def test_others_are_ranked_anew_after_every_few_dead_links() -> None:
    fates = Fates()
    assert [fates.miss(links(1)) for _ in range(6)] == [False, False, True, False, False, True]
