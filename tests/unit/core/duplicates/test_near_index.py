"""The index finds all that is near, whatever was added when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.duplicates import near_index
from dowse.core.duplicates.near_index import DISTANCE, NearIndex

signatures = st.integers(-(2**63), 2**63 - 1)


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[int, list[int]]:
    """A signature, and others that differ from it in a few bits or in many."""
    centre = draw(signatures)
    masks = draw(st.lists(st.sets(st.integers(0, 62), max_size=12), min_size=1, max_size=40))
    return centre, [centre ^ sum(1 << bit for bit in mask) for mask in masks]


@given(neighbours(), st.integers(0, 40), st.integers(1, 20), st.integers(0, DISTANCE))
def test_all_within_the_distance_are_found_and_nothing_else(
    family: tuple[int, list[int]], loaded: int, ordered_at: int, distance: int
) -> None:
    centre, others = family
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_index, "_ORDERED_AT", ordered_at)
        index = NearIndex()
        index.load([(number, row) for row, number in enumerate(others[:loaded])])
        for row, number in enumerate(others[loaded:], loaded):
            index.add(number, row)
        found = index.near(centre, distance)
    expected = [((centre ^ number) & (2**64 - 1)).bit_count() for number in others]
    assert found == sorted((bits, row) for row, bits in enumerate(expected) if bits <= distance)
    assert len(index) == len(others)


def test_a_row_with_two_signatures_is_found_by_both() -> None:
    index = NearIndex()
    assert index.near(0) == []
    index.add(0, 7)
    index.add(-1, 7)
    assert (index.near(1), index.near(-2)) == ([(1, 7)], [(1, 7)])
