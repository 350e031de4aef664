"""The words that tell a page from the others of a crawl, by the usual weights: tf-idf.

    weight = (1 + ln n) * ln(N / d)      a word that the page has n times, and d of N pages have

So a word of the menu, which all pages have, weighs nothing. The weights change while a crawl grows; they are worked out
when the pages are read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct


class PageWords(Struct, frozen=True):
    """The words of one page, and how often it has each; as they are kept in a record."""

    words: list[str]
    counts: list[int]


class KeywordWeights(NamedTuple):
    """How many pages there are, and how many of them have a word."""

    pages: int
    having: Counter[str]

    def best(self, page: PageWords, number: int) -> list[str]:
        """The words of a page that weigh most, the heaviest first; of equal ones those that it has more often.

        >>> first, second = PageWords(["menu", "apple", "pear"], [3, 2, 1]), PageWords(["menu", "plum"], [3, 1])
        >>> weigh([first, second]).best(first, 5)
        ['apple', 'pear']
        """
        found = []
        for word, count in zip(page.words, page.counts, strict=True):
            weight = (1 + math.log(count)) * math.log(self.pages / self.having[word]) if self.having[word] else 0.0
            if weight > 0 or self.pages == 1:  # the words of an only page all weigh the same
                found.append((-weight, -count, word))
        return [word for _, _, word in sorted(found)[:number]]


def weigh(pages: Iterable[PageWords]) -> KeywordWeights:
    """The weights of the words of a crawl."""
    number, having = 0, Counter[str]()
    for page in pages:
        number += 1
        having.update(page.words)
    return KeywordWeights(number, having)
