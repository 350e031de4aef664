"""When a crawl may end by itself."""

from __future__ import annotations

import pytest

from dowse.core.patience import Patience


@pytest.mark.parametrize(("known", "pages"), [(30, 20), (66, 39.6), (130, 78), (1_000, 120)])
def test_a_small_site_may_be_left_early(known: int, pages: int) -> None:
    assert Patience(120, ends_by_left=True).first_end(known) == pytest.approx(pages)


def test_fewer_pages_are_enough_if_asked_for() -> None:
    assert Patience(10, ends_by_left=True).first_end(1_000) == 10


def test_a_crawl_that_has_found_nothing_goes_on_for_longer() -> None:
    patience = Patience(120, ends_by_left=True)
    assert [patience.first_end(known, has_found=False) for known in (130, 1_000)] == pytest.approx([78, 240])


def test_there_is_nothing_to_look_at_before_a_crawl_may_end() -> None:
    assert [Patience(answers, ends_by_left=True).first_look for answers in (80, 10)] == [20, 10]
