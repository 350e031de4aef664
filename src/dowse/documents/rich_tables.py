r"""The tables of rich text. There is none as such: rows follow each other, and what is no row ends the table.

    \trowd \cellx2000 \cellx4000 \intbl Port\cell Fee\cell \row \pard After.

The words of a row may stand before its cells, behind them, or both. A table in a cell becomes the text of that.
"""

from __future__ import annotations

from dowse.documents.growing_html import Markup

TABLE_WORDS = frozenset({b"trowd", b"trhdr", b"intbl", b"cell", b"row"})


class RichTable:
    """Opens and closes elements as words of rows, and text, come."""

    def __init__(self, markup: Markup) -> None:
        self._markup = markup
        self._open: list[str] = []
        self._in_row = False
        self._in_head = False

    def take(self, word: bytes) -> None:
        """One of the words of tables; the paragraph before it has been ended."""
        if word == b"cell":
            self._begin("table", "tr", "th" if self._in_head else "td")
            self._end(2)
        elif word == b"row":
            self._end(1)
        elif word == b"trowd":
            self._in_head = False
        elif word == b"trhdr":
            self._in_head = True
        self._in_row = word != b"row"

    def before_text(self) -> None:
        """A paragraph begins, in a cell or behind the table."""
        if self._in_row:
            self._begin("table", "tr", "th" if self._in_head else "td")
        else:
            self._end(0)

    def _begin(self, *tags: str) -> None:
        for tag in tags[len(self._open) :]:
            self._markup.begin(tag)
            self._open.append(tag)

    def _end(self, level: int) -> None:
        """Close what is open below so many levels."""
        while len(self._open) > level:
            self._markup.end()
            self._open.pop()
