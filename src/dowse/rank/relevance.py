"""How likely a page is on topic by its own signs, as a logarithm of odds.

It is the same for every page whatever else was fetched, but for what is usual among the pages of a crawl
(surroundings.py): a logistic regression with fixed coefficients over a dozen signs. There are two of them. Where a
topic is narrow, as on most manuals, a page is on topic if it has a section on it; these coefficients were fitted to
manuals with pages judged by reading. Where it is wide, pages are that never say its name; these were fitted to an
encyclopedia and a dictionary as well (benchmarks/relevance_training.py). They are shipped (`relevance_model.json`), for
vectors that know meaning and for those that do not. What the pages of a crawl teach about each other is added by
lessons.py, and whether the topic is wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from dowse.rank.evidence import HEADING, OPENING, TITLE, TOGETHER, Rows
from dowse.rank.surroundings import Numbers, Surroundings, best_of, less_for_foreign, nothing_known
from dowse.score.background import Usual, usual_nearness
from dowse.score.topic import Topic
from dowse.score.vectors import large

FILE = f"{__file__.rpartition('/')[0]}/relevance_model.json"

BY_WORDS = ("title", "heading", "words", "density", "own text", "opening", "passage", "section")
BY_MEANING = (*BY_WORDS, "meaning", "like words", "pages linking", "heading meaning")
IN_CONTEXT = (*BY_MEANING, "passages in context", "words in context", "heading in context", "read in context")
_UNIT = 3.0
_LONG = 600
_FLOORS_IN_CONTEXT = (0.4, 0.8, 0.4)
"""How near the best passages, the words in them and the best headings are at least."""

_SURE_IN_CONTEXT = 5.0
"""Odds in context count up to this, and down to its opposite; what is not read is as unlikely as that."""

_AT_MOST_ABOVE = 3.5
"""How far the odds of a page may be above those in context. On a site that is all about a part of the topic
("anarchists and dinosaurs", in a book on anarchism) every page has the other signs; what reads topic and page together
is not deceived. On judged manuals it hardly matters."""


class Odds(Struct, frozen=True):
    """What each sign is worth, and what a page without any is."""

    base: float
    signs: dict[str, float]

    def worths(self, names: Sequence[str]) -> Numbers:
        """What signs are worth, in the order of their names."""
        return np.array([self.signs.get(name, 0.0) for name in names])


class Coefficients(Struct, frozen=True):
    """What makes a page likely where a topic is narrow, and where it is wide; then, where it is narrow, what these odds
    count beside the pages it is like and the best pages there are, and what is added to all (lessons.py)."""

    narrow: Odds
    wide: Odds
    own: float
    like_pages: float
    best_pages: float
    usual: float


class PageRelevance:
    """Judges pages by their own signs, those in context among them if they were read like that."""

    def __init__(self, topic: Topic, *, in_context: bool = False) -> None:
        self._topic = topic
        self._knows_meaning = topic.embedder.source.knows_meaning
        self._in_context = in_context
        self.names = IN_CONTEXT if in_context else BY_MEANING if self._knows_meaning else BY_WORDS
        self.coefficients = _coefficients("context" if in_context else "meaning" if self._knows_meaning else "words")
        self._worths = [odds.worths(self.names) for odds in (self.coefficients.narrow, self.coefficients.wide)]
        self._usual = usual_nearness(topic.nearness) if self._knows_meaning else Usual(0.0, 1.0)
        self.surroundings = nothing_known(len(topic.telling))
        self._known_shares: tuple[float, ...] = ()

    def look_around(self, rows: Rows) -> None:
        """See what is usual among pages."""
        shares = tuple((rows["counts"] > 0).mean(axis=0).tolist())
        near = best_of(self._text_near(rows, shares)), best_of(self._nearness(rows["heading_near"]))
        words_near = self._cover(rows["words_near"], self._weights(shares))
        close = (rows["passages_near"].astype(float), words_near, rows["closest_near"].astype(float))
        best = (best_of(values, floor) for values, floor in zip(close, _FLOORS_IN_CONTEXT, strict=True))
        self.surroundings = replace(Surroundings(shares, *near, *best), foreign=less_for_foreign(rows["foreign"]))

    def signs(self, rows: Rows) -> Numbers:
        """The signs of pages, a row each, in the order of `names`."""
        around, zones = self.surroundings, rows["zones"]
        # All that is a share of the topic in one go, for mostly there is one page.
        kinds: list[Rows] = [zones & zone > 0 for zone in (TITLE, HEADING, OPENING, TOGETHER)]
        kinds += [rows["counts"] > 0, _densities(rows), rows["alike"] / 255]
        weights = self._weights(around.shares)
        shares = self._cover(np.concatenate(kinds), weights).reshape(len(kinds), len(rows))
        title, heading, opening, together, words, density, alike = shares
        made = [rows["title_share"] * title, heading, words, density, rows["own"]]
        made += [opening, together, heading * together]
        if self._knows_meaning:
            made += [self._text_near(rows, around.shares) / around.best, alike]
            made += [np.nan_to_num(self._nearness(rows["linking_near"]))]
            made += [self._nearness(rows["heading_near"]) / around.best_heading]
        if self._in_context:
            # Squares part the nearest pages from those that are as near as anything on the site.
            made += [np.square(rows["passages_near"] / around.best_passages)]
            made += [np.square(self._cover(rows["words_near"], weights) / around.best_words)]
            made += [np.square(rows["closest_near"] / around.best_closest)]
            made += [np.clip(rows["in_context"] / _SURE_IN_CONTEXT, -1, 1) + 1]
        signs: Numbers = np.array(made, float).T
        return signs

    def _weights(self, shares: tuple[float, ...]) -> Numbers:
        """What terms weigh: the more, the rarer they are in general and on these pages."""
        weights: Numbers = self._topic.telling * (0.03 - np.log(0.9 * np.array(shares) + 0.002) / 6.2)
        return weights

    def odds(self, signs: Numbers) -> tuple[Numbers, Numbers]:
        """The odds of pages by their signs where the topic is narrow, and where it is wide."""
        narrow, wide = (
            signs @ worths + odds.base
            for worths, odds in zip(self._worths, (self.coefficients.narrow, self.coefficients.wide), strict=True)
        )
        return narrow, wide

    def excess(self, odds: Numbers, signs: Numbers) -> Numbers:
        """By how much the odds of pages are too high for what was read in context, where the topic is narrow."""
        return excess(odds, signs) if self._in_context else np.zeros(len(signs))

    def worth(self, narrow: float, wide: float) -> tuple[float, Numbers]:
        """What a page without signs is worth and what each sign adds, if both odds count so much."""
        base = narrow * self.coefficients.narrow.base + wide * self.coefficients.wide.base
        worths: Numbers = narrow * self._worths[0] + wide * self._worths[1]
        return base, worths

    def _cover(self, found: Rows, weights: Numbers) -> Numbers:
        """How much of its best subject a page has, 0 to 1."""
        best = np.zeros(len(found))
        for subject, counts in zip(self._topic.subjects, self._topic.subjects_count, strict=True):
            weight = weights[subject]
            best = np.maximum(best, found[:, subject] @ weight / weight.sum() * counts)
        return best

    def _text_near(self, rows: Rows, shares: tuple[float, ...]) -> Numbers:
        """How much nearer than usual in general texts are to the topic, if so many pages have its words: those that all
        of them have are what the site is about, and not what its pages differ in."""
        if not self._knows_meaning or not any(shares):
            return self._nearness(rows["text_near"])
        if shares != self._known_shares:
            weights = np.sqrt(self._weights(shares) / self._topic.telling)
            self._known_shares, self._known_weights = shares, weights
            self._known_usual = usual_nearness(partial(self._topic.nearness, weights=weights))
        near = self._topic.nearness(large(rows["vector"]), self._known_weights)
        return self._nearness(near, self._known_usual)

    def _nearness(self, near: NDArray[np.float32], usual: Usual | None = None) -> Numbers:
        """How much nearer than usual in general something is to the topic."""
        usual = usual or self._usual
        made: Numbers = (near.astype(float) - usual.mean) / usual.spread / _UNIT
        return made


def excess(odds: Numbers, signs: Numbers) -> Numbers:
    """By how much odds are too high for what was read in context, given the signs of pages that may be read so."""
    read = _SURE_IN_CONTEXT * (signs[:, IN_CONTEXT.index("read in context")] - 1)
    made: Numbers = np.maximum(odds - read - _AT_MOST_ABOVE, 0)
    return made


def probability(odds: Numbers) -> Numbers:
    """The probabilities that odds are."""
    made: Numbers = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return made


def _densities(rows: Rows) -> Numbers:
    """How dense each term is in the text of pages, 0 to 1."""
    counts = rows["counts"].astype(float)
    damping = 1.2 * (0.25 + 0.75 * np.maximum(rows["length"], 50) / _LONG)
    found: Numbers = counts / (counts + damping[:, None])
    return found


@cache
def _coefficients(kind: str) -> Coefficients:
    with open(FILE, "rb") as stream:
        return msgspec.json.decode(stream.read(), type=dict[str, Coefficients])[kind]
