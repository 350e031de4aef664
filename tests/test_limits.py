"""The limits on the time of tests: enough for a property to show what it found."""

from __future__ import annotations

import pytest
from hypothesis import given, is_hypothesis_test
from hypothesis import strategies as st

from tests.conftest import TIME_TO_SHRINK


@given(st.integers())
def test_a_property_can_be_told_from_other_tests(number: int) -> None:
    assert isinstance(number, int)
    assert is_hypothesis_test(test_a_property_can_be_told_from_other_tests)


def test_every_property_has_time_to_shrink(request: pytest.FixtureRequest) -> None:
    limits = {
        item.nodeid: item.get_closest_marker("timeout")
        for item in request.session.items
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)
    }
    assert any("test_a_property_can_be_told" in name for name in limits)
    assert [name for name, mark in limits.items() if mark is None or mark.args[0] < TIME_TO_SHRINK] == []
