"""What stands around each control: in its line, in its row, above it.

The content of a form is read once, in its order, and cut into lines: at the edges of blocks and at line breaks. A line
holds texts and controls. The text before a control in its line ends at the control before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from turbohtml import Element, Text

from dowse.parse.links import collapse

LONGEST_LABEL = 120
MOST_NODES = 20_000
MOST_CELLS = 100
LONG_LINE = 200
"""A line above a control that is longer is no label but text."""

_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "em", "font", "i", "img", "ins", "kbd",
    "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr",
})  # fmt: skip
_UNREAD = frozenset({"option", "optgroup", "script", "style", "textarea", "noscript", "title", "template", "button"})
_CELLS = frozenset({"td", "th"})


class Nearby(NamedTuple):
    """The texts around a control: in its line, in the cell left of it, at the top of its column, in the line above."""

    before: str = ""
    after: str = ""
    row: str = ""
    column: str = ""
    above: str = ""


@dataclass(slots=True)
class _Line:
    block: Element | None
    pieces: list[str | Element] = field(default_factory=list)

    @property
    def has_controls(self) -> bool:
        return any(not isinstance(piece, str) for piece in self.pieces)

    @property
    def text(self) -> str:
        return _joined(piece for piece in self.pieces if isinstance(piece, str))


def text_within(element: Element, limit: int) -> str:
    """The words of an element, without what is chosen, typed or pressed in it."""
    pieces: list[str] = []
    size = 0
    for node in element.descendants:
        if isinstance(node, Text) and _is_read(node):
            pieces.append(node.data)
            size += len(node.data)
            if size > 10 * limit:
                break
    return collapse(" ".join(pieces), limit)


def nearby_texts(container: Element, controls: Collection[Element]) -> dict[Element, Nearby]:
    """What stands around these controls of a container."""
    lines = _lines(container, frozenset(controls))
    headers = _Headers()
    found: dict[Element, Nearby] = {}
    above = ""
    for line in lines:
        for place, piece in enumerate(line.pieces):
            if not isinstance(piece, str):
                before, after = _around(line, place)
                row, column = headers.of(piece) if not before else ("", "")
                found[piece] = Nearby(before, after, row, column, above)
        above = "" if line.has_controls else line.text if len(line.text) < LONG_LINE else ""
    return found


def _lines(container: Element, controls: Collection[Element]) -> list[_Line]:
    lines = [_Line(container)]
    blocks: dict[Element, Element] = {container: container}
    for count, node in enumerate(container.descendants):
        if count > MOST_NODES:
            break
        if isinstance(node, Text):
            if not _is_read(node) or node.data.isspace():
                continue
            piece: str | Element = node.data
        elif not isinstance(node, Element):
            continue
        elif node in controls:
            piece = node
        else:
            if node.tag == "br":
                lines.append(_Line(lines[-1].block))
            continue
        block = _block_of(node.parent, blocks)
        if block is not lines[-1].block:
            lines.append(_Line(block))
        lines[-1].pieces.append(piece)
    return [line for line in lines if line.pieces]


def _block_of(node: object, blocks: dict[Element, Element]) -> Element:
    """The block that an element is in, itself if it is one."""
    walked: list[Element] = []
    while isinstance(node, Element) and node not in blocks:
        walked.append(node)
        if node.tag not in _INLINE:
            blocks[node] = node
            break
        node = node.parent
    block = blocks[node] if isinstance(node, Element) and node in blocks else next(iter(blocks.values()))
    blocks.update(dict.fromkeys(walked, block))
    return block


def _around(line: _Line, place: int) -> tuple[str, str]:
    start = place
    while start and isinstance(line.pieces[start - 1], str):
        start -= 1
    end = place + 1
    while end < len(line.pieces) and isinstance(line.pieces[end], str):
        end += 1
    pieces = line.pieces
    return (
        _joined(piece for piece in pieces[start:place] if isinstance(piece, str)),
        _joined(piece for piece in pieces[place + 1 : end] if isinstance(piece, str)),
    )


class _Headers:
    """What the cells before and above say, each row read once."""

    def __init__(self) -> None:
        self._cells: dict[Element, list[Element]] = {}
        self._firsts: dict[Element, Element | None] = {}

    def of(self, control: Element) -> tuple[str, str]:
        """The text of the cell before that of a control, and of the heading of its column."""
        cell = control.closest("td, th")
        row = cell.parent if cell is not None else None
        if cell is None or not isinstance(row, Element):
            return "", ""
        cells = self._cells_of(row)
        place = next((place for place, each in enumerate(cells) if each is cell), 0)
        beside = cells[place - 1] if place and not cells[place - 1].find("input") else None
        first = self._first_row(row)
        heads = self._cells_of(first) if first is not None and first is not row else []
        head = heads[place] if place < len(heads) and heads[place].tag == "th" else None
        return _text_of(beside), _text_of(head)

    def _cells_of(self, row: Element) -> list[Element]:
        if row not in self._cells:
            found = (child for child in row.children if isinstance(child, Element) and child.tag in _CELLS)
            self._cells[row] = list(islice(found, MOST_CELLS))
        return self._cells[row]

    def _first_row(self, row: Element) -> Element | None:
        table = row.closest("table")
        if table is None:
            return None
        if table not in self._firsts:
            self._firsts[table] = table.find("tr")
        return self._firsts[table]


def _text_of(cell: Element | None) -> str:
    return text_within(cell, LONGEST_LABEL) if cell is not None else ""


def _is_read(node: Text) -> bool:
    return getattr(node.parent, "tag", "") not in _UNREAD


def _joined(pieces: Iterator[str]) -> str:
    return collapse(" ".join(pieces), LONGEST_LABEL)
