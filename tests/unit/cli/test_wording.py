"""The words that commands print."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.cli.wording import duration_text, moment_text, printable, shortened, size_text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (140_200_000, "140.2 MB"), (3e9, "3.0 GB"), (5e15, "5000.0 TB")],
)
def test_size_text(size: float, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (12.9, "0:12"), (185, "3:05"), (3723, "1:02:03"), (90_000, "25:00:00")]
)
def test_duration_text(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_moment_text_is_on_the_clock_of_this_machine() -> None:
    assert time.mktime(time.strptime(moment_text(1_000_000_000.0), "%Y-%m-%d %H:%M:%S")) == 1_000_000_000.0


@given(st.text())
def test_nothing_from_the_web_steers_the_terminal(text: str) -> None:
    clean = printable(text)
    assert not set(clean) & {*map(chr, range(32)), *map(chr, range(127, 160)), "\u202e", "\u2066"}
    clean.encode()


@pytest.mark.parametrize(("text", "short"), [("abc", "abc"), ("abcd", "ab…")])
def test_shortened(text: str, short: str) -> None:
    assert shortened(text, 3) == short
