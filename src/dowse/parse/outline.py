"""What a page says, and where its links stand in it: the words around each, the heading above it, its place in the
markup.

For strategies that judge pages and links by that. Mostly it is gathered by the scan of the page's tags (`_outline.c`),
which takes a tenth of the time that a walk through the tree does. Where tags are wrongly nested the two may differ.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from turbohtml import Document, Element, Node, Text

from dowse.parse.links import (
    LONGEST_TEXT,
    Anchor,
    Link,
    Links,
    Source,
    collapse,
    find_anchors,
    other_text,
    parted_links,
)
from dowse.parse.scan import ScannedOutline
from dowse.parse.text import text_of

REACH = 30
"""Characters on either side of a link that are its context."""

_MOST_NODES = 200_000
"""Steps of a walk through a tree; links beyond have no surroundings."""

_LONGEST_HEADING = 120
_MOST_HEADINGS = 40
_LONGEST_STEP = 40
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_UNSEEN = frozenset({"script", "style", "template", "textarea", "title", "iframe", "xmp", "noembed", "noframes"})
_WITHIN_LINES = frozenset({
    "a", "abbr", "acronym", "b", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "nobr", "q",
    "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var",
})  # fmt: skip
"""Elements whose ends are no gap between words."""


class Place(Struct, frozen=True, gc=False):
    """A link and its surroundings. `path` is the two tags above it, with the first class of each, closest first."""

    link: Link
    context: str
    heading: str
    path: str


class Outline(NamedTuple):
    """The text of a page in one line, how many characters of it are in links, the places of these, and its first
    headings."""

    text: str
    linked: int
    places: list[Place]
    headings: list[str] = []  # noqa: RUF012


def outline_of_scan(scanned: ScannedOutline, links: Links) -> Outline:
    """What was gathered while the tags were read; `links` are those of that scan."""
    text, linked, around, headings = scanned
    places = [Place(link, *around[number]) for link, number in zip(links.found, links.first, strict=False)]
    places += [Place(link, "", "", "") for link in links.found[len(places) :]]  # areas and frames
    return Outline(text, linked, places, headings)


def outline_of_tree(tree: Document, source: Source) -> Outline:
    """The same by a walk through the tree. A link is told where it stands first; it is nofollow if all to its target
    are."""
    walk = _Walk()
    body = tree.find("body")
    if body is not None:
        walk.through(body)
    text = "".join(walk.text)
    parted = parted_links(tree)
    found: dict[str, Place] = {}
    for anchor in find_anchors(tree, source):
        known = found.get(anchor.url)
        if known is None or not known.link.text or (known.link.nofollow and not anchor.nofollow):
            place = _place(anchor, text, walk, parted)
            found[anchor.url] = place if known is None else _both(known, place)
    return Outline(text.rstrip(), walk.linked, list(found.values()), walk.headings(text))


def _place(anchor: Anchor, text: str, walk: _Walk, parted: AbstractSet[Element]) -> Place:
    element = anchor.element
    if element is None:
        return Place(Link(anchor.url, "", anchor.nofollow, "meta"), "", "", "")
    spot = walk.spots.get(element)
    words = text_of(element) if element in parted else element.text if spot is not None else ""
    words = collapse(words, LONGEST_TEXT)
    link = Link(anchor.url, words or other_text(element, reads=True), anchor.nofollow, element.tag)
    return Place(link, *spot.surroundings(text)) if spot is not None else Place(link, "", "", "")


def _both(first: Place, again: Place) -> Place:
    link = replace(
        first.link, text=first.link.text or again.link.text, nofollow=first.link.nofollow and again.link.nofollow
    )
    return replace(first, link=link)


class _Span:
    """The part of a text that an element is."""

    def __init__(self, start: int) -> None:
        self.start = self.end = start


class _Spot(_Span):
    """A link: the part of the text that it is, and what is around."""

    def __init__(self, start: int, around: _Span, heading: _Span | None, path: str, *, leads_away: bool) -> None:
        super().__init__(start)
        self.leads_away = leads_away
        self._around = around
        self._heading = heading
        self._path = path

    def surroundings(self, text: str) -> tuple[str, str, str]:
        """Its context, the heading above it and its path."""
        heading = _heading_text(self._heading, text) if self._heading is not None else ""
        return self._context(text), heading, self._path

    def _context(self, text: str) -> str:
        """The words on either side of it; those that would be cut in two are left out."""
        around = self._around
        before = text[max(around.start, self.start - REACH) : self.start]
        after = text[self.end : max(self.end, min(around.end, self.end + REACH))]
        if self.start - REACH > around.start:
            before = before.partition(" ")[2]
        if self.end + REACH < around.end:
            after = after.rpartition(" ")[0]
        return f"{before} {after}"


def _heading_text(span: _Span, text: str) -> str:
    return text[span.start : span.end][:_LONGEST_HEADING].rstrip()


class _Walk:
    """Goes through a tree and gathers its text, white space as one space, and where links are in it."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.spots: dict[Element, _Spot] = {}
        self.linked = 0
        self._headings: list[_Span] = []
        self._length = 0
        self._ends_in_gap = True

    def through(self, root: Element) -> None:
        whole = _Span(0)
        left = _MOST_NODES
        waiting: list[tuple[Node, _Span, bool]] = [(child, whole, False) for child in reversed(root.children)]
        while waiting and left:
            left -= 1
            node, span, is_ending = waiting.pop()
            if isinstance(node, Text):
                self._add(node.text)
            elif isinstance(node, Element):
                if node.tag not in _WITHIN_LINES:
                    self._add(" ")
                if is_ending:
                    self._end(span)
                elif node.tag not in _UNSEEN:
                    own = self._begin(node, span)
                    waiting.append((node, own, True))
                    waiting += [(child, own, False) for child in reversed(node.children)]
        whole.end = self._length

    def _begin(self, element: Element, around: _Span) -> _Span:
        """The span of an element within that of another."""
        href = element.attr("href") if element.tag == "a" else None
        if href is not None:
            heading = self._headings[-1] if self._headings else None
            spot = _Spot(self._length, around, heading, _path(element.parent), leads_away=href[:1] != "#")
            self.spots[element] = spot
            return spot
        span = _Span(self._length)
        if element.tag in _HEADINGS:
            self._headings.append(span)
        return span

    def headings(self, text: str) -> list[str]:
        """The first headings, in their order; `text` is all of it."""
        return [_heading_text(span, text) for span in self._headings[:_MOST_HEADINGS]]

    def _end(self, span: _Span) -> None:
        span.end = self._length
        if isinstance(span, _Spot) and span.leads_away:
            self.linked += span.end - span.start

    def _add(self, written: str) -> None:
        words = " ".join(written.split())
        before = " " if written[:1].isspace() and not self._ends_in_gap else ""
        after = " " if words and written[-1:].isspace() else ""
        if added := before + words + after:
            self.text.append(added)
            self._length += len(added)
            self._ends_in_gap = added[-1] == " "


def _path(element: Node | None) -> str:
    if not isinstance(element, Element):
        return ""
    above = element.parent
    return f"{_step(element)}/{_step(above)}" if isinstance(above, Element) else _step(element)


def _step(element: Element) -> str:
    names = (element.attr("class") or "").split(maxsplit=1)
    return f"{element.tag[:_LONGEST_STEP]}.{names[0][:_LONGEST_STEP] if names else ''}"
