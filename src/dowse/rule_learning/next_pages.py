"""Pages to explore next: pages with URLs like those that hold an example, and lists that examples link back to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest
from itertools import islice
from math import log

from dowse.core.url_names import is_index
from dowse.core.url_patterns import tightest
from dowse.rule_learning.seen_pages import SeenPage

_FEW = 9
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


def headings(examples: Sequence[str], pages: Sequence[SeenPage]) -> list[str]:
    """Links before the examples on pages that list all of them: the last of another form. It may lead to their part."""
    found: dict[str, None] = {}
    like = re.compile(tightest(examples)).search if examples else None
    for page in pages:
        urls = [anchor.url for anchor in page.anchors]
        places = [urls.index(url) for url in examples if url in urls]
        if like is not None and len(places) == len(examples):
            before = (url for url in reversed(urls[: min(places)]) if not like(url))
            found |= dict.fromkeys(islice(before, 1))
    return list(found)


def shared_links(examples: Sequence[SeenPage], pages: Sequence[SeenPage]) -> list[str]:
    """The links that all of some pages share, and less than half of the others have; the rarest first.

    Where there are few others, nothing can be told from them. Pages with URLs like those of the examples are rather
    listed beside them than lists, and come last.
    """
    if not examples:
        return []
    others = [page for page in pages if page not in examples]
    frequency = Counter(url for page in others for url in {anchor.url for anchor in page.anchors})
    common = set.intersection(*({anchor.url for anchor in page.anchors} for page in examples))
    most = len(others) / 2 if len(others) > _FEW else len(others) + 1
    like = re.compile(tightest([page.url for page in examples])).search
    rare = (url for url in common if frequency[url] < most)
    return sorted(rare, key=lambda url: (like(url) is not None and not is_index(url), frequency[url], url))


def _words(url: str) -> set[str]:
    return set(_WORD.findall(url.partition("://")[2].partition("/")[2].lower()))
