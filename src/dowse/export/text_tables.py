"""Rows to text: CSV, JSON lines and lists of URLs, streamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TextIO

import msgspec

from dowse.core.columns import Columnar, Kind
from dowse.core.errors import JobError
from dowse.core.url_keys import key_of
from dowse.export.safe_csv import CsvWriter

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encode = msgspec.json.Encoder().encode


def write_text(table: Columnar, format_: str, stream: TextIO, *, sparse: bool = False) -> int:
    """Write a table as csv, jsonl (an object a line), json (a list of them) or txt (URLs); the answer is the number of
    rows.

    In JSON a `sparse` table says nothing of empty cells.
    """
    if format_ == "txt":
        return _write_urls(table, stream)
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


def _write_urls(table: Columnar, stream: TextIO) -> int:
    """One URL a line, each once: those that links lead to, else those that rows are about."""
    name = "target" if "target" in table.columns else "url"
    if name not in table.columns:
        raise JobError(f"txt is a list of URLs, and this table has none; it has {', '.join(table.columns)}")
    place = table.columns.index(name)
    seen: set[int] = set()
    for row in table.rows():
        key = key_of(row[place])
        if key not in seen:
            seen.add(key)
            stream.write(f"{row[place]}\n")
    return len(seen)


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
