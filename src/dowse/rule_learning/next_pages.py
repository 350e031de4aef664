"""Pages to explore next: pages with URLs like those that hold an example, and lists that examples link back to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest
from math import log

from dowse.rule_learning.explored_pages import SeenPage

_WORD = re.compile(r"[^\W\d_]{3,}")


def likely(urls: Iterable[str], holders: Sequence[str], most: int) -> list[str]:
    """The URLs most like those of pages that hold examples. Rare words count more than frequent ones."""
    words = {url: _words(url) for url in urls}
    known = {word for url in holders for word in _words(url)}
    frequency = Counter(word for each in words.values() for word in each)
    weight = {word: log((len(words) + 1) / count) for word, count in frequency.items()}

    def likeness(url: str) -> float:
        total = sum(weight[word] for word in words[url])
        return sum(weight[word] for word in words[url] & known) / total if total else 0.0

    return nlargest(most, (url for url in words if words[url] & known), key=likeness)


def shared_links(examples: Sequence[SeenPage], pages: Sequence[SeenPage]) -> list[str]:
    """The links that all of some pages share, and less than half of all pages have; the rarest first."""
    if not examples:
        return []
    frequency = Counter(url for page in pages for url in {anchor.url for anchor in page.anchors})
    common = set.intersection(*({anchor.url for anchor in page.anchors} for page in examples))
    return sorted((url for url in common if frequency[url] < len(pages) / 2), key=lambda url: (frequency[url], url))


def _words(url: str) -> set[str]:
    return set(_WORD.findall(url.partition("://")[2].partition("/")[2].lower()))
