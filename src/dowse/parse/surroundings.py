"""Where on its page a link stands: the words around it, the heading above it, and its place in the markup.

Only for strategies that judge links by that: it adds a third to the time that reading a page takes.
"""

from __future__ import annotations

from msgspec import Struct
from turbohtml import Element, Node

from dowse.parse.links import LONGEST_TEXT, Anchor, Link, collapse, other_text
from dowse.parse.page import Page

REACH = 30
"""Characters on either side of a link that are its context."""

_LONGEST_HEADING = 120
_MOST_TEXT = 2_000_000
_HEADINGS = ("h1", "h2", "h3", "h4")


class Place(Struct, frozen=True, gc=False):
    """A link and its surroundings. `path` is the two tags above it, with the first class of each, closest first."""

    link: Link
    context: str
    heading: str
    path: str


def link_places(page: Page, *, with_headings: bool) -> list[Place]:
    """Every distinct link of a page where it stands first; a target that only nofollow links lead to is nofollow."""
    read = _Reader(_headings(page) if with_headings else {}).place
    found: dict[str, Place] = {}
    for anchor in page.anchors:
        known = found.get(anchor.url)
        if known is None:
            found[anchor.url] = read(anchor)
        elif (known.link.nofollow and not anchor.nofollow) or not known.link.text:
            again = read(anchor)
            link = Link(anchor.url, known.link.text or again.link.text, known.link.nofollow and anchor.nofollow)
            found[anchor.url] = Place(link, known.context or again.context, known.heading, known.path)
    return list(found.values())


class _Reader:
    """Reads the surroundings of one page's links; what links of one block share is read once."""

    def __init__(self, headings: dict[Element, str]) -> None:
        self._blocks: dict[Node | None, tuple[str, str]] = {}
        self._text_left = _MOST_TEXT  # blocks inside blocks each hold the text of the inner ones
        self._headings = headings

    def place(self, anchor: Anchor) -> Place:
        element = anchor.element
        if element is None:
            return Place(Link(anchor.url, "", anchor.nofollow), "", "", "")
        raw = element.text
        text = " ".join(raw.split()) if len(raw) <= LONGEST_TEXT else collapse(raw, LONGEST_TEXT)
        parent = element.parent
        around, path = self._blocks.get(parent) or self._block(parent)
        where = around.find(raw) if raw else -1
        context = _beside(around, where, where + len(raw)) if where >= 0 else ""
        link = Link(anchor.url, text or other_text(element, reads=True), anchor.nofollow)
        return Place(link, context, self._headings.get(element, ""), path)

    def _block(self, element: Node | None) -> tuple[str, str]:
        """The text of the element around a link and the way to it."""
        if not isinstance(element, Element):
            return "", ""
        text = element.text if self._text_left > 0 else ""
        self._text_left -= len(text)
        above = element.parent
        step = _step(element)
        path = f"{step}/{_step(above)}" if isinstance(above, Element) else step
        block = self._blocks[element] = (text, path)
        return block


def _step(element: Element) -> str:
    names = element.attr("class")
    return f"{element.tag}.{names.partition(' ')[0]}" if names else f"{element.tag}."


def _beside(text: str, start: int, end: int) -> str:
    """The words on either side of a part of a text; those that would be cut in two are left out."""
    before, after = text[max(0, start - REACH) : start], text[end : end + REACH]
    if start > REACH:
        before = before.partition(" ")[2]
    if len(text) > end + REACH:
        after = after.rpartition(" ")[0]
    return f"{before} {after}"


def heading_texts(page: Page) -> list[str]:
    """The headings of a page, level by level: they tell whether it is worth to look up which stands above a link."""
    return [collapse(element.text, _LONGEST_HEADING) for tag in _HEADINGS for element in page.tree.find_all(tag)]


def _headings(page: Page) -> dict[Element, str]:
    """For each link the last heading before it; this takes a walk through the whole page."""
    above: dict[Element, str] = {}
    heading = ""
    for element in page.tree.select("a[href], h1, h2, h3, h4"):
        if element.tag == "a":
            above[element] = heading
        else:
            heading = collapse(element.text, _LONGEST_HEADING)
    return above
