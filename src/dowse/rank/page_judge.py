"""Judges the pages of a crawl one by one as they come, and all of them from time to time and in the end.

Both are the same sum (lessons.py). What differs is how well it is known what is usual here, and what pages teach: one
that comes is judged by what was known when all were judged last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.core.model import Judged
from dowse.rank.answers import Adjustment, Numbers, adjustment
from dowse.rank.evidence import HEADING, TITLE, Rows, page_type, rows_of
from dowse.rank.frames import Frames, frames_of
from dowse.rank.lessons import Lessons, learned
from dowse.rank.relevance import PageRelevance, probability
from dowse.rank.surroundings import Surroundings
from dowse.score.topic import Topic
from dowse.score.vectors import large

ANOTHER_LANGUAGE = "another language"
"""The part of a page's odds that tells what they are less for that."""

_SHOWN = 0.005
_NEVER = -30.0
"""The odds of a page that cannot match, where they are told."""


class State(Struct):
    """What it has to remember."""

    frames: Frames
    surroundings: Surroundings
    lessons: Lessons
    adjustment: Adjustment


class PageJudge:
    """Judges pages, and learns from them and from answers about them."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._type = page_type(len(topic.telling), topic.embedder.size)
        self._relevance = PageRelevance(topic, in_context=topic.in_context)
        self._frames = Frames()
        self._lessons = Lessons()
        self._adjustment = Adjustment()

    def judge(self, evidence: bytes, linking: float) -> tuple[bytes, float, dict[str, float]]:
        """The evidence of a page with how near the pages are that link to it, its relevance and the parts of that."""
        kept = rows_of(evidence, self._type).copy()
        kept["linking_near"] = linking
        row = self._frames.without(kept)
        ((relevance, parts),) = self._verdicts(row, self._relevance.signs(row), self._lessons.found(row))
        return kept.tobytes(), relevance, parts

    def judge_all(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        """Judge pages beside each other. `answers` are what a person said of some of them, by their places."""
        if not pages:
            return []
        rows = rows_of(pages, self._type)
        self._frames = frames_of(rows)
        rows = self._frames.without(rows)
        self._relevance.look_around(rows)
        signs = self._relevance.signs(rows)
        by_meaning, coefficients = self._topic.embedder.source.knows_meaning, self._relevance.coefficients
        self._lessons, *found = learned(self._relevance.odds(signs), rows, coefficients, by_meaning=by_meaning)
        self._adjustment = Adjustment()
        told = found[0], found[1]
        if answers:
            self._adjustment = adjustment(self._odds(rows, signs, told), large(rows["vector"]), signs, answers)
        verdicts = self._verdicts(rows, signs, told)
        for place, is_wanted in answers.items():
            verdicts[place] = (1.0 if is_wanted else 0.0), {"answered": 1.0 if is_wanted else -1.0}
        return [Judged(relevance, parts, page) for (relevance, parts), page in zip(verdicts, pages, strict=True)]

    def dump(self) -> bytes:
        known = self._frames, self._relevance.surroundings, self._lessons, self._adjustment
        return msgspec.msgpack.encode(State(*known))

    def load(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=State)
        self._frames, self._relevance.surroundings, self._lessons, self._adjustment = (
            saved.frames, saved.surroundings, saved.lessons, saved.adjustment
        )  # fmt: skip

    def _odds(self, rows: Rows, signs: Numbers, told: tuple[Numbers, Numbers]) -> Numbers:
        """The odds of pages without answers, given their signs and what other pages tell of them."""
        odds = self._sum(signs, told)
        odds -= self._excess(odds, signs)
        odds -= self._foreign(rows)
        return np.where(self._lacks_phrase(rows), -np.inf, odds)

    def _sum(self, signs: Numbers, told: tuple[Numbers, Numbers]) -> Numbers:
        weights = self._lessons.weights
        base, worth = self._relevance.worth(weights.narrow, weights.wide)
        odds: Numbers = weights.usual + base + signs @ worth
        return odds + weights.like_pages * told[0] + weights.shared_words * told[1]

    def _excess(self, odds: Numbers, signs: Numbers) -> Numbers:
        """By how much odds are too high for what was read in context, as far as the topic is narrow."""
        return self._lessons.weights.narrow / self._relevance.coefficients.own * self._relevance.excess(odds, signs)

    def _foreign(self, rows: Rows) -> Numbers:
        """What odds are less for pages in another language than the topic's."""
        return np.where(rows["foreign"] > 0, self._relevance.surroundings.foreign, 0.0)

    def _lacks_phrase(self, rows: Rows) -> NDArray[np.bool_]:
        """Which pages have not the words as they were given in quotation marks; these are something else."""
        if not self._topic.is_quoted:
            return np.zeros(len(rows), bool)
        has = np.logical_or((rows["counts"] > 0).any(axis=1), (rows["zones"] & (TITLE | HEADING) > 0).any(axis=1))
        return np.logical_not(has)

    def _verdicts(
        self, rows: Rows, signs: Numbers, told: tuple[Numbers, Numbers]
    ) -> list[tuple[float, dict[str, float]]]:
        vectors = large(rows["vector"])
        alone = self._odds(rows, signs, told)
        odds = self._adjustment.adjusted(alone, vectors, signs)
        is_unwanted = self._topic.is_unwanted(vectors)
        odds = np.where(is_unwanted, -np.inf, odds)
        parts = self._parts(rows, signs, told)
        if self._adjustment.direction:
            for place in np.flatnonzero(np.isfinite(odds)):
                parts[place]["answers"] = round(float(odds[place] - alone[place]), 2)
        for reason, those in (("lacks the phrase", self._lacks_phrase(rows)), ("like --unlike", is_unwanted)):
            for place in np.flatnonzero(those):
                part = parts[place]
                part[reason] = round(_NEVER - sum(part.values()), 2)
        return list(zip(probability(odds).round(4).tolist(), parts, strict=True))

    def _parts(self, rows: Rows, signs: Numbers, told: tuple[Numbers, Numbers]) -> list[dict[str, float]]:
        """What the odds of pages are made of, by name."""
        weights = self._lessons.weights
        base, worth = self._relevance.worth(weights.narrow, weights.wide)
        usual = round(weights.usual + base, 2)
        names = (*self._relevance.names, "read as off topic", ANOTHER_LANGUAGE, "like pages", "shared words")
        by_others = weights.like_pages * told[0], weights.shared_words * told[1]
        excess = self._excess(self._sum(signs, told), signs)
        all_worths = np.column_stack([signs * worth, -excess, -self._foreign(rows), *by_others])
        return [
            {"usual": usual, **{name: part for name, part in zip(names, row, strict=True) if abs(part) > _SHOWN}}
            for row in all_worths.round(2).tolist()
        ]
