"""What trafilatura is not given, for a page of a few kilobytes could keep it busy for minutes.

    cells that span hundreds of rows and columns   each place becomes a cell: 500 rows made five million
    tables of one wide row and many short ones     each row is filled up to the width of the widest
    tags with thousands of attributes              lxml compares each with all before it
    texts cut into thousands of pieces             each piece is put together with all its neighbours

The first two are mended in the tree that is handed over. Pages with one of the others are read by the parser alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from turbohtml import Document, Element

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_CELLS = 50_000
"""Of one table, those that spans and short rows stand for among them."""

MOST_ATTRIBUTES = 500
MOST_PIECES = 4_000

WIDEST = 100
"""Columns and rows that trafilatura lets a cell span, and to which it fills rows up."""

_SPANS = ("colspan", "rowspan")
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_CELLS = frozenset({"td", "th"})
_INLINE = frozenset(
    {
        *("a", "abbr", "acronym", "b", "big", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i"),
        *("ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time"),
        *("tt", "u", "var"),
    }
)
_WITHOUT_TABLE = {"table": "div", "tr": "p", "td": "span", "th": "span"}


def what_is_too_much(tree: Document) -> str:
    """What a page has too much of to be read by trafilatura; "" if nothing."""
    pieces: Counter[Element] = Counter()
    for element in tree.iter_elements():
        if len(element.attrs) > MOST_ATTRIBUTES:
            return f"{len(element.attrs):,} attributes in one tag"
        if element.tag in _INLINE and isinstance(element.parent, Element):
            pieces[element.parent] += 1
    most = max(pieces.values(), default=0)
    return f"{most:,} tags in one line of text" if most > MOST_PIECES else ""


def tame_tables(tree: _Element) -> None:
    """Take away spans where there are too many, and tables that are too large without them."""
    tables: dict[_Element, list[_Element]] = {}
    for row in tree.iter("tr"):
        around = row.getparent()
        if around is not None and around.tag in _SECTIONS:
            around = around.getparent()
        if around is not None:
            tables.setdefault(around, []).append(row)
    for table, rows in tables.items():
        if _cells(rows) > MOST_CELLS:
            for cell in _cells_of(rows):
                for name in _SPANS:
                    cell.attrib.pop(name, None)
            if _cells(rows) > MOST_CELLS:
                for element in (table, *rows, *_cells_of(rows)):
                    element.tag = _WITHOUT_TABLE.get(str(element.tag), "div")


def _cells(rows: list[_Element]) -> int:
    """How many cells trafilatura would make of a table, at most."""
    widest = spanned = 0
    for number, row in enumerate(rows):
        below = len(rows) - number
        width = 0
        for cell in _cells_of([row]):
            across = _span(cell, "colspan")
            width += across
            spanned += across * min(_span(cell, "rowspan"), below)
        widest = max(widest, width)
    return spanned + len(rows) * min(widest, WIDEST)


def _cells_of(rows: Iterable[_Element]) -> list[_Element]:
    return [cell for row in rows for cell in row if cell.tag in _CELLS]


def _span(cell: _Element, name: str) -> int:
    value = cell.get(name, "1")
    return max(1, min(int(value[:9]), WIDEST)) if value.isdecimal() else 1
