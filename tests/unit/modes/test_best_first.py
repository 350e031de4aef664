"""What is told of the prospects of a best-first crawl."""

from __future__ import annotations

import pytest

from dowse.cli.results_output import results_text
from dowse.core.results import Results
from dowse.core.saturation import prospect
from dowse.modes.best_first import left_facts, numbers
from dowse.store.best_first.judgements import Standing


def standing(first: int, second: int, waiting: int) -> Standing:
    """A crawl of two hundred pages, with so many matches in its first and in its second half."""
    relevances = [1.0] * first + [0.0] * (100 - first) + [1.0] * second + [0.0] * (100 - second)
    return Standing(0.5, prospect(relevances, 0.5, 200, waiting), waiting)


@pytest.mark.parametrize(
    ("first", "second", "waiting", "told"),
    [
        (80, 10, 1_000, ["about 1   perhaps 0 to 7", "about 0.98"]),
        (40, 20, 100, ["about 20   perhaps 2 to 100", "about 0.75"]),
        (40, 20, 1_000, ["unknown   perhaps 2 to 1,000"]),
        (20, 20, 1_000, ["unknown   it finds as many as ever"]),
        (20, 20, 0, []),
        (0, 0, 1_000, []),
    ],
)
def test_the_estimate_says_that_it_is_rough(first: int, second: int, waiting: int, told: list[str]) -> None:
    told_of = numbers(standing(first, second, waiting), "files", "1.2 GB", "answers")
    lines = list(results_text(Results(numbers=told_of)))
    rough = [line for line in lines if "rough estimate" in line or "by that" in line]
    assert [line[40:].strip() for line in rough] == told
    assert max(map(len, lines)) <= 80


def test_programs_get_the_range_too() -> None:
    assert left_facts(standing(80, 10, 1_000)) == {"estimated_left": 1, "estimated_left_range": [0, 7]}
