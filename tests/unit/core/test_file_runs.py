"""How many files may be left, and when a crawl for files ends."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dowse.core.file_runs import is_over, rest

PATIENCE = 500


def answers(*runs: tuple[int, int]) -> np.ndarray:
    """So many pages, and then so many files, one run after the other."""
    return np.array([kind for pages, files in runs for kind in [False] * pages + [True] * files])


def test_the_more_pages_came_in_vain_the_fewer_files_are_left() -> None:
    left = [rest(answers((10, 3), (10, 3), (pages, 0)), 1_000) for pages in (20, 100, 400)]
    found = [each.left for each in left]
    assert found == sorted(found, reverse=True)
    assert found[-1] == pytest.approx(1_000 * 3 / 403)


def test_the_more_links_wait_the_more_files_are_left() -> None:
    is_file = answers((10, 3), (100, 0))
    few, many = rest(is_file, 10), rest(is_file, 1_000)
    assert many.left == pytest.approx(100 * few.left)
    assert few.left <= few.most <= 16


def test_nothing_is_known_before_a_file_came() -> None:
    assert rest(answers((400, 0)), 1_000) == (1_000, 1_000, False)


def test_nothing_is_known_while_next_to_nothing_but_files_comes() -> None:
    teeming = rest(answers(*[(1, 9)] * 20), 100)
    assert (teeming.is_known, teeming.most >= 900) == (False, True)
    assert rest(answers(*[(1, 9)] * 20, (60, 0)), 100).is_known


def test_where_few_links_wait_a_crawl_ends_soon() -> None:
    is_file = answers(*[(5, 5)] * 10, (160, 0))
    assert is_over(is_file, 50, PATIENCE)
    assert not is_over(is_file, 2_000, PATIENCE)
    assert not is_over(answers(*[(5, 5)] * 10, (140, 0)), 50, PATIENCE)


def test_a_crawl_ends_where_next_to_nothing_came_for_long_and_later_where_more_waits() -> None:
    is_file = answers(*[(5, 5)] * 10, (300, 0), (0, 1), (250, 0))
    assert is_over(is_file, 2_500, PATIENCE)
    assert not is_over(is_file, 5_000, PATIENCE)


def test_a_crawl_without_a_file_ends_too() -> None:
    assert [is_over(answers((pages, 0)), 100, PATIENCE) for pages in (490, 500)] == [False, True]


def test_less_patience_is_less_to_wait_for() -> None:
    is_file = answers((5, 5), (60, 0))
    assert [is_over(is_file, 1_000, patience) for patience in (50, 100)] == [True, False]


@given(st.lists(st.booleans(), max_size=200), st.integers(0, 10**9))
@example([True] * 100 + [False, True] * 3, 50)
def test_no_more_are_to_be_expected_than_there_are_at_the_most(is_file: list[bool], waiting: int) -> None:
    found = rest(np.array(is_file, bool), waiting)
    assert found.left <= found.most
    assert waiting or found.most == 0


@pytest.mark.parametrize(("shares", "files"), [((0.02, 0.05, 0.2), (1, 5)), ((0.25,), (4, 8))])
def test_at_most_so_many_are_left_in_nine_crawls_of_ten(shares: tuple[float, ...], files: tuple[int, int]) -> None:
    """Made sites: pages in an order by chance, of which some bring a few files."""
    chance, held = Random(1), []
    for _ in range(300):
        share, pages = chance.choice(shares), 1_000
        runs = [chance.randint(*files) if chance.random() < share else 0 for _ in range(pages)]
        seen = chance.randint(100, 900)
        found = rest(answers(*[(1, files) for files in runs[:seen]]), pages - seen)
        if found.is_known:
            held.append(sum(runs[seen:]) <= found.most)
    assert len(held) > 250
    assert np.mean(held) >= 0.9
