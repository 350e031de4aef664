"""Rows as text: quoting, formulas, lines."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.export.text_tables import write_text
from tests.unit.export.listed import Listed


def written(rows: list[dict[str, Any]], form: str) -> str:
    stream = io.StringIO(newline="")
    assert write_text(Listed.of(rows), form, stream) == len(rows)
    return stream.getvalue()


def test_csv_has_a_head_and_quotes_only_what_needs_it() -> None:
    rows = [{"url": "http://a/", "title": "plain"}, {"url": "http://a/b,c", "title": 'say "hi"\nand\r\ngo'}]
    assert written(rows, "csv") == 'url,title\nhttp://a/,plain\n"http://a/b,c","say ""hi""\nand\ngo"\n'


def test_csv_of_nothing_is_its_head_and_json_lines_of_nothing_are_nothing() -> None:
    assert (written([], "csv"), written([], "jsonl")) == ("url,title\n", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_a_text_that_a_spreadsheet_would_run_is_made_a_text(start: str) -> None:
    text = f'{start}HYPERLINK("http://evil/")'
    [row] = csv.DictReader(io.StringIO(written([{"url": "http://a/", "title": text}], "csv"), newline=""))
    assert row["title"] == f"'{text}"
    assert json.loads(written([{"title": text}], "jsonl")) == {"title": text}, "JSON is not opened by spreadsheets"


def test_numbers_and_nothing_are_left_alone() -> None:
    assert written([{"url": -1.5, "title": None}], "csv") == "url,title\n-1.5,\n"


def test_json_lines_keep_types_and_stay_on_one_line() -> None:
    rows = [{"url": "http://a/", "size": 5, "title": "a\nb\u2028c", "none": None, "share": 0.5}]
    text = written(rows, "jsonl")
    assert text.count("\n") == 1
    assert json.loads(text) == rows[0]


texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.builds(lambda url, title: {"url": url, "title": title}, texts, texts)))
def test_csv_can_be_read_back(rows: list[dict[str, str]]) -> None:
    found = list(csv.DictReader(io.StringIO(written(rows, "csv"), newline="")))
    assert len(found) == len(rows)
    for before, after in zip(rows, found, strict=True):
        for name, value in before.items():
            text = value.replace("\r\n", "\n").replace("\r", "\n")
            assert after[name] in (text, f"'{text}")
            is_number = set(after[name]) <= set(
                "-+0123456789.,' %eE\u00a0\u202f"
            )  # or a lone dash, which is no formula
            assert is_number or not after[name].startswith(("=", "+", "-", "@", "\t", "\r"))
