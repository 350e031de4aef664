"""How near passages and headings of a page come to a topic in context: by how their words stand together and not by the
words alone (score/sentences.py).

That takes forty milliseconds, so it is done for pages that are not unlikely by their other signs, and there for two
passages and a few headings that the words alone find nearest. A page tells the same whatever else was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dowse.rank.evidence import CLOSEST, Rows
from dowse.rank.relevance import PageRelevance
from dowse.score.language import words_of
from dowse.score.sentences import Reading, sentence_model
from dowse.score.tokens import Vector
from dowse.score.topic import Topic
from dowse.score.vectors import nearness

_NOT_UNLIKELY = -6.0
"""The odds from which on a page is read in context. A third to a half of the pages that crawls fetch are above, with 95
to 98 % of those on topic (judged manuals)."""

_PASSAGE = 450
_OVERLAP = 8
"""Characters of a passage, and the words at its end that the next one begins with."""

_LEAST = 60
_PASSAGES = 2
_WORDS_COUNT = 0.3
"""What having the words of the topic counts beside being near to it, where passages are chosen."""

_HEADINGS_KEPT = 5_000
_DECIMALS = 3
"""What is behind them hangs on the machine."""


class Passages(NamedTuple):
    """How near to the topic the likeliest passages of a page are: as wholes, on the mean, and by what comes nearest in
    them to each word of the topic, as it is meant there."""

    near: float
    words_near: float


class PageContext:
    """Compares pages with one topic."""

    def __init__(self, topic: Topic) -> None:
        self._keywords = topic.keywords
        self._embedder = topic.embedder
        self._words_about = topic.vector(topic.term_weights)
        self._relevance = PageRelevance(topic)
        self._model = sentence_model()
        about = self._model.read(topic.phrase)
        self._about = about.whole
        self._words = _telling_parts(about, topic)
        self._known: dict[str, float] = {}

    def is_likely(self, row: Rows) -> bool:
        """Whether it is worth while to read a page in context, by its other signs."""
        alone = row.copy()
        alone["linking_near"] = np.nan
        narrow, _ = self._relevance.odds(self._relevance.signs(alone))
        return bool(narrow[0] > _NOT_UNLIKELY)

    def passages(self, title: str, text: str) -> Passages:
        """The passages that come nearest by their words alone."""
        passages = cut_passages(text)
        has = self._keywords.terms_in(passages)
        shares = [self._keywords.share_of(has[place]) if has.get(place) else 0.0 for place in range(len(passages))]
        likely = nearness(self._embedder.embed(passages), self._words_about) + _WORDS_COUNT * np.array(shares)
        best = np.argsort(-likely, kind="stable")[:_PASSAGES]
        readings = [self._model.read(f"{title}: {passages[place]}") for place in best]
        near = np.maximum([nearness(reading.whole, self._about) for reading in readings], 0)
        parts = np.concatenate([reading.parts for reading in readings])
        words_near = nearness(self._words, parts).max(axis=1, initial=0)
        return Passages(round(float(near.mean()), _DECIMALS), round(float(words_near.mean()), _DECIMALS))

    def headings(self, headings: Sequence[str]) -> list[tuple[str, float]]:
        """How near the headings are that come nearest by their words; those met before are known."""
        told = [heading for heading in dict.fromkeys(headings) if heading]
        if not told:
            return []
        near = nearness(self._embedder.embed(told), self._words_about)
        best = [told[place] for place in np.argsort(-near, kind="stable")[:CLOSEST]]
        if new := [heading for heading in best if heading not in self._known]:
            if len(self._known) > _HEADINGS_KEPT:
                self._known.clear()
                new = best
            self._known.update(zip(new, self._near(new), strict=True))
        return [(heading, self._known[heading]) for heading in best]

    def _near(self, texts: Sequence[str]) -> list[float]:
        near = np.maximum(nearness(self._model.embed(texts), self._about), 0)
        return [round(value, _DECIMALS) for value in near.tolist()]


def _telling_parts(about: Reading, topic: Topic) -> Vector:
    """The parts of words that tell something; of a topic without any, all."""
    telling = topic.keywords.language.telling
    places = [place for place, word in enumerate(about.words) if telling(words_of(word))]
    return about.parts[places] if places else about.parts


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
