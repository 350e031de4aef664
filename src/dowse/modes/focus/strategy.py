"""The focus crawl, in the worker: how much a page has to do with a topic, and what it says of where its links lead.

It decides nothing. What its numbers are worth is the business of a ranker in the loop (rank/baselines.py, priority.py,
astar.py, learned.py), which sees all pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

import numpy as np
from xxhash import xxh3_64_intdigest

from dowse.core.model import CHOSEN, Judged, Task
from dowse.engine.verdict import Verdict
from dowse.modes.focus.page_signs import PageSigns, own_share
from dowse.parse.outline import Outline, Place
from dowse.parse.page import Page, Reads
from dowse.rank.evidence import IN_HEAD, KEYWORD_PAGE, LEVELS, MOST_WORDS, PLAIN_HINT, WORD, hint_type, records_of
from dowse.score.keywords import Found, Keywords
from dowse.score.language import Language, words_of
from dowse.score.spoken import named_language, tongue
from dowse.score.tokens import Counts, Small
from dowse.score.topic import Topic
from dowse.score.vectors import large, nearness
from dowse.score.vocabulary import word_number

_READ = 5_000
"""Characters of a page's text that are read where pages are compared by meaning. Whole ones find no more pages."""

_PLACES_KEPT = 20_000
_BESIDE = 24
_URL_WORDS = 8
_AFTER_SCHEME = len("https://")
_LONGEST_NAME = 120
_NO_WORDS = str.maketrans(dict.fromkeys("0123456789_-+.,;:()~", " "))
_NO_NAMES = ("index", "default")
_BYTES_A_WORD = 6
_COMMON = 1.2
_ENDING = 4
_ITEMS = ("li", "td", "th", "dt", "dd")
_FEW_LETTERS = 12

Matches = tuple[list[float], list[float], list[float], list[float]]
"""Which part of the topic links have: in their words and addresses, around them, in their addresses alone, and in the
headings above them."""


class FocusStrategy:
    """Follows every link; `vectors` says whether pages are compared by meaning or by keywords alone.

    With `keywords` both are done: the evidence is that of vectors and then that of keywords. `plain` says that
    links are told of by keywords then.
    """

    reads: Reads = "outline"

    def __init__(self, topic: Topic, *, vectors: bool, keywords: bool = False, plain: bool = False) -> None:
        self._topic = topic
        self._keywords = topic.keywords
        self._embedder = topic.embedder
        self._hint = hint_type(topic.embedder.size)
        self._known: dict[str, tuple[Place, bytes]] = {}
        self._about = topic.vector(topic.term_weights)
        self._plain = plain
        self._signs = PageSigns(topic)
        self._judged = self._by_meaning if vectors else self._by_keywords
        if vectors and keywords:
            self._judged = self._by_both

    def priority(self, depth: int) -> float:
        return CHOSEN

    def judge(self, page: Page, task: Task) -> Verdict:
        outline = page.outline
        judged = self._judged(page, outline)
        return Verdict(judged.relevance, [(place.link, 0.0, "") for place in outline.places], judged=judged)

    def _by_keywords(self, page: Page, outline: Outline) -> Judged:
        places = outline.places
        rows = np.zeros(len(places), PLAIN_HINT)
        rows["anchor"], rows["context"], *_ = self._matches(places)
        rows["address"] = [number_of(place.link.url) & 0xFFFFFFFF for place in places]
        zones = Zones(page, outline.text, rows["anchor"].max(initial=0.0), self._keywords)
        return Judged(zones.relevance(), zones.parts(), zones.found() + zones.beside(), rows.tobytes())

    def _by_both(self, page: Page, outline: Outline) -> Judged:
        near, told = self._by_meaning(page, outline), self._by_keywords(page, outline)
        hints = told.hints if self._plain else near.hints
        return Judged(told.relevance, told.parts, near.evidence + told.evidence, hints)

    def _by_meaning(self, page: Page, outline: Outline) -> Judged:
        """What links are is remembered: pages of one site have the same ones with the same words around them."""
        text, places = outline.text[:_READ], outline.places
        known = [self._hint_before(place) for place in places]
        new = [place for place, hint in zip(places, known, strict=True) if not hint]
        headings = list(dict.fromkeys(place.heading for place in new))
        words = self._embedder.vocabulary.read([f"{page.title} {text}", *_link_texts(new), *headings])
        vectors = self._embedder.units(words)
        end = len(vectors) - len(headings)
        near = dict(zip(headings, np.maximum(nearness(large(vectors[end:]), self._about), 0).tolist(), strict=True))
        made = iter(self._remember(new, vectors[1:end], near))
        hints = b"".join([hint or next(made) for hint in known])
        stems = self._embedder.vocabulary.stem_counts(words)
        told = common_words(stems, page.title, self._keywords.language, own_share(outline))
        links = np.frombuffer(hints, self._hint)["anchor_match"].max(initial=0.0)
        zones = Zones(page, text, links, self._keywords)
        near_page = float(self._topic.nearness(large(vectors[0])))
        signs = self._signs.read(page, outline, words[: words.argmin()], near_page)
        spoken = np.int8(tongue(text, self._keywords.language)).tobytes()
        about = zones.by_term(page.url) + vectors[0].tobytes() + spoken
        return Judged(zones.relevance(), zones.parts(), about + signs + told, hints)

    def _hint_before(self, place: Place) -> bytes:
        """The record of a link that was met before, like that; b"" if it was not."""
        known = self._known.get(place.link.url)
        return known[1] if known is not None and known[0] == place else b""

    def _remember(self, places: Sequence[Place], vectors: Small, near: dict[str, float]) -> list[bytes]:
        """The records of links that were not met before, given the vectors of their words and of those around them, and
        how near to the topic headings are."""
        if not places:
            return []
        rows = np.empty(len(places), self._hint)
        matches = self._matches(places)
        rows["anchor_match"], rows["context_match"], rows["address_match"], rows["heading_match"] = matches
        rows["heading"] = [near[place.heading] for place in places]
        rows["path"] = [_short_number(place.path) for place in places]
        rows["is_item"] = [_is_item(place) for place in places]
        rows["language"] = [named_language(place.link.url, self._keywords.language) for place in places]
        rows["tree"] = [_tree_numbers(place.link.url.partition("?")[0].rpartition("/")[0]) for place in places]
        rows["anchor"], rows["context"] = vectors[: len(places)], vectors[len(places) :]
        hints = records_of(rows)
        if len(self._known) + len(places) > _PLACES_KEPT:
            self._known.clear()
        self._known.update((place.link.url, (place, hint)) for place, hint in zip(places, hints, strict=True))
        return hints

    def _matches(self, places: Sequence[Place]) -> Matches:
        texts: list[str] = []
        for place in places:
            texts += place.link.text, url_text(place.link.url), place.context, place.heading
        own, around, address, above = ([0.0] * len(places) for _ in range(4))
        found, share = self._keywords.terms_in(texts), self._keywords.share_of
        for number in {number // 4 for number in found}:
            link, url, context, heading = (found.get(4 * number + part, set()) for part in range(4))
            own[number], around[number], address[number] = share(link | url), share(context | heading), share(url)
            above[number] = share(heading) if heading else 0.0
        return own, around, address, above


def text_relevance(text: str, keywords: Keywords) -> float:
    """How relevant a text is by its keywords, its first line being its title."""
    title, _, rest = text.partition("\n")
    return _relevance(keywords, keywords.find(title), keywords.find(rest), rest)


def _relevance(keywords: Keywords, head: Found, body: Found, text: str) -> float:
    density = keywords.density(body, len(text) // _BYTES_A_WORD)
    return IN_HEAD * keywords.share(head) + (1 - IN_HEAD) * density


class Zones:
    """Where on a page the keywords are: in its head, in its links, in its text."""

    def __init__(self, page: Page, text: str, links: float, keywords: Keywords) -> None:
        """`links` is how much of the topic the best of its links has."""
        self._keywords = keywords
        self._text = text
        self._head = keywords.find(f"{page.title}\n{page.description}")
        self._links = float(links)
        self._body = keywords.find(self._text)

    def relevance(self) -> float:
        """0 to 1; a page that has the whole topic in its title and often in its text is near 1."""
        return _relevance(self._keywords, self._head, self._body, self._text)

    def found(self) -> bytes:
        """How relevant the page is by its keywords, how dense the densest is, how often there are any, and how many of
        those given there are."""
        given = self._keywords.given
        counts = [self._head.counts[term] + self._body.counts[term] for term in given]
        densities = self._keywords.densities(self._body, len(self._text) // _BYTES_A_WORD)
        most = max((densities[term] for term in given), default=0.0)
        row = (self.relevance(), most, sum(counts), sum(count > 0 for count in counts), len(given))
        return np.array([row], KEYWORD_PAGE).tobytes()

    def by_term(self, url: str) -> bytes:
        """How much of each term there is, a byte a term; the URL counts as a part of the head."""
        densities = self._keywords.densities(self._body, len(self._text) // _BYTES_A_WORD)
        address = self._keywords.find(url_text(url))
        return bytes(
            round(255 * (IN_HEAD * (head > 0 or part > 0) + (1 - IN_HEAD) * density))
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


def common_words(stems: Counts, title: str, language: Language, own: float) -> bytes:
    """The telling words that a text has most of, given how often it has each stem; `own` is what they count.

    Those of the title count more, and so do their endings, for a word may be a compound of others (quicksort).
    """
    counts = stems[:, 1]
    weights = dict(zip(stems[:, 0].tolist(), (counts / (counts + _COMMON)).tolist(), strict=True))
    heading = words_of(title)
    for word in dict.fromkeys(heading):
        if len(word) >= _ENDING and word not in language.stop_words:
            weights[word_number("-" + word[-_ENDING:])] = 1.0
    for stem in set(map(word_number, language.stems(heading))) & weights.keys():
        weights[stem] += 1
    rows = np.zeros(MOST_WORDS, WORD)
    most = sorted(weights, key=weights.__getitem__, reverse=True)[:MOST_WORDS]
    rows["stem"][: len(most)] = most
    rows["weight"][: len(most)] = [round(100 * own * weights[stem]) for stem in most]
    return rows.tobytes()


def number_of(text: str) -> int:
    """A number that stands for a text."""
    return xxh3_64_intdigest(text.encode("utf-8", "replace"))


def url_text(url: str) -> str:
    """The words of a URL's path and query."""
    path = url.partition("://")[2].partition("/")[2] if "://" in url else url
    return unquote(path) if "%" in path else path


def _link_texts(places: Sequence[Place]) -> list[str]:
    """What stands on links and in the names of their URLs, and then what stands around them.

    The name says more where "kingdom" leads to Monarchy.htm. For a link without words it is all that stands in its URL.
    """
    own = [
        f"{place.link.text} {url_name(place.link.url)}" if place.link.text else _address_words(place.link.url)
        for place in places
    ]
    return own + [place.context for place in places]


@lru_cache(maxsize=20_000)
def url_name(url: str) -> str:
    """The words of the last part of a URL's path, without its ending; names that any page may have say nothing.

    >>> url_name("http://a.example/d/Heap_%28structure%29.html?x=1")
    'Heap  structure'
    """
    path = url.partition("?")[0].rstrip("/")
    start = path.rfind("/") + 1
    if start <= _AFTER_SCHEME:
        return ""
    name = path[start : start + _LONGEST_NAME]
    if "%" in name:
        name = unquote(unquote(name))  # mirrors of sites have names that were encoded once more
    words = (name.rpartition(".")[0] or name).translate(_NO_WORDS)
    return "" if words in _NO_NAMES else words.strip()


def _address_words(url: str) -> str:
    return " ".join(words_of(url_text(url).rpartition(".")[0])[-_URL_WORDS:])


def _is_item(place: Place) -> bool:
    """Whether a link is an item of a list: it stands in a cell, or has next to no words beside it."""
    return place.path.startswith(_ITEMS) or len(place.context) <= _FEW_LETTERS


@lru_cache(maxsize=10_000)
def _tree_numbers(folder: str) -> tuple[int, ...]:
    """Numbers that stand for the host of a folder and for the folders on the way to it, from the top down."""
    steps = folder.split("/")[2 : 2 + LEVELS]
    numbers = [1 + number_of("/".join(steps[: at + 1])) % 0xFFFF for at in range(len(steps))]
    return (*numbers, *(0,) * (LEVELS - len(numbers)))


@lru_cache(maxsize=10_000)
def _short_number(text: str) -> int:
    """A number of two bytes; links share their places with many others."""
    return number_of(text) & 0xFFFF
