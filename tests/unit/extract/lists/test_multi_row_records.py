"""Rows that make up records together, told by their shapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.extract.lists.multi_row_records import groups_of


@pytest.mark.parametrize(
    ("shapes", "found"),
    [
        ("", None),
        ("ab", None),
        ("abab", None),
        ("ababab", (0, 2, 6)),
        ("xababab", (1, 2, 7)),
        ("abababx", (0, 2, 6)),
        ("xababababy", (1, 2, 9)),
        ("abcabcabc", (0, 3, 9)),
        ("abcdabcdabcd", (0, 4, 12)),
        ("aaaaaaaa", None),
        ("abbabbabb", None),  # a title and two rows like any other
        ("abababababacabab", (0, 2, 16)),  # one that is different
        ("aabbaabbaabb", None),
        ("abcdefghijkl", None),
        ("aaaaaabaaaaa", None),
    ],
)
def test_groups(shapes: str, found: tuple[int, int, int] | None) -> None:
    groups = groups_of(shapes)
    assert (groups and groups[:3]) == found


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_groups_are_whole_and_in_the_table(shapes: list[str]) -> None:
    groups = groups_of(shapes)
    if groups is not None:
        assert 0 <= groups.first < groups.end <= len(shapes)
        assert (groups.end - groups.first) % groups.size == 0
        assert len(set(groups.shapes)) == groups.size


@given(st.text("abcdef", min_size=2, max_size=4), st.integers(3, 20))
def test_what_comes_again_and_again_is_found(record: str, number: int) -> None:
    groups = groups_of(record * number)
    if len(set(record)) == len(record):
        assert groups is not None
        assert groups[:3] == (0, len(record), len(record) * number)
