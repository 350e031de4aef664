"""The estimate of how many records a database has, on simulated queries."""

from __future__ import annotations

from random import Random

import pytest

from dowse.modes.forms.database_size import database_size


def answers(size: int, queries: int, each: int, seed: int) -> tuple[int, list[tuple[int, int]]]:
    """How many records were found, and the results and new records of each query, if all are equally easy to get."""
    chance, known, told = Random(seed), set[int](), []
    for _ in range(queries):
        results = set(chance.sample(range(size), each))
        told.append((each, len(results - known)))
        known |= results
    return len(known), told


@pytest.mark.parametrize("queries", [10, 20, 40])
def test_the_range_holds_in_most_cases(queries: int) -> None:
    """It should in 90 of 100; 80 is what chance allows a test to ask for."""
    held = 0
    for seed in range(100):
        size = database_size(*answers(1000, queries, 50, seed))
        assert size is not None
        held += size.least <= 1000 <= size.most
    assert held >= 80


def test_nothing_is_left_where_the_last_words_bring_nothing_new() -> None:
    """However few queries brought each record, which is all that Chao's estimator looks at."""
    words = [(10, 10)] * 30 + [(10, 0)] * 8
    size = database_size(300, words)
    assert size is not None
    assert (size.least, size.records, size.most) == (300, 300, 300)


def test_no_estimate_if_nothing_came_twice() -> None:
    assert database_size(0, []) is None
    assert database_size(100, [(10, 10)] * 10) is None


def test_the_estimate_is_never_below_what_was_found() -> None:
    for seed in range(20):
        found, words = answers(300, 4, 30, seed)
        size = database_size(found, words)
        assert size is None or size.least >= found
