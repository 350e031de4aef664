"""What a page shows of a topic, as a row of numbers that stay as they are: where its words stand, how often, how near
the page is in meaning. What these are worth is judged elsewhere (rank/relevance.py), beside the other pages.

    titles    parts of the title: how many words each has, and how many of these are the topic's
    headings  those that have most of the topic
    hits      words of the topic in the text, the first and the last ones
    zones     for each term, whether it is in the title, in the best heading, in the opening, and in the passage that
              has most of the topic
    counts    for each term, how often it is in the text
    alike     for each term, how near the nearest words of the text are to it in meaning
    ...       how much of the text is the page's own, how long it is, and how near it and the nearest of its headings
              are to the topic in meaning

Which of these places are the frame of the site is seen beside its other pages (rank/frames.py). So each has a number
that stands for what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from dowse.core.urls import host_of
from dowse.modes.focus.like_headings import LikeHeadings
from dowse.modes.focus.page_context import PageContext
from dowse.parse.outline import Outline
from dowse.parse.page import Page
from dowse.rank.evidence import (
    HEADING,
    HEADINGS,
    HITS,
    NOT_READ,
    OPENING,
    TITLE,
    TITLE_PARTS,
    TOGETHER,
    Rows,
    signs_type,
)
from dowse.score.keywords import Hit
from dowse.score.language import words_of
from dowse.score.tokens import Rows as WordRows
from dowse.score.tokens import Vector
from dowse.score.topic import Topic
from dowse.score.vectors import nearness, unit
from dowse.score.vocabulary import Vocabulary

READ = 200_000
"""Characters that are searched for the topic's words: a page may have a section on it far down, and some manuals and
essays are one page. The bound is for what a hostile page may cost."""

_OPENING = 600
_PASSAGE = 300
"""Characters of the opening of a page, and of a passage."""

_BESIDE = 20
_BYTES_A_WORD = 6
_NEAREST = 20
_BETWEEN = re.compile(r"(?<!\s)\s++[\u2014|\u00b7\u00bb:\u2013-]++\s++")
"""What stands between the name of a page and that of its site."""


class PageSigns:
    """Reads pages for one topic, each by itself."""

    def __init__(self, topic: Topic) -> None:
        self._keywords = topic.keywords
        self._type = signs_type(len(topic.keywords.terms))
        self._stems = {stem for term in topic.keywords.terms for stem in term.stems}
        self._telling = topic.telling
        self._alike = LikeWords(topic.embedder.vocabulary, topic.term_vectors)
        self._headings = LikeHeadings(topic)
        self._context = PageContext(topic, self._headings) if topic.in_context else None
        self._places = {term.stems[0]: at for at, term in enumerate(topic.keywords.terms) if len(term.stems) == 1}

    def read(self, page: Page, outline: Outline, rows: WordRows, near: float) -> bytes:
        """The record of a page; `rows` are the words of its text, and `near` is how near that is to the topic in
        meaning."""
        host = _number(host_of(page.url), 0)
        text, hits = self._keywords.hits(outline.text[:READ])
        row = np.zeros(1, self._type)
        row["host"] = host
        parts = title_parts(page.title)[:TITLE_PARTS]
        found = self._keywords.terms_in([*parts, *outline.headings])
        headings = [(heading, found.get(len(parts) + at)) for at, heading in enumerate(outline.headings)]
        in_title = self._note_title(row[0], parts, found, host)
        in_heading = self._note_headings(row[0], {heading: terms for heading, terms in headings if terms}, host)
        row["zones"][0, list(in_title)] = TITLE
        row["zones"][0, list(in_heading)] += HEADING
        self._note_hits(row["hits"][0], text, hits, host)
        counts = np.minimum(self._keywords.counts(text, hits), 255)
        opening = self._keywords.counts(text, [hit for hit in hits if hit.start < _OPENING])
        row["zones"][0] += OPENING * (np.array(opening) > 0).astype(np.uint8)
        row["zones"][0] += TOGETHER * self._together(hits, counts > 0)
        row["counts"][0] = counts
        row["alike"][0] = self._alike.of(rows)
        row["own"] = own_share(outline)
        row["length"] = len(text) / _BYTES_A_WORD
        row["text_near"] = near
        if nearest := self._headings.nearest([*parts, *outline.headings]):
            heading, row["heading_near"] = nearest[0]
            row["nearest"] = _number(heading, host)
        row["in_context"] = NOT_READ
        if self._context is not None and self._context.is_likely(row):
            read = self._context.read(page.title, outline.headings, outline.text[:READ])
            row["passages_near"], row["words_near"], row["in_context"] = read
            closest = self._context.headings([*parts, *outline.headings])
            row["closest"]["piece"][0, : len(closest)] = [_number(heading, host) for heading, _ in closest]
            row["closest"]["near"][0, : len(closest)] = [near for _, near in closest]
            row["closest_near"] = max((near for _, near in closest), default=0.0)
        return row.tobytes()

    def _together(self, hits: Sequence[Hit], found: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Of the terms that a page has those in the passage that has most of the topic. Phrases count wherever they
        are."""
        best: NDArray[np.uint8] = found.astype(np.uint8)
        wanted = {at for at in self._places.values() if found[at]}
        if len(wanted) < 2:
            return best
        last: dict[int, int] = {}
        most, chosen = 0.0, set[int]()
        for hit in hits:
            if (at := self._places.get(hit.stem)) is None:
                continue
            last[at] = hit.start
            near = {term for term, start in last.items() if hit.start - start <= _PASSAGE}
            worth = sum(self._telling[term] for term in near)
            if worth > most:
                most, chosen = worth, near
                if chosen == wanted:
                    break
        best[list(wanted - chosen)] = 0
        return best

    def _note_title(self, row: Rows, parts: Sequence[str], found: dict[int, set[int]], host: int) -> set[int]:
        """Note the parts of a title. The answer is the terms that it has."""
        language = self._keywords.language
        all_words, all_terms = set[str](), set[int]()
        for place, part in enumerate(parts):
            words, terms = set(language.stems(language.telling(words_of(part)))), found.get(place, set())
            topical = len(words & self._stems)
            row["titles"][place] = _number(part, host), min(len(words), 255), topical, self._bits([terms])[0]
            all_words |= words
            all_terms |= terms
        row["title_share"] = len(all_words & self._stems) / max(len(all_words), 1)
        return all_terms

    def _note_headings(self, row: Rows, headings: dict[str, set[int]], host: int) -> set[int]:
        """Note those that have most of the topic, the best one first. The answer is the terms that it has."""
        best = sorted(headings, key=lambda heading: -self._telling[list(headings[heading])].sum())[:HEADINGS]
        row["headings"]["piece"][: len(best)] = [_number(heading, host) for heading in best]
        row["headings"]["terms"][: len(best)] = self._bits([headings[heading] for heading in best])
        return headings[best[0]] if best else set()

    def _note_hits(self, rows: Rows, text: str, hits: Sequence[Hit], host: int) -> None:
        """Frames are at both ends of a page."""
        places = range(len(hits))
        some = [*places[: HITS // 2], *places[HITS // 2 :][-HITS // 2 :]]
        around = [(hits[at].start, hits[at].end) for at in some]
        rows["left"][: len(some)] = [_number(text[max(0, start - _BESIDE) : end], host) for start, end in around]
        rows["right"][: len(some)] = [_number(text[start : end + _BESIDE], host) for start, end in around]
        rows["terms"][: len(some)] = self._bits([self._keywords.terms_at(text, hits, at) for at in some])

    def _bits(self, found: Sequence[Iterable[int]]) -> NDArray[np.uint8]:
        """Terms as bits, a row for each place."""
        flags = np.zeros((len(found), len(self._telling)), np.uint8)
        for place, terms in enumerate(found):
            flags[place, list(terms)] = 1
        return np.packbits(flags, axis=1)


def title_parts(title: str) -> list[str]:
    """The parts of a title, one of which may be the name of the site.

    >>> title_parts("Time zones \u2014 Django documentation")
    ['Time zones', 'Django documentation']
    """
    return [part for part in _BETWEEN.split(title) if part]


def _number(text: str, host: int) -> int:
    """A number that stands for a text on a host."""
    return xxh3_64_intdigest(text.encode("utf-8", "replace"), host) & 0xFFFFFFFF


class LikeWords:
    """How near words of a text come to terms in meaning; known for every word that was met."""

    def __init__(self, vocabulary: Vocabulary, terms: Vector) -> None:
        self._vocabulary = vocabulary
        self._terms = terms
        self._near: Vector = np.zeros((0, len(terms)), np.float32)
        self._known = 0
        self._began = -1

    def of(self, rows: WordRows) -> NDArray[np.uint8]:
        """For each term the mean nearness of the words nearest to it, as a byte; `rows` are those of a text."""
        if self._began != self._vocabulary.began or self._known < self._vocabulary.count:
            self._meet_new()
        words = rows[rows > 1]
        if not len(words):
            return np.zeros(len(self._terms), np.uint8)
        near = self._near[words]
        if len(near) > _NEAREST:
            near = np.partition(near, len(near) - _NEAREST, axis=0)[-_NEAREST:]
        made: NDArray[np.uint8] = np.rint(255 * np.minimum(near.mean(axis=0), 1)).astype(np.uint8)
        return made

    def _meet_new(self) -> None:
        """Compare the words that were not met before; the table grows by half, for there are new ones on every page."""
        count = self._vocabulary.count
        start = self._known if self._began == self._vocabulary.began else 0
        if count > len(self._near):
            room = np.zeros((count + count // 2 - start, len(self._terms)), np.float32)
            self._near = np.concatenate([self._near[:start], room])
        new = self._vocabulary.vectors[start:count].astype(np.float32)
        self._near[start:count] = np.maximum(nearness(unit(new), self._terms), 0)
        self._known, self._began = count, self._vocabulary.began


def own_share(outline: Outline) -> float:
    """How far a page has something to say, 0 to 1: less than 1 where more than half of its text are links."""
    return min(1.0, max(0.0, 2 - 2 * outline.linked / max(len(outline.text), 1)))
