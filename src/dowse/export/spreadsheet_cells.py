"""Rows as spreadsheets can hold them: dates as dates, lists as JSON, and no text longer than a cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from math import isfinite
from typing import Any

import msgspec

from dowse.core.columns import Columnar, Kind, kinds_of

LONGEST = 32_767
"""Units of UTF-16 in a cell: Excel puts the rest of a longer text into other rows, or calls the file damaged."""

EXACT = 10**15
"""From here on Excel rounds whole numbers: it keeps 15 digits."""

_FIRST = datetime(1900, 3, 1)
"""Excel has a 29 February 1900, which never was; dates before it mean another day elsewhere."""

_EPOCH = datetime(1970, 1, 1)
_encode = msgspec.json.Encoder().encode

Cell = str | int | float | bool | date | datetime | None


def spreadsheet_rows(table: Columnar) -> Iterator[list[Cell]]:
    """The rows of a table. Times are in UTC and say no zone, for spreadsheets know none."""
    kinds: Mapping[str, Kind] = kinds_of(table)
    of_columns = [kinds[name] for name in table.columns]
    for row in table.rows():
        yield [_cell(value, kind) for value, kind in zip(row, of_columns, strict=True)]


def fitting(text: str) -> str:
    """As much of a text as a cell holds."""
    if len(text) <= LONGEST // 2:
        return text
    return text.encode("utf-16-le", "replace")[: 2 * LONGEST].decode("utf-16-le", "ignore")


def _cell(value: Any, kind: Kind) -> Cell:
    if value is None:
        return None
    if kind == "boolean":
        return bool(value)
    if kind == "time":
        return _EPOCH + timedelta(seconds=round(value))
    if kind in ("date", "local", "moment"):
        return _date(value, kind)
    if isinstance(value, list | dict):
        value = _encode(value).decode()
    if isinstance(value, str):
        return fitting(value)
    if isinstance(value, bool) or (abs(value) < EXACT if isinstance(value, int) else isfinite(value)):
        return value  # type: ignore[no-any-return]
    return str(value)


def _date(value: str, kind: Kind) -> Cell:
    found = datetime.fromisoformat(value)
    try:
        naive = found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
    except OverflowError:  # in the first or the last hours that there are
        return value
    if naive < _FIRST:
        return value
    return naive.date() if kind == "date" else naive
