"""What columns hold, told from their values."""

from __future__ import annotations

from typing import Any

import pytest

from dowse.core.columns import infer


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], "text"),
        ([None, None], "text"),
        (["a", None, "b"], "text"),
        ([1, None, 2], "integer"),
        ([1, 2.5], "number"),
        ([True, False], "boolean"),
        ([1, "two"], "text"),
        ([True, 1], "text"),
        ([2**63], "text"),
        ([2**63 - 1, -(2**63)], "integer"),
        ([["a"], []], "texts"),
        ([[]], "texts"),
        ([[1], [], None], "integers"),
        ([[1], [2.5]], "numbers"),
        ([["a"], [1]], "texts"),
        ([["a", None]], "texts"),
        ([["a"], "a"], "text"),
        ([["a"], 1], "text"),
        ([["a", {"b": 1}]], "texts"),
        ([["a"], [{"b": 1}]], "texts"),
        ([["a"], [["b"]]], "texts"),
        ([[["a"]]], "json"),
        ([[True]], "json"),
        ([{"a": 1}], "json"),
        ([{"a": 1}, "a"], "text"),
        ([[{"a": 1}]], "json"),
    ],
)
def test_one_kind_takes_all_values_of_a_column(values: list[Any], kind: str) -> None:
    assert infer(["x"], [(value,) for value in values]) == {"x": kind}


def test_the_last_of_many_rows_counts() -> None:
    rows = [(number, "text") for number in range(5_000)]
    assert infer(["a", "b"], rows) == {"a": "integer", "b": "text"}
    assert infer(["a", "b"], [*rows, ("five thousand", None)]) == {"a": "text", "b": "text"}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["2026-03-01", None, "2024-02-29"], "date"),
        (["2026-03-01T10:00:00"], "local"),
        (["2026-03-01T10:00:00", "2026-03-01"], "local"),
        (["2026-03-01T10:00:00+02:00", "2026-03-01T10:00:00+00:00"], "moment"),
        (["2026-03-01T10:00:00+02:00", "2026-03-01"], "moment"),
        (["2026-03-01T10:00:00+02:00", "2026-03-01T10:00:00"], "text"),
        (["2026-03-01", "2026-03"], "text"),
        (["2026-03-01", "soon"], "text"),
        (["2026-03-01", 7], "text"),
        (["2023-02-29"], "text"),
        (["0000-01-01"], "text"),
        (["2026-W10-1"], "text"),
        (["2026-03-01T24:00:00"], "text"),
        ([None], "text"),
        ([["2026-03-01"]], "texts"),
    ],
)
def test_dates_are_told_from_all_values_of_their_column(values: list[Any], kind: str) -> None:
    assert infer(["x"], [(value,) for value in values], {"x"}) == {"x": kind}
    assert infer(["x"], [("2026-03-01",)]) == {"x": "text"}
