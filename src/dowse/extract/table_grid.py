"""An HTML table as a grid of cells: spans filled in, nested tables left out.

The parser has tables of texts too, but does not say which cells are headings or lie in a table within.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Element

from dowse.parse.text import text_of

# A span is repeated in every place it covers, so a few bytes could cover a million.
MOST_CELLS = 50_000
MOST_COLUMNS = 1_000
LONGEST_CELL = 10_000

_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_CELLS = frozenset({"td", "th"})
_BOLD = frozenset({"b", "strong"})


class Cell(NamedTuple):
    """A cell; one that spans several places is repeated in each, and hangs where it comes from a row above."""

    text: str
    is_heading: bool = False
    is_bold: bool = False
    is_repeated: bool = False
    is_hanging: bool = False


EMPTY = Cell("")


class Row(NamedTuple):
    cells: list[Cell]
    in_head: bool

    @property
    def texts(self) -> list[str]:
        return [cell.text for cell in self.cells]

    @property
    def own_cells(self) -> int:
        return sum(not cell.is_repeated and cell is not EMPTY for cell in self.cells)


class Grid(NamedTuple):
    """The rows of a table, all of the same width; a table that is too large is cut.

    `summary` is what the table says about itself where a reader does not see it.
    """

    rows: list[Row]
    caption: str
    width: int
    summary: str = ""

    @property
    def has_headings(self) -> bool:
        return any(row.in_head or any(cell.is_heading for cell in row.cells) for row in self.rows)


def grid_of(table: Element, has_nested: bool) -> Grid:
    """The grid of a table; `has_nested` says whether other tables lie in it."""
    caption = ""
    for child in table:
        if isinstance(child, Element) and child.tag == "caption":
            caption = text_of(child)[:LONGEST_CELL]
            break
    rows: list[Row] = []
    hanging: dict[int, tuple[Cell, int]] = {}
    room = MOST_CELLS
    part: object = None
    for element, in_head in _rows_of(table):
        if element.parent != part:  # no cell hangs down from the head into the body
            part = element.parent
            hanging.clear()
        cells = _cells_of(element, hanging, has_nested)
        room -= len(cells)
        if room < 0:
            break
        if cells:
            rows.append(Row(cells, in_head))
    width = max((len(row.cells) for row in rows), default=0)
    del rows[MOST_CELLS // max(width, 1) :]
    for row in rows:
        row.cells.extend([EMPTY] * (width - len(row.cells)))
    summary = " ".join((table.attr("aria-label") or table.attr("summary") or "").split())
    return Grid(rows, caption, width, summary[:LONGEST_CELL])


def has_headings(table: Element) -> bool:
    """Whether any of its own cells is a heading, not one of a table within."""
    return any(
        in_head or any(isinstance(cell, Element) and cell.tag == "th" for cell in row)
        for row, in_head in _rows_of(table)
    )


def _rows_of(table: Element) -> Iterator[tuple[Element, bool]]:
    """The rows of a table and whether they are in its head; its foot comes last, wherever it is written."""
    feet: list[Element] = []
    for child in table:
        if not isinstance(child, Element):
            continue
        if child.tag == "tr":
            yield child, False
        elif child.tag == "tfoot":
            feet.append(child)
        elif child.tag in _SECTIONS:
            for row in child:
                if isinstance(row, Element) and row.tag == "tr":
                    yield row, child.tag == "thead"
    for foot in feet:
        for row in foot:
            if isinstance(row, Element) and row.tag == "tr":
                yield row, False


def _cells_of(row: Element, hanging: dict[int, tuple[Cell, int]], has_nested: bool) -> list[Cell]:
    """The cells of a row, among them those that hang down from rows above; `hanging` is brought up to date."""
    cells: list[Cell] = []
    for element in row:
        if not isinstance(element, Element) or element.tag not in _CELLS:
            continue
        _take_hanging(cells, hanging)
        cell = _cell_of(element, has_nested)
        down = _span(element, "rowspan", MOST_CELLS)
        across = min(_span(element, "colspan", MOST_COLUMNS), MOST_COLUMNS - len(cells))
        for number in range(across):
            part = cell if number == 0 else cell._replace(is_repeated=True)
            if down > 1:
                hanging[len(cells)] = (part._replace(is_repeated=True, is_hanging=True), down - 1)
            cells.append(part)
        if len(cells) >= MOST_COLUMNS:
            break
    last = max(hanging, default=-1)
    while len(cells) <= last:
        if len(cells) not in hanging:
            cells.append(EMPTY)
        _take_hanging(cells, hanging)
    return cells


def _take_hanging(cells: list[Cell], hanging: dict[int, tuple[Cell, int]]) -> None:
    while (place := len(cells)) in hanging:
        cell, left = hanging.pop(place)
        if left > 1:
            hanging[place] = (cell, left - 1)
        cells.append(cell)


def _cell_of(element: Element, has_nested: bool) -> Cell:
    nested = frozenset(element.select("table")) if has_nested else frozenset[Element]()
    children = [child for child in element if isinstance(child, Element)]
    is_bold = bool(children) and all(child.tag in _BOLD for child in children)
    return Cell(text_of(element, nested)[:LONGEST_CELL], element.tag == "th", is_bold)


def _span(element: Element, name: str, most: int) -> int:
    value = element.attr(name)
    if not value:
        return 1
    digits = value.strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 6:
        return 1
    number = int(digits)
    return most if number == 0 and name == "rowspan" else max(1, min(number, most))
