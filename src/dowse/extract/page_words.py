"""The words of a page and how often it has each: what its keywords are found from once all pages are known."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from functools import cache

from turbohtml import Element, Text

from dowse.core.page_keywords import PageWords
from dowse.core.record import WORDS, Record
from dowse.parse.page import Page
from dowse.score.language import words_of
from dowse.score.stop_words import CODES, STOP_WORDS

MOST_WORDS = 500
"""Different words that are kept of a page, those that it has most often."""

LONGEST_TEXT = 1_000_000
LONGEST_WORD = 50
_SHORTEST = 3
_FIRST_IDEOGRAPH = "\u2e80"
"""From here on a word of one or two characters says something."""


class WordExtractor:
    """Makes one record of the words of a page, but for numbers and words that say nothing."""

    kinds = (WORDS,)

    def extract(self, page: Page) -> list[Record]:
        silent = silent_words(page.language.lower().partition("-")[0])
        counts = Counter(
            word
            for word in words_of(f"{page.title}\n{_text_of(page)[:LONGEST_TEXT]}")
            if (len(word) >= _SHORTEST or word[0] >= _FIRST_IDEOGRAPH)
            and len(word) <= LONGEST_WORD
            and word not in silent
            and not word.isdecimal()
        )
        if not counts:
            return []
        words, numbers = zip(*counts.most_common(MOST_WORDS), strict=True)
        kept = PageWords(list(words), list(numbers))
        return [Record(WORDS, "", {"words": kept.words, "counts": kept.counts})]


def _text_of(page: Page) -> str:
    """The text of a page, with a space between two links that have nothing between them.

    Menus are often written so. Style sheets set such links apart, which the text of the page knows nothing of: their
    words would be one.
    """
    if not page.is_html or not any(map(_touches_next, page.tree.iter_elements("a"))):
        return page.text
    tree = deepcopy(page.tree)  # the page's own is for others, too
    for link in [link for link in tree.iter_elements("a") if _touches_next(link)]:
        link.insert_after(Text(" "))
    return tree.to_text()


def _touches_next(link: Element) -> bool:
    following = link.next_sibling
    return isinstance(following, Element) and following.tag == "a"


@cache
def silent_words(code: str) -> frozenset[str]:
    """The words that say nothing in a language; in any of them, if it is not known."""
    languages = [CODES[code]] if code in CODES else list(STOP_WORDS)
    return frozenset(word for name in languages for word in STOP_WORDS[name].split())
