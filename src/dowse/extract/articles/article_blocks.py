"""Where an article begins and ends in the content of a page, and what in it is not the article: trafilatura tells.

It knows what news sites and blogs put around and into their texts, and returns the text alone. So the blocks of the
content are looked up in that text. What is before the first that is found, and behind the last, goes, but for the
title; in between goes what is mostly links. Headings, tables and code in between stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml import Document, Element

_SAYS_SO = (
    'meta[property="og:type"][content="article"],meta[property^="article:"],.hentry,.h-entry,[itemtype$="BlogPosting"],'
    '[itemtype$="NewsArticle"]'
)
_NAMED_SO = "article,.article,.post,.entry,.story,.artikel,body.single,body.single-post"
_OF_MANUALS = "pre,dl"
_TYPED = re.compile(r'"@type"\s*:\s*"(?:[A-Za-z]*Article|BlogPosting|Report)"')
_BLOCKS = "p,li,h1,h2,h3,h4,h5,h6,pre,td,div,section,dd"
_HEADING = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_WORD = re.compile(r"\w+")
_LEAST_FOUND = 0.3
_SHORT = 30
_BEGINNING = 60


def is_article(tree: Document) -> bool:
    """Whether a page says that it is one: to those it is shared with, to search engines, to readers of feeds.

    Or in the names of its parts, where it has nothing that only manuals have.
    """
    if tree.select_one(_SAYS_SO) is not None:
        return True
    if tree.select_one(_NAMED_SO) is not None and tree.select_one(_OF_MANUALS) is None:
        return True
    return any(_TYPED.search(script.text) for script in tree.select('script[type="application/ld+json"]'))


def keep_article(region: Element, text: str) -> None:
    """Take out of a page's content what is not in the text of its article."""
    wanted = _normal(text)
    lines = frozenset(_normal(cell) for line in text.splitlines() for cell in (line, *line.split("|")))
    blocks = [(block, _normal(block.text)) for block in _leaves(region)]
    blocks = [(block, letters) for block, letters in blocks if letters]
    found = [number for number, (_, letters) in enumerate(blocks) if _is_in(letters, wanted, lines)]
    if sum(len(blocks[number][1]) for number in found) < _LEAST_FOUND * len(wanted):
        return  # they do not speak of the same text
    first, last = found[0], found[-1]
    kept = set(found)
    for number, (block, _) in enumerate(blocks):
        if number not in kept and not (number < first and block.tag == "h1"):
            is_outside = number < first or number > last
            if is_outside or not (_stays(block) or _heads(number, blocks, kept)):
                block.decompose()


def _stays(block: Element) -> bool:
    """Whether a part in the middle of an article that trafilatura left out is content all the same."""
    return block.closest("pre,table,dl,figure,blockquote") is not None


def _heads(number: int, blocks: list[tuple[Element, str]], kept: set[int]) -> bool:
    """Whether it is the heading of something that stays."""
    if blocks[number][0].tag not in _HEADING:
        return False
    below = next((n for n in range(number + 1, len(blocks)) if blocks[n][0].tag not in _HEADING), number)
    return below in kept or _stays(blocks[below][0])


def _leaves(element: Element) -> Iterator[Element]:
    """The parts of a text that have no others in them, in their order: paragraphs, and what stands beside such."""
    waiting = [element]
    while waiting:
        part = waiting.pop()
        if part.tag == "pre" or part.select_one(_BLOCKS) is None:
            yield part
        else:
            waiting += [child for child in reversed(list(part.children)) if isinstance(child, Element)]


def _is_in(letters: str, wanted: str, lines: frozenset[str]) -> bool:
    """A short block has to be a line of its own, for a word comes in a text by chance."""
    return letters in lines if len(letters) < _SHORT else letters[:_BEGINNING] in wanted


def _normal(text: str) -> str:
    """Its letters alone, for line breaks and marks are written in several ways."""
    return "".join(_WORD.findall(text.lower()))
