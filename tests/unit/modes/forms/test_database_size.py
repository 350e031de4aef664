"""The estimate of how many records a database has, on simulated queries."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dowse.modes.forms.database_size import database_size


def captures(size: int, queries: int, each: int, seed: int) -> Counter[int]:
    """How many queries brought each record, if all are equally easy to get."""
    chance = Random(seed)
    return Counter(record for _ in range(queries) for record in chance.sample(range(size), each))


@pytest.mark.parametrize("queries", [10, 20, 40])
def test_the_range_holds_in_most_cases(queries: int) -> None:
    """It should in 90 of 100; 80 is what chance allows a test to ask for."""
    held = 0
    for seed in range(100):
        size = database_size(captures(1000, queries, 50, seed).values())
        assert size is not None
        held += size.least <= 1000 <= size.most
    assert held >= 80


def test_nothing_is_left_where_all_came_often() -> None:
    size = database_size([3, 4, 5, 3])
    assert size is None or size.records == 4
    size = database_size([2, 2, 3, 4])
    assert size is not None
    assert (size.least, size.records, size.most) == (4, 4, 4)


def test_no_estimate_without_a_record_that_came_twice() -> None:
    assert database_size([]) is None
    assert database_size([1] * 100) is None


def test_the_estimate_is_never_below_what_was_found() -> None:
    for seed in range(20):
        found = captures(300, 4, 30, seed)
        size = database_size(found.values())
        assert size is None or size.least >= len(found)
