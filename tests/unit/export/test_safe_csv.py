"""CSV of strangers' texts: no cell and no name of a column is a formula to a spreadsheet."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

from dowse.export.frame import Frame
from dowse.export.growing_csv import GrowingList
from dowse.export.safe_csv import CsvWriter
from dowse.export.text_tables import write_text
from tests.crawling import crawl
from tests.servers import Site

NUMBERS = ["-5", "+3.2", "-1,5 %", "-", "-1e-7", "+1 234,5"]
FORMULAS = ["=1+1", "+1+1", "-1-cmd", "-cmd|'/c calc'!A0", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1", "＠x"]  # noqa: RUF001
BEGINNINGS = tuple("=+-@\t\r\n＝＋－＠")  # noqa: RUF001


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_no_formula(number: str) -> None:
    stream = StringIO()
    CsvWriter(stream).row([number])
    assert next(csv.reader([stream.getvalue()])) == [number]


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_a_text(formula: str, tmp_path: Path) -> None:
    stream = StringIO()
    CsvWriter(stream).row([formula, -1, None, 2.5])
    (row,) = csv.reader(StringIO(stream.getvalue()))
    assert not row[0].startswith(BEGINNINGS)
    assert row[1:] == ["-1", "", "2.5"]
    grown = GrowingList(tmp_path / "list.csv", [formula])
    grown.add([[formula]])
    with (tmp_path / "list.csv").open(encoding="utf-8", newline="") as file:
        assert not [cell for line in csv.reader(file) for cell in line if cell.startswith(BEGINNINGS)]


def test_names_of_columns_come_from_pages_too(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = (
        "<table><tr><th>=HYPERLINK(1)</th><th>@b</th></tr>"
        + "".join(f"<tr><td>-a{number}</td><td>+b{number}</td></tr>" for number in range(5))
        + "</table>"
    )
    found = crawl(tmp_path / "crawl", site.at("127.0.0.1", "/"), tables=True)
    assert isinstance(found.records, Frame)
    stream = StringIO()
    write_text(found.records, "csv", stream)
    rows = list(csv.reader(StringIO(stream.getvalue())))
    assert "'=HYPERLINK(1)" in rows[0]
    assert not [cell for row in rows for cell in row if cell.startswith(BEGINNINGS)]
