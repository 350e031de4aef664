"""What is told of the prospects of a best-first crawl."""

from __future__ import annotations

import pytest

from dowse.cli.results_output import results_text
from dowse.core.patience import Patience
from dowse.core.results import Results
from dowse.core.saturation import Waiting, prospect
from dowse.modes.best_first import left_facts, numbers
from dowse.store.best_first.judgements import Standing


def standing(matched: int, waiting: int, worth: float) -> Standing:
    """A crawl of two hundred pages, the best of which matched, and links that are worth so much."""
    relevances = [1.0] * matched + [0.0] * (200 - matched)
    worths = [1 - place / 200 for place in range(200)]
    return Standing(
        0.5, prospect(relevances, worths, Patience(80, ends_by_left=True), Waiting([worth], [waiting])), waiting
    )


@pytest.mark.parametrize(
    ("matched", "waiting", "worth", "told"),
    [
        (30, 1_000, -1.0, ["about 0   none in 9 crawls of 10", "about 1.00"]),
        (30, 1_000, 1.0, ["at most 1,210   no closer number"]),
        (30, 3_000, -1.0, ["not known   too few links were read"]),
        (30, 0, 1.0, []),
        (0, 1_000, -1.0, ["not known   nothing was found"]),
        (0, 1_000, 1.0, ["not known   nothing was found"]),
    ],
)
def test_it_is_told_what_is_left_or_that_it_is_not_known(
    matched: int, waiting: int, worth: float, told: list[str]
) -> None:
    told_of = numbers(standing(matched, waiting, worth), "files", "1.2 GB", "answers")
    lines = list(results_text(Results(numbers=told_of)))
    rough = [line for line in lines if "  left" in line or "by that" in line]
    assert [line[40:].strip() for line in rough] == told
    assert max(map(len, lines)) <= 80


def test_programs_get_the_range_too() -> None:
    assert left_facts(standing(30, 1_000, -1.0)) == {"estimated_left": 0, "estimated_left_range": [0, 0]}
    assert left_facts(standing(30, 1_000, 1.0))["estimated_left"] is None
