"""Keywords: a topic as words and phrases, found as whole words in any of their forms.

    bubble sort, quick sort      two phrases, and the four words they are made of for half their weight
    heat pumps in old houses     without commas: words, less those that say nothing
    "heat pump", house^2         a phrase only as a whole; a word that counts twice

A text is never cut into words as a whole. A search for the beginnings of the keywords finds the few words worth
stemming, which takes a hundredth of the time.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dowse.score.language import Language, words_of

MOST_TERMS = 64
_PART = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^,;"]*))(?:\^(?P<weight>\d+(?:\.\d+)?))?\s*(?:[,;]|$)?')
_WEIGHTED = re.compile(r"\^(\d+(?:\.\d+)?)")
_PHRASE_WORDS = 3
_LONGEST_PHRASE = 16
_REST = re.compile(r"[^\W_]+")
_SHORTEST_BEGINNING = 3
_NEIGHBOURS = 5
_JOINTS = " -\u00a0\u2010\u2011\u2013"
_LONG = 600
"""Words of a page at which the number of times a keyword is found counts as it is; in longer ones it counts less."""


class Term(NamedTuple):
    """A word or a phrase: its stems, and how much it counts."""

    stems: tuple[str, ...]
    weight: float
    text: str


def parse_topic(topic: str, language: Language) -> tuple[Term, ...]:
    """The terms of a topic. Raises ValueError if there are none, or only words that say nothing."""
    if not topic.strip():
        raise ValueError("is empty; say in a few words what the pages should be about, such as 'heat pumps'")
    terms: dict[tuple[str, ...], Term] = {}
    has_commas = "," in topic or ";" in topic
    for match in _PART.finditer(topic):
        weight = float(match["weight"] or 1)
        if match["quoted"] is not None:
            _add(terms, words_of(match["quoted"]), weight, language)
        elif match["plain"].strip():
            _add_part(terms, match["plain"], weight, language, may_be_phrase=has_commas)
    if not terms:
        raise ValueError(
            f"{topic!r} has only words that say nothing about a topic; add a word that only its pages have"
        )
    return tuple(terms.values())[:MOST_TERMS]


class Subject(NamedTuple):
    """A part of a topic: as it was typed, and its terms by their numbers."""

    text: str
    terms: list[int]


def parse_subjects(topic: str, terms: Sequence[Term], language: Language) -> list[Subject]:
    """The subjects of a topic: what stands between commas is one, and so is a phrase in quotes."""
    numbers = {term.stems: number for number, term in enumerate(terms)}
    subjects = []
    for match in _PART.finditer(topic):
        quoted, plain = match["quoted"], match["plain"] or ""
        words = words_of(quoted) if quoted is not None else language.telling(words_of(_WEIGHTED.sub(" ", plain)))
        stems = language.stems(words[:_LONGEST_PHRASE])
        found = [tuple(stems)] if quoted is not None else [(stem,) for stem in dict.fromkeys(stems)]
        if known := [numbers[each] for each in found if each in numbers]:
            text = plain if quoted is None else quoted
            subjects.append(Subject(_WEIGHTED.sub("", text).strip(), known))
    return subjects or [Subject(" ".join(term.text for term in terms), list(range(len(terms))))]


def _add_part(
    terms: dict[tuple[str, ...], Term], part: str, weight: float, language: Language, *, may_be_phrase: bool
) -> None:
    """What stands between two commas: its words and, if it is short, the phrase they make."""
    weights: dict[str, float] = {}
    for chunk in part.split():
        word, *given = _WEIGHTED.split(chunk)
        for each in words_of(word):
            weights[each] = weight * (float(given[0]) if given else 1)
    telling = language.telling(list(weights))
    is_phrase = may_be_phrase and 1 < len(telling) <= _PHRASE_WORDS and len(telling) == len(weights)
    if is_phrase:
        _add(terms, telling, weight, language)
    for word in telling:
        _add(terms, [word], weights[word] * (0.5 if is_phrase else 1), language)


def _add(terms: dict[tuple[str, ...], Term], words: list[str], weight: float, language: Language) -> None:
    stems = tuple(language.stems(words[:_LONGEST_PHRASE]))
    if stems and weight > 0 and (stems not in terms or terms[stems].weight < weight):
        terms[stems] = Term(stems, weight, " ".join(words))


def given(terms: Sequence[Term]) -> list[int]:
    """The terms that are keywords as they were given, by their numbers: without the words that a phrase is made of."""
    phrases = [term for term in terms if len(term.stems) > 1]
    return [
        number
        for number, term in enumerate(terms)
        if not any(phrase.weight > term.weight and {*term.stems} < {*phrase.stems} for phrase in phrases)
    ]


class Hit(NamedTuple):
    """A word of a text that is one of the keywords' words."""

    start: int
    end: int
    stem: str


class Found(NamedTuple):
    """What a text has of the keywords: how often each term is in it, and where words of them are."""

    counts: list[int]
    places: list[int]

    def __bool__(self) -> bool:
        return any(self.counts)


class Keywords:
    """Terms made ready to be looked for."""

    def __init__(self, terms: Sequence[Term], language: Language) -> None:
        self.terms = tuple(terms)
        self.language = language
        self.given = given(self.terms)
        self._whole = sum(term.weight for term in self.terms)
        self._stems = {stem for term in self.terms for stem in term.stems}
        # A stem may end otherwise than its words do (happi, happy), so only its beginning is looked for.
        self._starts = sorted({stem[: max(_SHORTEST_BEGINNING, len(stem) - 1)] for stem in self._stems})
        self._is_ascii = all(start.isascii() for start in self._starts)
        self._firsts: dict[str, list[int]] = {}
        for number, term in enumerate(self.terms):
            self._firsts.setdefault(term.stems[0], []).append(number)

    def find(self, text: str) -> Found:
        """Count the terms in a text. A phrase is found where its words follow each other."""
        text, hits = self.hits(text)
        return Found(self.counts(text, hits), [hit.start for hit in hits])

    def hits(self, text: str) -> tuple[str, list[Hit]]:
        """The words of the terms in a text, in order, and the text as they were found in it."""
        text, plain = self._searchable(text)
        return text, self._hits(text, plain)

    def terms_in(self, texts: Sequence[str]) -> dict[int, set[int]]:
        """The terms, by their numbers, that each text has, of texts that have any. They are searched in one go, for
        they are many and short."""
        pieces = texts if self._is_ascii else [text.lower() for text in texts]
        whole, plain = self._searchable("\n".join(pieces))
        hits = self._hits(whole, plain)
        if not hits:
            return {}
        ends = list(itertools.accumulate(len(piece) + 1 for piece in pieces))
        found: dict[int, set[int]] = {}
        for number, group in itertools.groupby(hits, key=lambda hit: bisect.bisect_right(ends, hit.start)):
            terms = {term for term, count in enumerate(self.counts(whole, list(group))) if count}
            if terms:
                found[number] = terms
        return found

    def share_of(self, terms: Iterable[int]) -> float:
        """Which part of the topic some terms are, 0 to 1."""
        return sum([self.terms[term].weight for term in terms]) / self._whole

    def _searchable(self, text: str) -> tuple[str, str]:
        """A text and, letter for letter, what is searched for the beginnings of words.

        Where these are all of ASCII nothing else is left in it, for texts of one byte a letter are lowered and searched
        in a fifth of the time.
        """
        if not self._is_ascii:
            text = text.lower()
            return text, self.language.folded(text)
        return text, self.language.folded(text).encode("ascii", "replace").lower().decode("ascii")

    def _hits(self, text: str, plain: str) -> list[Hit]:
        """The words of the keywords in a text, in order."""
        hits: dict[int, Hit] = {}
        stem, find = self.language.stem, plain.find
        for start in self._starts:
            at = find(start)
            while at >= 0:
                end = at + len(start)
                if not at or not text[at - 1].isalnum():
                    word = _REST.match(text, at)
                    end = word.end() if word else end
                    found = stem(text[at:end].lower())
                    if found in self._stems:
                        hits[at] = Hit(at, end, found)
                at = find(start, end)
        return [hits[at] for at in sorted(hits)]

    def counts(self, text: str, hits: Sequence[Hit]) -> list[int]:
        """How often each term is among some words of a text."""
        counts = [0] * len(self.terms)
        for place in range(len(hits)):
            for number in self.terms_at(text, hits, place):
                counts[number] += 1
        return counts

    def terms_at(self, text: str, hits: Sequence[Hit], place: int) -> list[int]:
        """The terms, by their numbers, that begin with one of some words of a text."""
        found = []
        for number in self._firsts.get(hits[place].stem, ()):
            stems = self.terms[number].stems
            if len(stems) == 1 or self._follows(text, hits[place : place + len(stems)], stems):
                found.append(number)
        return found

    def share(self, found: Found) -> float:
        """Which part of the topic is there at all, 0 to 1."""
        return self.share_of(term for term, count in enumerate(found.counts) if count)

    def density(self, found: Found, length: int) -> float:
        """The same, but a term counts the more the more often it is found for the length of the text (as in BM25)."""
        pairs = zip(self.terms, self.densities(found, length), strict=True)
        return sum(term.weight * density for term, density in pairs) / self._whole

    def densities(self, found: Found, length: int) -> list[float]:
        """The same for each term."""
        damping = 1.2 * (0.25 + 0.75 * length / _LONG)
        return [count / (count + damping) for count in found.counts]

    def context(self, text: str, found: Found, most: int) -> list[str]:
        """The stems of telling words beside the keywords of a text."""
        beside: dict[str, None] = {}
        for place in found.places[:most]:
            before = words_of(text[max(0, place - 60) : place])[-_NEIGHBOURS:]
            after = words_of(text[place : place + 90])[1 : 1 + _NEIGHBOURS]
            beside.update(dict.fromkeys(self.language.stems(self.language.telling(before + after))))
            if len(beside) >= most:
                break
        return [stem for stem in beside if stem not in self._stems and len(stem) > 1][:most]

    @staticmethod
    def _follows(text: str, hits: Sequence[Hit], stems: tuple[str, ...]) -> bool:
        """Whether the words of a phrase stand here one after the other, with only a space or a hyphen between them."""
        if len(hits) < len(stems):
            return False
        for place in range(1, len(stems)):
            between = text[hits[place - 1].end : hits[place].start]
            if hits[place].stem != stems[place] or between.strip(_JOINTS):
                return False
        return True
