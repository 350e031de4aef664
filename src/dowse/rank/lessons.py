"""What the pages of a crawl teach about its topic, beside the signs of each page alone (relevance.py).

    own            the odds that a page is on topic by its own signs
    like pages     what other pages of the crawl that it is like are by theirs: a ridge regression over vectors
    best pages     how likely the few best pages are by theirs: where these are sure, others have to be surer
    shared words   how much it has of the words that the likeliest pages have in common (shared_words.py)

How much each counts depends on how wide the topic is, which is told by the number of pages that are likely by their own
signs, by their share, and by how much the pages of the site are alike. Where likely ones are few, as on most manuals,
own signs count and a page is likely or not whatever the others are. Where there are many, the topic is wide and most of
its pages never say its name ("biology"): then all count, and a page is on topic if it is on the upper side of the cut
between low and high ones. Between these it is a mixture.

In the end the odds are a sum with weights. So a page that comes later is judged by the same sum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from msgspec import Struct

from dowse.rank.evidence import Rows
from dowse.rank.relevance import Coefficients, probability
from dowse.rank.shared_words import SharedWords, cut, shared_words
from dowse.rank.surroundings import Numbers
from dowse.score.tokens import Vector
from dowse.score.vectors import large

FEWEST = 10
"""Pages below which nothing is learned."""

_MOST_LEARNED = 4_000
_MANY, _GRADUAL = 1.8, 0.1
"""The logarithm of the number of likely pages times the share of those that may be, at which a topic is half wide, and
how gradually it becomes so. The number alone would have "merge" wide on a manual of Git, and the share alone anything
on a small site."""

_ALIKE = {"meaning": 0.57, "words": 0.34}
_MORE = 26.0
"""How much pages may be alike (1: all mean the same), and how much larger that logarithm has to be where they are more
so. In an encyclopedia they are 0.46 to 0.69 alike, on manuals 0.59 to 0.95; where vectors know no meaning 0.27 to 0.33
and 0.40 to 0.70. There a page is about one thing as a whole, here it has a section on it. The words of a narrow topic
are all over a manual ("layer masks" in one of an image editor), and had it taken for a wide one with hundreds of
pages."""

_VERY_MANY = 4.45
"""The same wherever it is, for likely pages times their share of those that may be. In a dictionary of algorithms pages
are as alike as those of a manual, and "sort" has a hundred that are likely and few that only may be."""

_MAY_BE = -1.0

_NOT_WIDE = 0.01

_FAR_MORE = 3.0
"""A wide topic has no more than so many times the pages that are on topic by their own signs: a cut always has two
sides, and on a site with little on the topic the upper one is half of the site."""

_WIDE = (1.0, 2.0, 2.0)
"""What own signs, like pages and shared words count where a topic is wide, in units of how much each varies."""

_BEST, _NOT_LIKELY = 3, -2.0
_RIDGE = 2.0
_UNSURE = 0.05
_FAR = 6.0
_SURE = 0.99


class LikePages(Struct, frozen=True):
    """Which way the likely pages lie: the middle of all pages, a direction, and how likely a page in the middle is."""

    middle: bytes = b""
    direction: bytes = b""
    level: float = 0.0

    def found(self, vectors: Vector) -> Numbers:
        """The odds of pages by those they are like."""
        if not self.direction:
            return np.zeros(len(vectors))
        middle, direction = (np.frombuffer(part, np.float32) for part in (self.middle, self.direction))
        return _odds(self.level + (_around(vectors, middle) @ direction).astype(float))


class Weights(NamedTuple):
    """What is added up to the odds of a page: those by its own signs where a topic is narrow and where it is wide, and
    what other pages tell."""

    usual: float
    narrow: float
    wide: float
    like_pages: float
    shared_words: float


class Lessons(Struct, frozen=True):
    """What was learned; nothing at first, so that the odds of a page are its own."""

    weights: Weights = Weights(0.0, 1.0, 0.0, 0.0, 0.0)
    like_pages: LikePages = LikePages()
    shared_words: SharedWords = SharedWords()

    def found(self, rows: Rows) -> tuple[Numbers, Numbers]:
        """What is told of pages by those they are like, and by the words they share."""
        return self.like_pages.found(large(rows["vector"])), self.shared_words.found(rows["words"])


def learned(
    own: tuple[Numbers, Numbers], rows: Rows, worth: Coefficients, *, by_meaning: bool = True
) -> tuple[Lessons, Numbers, Numbers]:
    """Learn from pages with such odds of their own, where the topic is narrow and where it is wide. The answer has what
    is told of each, too (see `found`); by those it is like without itself."""
    narrow, broad = own
    if len(narrow) < FEWEST:
        return Lessons(), np.zeros(len(narrow)), np.zeros(len(narrow))
    some = np.unique(np.linspace(0, len(narrow) - 1, min(len(narrow), _MOST_LEARNED)).astype(int))
    vectors = large(rows["vector"])
    wide = width(broad, vectors, by_meaning=by_meaning)
    seeming = (1 - wide) * narrow + wide * broad
    like, without_itself = _like_pages(probability(seeming[some]), vectors[some])
    nearby = like.found(vectors)
    nearby[some] = without_itself
    words = shared_words(np.clip(broad[some], -_FAR, _FAR), rows["words"][some]) if wide else SharedWords()
    share = words.found(rows["words"])
    return Lessons(_mixture(wide, narrow, (broad, nearby, share), worth), like, words), nearby, share


def width(broad: Numbers, vectors: Vector, *, by_meaning: bool = True) -> float:
    """How wide a topic is, 0 to 1, given the odds of pages where it is, their vectors, and if these know meaning."""
    likely, may_be = float((broad > 0).sum()), float((broad > _MAY_BE).sum())
    too_alike = max(alike(vectors) - _ALIKE["meaning" if by_meaning else "words"], 0.0)
    many = np.log1p(likely * may_be / len(broad)) - _MANY - _MORE * too_alike
    very_many = np.log1p(likely * likely / max(may_be, 1.0)) - _VERY_MANY
    wide = float(probability(np.maximum(many, very_many) / _GRADUAL))
    return wide if wide > _NOT_WIDE else 0.0


def alike(vectors: Vector) -> float:
    """How much pages are alike: 1 where all mean the same, and less the more directions they lie in."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return float(np.linalg.norm((vectors / (lengths + np.float32(1e-9))).mean(axis=0)))


def _mixture(wide: float, own: Numbers, told: tuple[Numbers, Numbers, Numbers], worth: Coefficients) -> Weights:
    """The weights of a topic that is so wide."""
    wide_weights = np.array([weight / _spread(values) for weight, values in zip(_WIDE, told, strict=True)])
    total = sum(weight * values for weight, values in zip(wide_weights, told, strict=True))
    most = min(int(_FAR_MORE * (told[0] > 0).sum()), len(total) - 1)
    line = max(cut(total), float(np.sort(total)[-1 - most]))
    broad, nearby, share = wide * wide_weights
    usual = (1 - wide) * (worth.usual + worth.best_pages * best(own)) - wide * line
    narrow = (1 - wide) * worth.own
    return Weights(usual, narrow, float(broad), float(nearby + (1 - wide) * worth.like_pages), float(share))


def best(own: Numbers) -> float:
    """The odds of the best pages. Where none is likely, the best are no measure of the others."""
    return max(float(np.sort(own)[-_BEST:].mean()), _NOT_LIKELY)


def _spread(values: Numbers) -> float:
    """How much values vary; what does not vary tells nothing."""
    spread = float(values.std())
    return spread if spread > 1e-3 else np.inf


def _like_pages(chances: Numbers, vectors: Vector) -> tuple[LikePages, Numbers]:
    """A ridge regression of how likely pages are over their vectors, the unsure ones counting less; and for each page
    what the others say of it."""
    middle = vectors.mean(axis=0)
    places = _around(vectors, middle).astype(float)
    weights = np.abs(2 * chances - 1) + _UNSURE
    level = float(np.average(chances, weights=weights))
    inverse = np.linalg.inv((places * weights[:, None]).T @ places + _RIDGE * np.eye(places.shape[1]))
    direction = inverse @ (places.T @ (weights * (chances - level)))
    leverage = weights * ((places @ inverse) * places).sum(axis=1)
    without_itself = chances - (chances - level - places @ direction) / (1 - leverage)
    made = LikePages(middle.astype(np.float32).tobytes(), direction.astype(np.float32).tobytes(), level)
    return made, _odds(without_itself)


def _around(vectors: Vector, middle: Vector) -> Vector:
    """Vectors seen from the middle of all, of the same length."""
    seen = vectors - middle
    made: Vector = seen / (np.linalg.norm(seen, axis=1, keepdims=True) + np.float32(1e-9))
    return made


def _odds(chances: Numbers) -> Numbers:
    sure = np.clip(chances, 1 - _SURE, _SURE)
    made: Numbers = np.log(sure / (1 - sure))
    return made
