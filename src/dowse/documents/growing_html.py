"""The HTML that a document becomes, as it grows: only so much of it, in only so much time.

Whatever a document holds, the result has few levels, its text is text, and its links are the only thing in it that
leads anywhere.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from html import escape

from dowse.documents.growing_tables import CELLS, GrowingTable

MOST_TEXT = 2_000_000
"""Characters that are read of a document; a thick book has a million."""

MOST_SECONDS = 10.0
"""Time that is spent on a document. What was read by then is taken."""

MOST_EMPTY_CELLS = 500_000
"""Cells that are written only so that the rows of tables are equally long. One cell far to the right in each row would
else cost a thousand times its size."""

_DEEPEST = 40
_LONGEST_FACT = 500
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]+")
_SPACES = re.compile(r"\s+")
_LINK = re.compile(r"(?:https?|ftp)://|//|[^:/?#]*(?:[/?#]|$)", re.IGNORECASE)


class Enough(Exception):
    """A document has more than is read of one; the message is what of it was left out, for the user."""


class Unreadable(Exception):
    """A document cannot be read; the message says why, for the user."""


class Markup:
    """Takes the parts of a document in their order."""

    def __init__(self, most_text: int = MOST_TEXT, most_seconds: float = MOST_SECONDS) -> None:
        self.facts: dict[str, str] = {}
        """What the document says of itself: title, language, author, date, description."""
        self._parts: list[str] = []
        self._open: list[str] = []
        self._tables: list[GrowingTable] = []
        self._empty_left = MOST_EMPTY_CELLS
        self._linked = False
        self._left = most_text
        self._began = time.monotonic()
        self._seconds = most_seconds

    @property
    def has_text(self) -> bool:
        return bool(self._parts)

    def note_fact(self, name: str, value: str) -> None:
        """The first that is said of a thing counts."""
        value = _SPACES.sub(" ", _NO_TEXT.sub("", value)).strip()[:_LONGEST_FACT]
        if value:
            self.facts.setdefault(name, value)

    def check_time(self, share: float = 1.0) -> None:
        """Raises Enough if this share of the time is over."""
        if time.monotonic() - self._began > share * self._seconds:
            raise Enough("what could be read in time")

    def begin(self, tag: str) -> None:
        """Open an element; below many others it is left out, and its text is not."""
        shown = tag if len(self._open) < _DEEPEST else ""
        self._open.append(shown)
        if shown == "li" and self._parts and self._parts[-1] == "</ul>":
            self._parts[-1] = "<li>"  # an item after an item: the list goes on
        elif shown:
            self._parts.append("<ul><li>" if shown == "li" else f"<{shown}>")
        if shown == "table":
            self._tables.append(GrowingTable(self._parts))
        elif shown == "tr" and self._tables:
            self._tables[-1].begin_row()
        elif shown in CELLS and self._tables:
            self._tables[-1].begin_cell()

    def end(self) -> None:
        """Close the element that was opened last; one without content is taken back."""
        self.end_link()
        shown = self._open.pop() if self._open else ""
        if not shown:
            return
        if shown in CELLS and self._tables:
            self._empty_left -= self._tables[-1].end_cell(shown, self._empty_left)
        elif self._parts[-1] == f"<{shown}>" and shown != "li":
            self._parts.pop()
        elif shown == "li":
            self._parts += ("</li>", "</ul>")
        else:
            self._parts.append(f"</{shown}>")
        if shown == "tr" and self._tables:
            self._tables[-1].end_row()
        elif shown == "table":
            self._empty_left -= self._tables.pop().end(self._empty_left)

    def skip_cells(self, number: int) -> None:
        """Places of the row that have no cell, before the next one."""
        if self._tables:
            self._tables[-1].skipped += number

    def repeat_cell(self, times: int) -> None:
        """The cell that was ended last stands there so many times more."""
        if not self._tables:
            return
        copied = self._tables[-1].last_cell()
        if copied:
            self._repeat(copied, times, self._tables[-1].add_cell)
        else:
            self.skip_cells(times)

    def repeat_row(self, times: int) -> None:
        """The same for the row that was ended last; one without cells is none."""
        if self._tables and (copied := self._tables[-1].last_row()):
            self._repeat(copied, times, self._tables[-1].add_row)

    def _repeat(self, copied: str, times: int, add: Callable[[str], None]) -> None:
        for _ in range(times):
            self._left -= len(copied)
            if self._left < 0:
                raise Enough("the first part, as much as is read of one")
            add(copied)

    def text(self, text: str) -> None:
        text = _NO_TEXT.sub("", text)
        if not text:
            return
        self._left -= len(text)
        if self._left < 0:
            self._parts.append(escape(text[: self._left], quote=False))
            raise Enough("the first part, as much as is read of one")
        self.check_time()
        self._parts.append(escape(text, quote=False))

    def link(self, href: str) -> None:
        """What follows, up to `end_link`, leads there. What is no address on the web is none."""
        self.end_link()
        href = _NO_TEXT.sub("", href).strip()
        if href and not href.startswith("#") and _LINK.match(href):
            self._left -= len(href)
            self._parts.append(f'<a href="{escape(href)}">')
            self._linked = True

    def end_link(self) -> None:
        if self._linked:
            self._parts.append("</a>")
            self._linked = False

    def block(self, tag: str, text: str) -> None:
        """An element with nothing but text."""
        self.begin(tag)
        self.text(text)
        self.end()

    def html(self, inner: str) -> None:
        """Markup of somebody else, made harmless before; it counts as its text does."""
        self._left -= len(inner)
        if self._left < 0:
            raise Enough("the first part, as much as is read of one")
        self.check_time()
        self._parts.append(inner)

    def finished(self) -> bytes:
        """The whole page."""
        while self._open:
            self.end()
        metas = "".join(
            f'<meta name="{name}" content="{escape(value)}">'
            for name, value in self.facts.items()
            if name in ("author", "date", "description")
        )
        language = f' lang="{escape(self.facts["language"])}"' if "language" in self.facts else ""
        title = escape(self.facts.get("title", ""), quote=False)
        head = f"<!doctype html><html{language}><head><meta charset=utf-8><title>{title}</title>{metas}</head>"
        text = f"{head}<body><main>{''.join(self._parts)}</main></body></html>"
        return text.encode("utf-8", "replace")
