"""Which table comes first, and which question tells most."""

from __future__ import annotations

from dowse.rule_learning.deciding import decide
from dowse.rule_learning.proposals import Proposal

ALL = (1 << 64) - 1


def table(score: float, *kept: int) -> Proposal:
    return Proposal((), sum(1 << number for number in kept), 0, score, False)


def test_the_best_score_comes_first() -> None:
    tables = [table(9.0, 1, 2, 3), table(7.0, 1, 2)]
    assert decide(tables, ALL).proposals == tables[::-1]


def test_the_question_tells_the_best_from_its_nearest_rival() -> None:
    best, near, far = table(5.0, 1, 2, 3), table(5.2, 1, 2, 4), table(12.0, 1, 2, 3, 5)
    assert decide([best, near, far], ALL).asked in (3, 4)


def test_a_question_that_decides_little_is_not_asked() -> None:
    assert decide([table(5.0, 1, 2, 3)], ALL).asked is None
    assert decide([table(5.0, 1, 2, 3), table(30.0, 1, 2, 4)], ALL).asked is None, "the rival is no rival"
    many = range(1, 60)
    assert decide([table(5.0, *many), table(5.0, *many, 60)], ALL).asked == 60, "one link of sixty is worth asking"


def test_one_answer_leaves_as_little_open_as_it_can() -> None:
    """Of three tables alike, the question sets the two that agree against the third."""
    one, same, other = table(5.0, *range(40)), table(5.0, *range(41)), table(5.0, 0, 1, 50)
    assert decide([one, same, other], ALL).asked not in (None, 40)


def test_only_what_may_be_asked_is_asked() -> None:
    tables = [table(5.0, 1, 2, 3), table(5.0, 1, 2, 4)]
    assert decide(tables, 1 << 4).asked == 4
    assert decide(tables, 0).asked is None
