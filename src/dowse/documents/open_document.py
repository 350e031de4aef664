"""OpenDocument files (odt, ods, odp): text, tables of spreadsheets, slides.

Comments, tracked deletions and the notes of speakers are left out. A footnote stands where it is referred to, in
brackets.
"""

from __future__ import annotations

from collections.abc import Mapping

from dowse.documents.growing_html import Markup, Unreadable
from dowse.documents.headings import heading_tag
from dowse.documents.properties import read_properties
from dowse.documents.zip_parts import Parts

_SKIPPED = frozenset({
    "annotation", "tracked-changes", "notes", "forms", "scripts", "note-citation", "automatic-styles",
    "font-face-decls", "table-of-content", "dde-connection-decls",
})  # fmt: skip
_TABLES = {"table": "table", "table-row": "tr", "table-cell": "td"}
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
            number = attributes.get("c", "1")
            self._markup.text(" " * min(int(number) if number.isdecimal() else 1, _MOST_SPACES))
        if tag:
            self._markup.begin(tag)

    def end(self, name: str) -> None:
        if name in ("p", "h"):
            self._in_text -= 1
        elif name == "note":
            self._in_note -= 1
            self._markup.text(")")
        elif name == "a":
            self._markup.end_link()
        if self._opened.pop():
            self._markup.end()

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
            return "h2" if self._is_title else "p"
        return "li" if name == "list-item" else _TABLES.get(name, "")
