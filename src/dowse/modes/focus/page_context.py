"""How near passages and headings of a page come to a topic in context: by how their words stand together and not by the
words alone (score/sentences.py).

That takes fifty milliseconds, so it is done for pages that are not unlikely by their other signs, and there for two
passages and a few headings that the words alone find nearest. A page tells the same whatever else was read.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dowse.rank.evidence import CLOSEST, Rows
from dowse.rank.relevance import PageRelevance
from dowse.score.sentences import sentence_model
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
"""What is behind them hangs on the machine, and on what else is compared in one go."""


class PageContext:
    """Compares pages with one topic."""

    def __init__(self, topic: Topic) -> None:
        self._keywords = topic.keywords
        self._embedder = topic.embedder
        self._words_about = topic.vector(topic.term_weights)
        self._relevance = PageRelevance(topic)
        self._model = sentence_model()
        self._about = self._model.embed([topic.phrase])[0]
        self._known: dict[str, float] = {}

    def is_likely(self, row: Rows) -> bool:
        """Whether it is worth while to read a page in context, by its other signs."""
        alone = row.copy()
        alone["linking_near"] = np.nan
        narrow, _ = self._relevance.odds(self._relevance.signs(alone))
        return bool(narrow[0] > _NOT_UNLIKELY)

    def passages(self, title: str, text: str) -> float:
        """How near the passages are that come nearest by their words, on the mean."""
        passages = cut_passages(text)
        has = self._keywords.terms_in(passages)
        shares = [self._keywords.share_of(has[place]) if has.get(place) else 0.0 for place in range(len(passages))]
        near = nearness(self._embedder.embed(passages), self._words_about) + _WORDS_COUNT * np.array(shares)
        best = np.argsort(-near, kind="stable")[:_PASSAGES]
        return round(float(np.mean(self._near([f"{title}: {passages[place]}" for place in best]))), _DECIMALS)

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
