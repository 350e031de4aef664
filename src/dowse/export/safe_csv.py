"""CSV of strangers' texts that is safe to open: no cell is a formula. The one place that writes it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Any, TextIO

import msgspec

# With these a spreadsheet lets a formula begin; the wide ones are for those of East Asia.
_FORMULA = ("=", "+", "-", "@", "\t", "\n", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001

# What begins like a formula and is none: -5, +3.2, -1,5 %, a lone dash.
_NUMBER = re.compile(r"[-+](?:[\d.,\u00a0\u202f' ]{0,40}(?:[eE][-+]?\d{1,4})?[ \u00a0]?%?)", re.ASCII)

_encode = msgspec.json.Encoder().encode


class CsvWriter:
    """Names of columns come from strangers' pages as well as what is in them, so all rows are written by this."""

    def __init__(self, stream: TextIO) -> None:
        self._writer = csv.writer(stream, lineterminator="\n")

    def row(self, values: Iterable[Any]) -> None:
        self._writer.writerow([safe_cell(value) for value in values])


def safe_cell(value: Any) -> Any:
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
