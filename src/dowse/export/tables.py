"""Rows to text: CSV and JSON lines, streamed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

import msgspec

FORMATS = ("csv", "jsonl")

_encode = msgspec.json.Encoder().encode

_FORMULA = ("=", "+", "-", "@", "\t")


def write_rows(rows: Iterable[dict[str, Any]], columns: Sequence[str], form: str, stream: TextIO) -> int:
    """Write rows in a format of `FORMATS`; the answer is how many there were."""
    number = 0
    if form == "csv":
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([cell(value) for value in row.values()])
            number += 1
    else:
        for row in rows:
            stream.write(_encode(row).decode() + "\n")
            number += 1
    return number


def cell(value: Any) -> Any:
    """Texts come from strangers: one that a spreadsheet would take for a formula is made a text.

    A carriage return becomes a new line: before Python 3.13 the writer does not quote it, and readers end the row.
    """
    if isinstance(value, list | dict):
        value = _encode(value).decode()
    if not isinstance(value, str):
        return value
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    return "'" + value if value.startswith(_FORMULA) else value
