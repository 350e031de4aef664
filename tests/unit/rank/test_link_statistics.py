"""How like links turned out, and what is seldom tried."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.rank.evidence import Rows, lead_type
from dowse.rank.link_statistics import EXPLORED, Fates

SIZE = 4


def links(*folders: int, section: int = 0) -> Rows:
    rows = np.zeros(len(folders), lead_type(SIZE))
    rows["folder"] = folders
    rows["section"] = section
    return rows


def test_folders_that_led_to_good_pages_count_more() -> None:
    fates = Fates()
    for _ in range(10):
        fates.note(links(1), 0.4, 0.0)
        fates.note(links(2), -0.4, 0.0)
    _, folder, host = fates.gains(links(1, 2, 3)).T
    assert folder.tolist() == pytest.approx([0.2, -0.2, 0.0], abs=1e-6)
    assert host.tolist() == pytest.approx([0.0] * 3, abs=1e-6)


def test_sections_where_links_led_to_no_page_are_told_by_how_many_did() -> None:
    fates = Fates()
    for number in range(10):
        fates.note(links(1, section=5), 0.0, 0.0)
        fates.miss(links(number, section=6))
    assert [float(fates.dead(links(9, section=section))[0]) for section in (5, 6, 7)] == pytest.approx([0, 0.5, 0])
    assert not fates.gains(links(2, 3, section=6)).any()


def test_a_section_that_was_not_tried_may_be_as_good_as_the_best_until_others_turned_out_dull() -> None:
    fates = Fates()
    new, worth = links(1, 2, 3, section=9), np.array([0.1, 0.3, 0.2])
    assert fates.hope(new, worth, 0.8).tolist() == worth.tolist()  # nothing is known of its host yet
    fates.note(links(1, section=1), 0.0, 0.5)
    assert fates.hope(new, worth, 0.8).tolist() == pytest.approx([0.1, 0.8, 0.2])
    assert fates.hope(links(1, 2, 3, section=1), worth, 0.8).tolist() == worth.tolist()
    fates.note(links(1, section=2), 0.0, 0.2)
    assert fates.hope(new, worth, 0.8).tolist() == pytest.approx([0.1, (2 * 0.8 + 0.2) / 3, 0.2])
    for section in range(3, 9):
        fates.miss(links(1, section=section))
    assert fates.hope(new, worth, 0.8).tolist() == pytest.approx([0.1, 0.3, 0.2])  # less than it is worth anyway


def test_what_was_seldom_tried_counts_more_and_less_so_later() -> None:
    fates = Fates()
    for _ in range(9):
        fates.note(links(1), 0.0, 0.0)
    tried, new = fates.novelty(links(1, 2), 0)
    assert new == pytest.approx(EXPLORED)
    assert tried == pytest.approx(EXPLORED / 10)
    later = [float(fates.novelty(links(2), pages)[0]) for pages in (0, 50, 500, 5_000)]
    assert later == sorted(later, reverse=True)
    assert later[1] == pytest.approx(EXPLORED / 2)
    assert later[-1] < EXPLORED / 100


def test_fates_are_saved_as_they_are() -> None:
    fates, again = Fates(), Fates()
    fates.note(links(7), 0.3, 0.0)
    fates.miss(links(7, section=3))
    again.load(fates.dump())
    again.note(links(7), 0.3, 0.0)
    fates.note(links(7), 0.3, 0.0)
    assert again.dump() == fates.dump()
