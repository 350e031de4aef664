"""Where to look next: once a page is known that holds one example, pages with addresses like it may hold the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest
from math import log

_WORD = re.compile(r"[^\W\d_]{3,}")


def likely(urls: Iterable[str], holders: Sequence[str], most: int) -> list[str]:
    """Of some URLs those with the most in common with pages that hold examples; rare words say more than frequent."""
    words = {url: _words(url) for url in urls}
    known = {word for url in holders for word in _words(url)}
    frequency = Counter(word for each in words.values() for word in each)
    weight = {word: log((len(words) + 1) / count) for word, count in frequency.items()}

    def likeness(url: str) -> float:
        total = sum(weight[word] for word in words[url])
        return sum(weight[word] for word in words[url] & known) / total if total else 0.0

    return nlargest(most, (url for url in words if words[url] & known), key=likeness)


def _words(url: str) -> set[str]:
    return set(_WORD.findall(url.partition("://")[2].partition("/")[2].lower()))
