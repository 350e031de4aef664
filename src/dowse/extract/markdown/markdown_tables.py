"""Tables as Markdown can have them: a header, one line for each row, as many cells in all of them.

A table that only arranges things on the page is no table: it becomes its parts. In others, cells that span several
places are written in the first of them, the others are empty, and code in a cell is one line.
"""

from __future__ import annotations

from turbohtml import Element
from turbohtml.build import E

_ARRANGED = "h1,h2,h3,h4,h5,h6,table,hr,form"
_PARTS = "tr,tbody,thead,tfoot,caption,colgroup,col"
_LINE_NUMBERS = ("linenos", "gutter")
MOST_SPANNED = 50
"""Columns that a cell can span; more are one."""
MOST_EMPTY = 5_000
"""Empty cells that spans can make in a table, for pages that are made to keep a reader busy."""


def settle_table(table: Element) -> None:
    """Change a table so that it can be written as Markdown."""
    rows = [(row, _cells(row)) for row in table.find_all("tr") if row.closest("table") == table]
    numbers = [cell for _, cells in rows for cell in cells if any(map(cell.has_class, _LINE_NUMBERS))]
    is_single = sum(len(cells) for _, cells in rows) <= 1
    if numbers or is_single or table.attrs.get("role") in ("presentation", "none") or table.select_one(_ARRANGED):
        _become_parts(table, rows, numbers)
        return
    _fill_spans(rows)
    for block in table.find_all("pre"):
        lines = [line.strip() for line in block.text.splitlines() if line.strip()]
        parts = [part for line in lines for part in (E("br"), E("code", line))]
        if parts:
            block.replace_with(*parts[1:])


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row.children if isinstance(cell, Element) and cell.tag in ("td", "th")]


def _become_parts(table: Element, rows: list[tuple[Element, list[Element]]], numbers: list[Element]) -> None:
    for cell in numbers:
        cell.decompose()
    for part in [part for part in table.select(_PARTS) if part.closest("table") == table]:
        part.tag = "div"
    for part in (table, *(cell for _, cells in rows for cell in cells)):
        part.tag = "div"


def _fill_spans(rows: list[tuple[Element, list[Element]]]) -> None:
    """Write empty cells where cells of other rows or columns reach."""
    reaching: dict[int, int] = {}  # rows that a column is still taken for
    empty = 0
    for row, cells in rows:
        column = 0
        for cell in cells:
            while reaching.get(column, 0) > 0 and empty < MOST_EMPTY:
                reaching[column] -= 1
                cell.insert_before(E(cell.tag))
                column, empty = column + 1, empty + 1
            wide, high = _span(cell, "colspan"), _span(cell, "rowspan")
            wide = wide if wide <= MOST_SPANNED else 1
            for _ in range(wide - 1):
                cell.insert_after(E(cell.tag))
                empty += 1
            for place in range(column, column + wide):
                reaching[place] = high - 1
            column += wide
        while reaching.get(column, 0) > 0 and empty < MOST_EMPTY:
            reaching[column] -= 1
            row.append(E("td"))
            column, empty = column + 1, empty + 1


def _span(cell: Element, name: str) -> int:
    """How many places a cell takes; it takes one from now on."""
    value = str(cell.attrs.pop(name, "") or "")
    return max(1, int(value)) if value.isascii() and value.isdigit() and len(value) < 6 else 1
