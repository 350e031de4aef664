"""The focus crawl, in the worker: how much a page has to do with a topic, and what it says of where its links lead.

It decides nothing. What its numbers are worth is the business of a ranker in the loop (classic.py, priority.py,
astar.py, learned.py), which sees all pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

import numpy as np
from xxhash import xxh3_64_intdigest

from dowse.core.model import CHOSEN, Judged, Task
from dowse.parse.page import Page
from dowse.parse.surroundings import Place, link_places
from dowse.score.keywords import Keywords
from dowse.score.language import Language, words_of
from dowse.score.topic import Topic
from dowse.strategies.evidence import MOST_WORDS, PLAIN_HINT, WORD, hint_type
from dowse.strategies.verdict import Verdict

_READ = 1_500
"""Characters of a page's text that its vector is made of: what a page is about is said at its beginning."""

_BESIDE = 24
_URL_WORDS = 8
_BYTES_A_WORD = 6
_COMMON = 1.2
_ENDING = 4
_IN_HEAD = 0.4
"""What a keyword in the title counts beside any number of them in the text."""

Matches = tuple[list[float], list[float], list[float]]
"""Which part of the topic links have: in their words and addresses, around them, and in their addresses alone."""


class FocusStrategy:
    """Follows every link; `vectors` says whether links are compared by meaning or by keywords alone."""

    reads_trees = True

    def __init__(self, topic: Topic, *, vectors: bool) -> None:
        self._topic = topic
        self._keywords = topic.keywords
        self._vectors = vectors

    def priority(self, depth: int) -> float:
        return CHOSEN

    def judge(self, page: Page, task: Task) -> Verdict:
        places = link_places(page)
        addresses = [url_text(place.link.url) for place in places]
        own = [f"{place.link.text} {address}" for place, address in zip(places, addresses, strict=True)]
        around = [f"{place.context} {place.heading}" for place in places]
        shares = self._keywords.shares(own + around + addresses)
        matches = shares[: len(places)], shares[len(places) : -len(places)], shares[-len(places) :]
        zones = Zones(page, matches[0], self._keywords)
        if self._vectors:
            text = f"{page.title} {page.text[:_READ]}"
            vector, hints = self._vector_hints(text, places, matches)
            words = common_words(text, page.title, self._keywords.language, _own_share(page, places))
            evidence = zones.by_term(page.url) + vector + words
        else:
            evidence, hints = zones.beside(), self._plain_hints(places, matches)
        judged = Judged(zones.relevance(), zones.parts(), evidence, hints)
        return Verdict(judged.relevance, [(place.link, 0.0, "") for place in places], judged=judged)

    def _plain_hints(self, places: Sequence[Place], matches: Matches) -> bytes:
        rows = np.zeros(len(places), PLAIN_HINT)
        rows["anchor"], rows["context"], _ = matches
        rows["address"] = [number_of(place.link.url) & 0xFFFFFFFF for place in places]
        return rows.tobytes()

    def _vector_hints(self, text: str, places: Sequence[Place], matches: Matches) -> tuple[bytes, bytes]:
        """The vector of the page, and the records of its links; all texts are embedded in one go."""
        embedder = self._topic.embedder
        vector, others = embedder.embed_small(text, [*map(_anchor_text, places), *(place.context for place in places)])
        rows = np.zeros(len(places), hint_type(embedder.size))
        rows["anchor_match"], rows["context_match"], rows["address_match"] = matches
        rows["path"] = [_short_number(place.path) for place in places]
        folders = [_folder_numbers(place.link.url.rpartition("/")[0]) for place in places]
        rows["folder"] = [folder for folder, _ in folders]
        rows["host"] = [host for _, host in folders]
        rows["anchor"], rows["context"] = np.frombuffer(others, np.int8).reshape(2, len(places), embedder.size)
        return vector, rows.tobytes()


class Zones:
    """Where on a page the keywords are: in its head, in its links, in its text."""

    def __init__(self, page: Page, links: Sequence[float], keywords: Keywords) -> None:
        """`links` is how much of the topic each link has."""
        self._keywords = keywords
        self._text = page.text
        self._head = keywords.find(_head_text(page))
        self._links = max(links, default=0.0)
        self._body = keywords.find(self._text)

    def relevance(self) -> float:
        """0 to 1; a page that has the whole topic in its title and often in its text is near 1."""
        words = len(self._text) / _BYTES_A_WORD
        density = self._keywords.density(self._body, int(words))
        return _IN_HEAD * self._keywords.share(self._head) + (1 - _IN_HEAD) * density

    def by_term(self, url: str) -> bytes:
        """How much of each term there is, a byte a term; the URL counts as a part of the head."""
        densities = self._keywords.densities(self._body, len(self._text) // _BYTES_A_WORD)
        address = self._keywords.find(url_text(url))
        return bytes(
            round(255 * (_IN_HEAD * (head > 0 or part > 0) + (1 - _IN_HEAD) * density))
            for head, part, density in zip(self._head.counts, address.counts, densities, strict=True)
        )

    def parts(self) -> dict[str, float]:
        """The share of the topic in each zone, and in the best of the links; what is not there is left out."""
        share = self._keywords.share
        shares = {"head": share(self._head), "links": self._links, "body": share(self._body)}
        return {zone: round(value, 4) for zone, value in shares.items() if value}

    def beside(self) -> bytes:
        """The words beside the keywords in the text, as numbers."""
        words = self._keywords.context(self._text, self._body, _BESIDE)
        return np.array([word_number(word) for word in words], "<u4").tobytes()


def common_words(text: str, title: str, language: Language, own: float) -> bytes:
    """The telling words that a text has most of, as rows of numbers; `own` is what they count.

    Those of the title count more, and so do their endings, for a word may be a compound of others (quicksort).
    """
    counts = Counter(language.telling_stems(text))
    weights = {stem: count / (count + _COMMON) for stem, count in counts.items() if stem}
    heading = words_of(title)
    for word in set(heading) - language.stop_words:
        if len(word) >= _ENDING:
            weights["-" + word[-_ENDING:]] = 1.0
    for stem in set(language.stems(heading)) & weights.keys():
        weights[stem] += 1
    rows = np.zeros(MOST_WORDS, WORD)
    most = sorted(weights, key=weights.__getitem__, reverse=True)[:MOST_WORDS]
    rows["stem"][: len(most)] = [word_number(stem) for stem in most]
    rows["weight"][: len(most)] = [round(100 * own * weights[stem]) for stem in most]
    return rows.tobytes()


def number_of(text: str) -> int:
    """A number that stands for a text."""
    return xxh3_64_intdigest(text.encode("utf-8", "replace"))


@lru_cache(maxsize=100_000)
def word_number(stem: str) -> int:
    """The number that stands for a word beside the keywords, in four bytes."""
    return number_of(stem) & 0xFFFFFFFF


def url_text(url: str) -> str:
    """The words of a URL's path and query."""
    path = url[url.find("/", url.find("://") + 3) :] if "://" in url else url
    return unquote(path) if "%" in path else path


def _anchor_text(place: Place) -> str:
    """What stands on a link; for a link without words, what stands in its URL."""
    return place.link.text or " ".join(words_of(url_text(place.link.url).rpartition(".")[0])[-_URL_WORDS:])


def _own_share(page: Page, places: Sequence[Place]) -> float:
    """How far a page has something to say, 0 to 1: less than 1 where more than half of its text are links."""
    linked = sum(len(place.link.text) for place in places)
    return min(1.0, max(0.0, 2 - 2 * linked / max(len(page.text), 1)))


def _head_text(page: Page) -> str:
    """The title and what the page says of itself to search engines."""
    described = [
        element.attr("content") or ""
        for element in page.tree.find_all("meta")
        if (element.attr("name") or "").strip().lower() in ("description", "keywords")
    ]
    return "\n".join([page.title, *described])


@lru_cache(maxsize=10_000)
def _folder_numbers(folder: str) -> tuple[int, int]:
    """The numbers of a folder and of its host."""
    return _short_number(folder), _short_number(folder.split("/", 3)[2])


@lru_cache(maxsize=10_000)
def _short_number(text: str) -> int:
    """A number of two bytes; links share their places, folders and hosts with many others."""
    return number_of(text) & 0xFFFF
