"""What a page shows of a topic, as a row of numbers that stay as they are: where its words stand, how often, how near
the page is in meaning. What these are worth is judged elsewhere (rank/relevance.py), beside the other pages.

    zones     for each term, whether it is in the title and in the best heading
    counts    for each term, how often it is in the text
    alike     for each term, how near the nearest words of the text are to it in meaning
    ...       how much of the text is the page's own, how long it is, how much of its title is the topic, and how near
              its text is to the topic in meaning

Words of the template (templates.py) do not count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dowse.core.urls import host_of
from dowse.parse.outline import Outline
from dowse.parse.page import Page
from dowse.rank.evidence import HEADING, TITLE, signs_type
from dowse.score.language import words_of
from dowse.score.templates import Template, Templates, title_parts
from dowse.score.tokens import Rows, Vector
from dowse.score.topic import Topic
from dowse.score.vectors import unit
from dowse.score.vocabulary import Vocabulary

READ = 20_000
"""Characters that are searched for the topic's words: a page may have a section on it far down."""

_BESIDE = 20
_BYTES_A_WORD = 6
_NEAREST = 20


class PageSigns:
    """Reads pages for one topic. It gets to know the templates of their hosts on the way."""

    def __init__(self, topic: Topic) -> None:
        self._keywords = topic.keywords
        self._type = signs_type(len(topic.keywords.terms))
        self._stems = {stem for term in topic.keywords.terms for stem in term.stems}
        self._telling = topic.telling
        self._templates = Templates()
        self._alike = LikeWords(topic.embedder.vocabulary, topic.term_vectors)

    def read(self, page: Page, outline: Outline, rows: Rows, near: float) -> bytes:
        """The record of a page; `rows` are the words of its text, and `near` is how near that is to the topic in
        meaning."""
        keywords, template = self._keywords, self._templates.of(host_of(page.url))
        text, hits = keywords.hits(outline.text[:READ])
        before = [text[max(0, hit.start - _BESIDE) : hit.end] for hit in hits]
        after = [text[hit.start : hit.end + _BESIDE] for hit in hits]
        parts = title_parts(page.title)
        template.add([*parts, *outline.headings, *before, *after])
        beside = zip(hits, before, after, strict=True)
        own = [hit for hit, left, right in beside if not (template.has(left) or template.has(right))]
        title = " ".join(part for part in parts if not template.has(part))
        row = np.zeros(1, self._type)
        zones = row["zones"][0]
        in_title, *in_headings = self._terms_in([title, *_own(outline.headings, template)])
        zones += TITLE * in_title
        zones += HEADING * self._best(in_headings)
        row["counts"][0] = np.minimum(keywords.counts(text, own), 255)
        row["alike"][0] = self._alike.of(rows)
        row["own"] = own_share(outline)
        row["length"] = len(text) / _BYTES_A_WORD
        row["title_share"] = self._share(title)
        row["text_near"] = near
        return row.tobytes()

    def _terms_in(self, texts: Sequence[str]) -> list[NDArray[np.uint8]]:
        """Which terms each of some texts has."""
        found: NDArray[np.uint8] = np.zeros((len(texts), len(self._telling)), np.uint8)
        for number, terms in self._keywords.terms_in(texts).items():
            found[number, list(terms)] = 1
        return list(found)

    def _best(self, found: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
        """Of texts that have terms the one that has most of the topic."""
        nothing: NDArray[np.uint8] = np.zeros(len(self._telling), np.uint8)
        return max(found, key=lambda flags: float(flags @ self._telling), default=nothing)

    def _share(self, title: str) -> float:
        """How much of a title is the topic."""
        language = self._keywords.language
        words = set(language.stems(language.telling(words_of(title))))
        return len(words & self._stems) / max(len(words), 1)


class LikeWords:
    """How near words of a text come to terms in meaning; known for every word that was met."""

    def __init__(self, vocabulary: Vocabulary, terms: Vector) -> None:
        self._vocabulary = vocabulary
        self._terms = terms
        self._near: Vector = np.zeros((0, len(terms)), np.float32)
        self._known = 0
        self._began = -1

    def of(self, rows: Rows) -> NDArray[np.uint8]:
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
        self._near[start:count] = np.maximum(unit(new) @ self._terms.T, 0)
        self._known, self._began = count, self._vocabulary.began


def own_share(outline: Outline) -> float:
    """How far a page has something to say, 0 to 1: less than 1 where more than half of its text are links."""
    return min(1.0, max(0.0, 2 - 2 * outline.linked / max(len(outline.text), 1)))


def _own(pieces: Sequence[str], template: Template) -> list[str]:
    return [piece for piece in pieces if not template.has(piece)]
