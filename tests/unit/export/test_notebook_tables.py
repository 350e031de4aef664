"""Rows in a notebook: nothing from a page may run there."""

from __future__ import annotations

from dowse.export.notebook_tables import LONGEST_TEXT, to_html
from tests.unit.export.listed import Listed

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def test_texts_stay_texts() -> None:
    table = Listed([SCRIPT], [(SCRIPT,), ([SCRIPT],), ({"a": SCRIPT},)])
    html = to_html(table, 10, 3)
    assert "<script" not in html
    assert "<img" not in html
    assert html.count("&lt;script&gt;") == 4
    assert "mathjax_ignore" in html, "texts with dollars are no formulas"


def test_long_texts_are_cut_and_numbers_and_times_readable() -> None:
    row = {"title": "x" * 500, "share": 1 / 3, "at": 0.0, "none": None}
    html = to_html(Listed.of([row], at="time"), 10, 1)
    assert "x" * (LONGEST_TEXT - 1) + "…" in html
    assert "<td>0.333333</td><td>1970-01-01 00:00:00</td><td></td>" in html
    assert "<p>1 row</p>" in html


def test_only_the_first_rows_are_shown() -> None:
    html = to_html(Listed(["n"], [(number,) for number in range(50)]), 10, 50)
    assert html.count("<tr>") == 11
    assert "50 rows, the first 10 shown" in html
