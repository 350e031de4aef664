"""Tables for Excel and for SQLite: what cells hold when another program reads the file."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from datetime import datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from dowse.core.errors import CrawlError
from dowse.export import sqlite_file, workbook
from dowse.export.excel_csv import ExcelCsv, excel_cell
from dowse.export.spreadsheet_cells import LONGEST, fitting
from dowse.export.sqlite_file import fill
from dowse.export.workbook import write_workbook
from dowse.store.sqlite import open_file, open_memory
from tests.unit.export.listed import Listed

ROW: dict[str, Any] = {
    "url": "http://example.org/", "title": "=HYPERLINK(1)", "code": "00123", "status": 200, "elapsed": 0.5,
    "matched": 1, "fetched_at": 86_400.4, "tags": ["ä", "b"], "published": "2026-03-01T10:00:00+01:00", "none": None,
    "many": 10**17, "day": "1850-01-01",
}  # fmt: skip
KINDS: dict[str, Any] = {"matched": "boolean", "fetched_at": "time"}


def listed() -> Listed:
    table = Listed.of([ROW], **KINDS)
    table.dates = ("published", "day")
    return table


def sheet_of(stream: BytesIO, name: str = "pages") -> dict[str, Any]:
    names, *rows = openpyxl.load_workbook(stream)[name].iter_rows()
    assert [cell.data_type for row in rows for cell in row].count("f") == 0
    return {name.value: cell.value for name, cell in zip(names, rows[0], strict=True)}


def test_a_workbook_says_what_cells_are() -> None:
    stream = BytesIO()
    assert write_workbook({"pages": listed(), "empty": Listed.of([])}, stream) == 1
    assert sheet_of(stream) == ROW | {
        "matched": True, "fetched_at": datetime(1970, 1, 2), "tags": '["ä","b"]',
        "published": datetime(2026, 3, 1, 9), "many": str(10**17),
    }  # fmt: skip
    assert openpyxl.load_workbook(stream).sheetnames == ["pages", "empty"]


@pytest.mark.parametrize("text", ["x" * 40_000, "😀" * 20_000])
def test_no_text_is_longer_than_a_cell(text: str) -> None:
    cut = fitting(text)
    assert text.startswith(cut)
    assert LONGEST - 1 <= len(cut.encode("utf-16-le")) // 2 <= LONGEST
    stream = BytesIO()
    write_workbook({"pages": Listed.of([{"url": text}])}, stream)
    assert sheet_of(stream) == {"url": cut}


def test_a_table_too_large_for_a_sheet_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MOST_ROWS", 3)
    write_workbook({"links": Listed.of([ROW] * 2)}, BytesIO())
    with pytest.raises(CrawlError, match="links does not fit in a sheet of Excel, which has 3 rows; export it as csv"):
        write_workbook({"links": Listed.of([ROW] * 3)}, BytesIO())


def test_a_full_disk_is_told_as_such() -> None:
    with open("/dev/full", "wb", buffering=0) as full, pytest.raises(OSError, match="No space left"):
        write_workbook({"pages": listed()}, full)


def test_csv_for_excel() -> None:
    stream = BytesIO()
    assert ExcelCsv().write(listed(), stream) == 1  # type: ignore[arg-type]
    text = stream.getvalue().decode()
    assert text.startswith("\ufeffurl,title,")
    assert text.count("\r\n") == text.count("\n") == 2
    (row,) = csv.DictReader(StringIO(text.removeprefix("\ufeff")))
    assert row == {
        "url": "http://example.org/", "title": "'=HYPERLINK(1)", "code": '="00123"', "status": "200", "elapsed": "0.5",
        "matched": "TRUE", "fetched_at": "1970-01-02 00:00:00", "tags": '["ä","b"]', "none": "",
        "published": "2026-03-01 09:00:00", "many": f'="{10**17}"', "day": '="1850-01-01"',
    }  # fmt: skip


@pytest.mark.parametrize("text", ["00123", "3-4", "1E5", "12.50", "10:30", "1/2", "12345678901234567890", "5 %", "-5"])
def test_what_excel_would_change_is_held(text: str) -> None:
    assert excel_cell(text) == f'="{text}"'


@pytest.mark.parametrize(("text", "written"), [("", ""), ("-", "-"), ("a1", "a1"), ("=1", "'=1"), ('1"&x', '1"&x')])
def test_other_texts_stay_and_run_nothing(text: str, written: str) -> None:
    assert excel_cell(text) == written


def test_a_sqlite_file(tmp_path: Path) -> None:
    strange = Listed(['a"b', 'A"B', "x\0"], [("1", {"deep": 1}, 10**30)])
    file = tmp_path / "out.sqlite"
    with closing(open_file(file)) as made:
        assert fill(made, {"pages": listed(), "odd": strange, "empty": Listed.of([])}) == 2
    with closing(sqlite3.connect(file)) as database:
        database.row_factory = sqlite3.Row
        assert dict(database.execute("SELECT * FROM pages").fetchone()) == ROW | {
            "fetched_at": "1970-01-02T00:00:00.400000Z", "tags": '["ä","b"]'
        }  # fmt: skip
        odd = dict(database.execute("SELECT * FROM odd").fetchone())
        assert odd == {'a"b': "1", 'A"B_2': '{"deep":1}', "x": str(10**30)}
        types = {row["name"]: row["type"] for row in database.execute("PRAGMA table_info(pages)")}
        assert (types["status"], types["elapsed"], types["title"]) == ("INTEGER", "REAL", "TEXT")
        assert database.execute("SELECT count(*) FROM empty").fetchone()[0] == 0


def test_too_many_columns_for_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "MOST_COLUMNS", 3)
    with pytest.raises(CrawlError, match="pages has 12 columns, and SQLite takes 3; export csv"):
        fill(open_memory(), {"pages": listed()})
