"""Rows to text: CSV and JSON lines, streamed."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TextIO

import msgspec

from dowse.core.columns import Columnar, Kind

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# With these a spreadsheet lets a formula begin; the wide ones are for those of East Asia.
_FORMULA = ("=", "+", "-", "@", "\t", "\n", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001

# What begins like a formula and is none: -5, +3.2, -1,5 %, a lone dash.
_NUMBER = re.compile(r"[-+](?:[\d.,\u00a0\u202f' ]{0,40}(?:[eE][-+]?\d{1,4})?[ \u00a0]?%?)", re.ASCII)

_encode = msgspec.json.Encoder().encode


class CsvWriter:
    """The one way to write CSV: names of columns come from strangers' pages as well as what is in them."""

    def __init__(self, stream: TextIO) -> None:
        self._writer = csv.writer(stream, lineterminator="\n")

    def row(self, values: Iterable[Any]) -> None:
        self._writer.writerow([cell(value) for value in values])


def write_text(table: Columnar, format_: str, stream: TextIO, *, sparse: bool = False) -> int:
    """Write a table as csv, jsonl (an object a line) or json (a list of them); the answer is the number of rows.

    In JSON a `sparse` table says nothing of empty cells.
    """
    number = 0
    columns = table.columns
    if format_ == "csv":
        writer = CsvWriter(stream)
        writer.row(columns)
        for row in shown(table):
            writer.row(row)
            number += 1
    else:
        begin, between, end = ("[\n", ",\n", "\n]\n") if format_ == "json" else ("", "\n", "\n")
        for row in shown(table):
            cells = dict(zip(columns, row, strict=True))
            if sparse:
                cells = {name: value for name, value in cells.items() if value is not None}
            stream.write((between if number else begin) + _encode(cells).decode())
            number += 1
        stream.write(end if number else "[]\n" if format_ == "json" else "")
    return number


def moment(seconds: float) -> str:
    """A time for people and programs.

    >>> moment(1.5)
    '1970-01-01T00:00:01.500000Z'
    """
    return (_EPOCH + timedelta(microseconds=round(seconds * 1e6))).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


_SHOWN: dict[Kind, Callable[[Any], Any]] = {"time": moment, "boolean": bool}
"""What the database has as numbers."""


def shown(table: Columnar) -> Iterator[Sequence[Any]]:
    """The rows of a table as texts have them."""
    kinds = [table.kinds.get(name, "text") for name in table.columns]
    changes = [(place, _SHOWN[kind]) for place, kind in enumerate(kinds) if kind in _SHOWN]
    if not changes:
        yield from table.rows()
        return
    for row in table.rows():
        cells = list(row)
        for place, change in changes:
            cells[place] = cells[place] if cells[place] is None else change(cells[place])
        yield cells


def cell(value: Any) -> Any:
    """Texts come from strangers: one that a spreadsheet would take for a formula is made a text.

    A carriage return becomes a new line: before Python 3.13 the writer does not quote it, and readers end the row.
    """
    if isinstance(value, list | dict | bool):
        value = _encode(value).decode()
    if not isinstance(value, str):
        return value
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    return "'" + value if value.startswith(_FORMULA) and not _NUMBER.fullmatch(value) else value
