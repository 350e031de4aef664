"""A table of a document as it grows: every cell in its column, every row as long as the longest.

Documents leave cells out that are empty, or count them. Readers of HTML want them, so they are written: before a cell
when that has text, and at the end of short rows when the table ends. Empty cells at the end of all rows are none.
"""

from __future__ import annotations

CELLS = ("td", "th")


class GrowingTable:
    """Writes to `parts`, which others write to as well. The places of its rows in there stay as they are."""

    def __init__(self, parts: list[str]) -> None:
        self.skipped = 0
        """Places before the next cell that are empty."""
        self._parts = parts
        self._row = self._cell = 0
        self._number = 0
        self._tag = CELLS[0]
        self._was_empty = False
        self._rows: list[tuple[int, int, str]] = []

    def begin_row(self) -> None:
        """After its tag was written."""
        self._row = len(self._parts) - 1
        self.skipped = self._number = 0
        self._was_empty = True

    def begin_cell(self) -> None:
        """After its tag was written."""
        self._cell = len(self._parts) - 1

    def end_cell(self, tag: str, most: int) -> int:
        """End the cell; the answer is how many empty ones were written before it, at most `most`."""
        self._was_empty = self._cell == len(self._parts) - 1
        if self._was_empty:
            self._parts.pop()
            self.skipped += 1
            return 0
        self._parts.append(f"</{tag}>")
        written, self.skipped = min(self.skipped, most), 0
        if written:  # the places of rows stay: all of them are before this one
            self._parts.insert(self._cell, _empty(tag, written))
            self._cell += 1
        self._number += written + 1
        self._tag = tag
        return written

    def last_cell(self) -> str:
        """The cell that was ended last, as HTML; "" if it is empty."""
        return "" if self._was_empty else "".join(self._parts[self._cell :])

    def add_cell(self, cell: str) -> None:
        """One more, which is as HTML."""
        self._parts.append(cell)
        self._number += 1

    def last_row(self) -> str:
        """The row that was ended last, as HTML without its end; "" if it has no cells."""
        is_there = bool(self._rows) and self._rows[-1][0] == len(self._parts) - 1
        return "".join(self._parts[self._row : -1]) if is_there else ""

    def add_row(self, row: str) -> None:
        """One more like the last, which is as HTML without its end."""
        self._parts += (row, "</tr>")
        self._rows.append((len(self._parts) - 1, *self._rows[-1][1:]))

    def end_row(self) -> None:
        """After its tag was written; a row without cells has none."""
        if self._number:
            self._rows.append((len(self._parts) - 1, self._number, self._tag))
        self._number = 0

    def end(self, most: int) -> int:
        """Make all rows equally long; the answer is how many empty cells were written for it, at most `most`."""
        width, left = max((number for _, number, _ in self._rows), default=0), most
        for place, number, tag in self._rows:
            written = min(width - number, left)
            self._parts[place] = _empty(tag, written) + self._parts[place]
            left -= written
        return most - left


def _empty(tag: str, number: int) -> str:
    return f"<{tag}></{tag}>" * number
