"""Pages that changed together before: where one of them is found changed, the others are suspect until visited.

Of two pages it is counted how often both were found changed within a day, and how often that would be by chance, given
how often each of them was. A pair that met more often than by chance has a *lift*, the ratio of the two; a doubt keeps
pairs that met once or twice from being believed. A page has the largest lift of those that changed since it was
visited: several that are changed together are one cause, not many.

Groups of pages (change_rates.py) know what is near by its address; this finds what an editor, or a script of the site,
has in hand at once, wherever it stands. It is learned from the changes alone, so it can be learned anew from them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

TOGETHER = 1.0
"""Days within which two pages have to be found changed."""

DOUBT = 2.0
"""Meetings of a pair that are to be expected by chance are taken to be so many more, and those that there were too."""

MOST_LIFT = 10.0

MOST_PARTNERS = 40
"""Pages of which each page remembers how often they met."""

_MOST_LATE = 64
"""Changes within a day that a new one is paired with: beyond that, so much changed that it tells nothing of pairs."""


class ChangedTogether:
    """The pages of a crawl by number; times are in days.

    >>> together = ChangedTogether()
    >>> for day in range(0, 90, 9):
    ...     together.visited([0, 1], day, [True, True])
    ...     together.visited([2], day + 4.0, [True])
    >>> together.visited([0], 99.0, [True])
    >>> odds = together.odds(3)
    >>> bool(odds[1] > 2.0), odds[2].item()
    (True, 1.0)
    """

    def __init__(self) -> None:
        self._meetings: dict[int, Counter[int]] = {}
        self._changes: Counter[int] = Counter()
        self._late: deque[tuple[float, int]] = deque(maxlen=_MOST_LATE)
        self._begun = np.inf
        self._odds = np.ones(0)

    def visited(self, pages: Iterable[int], at: float, changed: Iterable[bool]) -> None:
        """Pages were visited at about the same time, and some had changed."""
        pages = list(pages)
        self.odds(max(pages, default=-1) + 1)[pages] = 1.0
        found = [page for page, is_changed in zip(pages, changed, strict=True) if is_changed]
        for page in found:
            self._learn(page, at)
        for page in found:
            for other, lift in self._lifts(page, at):
                if other not in pages:
                    self._suspect(other, lift)

    def restore(self, changes: Iterable[tuple[int, float]], last_visits: NDArray[np.float64]) -> None:
        """Learn from all changes that were found before, in their order, given when each page was visited last."""
        latest: dict[int, float] = {}
        for page, at in changes:
            self._learn(page, at)
            latest[page] = at
        self.odds(len(last_visits))
        now = max(latest.values(), default=0.0)
        for page, at in latest.items():
            for other, lift in self._lifts(page, now):
                if last_visits[other] < at:
                    self._suspect(other, lift)

    def odds(self, pages: int) -> NDArray[np.float64]:
        """How much more likely each of so many pages is to have changed than its rate tells."""
        if pages > len(self._odds):
            self._odds = np.pad(self._odds, (0, max(pages, 2 * len(self._odds)) - len(self._odds)), constant_values=1.0)
        return self._odds[:pages]

    def _learn(self, page: int, at: float) -> None:
        self._begun = min(self._begun, at)
        self._changes[page] += 1
        while self._late and self._late[0][0] <= at - TOGETHER:
            self._late.popleft()
        for _, other in self._late:
            if other != page:
                self._meet(page, other)
                self._meet(other, page)
        self._late.append((at, page))

    def _meet(self, page: int, other: int) -> None:
        met = self._meetings.setdefault(page, Counter())
        met[other] += 1
        if len(met) > 2 * MOST_PARTNERS:
            self._meetings[page] = Counter(dict(met.most_common(MOST_PARTNERS)))

    def _lifts(self, page: int, at: float) -> Iterable[tuple[int, float]]:
        """Who it met more often than by chance, and by how much. To have met once says nothing."""
        share = 2.0 * TOGETHER / max(at - self._begun, 1.0)
        for other, times in self._meetings.get(page, {}).items():
            if times > 1:
                by_chance = self._changes[page] * self._changes[other] * share
                yield other, (times - 1 + DOUBT) / (by_chance + DOUBT)

    def _suspect(self, page: int, lift: float) -> None:
        self._odds[page] = max(self._odds[page], min(lift, MOST_LIFT))
