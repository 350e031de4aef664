"""Tables as an Excel workbook (xlsx), a sheet for each. A text is a text there, whatever it begins with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from dowse.core.columns import Columnar
from dowse.core.errors import CrawlError
from dowse.core.optional_libraries import load
from dowse.export.spreadsheet_cells import Cell, fitting, spreadsheet_rows

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
"""What a sheet of Excel has, with the row of names."""

_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,  # texts come from strangers
    "strings_to_urls": False,  # of which a sheet may have 65,530
    "strings_to_numbers": False,
}


def write_workbook(tables: Mapping[str, Columnar], stream: BinaryIO) -> int:
    """Write tables by their names, a row at a time; the answer is the number of rows.

    The file is made elsewhere and then copied: the library would still write when the stream has failed.
    """
    library = load("xlsxwriter", "excel", "an Excel workbook")
    with TemporaryFile(prefix="dowse-") as made:
        try:
            with library.Workbook(made, _OPTIONS) as book:  # closed in any case: each sheet has a file of its own
                book.use_zip64()
                number = sum(_add(book, name, table) for name, table in tables.items())
        except library.exceptions.FileCreateError as error:
            raise error.args[0] from None  # a full disk is told as with every other format
        made.seek(0)
        copyfileobj(made, stream)
    return number


def _add(book: Any, name: str, table: Columnar) -> int:
    if len(table.columns) > MOST_COLUMNS:
        raise _too_much(name, f"{MOST_COLUMNS:,} columns")
    formats: dict[type, Any] = {
        datetime: book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        date: book.add_format({"num_format": "yyyy-mm-dd"}),
    }
    bold = book.add_format({"bold": True})
    sheet = book.add_worksheet(name)
    sheet.freeze_panes(1, 0)
    for column, title in enumerate(table.columns):
        sheet.write_string(0, column, fitting(title), bold)
    number = 0
    for number, row in enumerate(spreadsheet_rows(table), 1):
        if number == MOST_ROWS:
            raise _too_much(name, f"{MOST_ROWS:,} rows")
        for column, cell in enumerate(row):
            _write(sheet, (number, column), cell, formats)
    if table.columns:
        sheet.autofilter(0, 0, number, len(table.columns) - 1)
    return number


def _write(sheet: Any, place: tuple[int, int], cell: Cell, formats: Mapping[type, Any]) -> None:
    if cell is None or cell == "":
        return
    if isinstance(cell, str):
        sheet.write_string(*place, cell)
    elif isinstance(cell, bool):
        sheet.write_boolean(*place, cell)
    elif isinstance(cell, date):
        sheet.write_datetime(*place, cell, formats[type(cell)])
    else:
        sheet.write_number(*place, cell)


def _too_much(table: str, limit: str) -> CrawlError:
    return CrawlError(f"{table} does not fit in a sheet of Excel, which has {limit}; export it as csv or sqlite")
