"""OpenDocument files (odt, ods, odp): text, tables of spreadsheets, slides.

Comments, tracked deletions and the notes of speakers are left out. A footnote stands where it is referred to, in
brackets.
"""

from __future__ import annotations

from collections.abc import Mapping

from dowse.documents.growing_html import Markup, Unreadable
from dowse.documents.headings import heading_tag, styled_tag
from dowse.documents.properties import read_properties
from dowse.documents.zip_parts import Parts

_SKIPPED = frozenset({
    "annotation", "tracked-changes", "notes", "forms", "scripts", "note-citation", "font-face-decls",
    "table-of-content", "dde-connection-decls",
})  # fmt: skip
_TABLES = {"table": "table", "table-row": "tr"}
_CELLS = ("table-cell", "covered-table-cell")
_MOST_COLUMNS, _MOST_ROWS = 16_384, 1_048_576
_MOST_SPACES = 100


def read_odf(body: bytes, markup: Markup) -> None:
    parts = Parts(body, markup)
    if not parts.has("content.xml"):
        raise Unreadable("it has no content.xml")
    if b"encryption-data" in parts.read("META-INF/manifest.xml"):
        raise Unreadable("protected by a password")
    read_properties(parts, "meta.xml", markup)
    parts.parse("content.xml", _Content(markup), _SKIPPED)


class _Content:
    """Each element of the document that has one in HTML opens that; paragraphs of titles are headings."""

    def __init__(self, markup: Markup) -> None:
        self._markup = markup
        self._opened: list[bool] = []
        self._in_text = 0
        self._in_note = 0
        self._in_head = 0
        self._repeated: list[int] = []
        self._styles: dict[str, str] = {}
        self._is_title = False
        self._is_spreadsheet = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        tag = self._tag(name, attributes)
        self._opened.append(bool(tag))
        if name in ("p", "h"):
            self._in_text += 1
        elif name == "note":
            self._in_note += 1
            self._markup.text(" (")
        elif name == "table-header-rows":
            self._in_head += 1
        elif name in _CELLS:
            self._repeated.append(_count(attributes.get("number-columns-repeated", ""), _MOST_COLUMNS))
        elif name == "table-row":
            self._repeated.append(_count(attributes.get("number-rows-repeated", ""), _MOST_ROWS))
        elif name == "style":
            self._styles[attributes.get("name", "")] = attributes.get("parent-style-name", "")
        elif name == "spreadsheet":
            self._is_spreadsheet = True
        elif name == "frame":
            self._is_title = attributes.get("class", "") == "title"
        elif name == "table" and self._is_spreadsheet:
            self._markup.block("h2", attributes.get("name", ""))
        elif name == "a":
            self._markup.link(attributes.get("href", ""))
        elif name in ("tab", "line-break"):
            self._markup.text(" ")
        elif name == "s":
            self._markup.text(" " * _count(attributes.get("c", ""), _MOST_SPACES))
        if tag:
            self._markup.begin(tag)

    def end(self, name: str) -> None:
        if name in ("p", "h"):
            self._in_text -= 1
        elif name == "note":
            self._in_note -= 1
            self._markup.text(")")
        elif name == "table-header-rows":
            self._in_head -= 1
        elif name == "a":
            self._markup.end_link()
        if self._opened.pop():
            self._markup.end()
        if name in _CELLS:
            self._markup.repeat_cell(self._repeated.pop() - 1)
        elif name == "table-row":
            self._markup.repeat_row(self._repeated.pop() - 1)

    def data(self, text: str) -> None:
        if self._in_text:
            self._markup.text(text)

    def _tag(self, name: str, attributes: Mapping[str, str]) -> str:
        if name in ("p", "h") and self._in_note:
            return ""
        if name == "h":
            level = attributes.get("outline-level", "1")
            return heading_tag(int(level) if level.isdecimal() and len(level) < 3 else 1)
        if name == "p":
            style = attributes.get("style-name", "")
            return "h2" if self._is_title else styled_tag(self._styles.get(style) or style) or "p"
        if name in _CELLS:
            return "th" if self._in_head else "td"
        return "li" if name == "list-item" else _TABLES.get(name, "")


def _count(written: str, most: int) -> int:
    """A number of times, 1 where none is given."""
    return min(max(int(written), 1), most) if written.isdecimal() and len(written) < 10 else 1
