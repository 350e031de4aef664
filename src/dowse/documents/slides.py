"""Presentations (pptx): the text of the slides in their order, their titles as headings; no notes of speakers."""

from __future__ import annotations

from collections.abc import Mapping

from dowse.documents.growing_html import Markup
from dowse.documents.properties import read_properties
from dowse.documents.zip_parts import Parts, Relations, main_part

_SKIPPED = frozenset({"Fallback"})
_TITLES = ("title", "ctrTitle")
_CELLS = {"tbl": "table", "tr": "tr", "tc": "td"}


def read_pptx(body: bytes, markup: Markup) -> None:
    parts = Parts(body, markup)
    main = main_part(parts)
    read_properties(parts, "docProps/core.xml", markup)
    around, order = Relations(parts, main), _Order()
    parts.parse(main, order)
    for number in order.slides:
        if slide := around.parts.get(number, ""):
            parts.parse(slide, _Slide(markup, Relations(parts, slide).links), _SKIPPED)


class _Order:
    """The slides as they are shown."""

    def __init__(self) -> None:
        self.slides: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sldId":
            self.slides.append(attributes.get("rel:id", ""))

    def end(self, name: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


class _Slide:
    def __init__(self, markup: Markup, links: Mapping[str, str]) -> None:
        self._markup = markup
        self._links = links
        self._is_title = False
        self._in_text = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "t":
            self._in_text = True
        elif name == "sp":
            self._is_title = False
        elif name == "ph":
            self._is_title = attributes.get("type", "") in _TITLES
        elif name == "p":
            self._markup.begin("h2" if self._is_title else "p")
        elif name in _CELLS:
            self._markup.begin(_CELLS[name])
        elif name == "hlinkClick":
            self._markup.link(self._links.get(attributes.get("rel:id", ""), ""))
        elif name == "br":
            self._markup.text(" ")

    def end(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "r":
            self._markup.end_link()
        elif name == "p" or name in _CELLS:
            self._markup.end()

    def data(self, text: str) -> None:
        if self._in_text:
            self._markup.text(text)
