"""What servers said of the changes of many pages, and how right each host was: server_signs.py in arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.core.revisits.change_rates import Numbers, Pages
from dowse.core.revisits.server_signs import (
    CHANGEFREQ,
    DAY,
    EXPIRES,
    FEED_DATE,
    FIRST_WORD,
    FUTURE,
    MOST_ODDS,
    NO_WORD,
    SITEMAP_DATE,
    odds,
)

_MOST_COMMON = 0.2
"""The share of a host's pages that may have one and the same date. Beyond it the date is that of something else, of
the last time that all pages were made anew, say."""

_FEW = 5
"""Dates of a host that may be the same by chance."""

Truths = NDArray[np.bool_]


class Word(NamedTuple):
    """How right a source was on a host: visits of pages that had changed and of which it said so, and the rest of
    these; the same of pages that had not."""

    host: str
    source: str
    changed_said: float
    changed_unsaid: float
    same_said: float
    same_unsaid: float


class ServerWords:
    """Pages are known by number, as in `ChangeRates`; times are in seconds since 1970."""

    def __init__(self, words: Iterable[Word] = ()) -> None:
        self._said: dict[str, Numbers] = {}
        """Of each source three rows: what it says of each page (0: nothing), since when, and what it said before."""
        self._counts: defaultdict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * 4)
        for word in words:
            self._counts[word.host, word.source] = list(word[2:])
        self._pages = 0

    def hear(self, page: int, source: str, value: float, at: float, before: float = 0.0) -> None:
        """A source says this of a page. What it said `before` is known already if it said it in this run."""
        table = self._said.get(source)
        if table is None:
            table = self._said[source] = np.zeros((3, 64))
        if page >= table.shape[1]:
            table = self._said[source] = np.pad(table, ((0, 0), (0, max(page, table.shape[1]))))
        table[:, page] = (value, at, before or table[0, page])
        self._pages = max(self._pages, page + 1)

    def words(self) -> list[Word]:
        return [Word(host, source, *counts) for (host, source), counts in self._counts.items()]

    def check(self, pages: Pages, changed: Truths, before: Numbers, at: float, hosts: list[str]) -> None:
        """Pages were visited `at` this time, and `before` that: was it right what was said? `hosts` is one a page."""
        for source, table in self._said.items():
            known = pages < table.shape[1]
            value, since, earlier = (np.where(known, row[np.where(known, pages, 0)], 0.0) for row in table)
            value = np.where(since < at, value, earlier)
            said, is_word = _says(source, value, before, at)
            for page in np.flatnonzero(is_word).tolist():
                self._counts[hosts[page], source][2 * (not changed[page]) + (not said[page])] += 1.0

    def odds(self, last_visits: Numbers, now: float, host_of: Pages, hosts: list[str]) -> Numbers:
        """How much more likely what is said of each page is if it changed since its last visit. `host_of` has the
        number of each page's host among `hosts`."""
        count = len(last_visits)
        product = np.ones(count)
        for source, table in self._said.items():
            value = np.zeros(count)
            length = min(count, table.shape[1])
            value[:length] = table[0, :length]
            said, is_word = _says(source, value, last_visits, now)
            alike = _alike(value, host_of, len(hosts)) if source in (SITEMAP_DATE, FEED_DATE) else np.zeros(len(hosts))
            worth = [self._worth(host, source, bool(alike[number])) for number, host in enumerate(hosts)]
            true, false = np.array([each[0] for each in worth]), np.array([each[1] for each in worth])
            product *= np.where(is_word, np.where(said, true[host_of], false[host_of]), 1.0)
        return np.clip(product, 1.0 / MOST_ODDS, MOST_ODDS)

    def _worth(self, host: str, source: str, alike: bool) -> tuple[float, float]:
        counted = self._counts.get((host, source), [0.0] * 4)
        counts = [first + seen for first, seen in zip(NO_WORD if alike else FIRST_WORD, counted, strict=True)]
        return odds(counts, True), odds(counts, False)


def _says(source: str, value: Numbers, before: Numbers, now: float) -> tuple[Truths, Truths]:
    """Whether a source says of each page that it changed since the visit before, and whether it says anything. A date
    without a time is the whole day."""
    if source == CHANGEFREQ:
        return now - before >= value, value > 0.0
    if source == EXPIRES:
        return now > value, value > 0.0
    until = value + np.where(value % DAY == 0.0, DAY, 0.0)
    return until > before, (value > 0.0) & (value <= now + FUTURE)


def _alike(dates: Numbers, host_of: Pages, hosts: int) -> Truths:
    """The hosts that give too many pages the same date."""
    told = dates > 0.0
    pairs, counts = np.unique(np.stack([host_of[told], dates[told] // 60]), axis=1, return_counts=True)
    most, total = np.zeros(hosts), np.zeros(hosts)
    np.maximum.at(most, pairs[0].astype(np.int64), counts)
    np.add.at(total, pairs[0].astype(np.int64), counts)
    found: Truths = most > np.maximum(_FEW, _MOST_COMMON * total)
    return found
