"""Relevance feedback: the topic's vector moves to the best pages found so far (Rocchio, mostly without asking anybody).
Pages in another language than the topic's count where there are no others.

Where a person has said of pages what they are, those that are wanted count as the best, and it moves away from others.
"""

from __future__ import annotations

import numpy as np

from dowse.rank.evidence import about_type, rows_of
from dowse.score.tokens import Vector
from dowse.score.topic import Topic
from dowse.score.vectors import large, unit

FEEDBACK_FROM = 10
"""Pages before the topic moves at all."""

_PAGES = 10
_MOST = 64
_LEAST = 0.5
"""What a page has to be worth of what the best one is: where a site has three pages on a topic, the next ones are about
something else, and the topic would move there. Where vectors know no meaning, pages that are far from the topic's own
words are all that can tell of others."""

_SHARE, _AWAY = 0.75, 0.25

Best = list[tuple[float, bytes]]
"""What pages are worth, and what they are about."""


class Feedback:
    """A topic that moves: `origin` is where its own words are, `focus` where the best pages drew it."""

    def __init__(self, topic: Topic) -> None:
        self.origin = self.focus = topic.vector(topic.term_weights)
        self.best: Best = []
        self.wanted: list[bytes] = []
        self.unwanted: list[bytes] = []
        """What pages are about of which a person said that they are on topic, or not."""
        self._topic = topic
        self._about = about_type(len(topic.term_weights), topic.embedder.size)

    def note(self, worth: float, about: bytes) -> None:
        """Keep a page if it is one of the best."""
        self.best.append((worth, about))
        if len(self.best) > 2 * _MOST:
            self.best = sorted(self.best, reverse=True)[:_MOST]

    def move(self, pages: int, term_weights: Vector) -> None:
        """Begin anew where the topic's terms are by their weights, and move from there, after so many pages."""
        self.origin = self._topic.vector(term_weights)
        rest = [page for page in self.best if page[1] not in self.unwanted] or self.best
        own = [page for page in rest if rows_of(page[1], self._about)["foreign"][0] <= 0]
        best = sorted(own or rest, reverse=True)[: min(_PAGES + pages // 20, _MOST)]
        if self._topic.embedder.source.knows_meaning:
            most = best[0][0]
            best = [page for page in best if page[0] >= min(_LEAST * most, most)]
        near = dict.fromkeys((*(about for _, about in best), *self.wanted))
        focus = self.origin + np.float32(_SHARE) * self._middle(list(near))
        self.focus = unit(focus - np.float32(_AWAY) * self._middle(self.unwanted) if self.unwanted else focus)

    def _middle(self, pages: list[bytes]) -> Vector:
        return unit(large(rows_of(b"".join(pages), self._about)["vector"]).mean(0))

    def dump(self) -> tuple[bytes, bytes, Best]:
        """Focus, origin and the best pages, to be saved."""
        return self.focus.tobytes(), self.origin.tobytes(), self.best

    def load(self, focus: bytes, origin: bytes, best: Best) -> None:
        self.focus, self.origin = np.frombuffer(focus, np.float32), np.frombuffer(origin, np.float32)
        self.best = best
