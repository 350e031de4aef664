"""What a statement about the use of pages says, in each of the forms that sites write it in."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import http_sf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.usage import USES, Statement, combined, forbids, read_signal, read_usage, written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("train-ai=n", {"train-ai": False}),
        ("train-ai=y, search=n", {"train-ai": True, "search": False}),
        (" ai-use=n ", {"ai-use": False}),
        ("train-ai=n;why=\"a, b\", other=(a b;c=1 \"d\"), search=y", {"train-ai": False, "search": True}),
        # the examples of the draft
        ('train-ai=y, train-ai, search=n, search="n"', {}),
        ("train-ai;allow=n, train-ai=y", {"train-ai": True}),
        ('train-ai;has;parameters="?"', {}),
        # no dictionaries: all of it is unknown
        ("Train-AI=n", {}),
        ("train-ai=n, Search=y", {}),
        ("train-ai=n,", {}),
        ("train-ai=n; search=y", {"train-ai": False}),  # a parameter
        ("train-ai = n", {}),
        ("train-ai=no", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_content_usage(text: str, said: dict[str, bool]) -> None:
    assert read_usage(text) == said


PARTS = st.sampled_from(
    ["train-ai", "search", "ai-use", "x", "=", "y", "n", ",", ", ", ";", "a", '"', "(", ")", " ", ":", "?1", "1", "1.5",
     "-", "@1", "\\", "*", "A", "é", "\t", '"n"']
)  # fmt: skip


@given(st.lists(PARTS, max_size=14).map("".join))
def test_it_is_read_as_a_library_for_structured_fields_does(text: str) -> None:
    expected = {}
    found: Any = {}
    with suppress(http_sf.StructuredFieldError, ValueError):
        found = http_sf.parse(text.encode(), tltype="dictionary")
    for use, member in found.items():
        value = member[0]
        if use in USES and isinstance(value, http_sf.Token) and str(value) in ("y", "n"):
            expected[use] = str(value) == "y"
    assert read_usage(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("search=yes, ai-train=no", {"search": True, "train-ai": False}),
        ("Search=Yes,ai-input=NO", {"search": True, "ai-use": False}),
        ("ai-train = no", {"train-ai": False}),
        ("search=maybe, use=no, ai-train=note", {}),
    ],
)
def test_content_signal(text: str, said: dict[str, bool]) -> None:
    assert read_signal(text) == said


def test_the_strictest_of_several_statements_counts() -> None:
    assert combined([{"search": True}, {"search": False}, {"search": True}]) == {"search": False}
    said = [Statement("a", {"search": True}), Statement("b", {"train-ai": False})]
    assert written(said) == "search=y, train-ai=n"
    assert written([]) == ""
    assert (forbids(said, ("search",)), forbids(said, ("ai-use", "train-ai")), forbids(said, ())) == ("", "b", "")


def test_a_long_value_takes_time_in_proportion_to_its_length() -> None:
    for hostile in (
        "(a " * 40_000,
        "a=(" + "a " * 60_000,
        "a;" * 60_000,
        'a="' + "\\" * 100_000,
        "a=1," * 40_000 + "A",
    ):
        assert read_usage(hostile) == {}
