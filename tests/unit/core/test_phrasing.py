"""Numbers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.phrasing import share_text, span_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"),
        (0.0004, "0.4 ms"),
        (0.001, "1 ms"),
        (0.0379, "38 ms"),
        (0.9999, "1 s"),
        (1.24, "1.2 s"),
        (59.2, "59 s"),
        (59.9, "1 min"),
        (131.5, "2 min 12 s"),
        (3600, "1 h"),
        (12_000, "3 h 20 min"),
        (86_400, "1 day"),
        (180_000, "2 days 2 h"),
        (90_000_000, "1041 days 16 h"),
    ],
)
def test_lengths_of_time(seconds: float, text: str) -> None:
    assert span_text(seconds) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 0, "0 %"), (0, 5, "0 %"), (1, 1000, "under 1 %"), (1, 3, "33 %"), (999, 1000, "over 99 %"), (5, 5, "100 %")],
)
def test_shares(part: int, whole: int, text: str) -> None:
    assert share_text(part, whole) == text


@given(st.integers(0, 10_000), st.integers(1, 10_000))
def test_only_nothing_is_said_to_be_nothing_and_only_all_to_be_all(part: int, rest: int) -> None:
    assert (share_text(part, part + rest) == "0 %") == (part == 0)
    assert share_text(part, part + rest) != "100 %"
