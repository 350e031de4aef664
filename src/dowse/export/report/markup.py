"""Elements of an HTML page as a tree, so that every text in it is escaped by the writer and none can be forgotten.

Texts come from strangers. They become text nodes and attribute values, never markup; an address becomes a link only
if it is http or https.
"""

from __future__ import annotations

from typing import TextIO
from xml.etree.ElementTree import Element, ElementTree

from dowse.core.phrasing import printable, shortened

LONGEST_URL = 2000
LONGEST_TEXT = 600
"""A page's title may be megabytes; the report has no text of its own that is longer than this."""


def element(tag: str, attributes: dict[str, object] | None = None, *children: Element | str | None) -> Element:
    """An element with its children; texts and attributes are cut and cleaned, None is left out."""
    made = Element(tag, {name: _attribute(value) for name, value in (attributes or {}).items()})
    last: Element | None = None
    for child in children:
        if child is None:
            continue
        if isinstance(child, str):
            text = printable(shortened(child, LONGEST_TEXT))
            if last is None:
                made.text = (made.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        else:
            made.append(child)
            last = child
    return made


def link(url: str, text: str = "", width: int = 90) -> Element:
    """An address the reader may follow, without telling it where they come from; others than http are only shown."""
    shown = shortened(text or url, width)
    if not url.startswith(("http://", "https://")) or len(url) > LONGEST_URL:
        return element("span", {"class": "url", "title": url}, shown)
    return element("a", {"href": url, "rel": "noopener noreferrer nofollow", "title": url}, shown)


def number(value: float) -> str:
    """1,234,567"""
    return f"{value:,.0f}"


def write_document(root: Element, stream: TextIO) -> None:
    """The page as HTML; elements without content are written as HTML wants them."""
    stream.write("<!doctype html>\n")
    ElementTree(root).write(stream, encoding="unicode", method="html")
    stream.write("\n")


def _attribute(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else printable(str(value)[:LONGEST_URL])
