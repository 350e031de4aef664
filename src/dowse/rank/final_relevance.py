"""Which pages of a finished crawl are about its topic, told by the words that they have in common.

While a crawl runs, a page is judged alone. In the end all of them are there: those that seem to match are taken for
examples, the words that they have more often than the rest are weighed by that, and all pages are judged by these
words; this is done again until the same pages match. So pages are found that have the topic's company of words but
not its own, and those are dropped that have one of its words by chance.

Where a site has little or nothing on the topic, the words of its templates are what pages have in common. So the result
counts only if the pages nearest to the topic as the user gave it are among those that match, and these are ranked by
how near they are to it, not by how many of the words they have.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dowse.core.saturation import FEWEST, find_threshold
from dowse.rank.evidence import Rows

Numbers = NDArray[np.float64]

_ROUNDS = 3
"""More rounds drift from the topic: they find fewer of its pages, and no fewer others."""

_WORDS = 60
_FEWEST_PAGES = 3
_MOST_PAGES = 0.5
"""Words on fewer pages, or on a larger part of them, tell nothing."""

_DOUBT = 0.02
_FEWEST_EXAMPLES = 5
_CURVE = 0.75
"""Relevance is the words' worth to this power, which spreads low values: the cut between low and high ones comes to be
a little lower, for high ones vary more."""


_NEAREST = 10
_AMONG_THEM = 0.6
_CLEAR = 0.2
"""How near to the topic as it was given the nearest page has to be for others to be taken for examples."""

_NOTHING = 0.15
"""Less is what a page has by chance."""

_SURE = 0.98
"""A page that is nearer to the topic as it was given than this part of the matches is one, whatever its words are; if
its title names the topic, half of them are enough."""

_LEAST_MATCH, _MOST_ELSE = 0.6, 0.3


def settled(own: Numbers, seeming: Numbers, is_named: NDArray[np.bool_], words: Rows) -> Numbers:
    """The relevance of pages in the end, given how near each is to the topic as it was given (`own`), how near to what
    the topic has become on the way (`seeming`), whether its title names the topic, and its words.
    """
    if not len(own) or own.max() < _CLEAR:
        return np.where(own < _NOTHING, 0.0, own)
    found = match_by_words(seeming, words)
    threshold = find_threshold(found.tolist())
    is_match = found >= threshold
    nearest = np.argsort(-own, kind="stable")[:_NEAREST]
    if np.average(is_match[nearest], weights=own[nearest] ** 2) < _AMONG_THEM:
        return own
    # Of a topic with several subjects one may have more pages than the others, and theirs are the words in common.
    usual, high = np.quantile(own[is_match], (0.5, _SURE))
    is_match |= (own >= high) | (is_named & (own >= usual))
    return np.where(is_match, _LEAST_MATCH + (1 - _LEAST_MATCH) * own / own.max(), _MOST_ELSE * found / threshold)


def match_by_words(relevance: Numbers, words: Rows) -> Numbers:
    """The relevance of pages, 0 to 1, given what it seems to be and a row of their words for each."""
    pages, stems, weights, count = _told(words)
    if len(relevance) < FEWEST or not count:
        return relevance
    usual = np.bincount(stems, weights, count) / len(relevance)
    before: NDArray[np.bool_] = np.zeros(len(relevance), bool)
    found = relevance
    for _ in range(_ROUNDS):
        is_example = found >= min(find_threshold(found.tolist()), np.sort(found)[-_FEWEST_EXAMPLES])
        if (is_example == before).all():
            break
        within = is_example[pages]
        among = np.bincount(stems[within], weights[within], count) / is_example.sum()
        worth = np.log((among + _DOUBT) / (usual + _DOUBT)) * np.sqrt(among)
        worth[np.argsort(-worth, kind="stable")[_WORDS:]] = 0
        sums = np.bincount(pages, weights * np.maximum(worth, 0)[stems], len(relevance))
        if not sums.any():
            return relevance
        before, found = is_example, (sums / sums.max()) ** _CURVE
    return found


def _told(words: Rows) -> tuple[NDArray[np.intp], NDArray[np.intp], Numbers, int]:
    """The words that tell something: on which page, which, how much of them, and how many different ones."""
    pages, _ = np.nonzero(words["weight"])
    there = words[words["weight"] > 0]
    _, stems = np.unique(there["stem"], return_inverse=True)
    on = np.bincount(stems)
    is_told = (on >= _FEWEST_PAGES) & (on < _MOST_PAGES * len(words))
    kept = is_told[stems]
    numbers = np.cumsum(is_told) - 1
    return pages[kept], numbers[stems[kept]], there["weight"][kept] / 100, int(is_told.sum())
