"""How likely a page is on topic by its own signs, as a logarithm of odds.

It is the same for every page whatever else was fetched, but for what is usual among the pages of a crawl
(surroundings.py): a logistic regression with fixed coefficients over eight signs. They were fitted to topics of other
sites with pages judged by reading (benchmarks/relevance_training.py) and are shipped (`relevance_model.json`), one set
for vectors that know meaning and one for those that do not. What the pages of a crawl teach about each other is added
by lessons.py.
"""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.rank.evidence import HEADING, TITLE, Rows
from dowse.rank.surroundings import Numbers, nothing_known, surroundings
from dowse.score.background import Usual, usual_nearness
from dowse.score.topic import Topic

FILE = f"{__file__.rpartition('/')[0]}/relevance_model.json"

BY_WORDS = ("title", "heading", "words", "density", "own text")
BY_MEANING = (*BY_WORDS, "meaning", "like words", "pages linking")
_PLENTY = 1.2
_AS_GOOD = 0.6
_UNIT = 3.0
_LONG = 600


class Coefficients(Struct, frozen=True):
    """What each sign is worth, and what a page without any is; then what these odds count beside the pages it is like,
    and what is added to both (lessons.py)."""

    base: float
    signs: dict[str, float]
    own: float
    like_pages: float
    usual: float


class PageRelevance:
    """Judges pages by their own signs."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._knows_meaning = topic.embedder.source.knows_meaning
        self.names = BY_MEANING if self._knows_meaning else BY_WORDS
        self.coefficients = _coefficients("meaning" if self._knows_meaning else "words")
        self._worth = np.array([self.coefficients.signs.get(name, 0.0) for name in self.names])
        nothing = Usual(0.0, 1.0)
        self._usual = usual_nearness(topic.vector(topic.term_weights)) if self._knows_meaning else nothing
        self.surroundings = nothing_known(len(topic.telling))

    def look_around(self, rows: Rows) -> None:
        """See what is usual among pages."""
        self.surroundings = surroundings(rows["counts"].astype(bool), self._nearness(rows["text_near"]))

    def signs(self, rows: Rows) -> Numbers:
        """The signs of pages, a row each, in the order of `names`."""
        weights = self._topic.telling * (0.03 - np.log(0.9 * np.array(self.surroundings.shares) + 0.002) / 6.2)
        zones = rows["zones"]
        # All that is a share of the topic in one go, for mostly there is one page.
        kinds: list[Rows] = [zones & TITLE > 0, zones & HEADING > 0, rows["counts"] > 0, _densities(rows)]
        kinds.append(rows["alike"] / 255)
        shares = self._cover(np.concatenate(kinds), weights).reshape(len(kinds), len(rows))
        title, heading, words, density, alike = shares
        made = [rows["title_share"] * title, heading, words, density, rows["own"]]
        if self._knows_meaning:
            near = self._nearness(rows["text_near"])
            placed = self.surroundings.place(near) * np.clip(near, 0, _PLENTY)
            made += [placed, alike, np.nan_to_num(self._nearness(rows["linking_near"]))]
        signs: Numbers = np.array(made, float).T
        return signs

    def worths(self, rows: Rows) -> Numbers:
        """What each sign of pages adds to their odds, a row each, in the order of `names`."""
        worths: Numbers = self.signs(rows) * self._worth
        return worths

    def _cover(self, found: Rows, weights: Numbers) -> Numbers:
        """How much of its best subject a page has, 0 to 1; terms weigh the more, the rarer they are in general and on
        these pages."""
        best = np.zeros(len(found))
        telling = self._topic.telling
        for subject in self._topic.subjects:
            # A subject that tells far less than others (time, beside bubble) is not one that a page is about.
            counts = min(1.0, telling[subject].max() / (_AS_GOOD * telling.max()))
            weight = weights[subject]
            best = np.maximum(best, found[:, subject] @ weight / weight.sum() * counts)
        return best

    def _nearness(self, near: NDArray[np.float32]) -> Numbers:
        """How much nearer than usual in general something is to the topic."""
        made: Numbers = (near.astype(float) - self._usual.mean) / self._usual.spread / _UNIT
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
