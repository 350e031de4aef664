"""The links of a page with the way through its markup to each: tags with their ids and classes, from the body down.

Only for strategies that group links by that. With the links go the files that a page shows inside of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from turbohtml import Element

from dowse.parse.links import LONGEST_TEXT, Anchor, Link, collapse, other_text, parted_links
from dowse.parse.page import Page
from dowse.parse.text import text_of

_MOST_STEPS = 40
_MOST_CLASSES = 3
_DIGITS = re.compile(r"\d+")
_NESTED_TEXT = 2_000_000

_EMBEDDED = {
    "image": (("img[src]", "src"), ("video[poster]", "poster"), ('link[rel~="icon" i]', "href")),
    "audio": (("audio[src]", "src"), ("audio source[src]", "src")),
    "video": (("video[src]", "src"), ("video source[src]", "src")),
}
_ANY = (("embed[src]", "src"), ("object[data]", "data"))


class Placed(NamedTuple):
    """A link and the tags from the body of its page to it: main#content>table.files>tr>td>a."""

    link: Link
    path: str


def placed_links(page: Page, shown_inside: Iterable[str] = ()) -> list[Placed]:
    """Every distinct link of a page, where it stands first; then the files it shows, of these families."""
    paths = _Paths()
    found: dict[str, Placed] = {}
    parted = parted_links(page.tree)
    text_left = _NESTED_TEXT  # links inside links each hold the text of the inner ones
    for anchor in [*page.anchors, *_embedded(page, shown_inside)]:
        known = found.get(anchor.url)
        if known is not None and known.link.text and not (known.link.nofollow and not anchor.nofollow):
            continue
        text = ""
        if anchor.element is not None and text_left > 0:
            raw = text_of(anchor.element) if parted and anchor.element in parted else anchor.element.text
            text_left -= len(raw)
            text = collapse(raw, LONGEST_TEXT) or other_text(anchor.element, reads=True)
        if known is None:
            found[anchor.url] = Placed(Link(anchor.url, text, anchor.nofollow), paths.of(anchor.element))
        else:
            link = Link(anchor.url, known.link.text or text, known.link.nofollow and anchor.nofollow)
            found[anchor.url] = Placed(link, known.path)
    return list(found.values())


def _embedded(page: Page, families: Iterable[str]) -> Iterator[Anchor]:
    rows = [row for family in families for row in _EMBEDDED[family]]
    for selector, attribute in (*rows, *_ANY):
        for element in page.tree.select(selector):
            url = page.base.join(element.attr(attribute) or "")
            if url and url != page.url:
                yield Anchor(url, element)


class _Paths:
    """The ways to elements of one page; what elements of one block share is read once."""

    def __init__(self) -> None:
        self._known: dict[Element, tuple[str, int]] = {}

    def of(self, element: Element | None) -> str:
        return self._path(element)[0] if element is not None else ""

    def _path(self, element: Element) -> tuple[str, int]:
        way: list[Element] = []
        above: tuple[str, int] = ("", 0)
        at: object = element
        while isinstance(at, Element) and at.tag not in ("body", "html"):
            if (known := self._known.get(at)) is not None:
                above = known
                break
            way.append(at)
            at = at.parent
        for each in reversed(way):
            path, steps = above
            if steps < _MOST_STEPS:
                above = (f"{path}>{_step(each)}" if path else _step(each), steps + 1)
            self._known[each] = above
        return above


def _step(element: Element) -> str:
    return _named(element.tag, element.attr("id") or "", element.attr("class") or "")


@lru_cache(maxsize=8192)
def _named(tag: str, identifier: str, classes: str) -> str:
    """One tag with its id and classes. Numbers in them differ from page to page and say nothing."""
    words = [f"#{identifier[:40]}"] if identifier else []
    words += [f".{word[:40]}" for word in classes.split()[:_MOST_CLASSES]]
    return tag + _DIGITS.sub("0", "".join(words)) if words else tag
