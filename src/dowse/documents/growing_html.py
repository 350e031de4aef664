"""The HTML that a document becomes, as it grows: only so much of it, in only so much time.

Whatever a document holds, the result has few levels, its text is text, and its links are the only thing in it that
leads anywhere.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import NamedTuple

from dowse.documents.growing_tables import CELLS, GrowingTable

MOST_TEXT = 2_000_000
"""Characters that are read of a document; a thick book has a million."""

MOST_HTML = 6_000_000
"""Characters of the HTML with its tags and addresses: a few bytes of an archive can stand for thousands of empty cells
or links. The crawl parses this, so it has to be less than the largest page. Half a million filled cells fit."""

MOST_SECONDS = 10.0
"""Time that is spent on a document. What was read by then is taken."""

MOST_EMPTY_CELLS = 500_000
"""Cells that are written only so that the rows of tables are equally long. One cell far to the right in each row would
else cost a thousand times its size."""

_DEEPEST = 40
_LONGEST_FACT = 500
_LONGEST_ESCAPE = len("&amp;")
_END_OF_LINK = "</a>"
_LISTS = frozenset({"ul", "ol"})
_END_OF_ROW = len("</tr>")
_EMPTY_CELL = len("<td></td>")
_KEPT_EMPTY = frozenset({"td", "th", "li", "a"})
"""Empty elements that say something: a cell that it has no value, a link that it leads somewhere."""

_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]+")
_SPACES = re.compile(r"\s+")
_LINK = re.compile(r"(?:https?|ftp)://|//|[^:/?#]*(?:[/?#]|$)", re.IGNORECASE)
_FIRST_PART = "the first part, as much as is read of one"


class Enough(Exception):
    """A document has more than is read of one; the message is what of it was left out, for the user."""


class Unreadable(Exception):
    """A document cannot be read; the message says why, for the user."""


class _Element(NamedTuple):
    """An element that is open; one that is left out has no tags."""

    tag: str = ""
    opening: str = ""
    closing: str = ""


_LONE_ITEM = _Element("li", "<ul><li>", "</li></ul>")


@lru_cache(maxsize=64)
def _element(tag: str, **attributes: str) -> _Element:
    """Remembered, because a sheet has half a million cells."""
    said = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return _Element(tag, f"<{tag}{said}>", f"</{tag}>")


class Markup:
    """Takes the parts of a document in their order.

    An element is paid for when it is opened, with the tag that closes it. So `end` and `finished` never find that
    there is no room left, and what was opened is always closed.
    """

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self.facts: dict[str, str] = {}
        """What the document says of itself: title, language, author, date, description."""
        self._parts: list[str] = []
        self.completes_tables = True
        """Whether places of tables without a cell get one. Formats whose cells reach over several have them all."""
        self._open: list[_Element] = []
        self._tables: list[GrowingTable] = []
        self._empty_left = MOST_EMPTY_CELLS
        self._linked = False
        self._text_left = MOST_TEXT
        self._html_left = MOST_HTML
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

    def begin(self, tag: str, **attributes: str) -> None:
        """Open an element; below many others it is left out, and its text is not. An item has a list around it."""
        if len(self._open) >= _DEEPEST:
            self._open.append(_Element())
            return
        if tag == "li" and not (self._open and self._open[-1].tag in _LISTS):
            element = _LONE_ITEM
        else:
            element = _element(tag, **attributes)
        self._pay(len(element.opening) + len(element.closing))
        self._open.append(element)
        if element is _LONE_ITEM and self._parts and self._parts[-1] == element.closing:
            self._parts[-1] = "</li><li>"  # an item after an item: the list goes on
        else:
            self._parts.append(element.opening)
        if tag == "table" and self.completes_tables:
            self._tables.append(GrowingTable(self._parts))
        elif tag == "tr" and self._tables:
            self._tables[-1].begin_row()
        elif tag in CELLS and self._tables:
            self._tables[-1].begin_cell()

    def end(self) -> None:
        """Close the element that was opened last; one without content is taken back."""
        self.end_link()
        element = self._open.pop() if self._open else _Element()
        if not element.tag:
            return
        in_table = element.tag in CELLS and bool(self._tables)
        is_taken_back = self._parts[-1] == element.opening and (in_table or element.tag not in _KEPT_EMPTY)
        if is_taken_back:
            self._html_left += len(element.opening) + len(element.closing)
        if in_table:
            self._pay_empty(self._tables[-1].end_cell(element.tag, self._empty_room))
        elif is_taken_back:
            self._parts.pop()
        else:
            self._parts.append(element.closing)
        if element.tag == "tr" and self._tables:
            self._tables[-1].end_row()
        elif element.tag == "table" and self._tables:
            self._pay_empty(self._tables.pop().end(self._empty_room))

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
            self._pay(len(copied) + _END_OF_ROW)
            add(copied)

    def text(self, text: str) -> None:
        text = _NO_TEXT.sub("", text)
        if not text:
            return
        shown = escape(text, quote=False)
        if len(text) > self._text_left or len(shown) > self._html_left:
            fitting = min(self._text_left, self._html_left // _LONGEST_ESCAPE)
            self._parts.append(escape(text[:fitting], quote=False))
            self._text_left = self._html_left = 0
            raise Enough(_FIRST_PART)
        self._text_left -= len(text)
        self._html_left -= len(shown)
        self.check_time()
        self._parts.append(shown)

    def link(self, href: str) -> None:
        """What follows, up to `end_link`, leads there. What is no address on the web is none."""
        self.end_link()
        href = _NO_TEXT.sub("", href).strip()
        if href and not href.startswith("#") and _LINK.match(href):
            opening = f'<a href="{escape(href)}">'
            self._pay(len(opening) + len(_END_OF_LINK))
            self._parts.append(opening)
            self._linked = True

    def end_link(self) -> None:
        if self._linked:
            self._parts.append(_END_OF_LINK)
            self._linked = False

    def block(self, tag: str, text: str) -> None:
        """An element with nothing but text."""
        self.begin(tag)
        self.text(text)
        self.end()

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

    @property
    def _empty_room(self) -> int:
        return min(self._empty_left, self._html_left // _EMPTY_CELL)

    def _pay_empty(self, cells: int) -> None:
        self._empty_left -= cells
        self._html_left -= cells * _EMPTY_CELL

    def _pay(self, length: int) -> None:
        if length > self._html_left:
            raise Enough(_FIRST_PART)
        self._html_left -= length
