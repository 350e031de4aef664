"""Where on its page a link stands: the words around it, the heading above it, and its place in the markup.

Only for strategies that judge links by that: it adds a third to the time that reading a page takes.
"""

from __future__ import annotations

from typing import NamedTuple

from turbohtml import Element, Node

from dowse.parse.links import LONGEST_TEXT, Anchor, Link, collapse, other_text
from dowse.parse.page import Page

REACH = 60
"""Characters on either side of a link that are its context."""

_LONGEST_HEADING = 120
_MOST_TEXT = 2_000_000
_HEADINGS = ("h1", "h2", "h3", "h4")


class Place(NamedTuple):
    """A link and its surroundings. `path` is the two tags above it, with the first class of each, closest first."""

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
        self._blocks: dict[Node | None, tuple[str, str]] = {}
        self._steps: dict[Element, str] = {}
        self._text_left = _MOST_TEXT  # blocks inside blocks each hold the text of the inner ones
        self._headings = _headings(page)

    def place(self, anchor: Anchor) -> Place:
        element = anchor.element
        if element is None:
            return Place(Link(anchor.url, "", anchor.nofollow), "", "", "")
        raw = element.text
        text = " ".join(raw.split()) if len(raw) <= LONGEST_TEXT else collapse(raw, LONGEST_TEXT)
        parent = element.parent
        around, path = self._blocks.get(parent) or self._block(parent)
        where = around.find(raw) if raw else -1
        context = ""
        if where >= 0:
            end = where + len(raw)
            context = f"{around[max(0, where - REACH) : where]} {around[end : end + REACH]}"
        link = Link(anchor.url, text or other_text(element, reads=True), anchor.nofollow)
        return Place(link, context, self._headings.get(element, ""), path)

    def _block(self, element: Node | None) -> tuple[str, str]:
        """The text of the element around a link and the way to it."""
        if not isinstance(element, Element):
            return "", ""
        text = element.text if self._text_left > 0 else ""
        self._text_left -= len(text)
        block = self._blocks[element] = (text, self._path(element))
        return block

    def _path(self, element: Element) -> str:
        above = element.parent
        step = self._step(element)
        return f"{step}/{self._step(above)}" if isinstance(above, Element) else step

    def _step(self, element: Element) -> str:
        step = self._steps.get(element)
        if step is None:
            step = self._steps[element] = f"{element.tag}.{(element.attr('class') or '').partition(' ')[0]}"
        return step


def _headings(page: Page) -> dict[Element, str]:
    """For each link the last heading before it."""
    above: dict[Element, str] = {}
    if not any(map(page.tree.find_all, _HEADINGS)):  # asked tag by tag, this takes no walk through the page
        return above
    heading = ""
    for element in page.tree.select("a[href], h1, h2, h3, h4"):
        if element.tag == "a":
            above[element] = heading
        else:
            heading = collapse(element.text, _LONGEST_HEADING)
    return above
