"""Annotated forms are those that we find, also where parsers differ; what is held out is not read by chance."""

from __future__ import annotations

import inspect

import pytest

from benchmarks.form_pages import aligned, annotated_forms


@pytest.mark.parametrize(
    ("annotated", "found", "places"),
    [
        ([{"q"}, {"user", "password"}], [{"q"}, {"user", "password"}], [0, 1]),
        ([{"q"}, {"user"}], [{"q"}, {"user", "password"}], [0, 1]),
        ([{"q"}, {"user"}], [{"q"}, set(), {"user"}], [0, 2]),
        ([{"q"}, {"lost"}, {"user"}], [{"q"}, {"user"}], [0, None, 1]),
        ([{"q"}], [], [None]),
        ([set(), {"q"}], [{"q"}], [None, 0]),
    ],
)
def test_forms_are_matched_in_order_by_the_names_of_their_fields(
    annotated: list[set[str]], found: list[set[str]], places: list[int | None]
) -> None:
    assert aligned(annotated, found) == places


def test_what_is_held_out_is_read_only_by_its_name() -> None:
    assert inspect.signature(annotated_forms).parameters["parts"].default == ("train", "dev")
