"""What a field takes of a match, by its type: text, number, date, url or html.

    match --content--> a text of the page --VALUES[type]--> the value

A text that is no such thing has no value: None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import regex
from turbohtml import Element

from dowse.extract.dates import read_date
from dowse.extract.numbers import read_number
from dowse.parse.page import Page
from dowse.parse.text import text_of, without

Value = str | int | float

# Where HTML keeps what an element stands for, if not between its tags, much as microdata has it.
_TEXT = {"meta": "content", "input": "value"}
_ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "text": _TEXT,
    "number": _TEXT | {"data": "value", "meter": "value", "progress": "value"},
    "date": _TEXT | {"time": "datetime", "ins": "datetime", "del": "datetime"},
    "url": _TEXT
    | dict.fromkeys(("a", "area", "base", "link"), "href")
    | dict.fromkeys(("audio", "embed", "frame", "iframe", "img", "script", "source", "track", "video"), "src")
    | {"form": "action", "object": "data", "blockquote": "cite", "q": "cite"},
    "html": {},
}
_LIKE_URL = regex.compile(r"\s*(?:https?:)?/|\s*[.?]", regex.IGNORECASE)


def content(element: Element, kind: str, excluded: frozenset[Element] = frozenset()) -> str:
    """The text of an element without the excluded parts, or the attribute that says what a field of this type holds."""
    if excluded and kind in ("html", "url"):
        return content(without(element, excluded), kind)
    if kind == "html":
        return element.html
    attribute = _ATTRIBUTES[kind].get(element.tag)
    value = element.attr(attribute) if attribute else None
    if value and not value.isspace():
        return value
    return _address(element) if kind == "url" else text_of(element, excluded)


def _address(element: Element) -> str:
    """The first link in an element, or its text if that looks like a URL."""
    link = element.select_one("a[href]")
    if link is not None:
        return link.attr("href") or ""
    text = text_of(element)
    return text if _LIKE_URL.match(text) else ""


def _text(text: str, page: Page) -> str | None:
    return " ".join(text.split())


def _html(text: str, page: Page) -> str | None:
    return text


def _number(text: str, page: Page) -> int | float | None:
    return read_number(text, page.language)


def _date(text: str, page: Page) -> str | None:
    return read_date(text, page.language, page.response.fetched_at)


def _url(text: str, page: Page) -> str | None:
    return page.base.join(text.strip())


VALUES: Mapping[str, Callable[[str, Page], Value | None]] = {
    "text": _text,
    "number": _number,
    "date": _date,
    "url": _url,
    "html": _html,
}
TYPES = tuple(VALUES)
