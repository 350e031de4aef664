"""What somebody types to be found: read forgivingly, and never refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.search_query import read_query

TYPED = st.text(st.sampled_from('ab é热"“”*-|()\\:^ +\tORNTAD'), max_size=30) | st.text(max_size=20)


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("heat pumps", "heat and pumps"),
        ('"heat pump" grant', '"heat pump" and grant'),
        ("„heat pump“ grant", '"heat pump" and grant'),
        ("insul*", "insul*"),
        ("heat -oil", "heat, without oil"),
        ("heat - oil", "heat, without oil"),
        ("heat \u2013oil NOT gas", "heat, without oil and gas"),
        ('heat -"fuel oil"', 'heat, without "fuel oil"'),
        ("heat AND pump", "heat and pump"),
        ("grant OR subsidy heat", "(grant or subsidy) and heat"),
        ("grant|subsidy", "grant or subsidy"),
        ("OR heat OR", "heat"),
        ("+heat (pump), now!", "heat and pump and now"),
        ("热泵 补贴", "热泵 and 补贴"),
        ("c++", "c++"),
    ],
)
def test_a_query_is_read(typed: str, understood: str) -> None:
    assert str(read_query(typed)) == understood
    assert read_query(typed).notes == ()


@pytest.mark.parametrize(
    ("typed", "understood", "note"),
    [
        ('"heat pump', '"heat pump"', "not closed"),
        ("heat * pump", "heat and pump", "* is no word"),
        ("he*at", "heat", "left out of he*at"),
        ("a* b* c* d* e* f", "a* and b* and c* and d* and f", "first 4 beginnings"),
        (" ".join(map(str, range(99))), " and ".join(map(str, range(24))), "first 24 words"),
        ("x" * 3000, "x" * 2000, "first 2,000 characters"),
        ("-oil", "without oil", "only words to leave out"),
    ],
)
def test_what_cannot_be_read_is_told(typed: str, understood: str, note: str) -> None:
    found = read_query(typed)
    assert str(found) == understood
    assert note in " ".join(found.notes)


def test_what_is_typed_twice_is_looked_for_once() -> None:
    assert str(read_query("heat pump heat HEAT -oil -oil")) == "heat and pump and HEAT, without oil"
    assert str(read_query("heat pump OR heat")) == "heat and (pump or heat)"


@given(TYPED)
def test_whatever_is_typed_is_read(typed: str) -> None:
    found = read_query(typed)
    assert all(any(map(str.isalnum, part.text)) for clause in found.clauses for part in clause.parts)
    assert all(clause.parts for clause in found.clauses)
    assert isinstance(str(found), str)
