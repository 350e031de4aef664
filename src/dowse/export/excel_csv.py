"""CSV for Excel, which guesses what it is not told: the charset, and whether a text is a number or a date."""

from __future__ import annotations

import csv
import re
from datetime import date, datetime
from typing import Any, BinaryIO, TextIO

from dowse.core.errors import JobError
from dowse.export.atomic_file import as_text
from dowse.export.frame import Frame
from dowse.export.plugin_formats import AnyFormat, Format
from dowse.export.safe_csv import safe_cell
from dowse.export.spreadsheet_cells import fitting, spreadsheet_rows

_GUESSED = re.compile(r"(?=[^0-9]*[0-9])[-+0-9.,:/ %$€£()]*(?:[eE][-+]?[0-9]+)?", re.ASCII)
"""Texts that Excel takes for numbers, dates or times: 00123 loses its zeros, 3-4 becomes a day, 1E5 a number."""


class ExcelCsv:
    """CSV that Excel opens by a double click: UTF-8 that says so, its line ends, its dates, and texts that stay."""

    tables: tuple[str, ...] = ()
    is_binary = False

    def write(self, rows: Frame, stream: BinaryIO) -> int:
        with as_text(stream) as text:
            return self._write(rows, text)

    def _write(self, rows: Frame, text: TextIO) -> int:
        text.write("\ufeff")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([excel_cell(name) for name in rows.columns])
        number = 0
        for row in spreadsheet_rows(rows):
            writer.writerow([excel_cell(cell) for cell in row])
            number += 1
        return number


def for_excel(chosen: AnyFormat) -> Format:
    """CSV for Excel in the place of CSV."""
    if chosen != "csv":
        raise JobError("excel: only csv is written for Excel in particular; xlsx is its own format")
    return ExcelCsv()


def excel_cell(value: Any) -> Any:
    """
    >>> excel_cell("00123"), excel_cell("=1+1"), excel_cell(True), excel_cell(datetime(2026, 3, 1, 10, 30))
    ('="00123"', "'=1+1", 'TRUE', '2026-03-01 10:30:00')
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, date):
        return value.isoformat(" ", "seconds") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, str) and len(value) <= 255 and _GUESSED.fullmatch(value):
        return f'="{value}"'  # a formula without anything to run, of which the text comes out as it is
    return safe_cell(fitting(value) if isinstance(value, str) else value)
