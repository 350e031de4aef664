"""Where on its page a link stands: the words around it, the heading above it, and its place in the markup.

Only for strategies that judge links by that: it adds a third to the time that reading a page takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turbohtml import Element

from dowse.parse.links import LONGEST_TEXT, Anchor, Link, collapse, other_text
from dowse.parse.page import Page

REACH = 60
"""Characters on either side of a link that are its context."""

_LONGEST_HEADING = 120
_PATH_LENGTH = 2
_MOST_TEXT = 2_000_000
_HEADINGS = ("h1", "h2", "h3", "h4")


class Place(NamedTuple):
    """A link and its surroundings. `path` is the tags above it, with the first class of each, closest first."""

    link: Link
    context: str
    heading: str
    path: str


def link_places(page: Page) -> list[Place]:
    """Every distinct link of a page where it stands first; a target that only nofollow links lead to is nofollow."""
    reader = _Reader(page)
    found: dict[str, Place] = {}
    for anchor in page.anchors:
        known = found.get(anchor.url)
        if known is None:
            found[anchor.url] = reader.place(anchor)
        elif (known.link.nofollow and not anchor.nofollow) or not known.link.text:
            again = reader.place(anchor)
            link = Link(anchor.url, known.link.text or again.link.text, known.link.nofollow and anchor.nofollow)
            found[anchor.url] = Place(link, known.context or again.context, known.heading, known.path)
    return list(found.values())


class _Reader:
    """Reads the surroundings of one page's links; what links of one block share is read once."""

    def __init__(self, page: Page) -> None:
        self._blocks: dict[Element, tuple[str, str]] = {}
        self._text_left = _MOST_TEXT  # blocks inside blocks each hold the text of the inner ones
        self._headings = dict(_headings(page))

    def place(self, anchor: Anchor) -> Place:
        element = anchor.element
        if element is None:
            return Place(Link(anchor.url, "", anchor.nofollow), "", "", "")
        raw = element.text
        text = collapse(raw, LONGEST_TEXT) or other_text(element, reads=True)
        around, path = self._block(element)
        where = around.find(raw) if raw else -1
        context = ""
        if where >= 0:
            end = where + len(raw)
            context = f"{around[max(0, where - REACH) : where]} {around[end : end + REACH]}"
        return Place(Link(anchor.url, text, anchor.nofollow), context, self._headings.get(element, ""), path)

    def _block(self, element: Element) -> tuple[str, str]:
        """The text of the element around a link and the way to it."""
        parent = element.parent
        if not isinstance(parent, Element):
            return "", ""
        known = self._blocks.get(parent)
        if known is None:
            text = parent.text if self._text_left > 0 else ""
            self._text_left -= len(text)
            known = self._blocks[parent] = (text, "/".join(_path(parent)))
        return known


def _path(element: Element) -> Iterator[str]:
    for _ in range(_PATH_LENGTH):
        yield f"{element.tag}.{(element.attr('class') or '').partition(' ')[0]}"
        parent = element.parent
        if not isinstance(parent, Element):
            return
        element = parent


def _headings(page: Page) -> Iterator[tuple[Element, str]]:
    """For each link the last heading before it."""
    heading = ""
    for element in page.tree.select("a[href], h1, h2, h3, h4"):
        if element.tag in _HEADINGS:
            heading = collapse(element.text, _LONGEST_HEADING)
        elif heading:
            yield element, heading
