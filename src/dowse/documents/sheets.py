"""Workbooks (xlsx): each sheet that is shown is a heading and a table, with the links of its cells below it.

Numbers are as they are stored; how a cell shows them (a date, a currency) is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dowse.documents.growing_html import Markup
from dowse.documents.properties import read_properties
from dowse.documents.zip_parts import Parts, Relations, main_part

_TARGET = re.compile(r'HYPERLINK\("([^"]+)"', re.IGNORECASE)
_COLUMN = re.compile(r"[A-Z]{1,3}")
_PHONETIC = frozenset({"rPh"})


def read_xlsx(body: bytes, markup: Markup) -> None:
    parts = Parts(body, markup)
    main = main_part(parts)
    read_properties(parts, "docProps/core.xml", markup)
    around, book, texts = Relations(parts, main), _Book(), _Texts()
    parts.parse(main, book)
    parts.parse(around.kinds.get("sharedStrings", ""), texts, _PHONETIC)
    for name, number in book.sheets:
        sheet = around.parts.get(number, "")
        if not parts.has(sheet):
            continue
        markup.block("h2", name)
        cells = _Sheet(markup, texts.found, Relations(parts, sheet).links)
        markup.begin("table")
        parts.parse(sheet, cells, _PHONETIC)
        markup.end()
        cells.write_links()


class _Book:
    """The sheets, by their names and relations."""

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet" and attributes.get("state", "visible") == "visible":
            self.sheets.append((attributes.get("name", ""), attributes.get("rel:id", "")))

    def end(self, name: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


class _Texts:
    """The texts that cells refer to by their numbers."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._pieces: list[str] = []
        self._in_text = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._in_text = name == "t"

    def end(self, name: str) -> None:
        self._in_text = False
        if name == "si":
            self.found.append("".join(self._pieces))
            self._pieces = []

    def data(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)


class _Sheet:
    def __init__(self, markup: Markup, texts: list[str], links: Mapping[str, str]) -> None:
        self._markup = markup
        self._texts = texts
        self._links = links
        self._place = self._kind = self._reads = self._value = self._formula = ""
        self._column = 0
        self._shown: dict[str, str] = {}
        self._linked: list[tuple[str, str]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            self._markup.begin("tr")
            self._column = 0
        elif name == "c":
            self._place, self._kind = attributes.get("r", ""), attributes.get("t", "n")
            self._go_to(self._place)
            self._value = self._formula = ""
        elif name in ("v", "t", "f"):
            self._reads = name
        elif name == "hyperlink" and (href := self._links.get(attributes.get("rel:id", ""))):
            self._linked.append((href, attributes.get("ref", "").partition(":")[0]))

    def end(self, name: str) -> None:
        if name in ("v", "t", "f"):
            self._reads = ""
        elif name == "c":
            self._cell()
        elif name == "row":
            self._markup.end()

    def data(self, text: str) -> None:
        if self._reads == "f":
            self._formula += text
        elif self._reads:
            self._value += text

    def write_links(self) -> None:
        """The links of cells, which a sheet lists at its end."""
        for href, place in self._linked:
            self._markup.begin("li")
            self._markup.link(href)
            self._markup.text(self._shown.get(place) or href)
            self._markup.end()

    def _go_to(self, place: str) -> None:
        """Cells that are empty are left out of a sheet, so one says where it is."""
        column = _number(found[0]) if (found := _COLUMN.match(place)) else self._column + 1
        self._markup.skip_cells(max(0, column - self._column - 1))
        self._column = column

    def _cell(self) -> None:
        value = self._value
        if self._kind == "s":
            number = int(value) if value.isdecimal() and len(value) < 10 else -1
            value = self._texts[number] if 0 <= number < len(self._texts) else ""
        self._markup.begin("td")
        if found := _TARGET.search(self._formula):
            self._markup.link(found[1])
        if value:
            self._markup.text(value)
            if self._kind != "n":
                self._shown[self._place] = value
        self._markup.end()


def _number(column: str) -> int:
    """The number of a column, from 1.

    >>> _number("A"), _number("AB")
    (1, 28)
    """
    number = 0
    for letter in column:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
