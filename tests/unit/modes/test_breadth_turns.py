"""The part of a crawl for files that goes breadth first."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from dowse.modes.files.breadth_turns import Turns
from dowse.modes.files.ranker import FILE_LEAD
from dowse.rank.evidence import Rows


def links(turns: Turns, level: int, number: int) -> Rows:
    rows = np.zeros(number, FILE_LEAD)
    rows["level"] = level
    rows["place"] = turns.place(level, np.ones(number, bool))
    return rows


def test_links_near_the_start_are_due_first_whenever_they_were_met() -> None:
    turns = Turns()
    far, near = links(turns, 3, 10), links(turns, 1, 10)
    for _ in range(20):
        turns.learn(0.0, was_due=False)
    assert turns.taken == pytest.approx(10)
    assert near["place"].tolist() == list(range(10))
    assert turns.is_due(near).all()
    assert not turns.is_due(far).any()


def test_links_that_were_met_before_take_no_place() -> None:
    turns = Turns()
    assert turns.place(1, np.array([True, False, True])).tolist() == [0, 0, 1]
    assert turns.place(1, np.array([True])).tolist() == [2]


def test_its_part_is_what_it_brings_and_never_nothing() -> None:
    good, bad = Turns(), Turns()
    for number in range(200):
        good.learn(1.0 if number % 2 else 0.1, was_due=bool(number % 2))
        bad.learn(0.0 if number % 2 else 1.0, was_due=bool(number % 2))
    assert good.share > 0.5 > 0.2 > bad.share > 0.1


def test_turns_are_saved_as_they_are() -> None:
    turns = Turns()
    links(turns, 2, 5)
    turns.learn(1.5, was_due=True)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(turns), type=Turns) == turns
