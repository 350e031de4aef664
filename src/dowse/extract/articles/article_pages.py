"""Whether a page may be one of several that are one article, and which.

It has links to other pages of its kind, and it is no list: the pages of a list have the same title, too, but what they
say is about pages that they link to.
"""

from __future__ import annotations

import re
from typing import Any

from turbohtml import Element, Node

from dowse.parse.page import Page
from dowse.parse.pagination.pagination import Pagination
from dowse.parse.pagination.paging_words import LISTS

MOST_LINKED_HEADINGS = 1
MOST_LINKED_BLOCKS = 2
LINKED_SHARE = 0.1
"""A page is a list if it has more headings than this that lead elsewhere, or more blocks that are links with more than
this share of its letters."""

MOST_ASKED = 300
"""Links of a page that are compared with the blocks they stand in."""

_HEADINGS = ", ".join(f"{heading} a[href], a[href] {heading}" for heading in ("h1", "h2", "h3", "h4"))
_BLOCK = "li, p, td, th, dt, dd, div, h1, h2, h3, h4, h5, h6"
_LEVELS = 3
_BEGINNING = 30
NEAR_ENDS = 6
_LONGEST_PAGER = 200
_SHORTEST = 8
_NO_LETTERS = re.compile(r"[\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,200}\)")
_PAGE_WORDS = frozenset(LISTS["page"]) | {"of", "von", "de", "di", "sur", "van", "av", "z"}


def part_of_article(page: Page, text: str) -> dict[str, Any] | None:
    """What the pages of an article say of each other, see core/joined_articles.py; None if this is none of several.

    `text` is what the page says, as plain text or as Markdown.
    """
    paging = page.paging
    own = {link.url: link for link in paging.own if link.url != page.url}
    if not own or not text or _is_list(page, text, frozenset(own)):
        return None
    known = {
        "page": paging.current,
        "last": paging.last_number,
        "next": _neighbour(paging, 1),
        "previous": _neighbour(paging, -1),
    }
    return {**{name: value for name, value in known.items() if value}, "about": _about(page)}


def without_pager(text: str, paging: Pagination, between: str) -> str:
    """A text without the blocks near its ends that are nothing but paging links, or say which page it is."""
    words = _PAGE_WORDS.union(*(_WORD.findall(link.text.lower()) for link in paging.links))
    blocks = text.split(between)
    middle = range(NEAR_ENDS, len(blocks) - NEAR_ENDS)
    return between.join([block for at, block in enumerate(blocks) if at in middle or not _is_pager(block, words)])


def _is_pager(block: str, words: frozenset[str]) -> bool:
    said = _LINK.sub(r"\1", block).lower()
    is_said = len(said) < _LONGEST_PAGER and any(map(str.isalnum, said))
    return not said.strip() or (is_said and words.issuperset(_WORD.findall(said)))


def _neighbour(paging: Pagination, step: int) -> str:
    link = paging.next if step > 0 else paging.previous
    return link.url if link is not None and link.is_own else ""


def _about(page: Page) -> str:
    """What a page is about: its title and its first heading, without what says which page it is."""
    heading = page.tree.select_one("h1")
    return " | ".join(_topic(text) for text in (page.title, heading.text if heading is not None else ""))


def _topic(text: str) -> str:
    return " ".join(word for word in _WORD.findall(text.lower()) if word not in _PAGE_WORDS)


def _is_list(page: Page, text: str, own: frozenset[str]) -> bool:
    letters = _letters(text)
    headings = {
        url
        for heading in page.tree.select(_HEADINGS)
        if (url := _elsewhere(page, heading.closest("a"), own))
        and (_is_said(heading, letters) or _heads(heading, letters))
    }
    if len(headings) > MOST_LINKED_HEADINGS:
        return True
    linked: dict[str, int] = {}
    for anchor in [each for each in page.tree.select("a[href]") if _is_said(each, letters)][:MOST_ASKED]:
        block = anchor.closest(_BLOCK)
        if block is not None and _letters(block.text) == (said := _letters(anchor.text)):
            linked[_elsewhere(page, anchor, own)] = len(said)
    linked.pop("", None)
    return len(linked) > MOST_LINKED_BLOCKS and sum(linked.values()) > LINKED_SHARE * len(letters)


def _elsewhere(page: Page, anchor: Element | None, own: frozenset[str]) -> str:
    """Where an anchor leads, if that is not the article itself."""
    url = page.base.join((anchor.attr("href") or "") if anchor is not None else "") or ""
    url = url.partition("#")[0]
    return "" if url in own or url == page.url else url


def _heads(heading: Element, letters: str) -> bool:
    """Whether what follows a heading is said, though the heading itself was left out of the text."""
    node: Node | None = heading
    for _ in range(_LEVELS):
        if node is None:
            break
        for sibling in node.next_siblings:
            said = _letters(sibling.text)
            if len(said) >= _SHORTEST:
                return said[:_BEGINNING] in letters
        node = node.parent
    return False


def _is_said(element: Element, letters: str) -> bool:
    said = _letters(element.text)
    return len(said) >= _SHORTEST and said in letters


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text.lower())
