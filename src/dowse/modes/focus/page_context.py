"""What a page says of a topic in context: by how the words stand together and not by the words alone.

Two small models read it. One compares passages and headings with the topic, each read apart (score/sentences.py); that
finds what is said in other words. The other reads the topic and the likeliest parts of a page together
(score/page_reader.py); that tells a page about a thing from one that mentions it. They err on different pages, so both
count. It takes some forty milliseconds, so it is done for pages that are not unlikely by their other signs, and there
for two passages and a few headings that the words alone find nearest. A page tells the same whatever else was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dowse.modes.focus.like_headings import HEADINGS_KEPT, LikeHeadings
from dowse.rank.evidence import CLOSEST, Rows
from dowse.rank.relevance import PageRelevance
from dowse.score.language import words_of
from dowse.score.page_reader import page_reader
from dowse.score.sentences import Reading, sentence_model
from dowse.score.tokens import Vector
from dowse.score.topic import Topic
from dowse.score.vectors import nearness

_NOT_UNLIKELY = -5.5
"""The odds from which on a page is read in context. Nearly half of the pages that crawls fetch are above, with 96 % of
those on topic (judged manuals)."""

_PASSAGE = 300
_OVERLAP = 6
"""Characters of a passage, and the words at its end that the next one begins with."""

_LEAST = 60
_PASSAGES = 2
_HEADINGS = 4
"""How many of each are read together with the topic."""

WORDS_COUNT = 0.3
"""What having the words of the topic counts beside being near to it, where passages are chosen."""

_LONGEST_TITLE, _LONGEST_HEADING = 80, 60
_DECIMALS = 3
"""What is behind them hangs on the machine."""


class InContext(NamedTuple):
    """How near to the topic the likeliest passages of a page are, as wholes, on the mean; how near to each term what
    comes nearest in them is, as words are meant there; and the logarithm of the odds that the page is on topic, read
    together with it. Of several subjects the one counts that the page comes nearest to."""

    near: float
    words_near: list[float]
    odds: float


class PageContext:
    """Reads pages beside one topic."""

    def __init__(self, topic: Topic, headings: LikeHeadings) -> None:
        self._parts = PageParts(topic, headings)
        self._relevance = PageRelevance(topic)
        self._reader = page_reader()
        self._model = sentence_model()
        self._subjects = topic.phrases
        about = [self._model.read(subject) for subject in self._subjects]
        self._about = np.array([each.whole for each in about])
        self._terms = self._in_phrases(topic, about)
        self._known: dict[str, float] = {}

    def is_likely(self, row: Rows) -> bool:
        """Whether it is worth while to read a page in context, by its other signs."""
        alone = row.copy()
        alone["linking_near"] = np.nan
        narrow, _ = self._relevance.odds(self._relevance.signs(alone))
        return bool(narrow[0] > _NOT_UNLIKELY)

    def read(self, title: str, headings: Sequence[str], text: str) -> InContext:
        """The title, the headings and the passages that come nearest by their words alone."""
        passages = self._parts.passages(text)
        shown = shown_text(title, self._parts.headings(title, headings), passages)
        readings = [self._model.read(f"{title}: {passage}") for passage in passages]
        near = np.maximum(nearness(np.array([reading.whole for reading in readings]), self._about), 0).mean(axis=0)
        parts = np.concatenate([reading.parts for reading in readings])
        words_near = [float(nearness(term, parts).max(axis=1, initial=0).mean()) for term in self._terms]
        odds = self._reader.odds(self._subjects[int(near.argmax())], shown)  # to read it with each would take long
        return InContext(_rounded(float(near.max())), [_rounded(value) for value in words_near], _rounded(odds))

    def _in_phrases(self, topic: Topic, about: Sequence[Reading]) -> list[Vector]:
        """The terms as they are meant in the topic, a vector for each part of their words; others as they are alone."""
        stems = topic.keywords.language.stems
        known: dict[str, list[Vector]] = {}
        for phrase in about:
            for word, part in zip(phrase.words, phrase.parts, strict=True):
                for stem in stems(words_of(word)):
                    known.setdefault(stem, []).append(part)
        return [
            np.array(known[term.stems[0]])
            if len(term.stems) == 1 and term.stems[0] in known
            else self._model.read(term.text).parts
            for term in topic.keywords.terms
        ]

    def headings(self, headings: Sequence[str]) -> list[tuple[str, float]]:
        """How near the headings are that come nearest by their words; those met before are known."""
        best = self._parts.nearest(headings)[:CLOSEST]
        if new := [heading for heading in best if heading not in self._known]:
            if len(self._known) > HEADINGS_KEPT:
                self._known.clear()
                new = best
            self._known.update(zip(new, self._near(new), strict=True))
        return [(heading, self._known[heading]) for heading in best]

    def _near(self, texts: Sequence[str]) -> list[float]:
        near = np.maximum(nearness(self._model.embed(texts), self._about).max(axis=1), 0)
        return [_rounded(value) for value in near.tolist()]


def _rounded(number: float) -> float:
    return round(number, _DECIMALS)


class PageParts:
    """Chooses what is read of pages: the parts that come nearest to a topic by their words."""

    def __init__(self, topic: Topic, headings: LikeHeadings) -> None:
        self._topic, self._headings = topic, headings

    def headings(self, title: str, headings: Sequence[str]) -> list[str]:
        """The nearest few that are not the title."""
        return self.nearest([heading for heading in headings if heading != title])[:_HEADINGS]

    def nearest(self, headings: Sequence[str]) -> list[str]:
        """Headings, each once, the nearest one first."""
        return [heading for heading, _ in self._headings.nearest(headings)]

    def passages(self, text: str) -> list[str]:
        passages = cut_passages(text)
        has = self._topic.keywords.terms_in(passages)
        shares = [self._topic.share_of(has.get(place, ())) for place in range(len(passages))]
        likely = self._topic.nearness(self._topic.embedder.embed(passages)) + WORDS_COUNT * np.array(shares)
        return [passages[place] for place in np.argsort(-likely, kind="stable")[:_PASSAGES]]


def shown_text(title: str, headings: Sequence[str], passages: Sequence[str]) -> str:
    """What is read of a page.

    >>> shown_text("Reset", ["Undo a commit"], ["Moves HEAD back.", "Keeps the files."])
    'Reset. Undo a commit: Moves HEAD back. ... Keeps the files.'
    """
    shortened = "; ".join(heading[:_LONGEST_HEADING] for heading in headings)
    return f"{title[:_LONGEST_TITLE]}. {shortened}: {' ... '.join(passages)}"


def cut_passages(text: str) -> list[str]:
    """A text in passages that overlap by a few words; at least one.

    >>> cut_passages("short")
    ['short']
    """
    passages: list[str] = []
    words: list[str] = []
    length = 0
    for word in text.split(" "):
        words.append(word)
        length += len(word) + 1
        if length >= _PASSAGE:
            passages.append(" ".join(words))
            words = words[-_OVERLAP:]
            length = sum(len(each) + 1 for each in words)
    if length > _LEAST or not passages:
        passages.append(" ".join(words))
    return passages
