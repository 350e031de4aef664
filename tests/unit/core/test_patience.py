"""When a crawl may end by itself."""

from __future__ import annotations

import pytest

from dowse.core.patience import Patience


def test_patience_may_be_half_of_the_pages_once_a_few_matched() -> None:
    assert Patience(500).window(1_000, 50) == 500
    patience = Patience(500, least=200)
    assert [patience.window(pages, 50) for pages in (100, 600, 5_000)] == [200, 300, 500]
    assert patience.window(600, 9) == 500  # too few to tell
    assert Patience(100, least=200).window(600, 50) == 100  # asked for


@pytest.mark.parametrize(("known", "pages"), [(30, 20), (66, 39.6), (130, 78), (1_000, 120)])
def test_a_small_site_may_be_left_early(known: int, pages: int) -> None:
    assert Patience(120, ends_by_left=True).first_end(known) == pytest.approx(pages)


def test_fewer_pages_are_enough_if_asked_for() -> None:
    assert Patience(10, ends_by_left=True).first_end(1_000) == 10


def test_there_is_nothing_to_look_at_before_a_crawl_may_end() -> None:
    assert Patience(80, ends_by_left=True).first_look == 20
    assert (Patience(500, least=200).first_look, Patience(500).first_look) == (200, 500)
