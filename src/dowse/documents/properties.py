"""What office files and e-books say of themselves: title, author, language, date and description (Dublin Core)."""

from __future__ import annotations

from collections.abc import Mapping

from dowse.documents.growing_html import Markup
from dowse.documents.zip_parts import Parts

_FACTS = {
    "title": "title",
    "creator": "author",
    "initial-creator": "author",
    "language": "language",
    "created": "date",
    "creation-date": "date",
    "date": "date",
    "description": "description",
}


class _Properties:
    """Takes the texts of elements that are facts."""

    def __init__(self, markup: Markup) -> None:
        self._markup = markup
        self._fact = ""
        self._text = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._fact, self._text = _FACTS.get(name, ""), ""

    def end(self, name: str) -> None:
        if self._fact:
            self._markup.note_fact(self._fact, self._text)
        self._fact = ""

    def data(self, text: str) -> None:
        if self._fact and len(self._text) < 10_000:
            self._text += text


def read_properties(parts: Parts, name: str, markup: Markup) -> None:
    """Note what the part of that name says of the document."""
    parts.parse(name, _Properties(markup))
