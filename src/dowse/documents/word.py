"""Word documents (docx): paragraphs, headings by their styles, lists, tables, links and notes.

Left out is what readers do not see: deleted and hidden text, codes of fields, and the second copy of drawings for old
programs. So are headers and footers, which repeat on every page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dowse.documents.growing_html import Markup
from dowse.documents.headings import heading_tag, styled_tag
from dowse.documents.properties import read_properties
from dowse.documents.zip_parts import Parts, Relations, main_part

_SKIPPED = frozenset({"Fallback", "del", "delText", "moveFrom", "pict", "sectPr"})
_TARGET = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_NOTES = ("footnotes", "endnotes")
_TABLES = ("tbl", "tr", "tc")
_TAGS = {"tbl": "table", "tr": "tr"}
_LONGEST_CODE = 5_000


def read_docx(body: bytes, markup: Markup) -> None:
    parts = Parts(body, markup)
    main = main_part(parts)
    read_properties(parts, "docProps/core.xml", markup)
    around = Relations(parts, main)
    styles = _Styles(markup)
    parts.parse(around.kinds.get("styles", ""), styles)
    parts.parse(main, _Body(markup, around.links, styles.tags), _SKIPPED)
    for kind in _NOTES:
        if notes := around.kinds.get(kind):
            parts.parse(notes, _Body(markup, Relations(parts, notes).links, styles.tags), _SKIPPED)


class _Styles:
    """The tags of the paragraphs of each style, and the language of the text."""

    def __init__(self, markup: Markup) -> None:
        self.tags: dict[str, str] = {}
        self._markup = markup
        self._style = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val", "")
        if name == "style":
            self._style = attributes.get("styleId", "")
        elif name == "name" and (tag := styled_tag(value)):
            self.tags[self._style] = tag
        elif name == "outlineLvl" and value.isdecimal() and len(value) == 1 and int(value) < 6:
            self.tags.setdefault(self._style, heading_tag(int(value) + 1))
        elif name == "lang" and value:
            self._markup.note_fact("language", value)

    def end(self, name: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


class _Body:
    """The text. An element for a paragraph is opened with its first text, when its style is known."""

    def __init__(self, markup: Markup, links: Mapping[str, str], styles: Mapping[str, str]) -> None:
        self._markup = markup
        self._links = links
        self._styles = styles
        self._tag = ""
        self._begun = False
        self._hidden = False
        self._reads = ""
        self._code = ""
        self._in_head = False
        self._covered = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("t", "instrText"):
            self._reads = name
        elif name == "r":
            self._hidden = False
        elif name == "p":
            self._end_paragraph()
            self._tag = "p"
        elif name in _TABLES:
            self._end_paragraph()
            self._begin_part(name)
        elif name == "tblHeader":
            self._in_head = _is_on(attributes)
        elif name == "gridSpan" and (span := attributes.get("val", "")).isdecimal() and len(span) < 4:
            self._covered = max(0, int(span) - 1)
        elif name == "pStyle":
            self._tag = self._styles.get(attributes.get("val", ""), self._tag)
        elif name == "numPr" and self._tag == "p":
            self._tag = "li"
        elif name == "vanish":
            self._hidden = _is_on(attributes)
        elif name in ("tab", "br", "cr", "noBreakHyphen") and self._begun:
            self._text("-" if name == "noBreakHyphen" else " ")
        elif name == "hyperlink":
            self._link(self._links.get(attributes.get("rel:id", ""), ""))
        elif name == "fldSimple" and (found := _TARGET.match(attributes.get("instr", ""))):
            self._link(found[1])
        elif name == "fldChar":
            self._field(attributes.get("fldCharType", ""))

    def end(self, name: str) -> None:
        if name in ("t", "instrText"):
            self._reads = ""
        elif name in ("hyperlink", "fldSimple"):
            self._markup.end_link()
        elif name == "p":
            self._end_paragraph()
        elif name in _TABLES:
            self._end_paragraph()
            self._markup.end()
            self._markup.skip_cells(self._covered if name == "tc" else 0)
            self._covered = 0

    def data(self, text: str) -> None:
        if self._reads == "t" and not self._hidden:
            self._text(text)
        elif self._reads == "instrText":
            self._code = (self._code + text)[:_LONGEST_CODE]

    def _begin_part(self, name: str) -> None:
        """A table, a row of it or a cell. A row says whether it is one of headings before its cells come."""
        self._in_head = self._in_head and name == "tc"
        self._markup.begin(_TAGS.get(name) or ("th" if self._in_head else "td"))

    def _field(self, place: str) -> None:
        """A field is its code, which may name a link, and then its result, which is shown."""
        if place == "begin":
            self._code = ""
        elif place == "separate" and (found := _TARGET.match(self._code)):
            self._link(found[1])
        elif place == "end":
            self._markup.end_link()

    def _link(self, href: str) -> None:
        if href:
            self._begin_paragraph()
            self._markup.link(href)

    def _text(self, text: str) -> None:
        self._begin_paragraph()
        self._markup.text(text)

    def _begin_paragraph(self) -> None:
        if not self._begun:
            self._markup.begin(self._tag or "p")
            self._begun = True

    def _end_paragraph(self) -> None:
        if self._begun:
            self._markup.end()
        self._begun, self._tag = False, ""


def _is_on(attributes: Mapping[str, str]) -> bool:
    """Whether a property that can be switched off is not."""
    return attributes.get("val", "") not in ("0", "false", "off")
