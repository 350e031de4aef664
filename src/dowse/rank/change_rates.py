"""How often pages change, learned from their visits, and which of them it pays most to visit again.

Three layers, from slow to quick:

    rate       of a page, in changes a day: its own visits, and as long as these are few those of its *groups*, the
               pages of its folder, its name in other folders, its template. Most pages of most sites never change, and
               a group tells it long before each of them was visited twice.
    activity   of a group at present: of the changes that its rates let expect in the pages visited of late, how many
               there were. Editors touch pages together, so one that changed makes its neighbours suspect, and ten that
               did not clear them.
    expected   changes of a page since its last visit: the rate over the time, the latest part of it times the
               activity.

A visit is worth the staleness it takes away. For changes at random at rate `r` with `x` expected since the last visit
that is (1 - e^-x (1 + x)) / r: the index of a policy that is the best there is when the rates are known. It asks
neither for pages that never change nor for those that change faster than anybody can follow.

Memory is a few arrays of one number a page; nothing here is slower than linear in the pages, and a million are
weighed in a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import expm1
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

FIRST_RATE = 0.01
"""Changes a day of pages nobody knows anything about. It is worth FIRST_DAYS of looking at pages."""

FIRST_DAYS = 100.0

GROUP_DAYS = 100.0
"""Days of looking at pages of its groups after which they tell as much of a page as the pages of all groups do."""

OWN_DAYS = 100.0
"""Days a page has to be looked at before its own visits tell as much of it as its groups do."""

HALF_LIFE = 800.0
"""Days after which what a page did counts half: pages grow old."""

ACTIVITY_DOUBT = 1.0
"""Changes to be expected in the pages visited of late before what was found counts as much as the usual."""

MOST_ACTIVE = 50.0

LATE_SHARE = 0.6
"""The activity fades by half in this share of the time between two visits of a page. A shorter memory forgets what
changed before the neighbours had their turn."""

_LEAST_RATE = 1e-6


class Rate(NamedTuple):
    """Changes a day that a page is thought to have, and the range it is in with nine chances of ten."""

    mean: float
    low: float
    high: float


class ChangeRates:
    """The pages of a crawl by number, each with the groups it belongs to; times are in days since any one moment.

    >>> rates = ChangeRates(kinds=1)
    >>> news, imprint = rates.add(["news"], at=0.0), rates.add(["imprint"], at=0.0)
    >>> for day in range(1, 30):
    ...     rates.visited(news, float(day), changed=True)
    ...     rates.visited(imprint, float(day), changed=False)
    >>> rates.rate(news).mean > 10 * rates.rate(imprint).mean
    True
    >>> rates.best(31.0, 1).tolist() == [news]
    True
    """

    def __init__(self, kinds: int) -> None:
        self._pages = 0
        self._own = np.zeros((3, 16))
        """Of each page: changes, days it was looked at, and when it was visited last."""
        self._group_of = np.zeros((kinds, 16), np.int64)
        self._groups: list[dict[Hashable, int]] = [{} for _ in range(kinds)]
        self._shared = [np.zeros((5, 16)) for _ in range(kinds)]
        """Of each group: changes, days; of late: changes found, changes expected; when these two were brought up to
        date."""
        self._all = np.array([FIRST_RATE * FIRST_DAYS, FIRST_DAYS])
        self._gap = 0.0
        """The usual time between two visits of a page."""

    def __len__(self) -> int:
        return self._pages

    def add(self, groups: Sequence[Hashable], at: float, last_changed: float | None = None) -> int:
        """A page was seen for the first time; the number it has from now on.

        `last_changed` is what its server says of it, where that can be believed: a page that is as it was for a year
        changes about once a year.
        """
        page = self._pages
        self._pages += 1
        if page == self._own.shape[1]:
            self._own = np.pad(self._own, ((0, 0), (0, page)))
            self._group_of = np.pad(self._group_of, ((0, 0), (0, page)))
        self._own[2, page] = at
        for kind, name in enumerate(groups):
            self._group_of[kind, page] = self._numbered(kind, name)
        if last_changed is not None and last_changed < at:
            self._count(page, 1.0, at - last_changed)
        return page

    def visited(self, page: int, at: float, changed: bool, last_changed: float | None = None) -> None:
        """A page was visited again. A change is one or more: how many is guessed, less wildly where the server says
        when the last of them was."""
        before = float(self._own[2, page])
        days = max(at - before, 0.0)
        rate = float(self._rates(np.array([page]))[0])
        expected = rate * days
        if self._gap == 0.0:
            self._gap = days
        self._gap += 0.01 * (days - self._gap)
        self._note_activity(page, at, days, changed, -expm1(-expected))
        fade = 0.5 ** (days / HALF_LIFE)
        self._own[:2, page] *= fade
        changes = 0.0
        if changed and last_changed is not None and before < last_changed <= at:
            changes = 1.0 + rate * (last_changed - before)
        elif changed:
            changes = expected / -expm1(-expected) if expected > 1e-9 else 1.0
        self._count(page, changes, days)
        self._own[2, page] = at

    def rate(self, page: int) -> Rate:
        """How often a page changes, and how sure that is."""
        mean = float(self._rates(np.array([page]))[0])
        days = OWN_DAYS + float(self._own[1, page])
        return Rate(mean, *_gamma_range(mean * days, days))

    def expected(self, at: float, pages: NDArray[np.int64] | None = None) -> Numbers:
        """Changes to be expected of pages, all of them if none are named, since they were visited."""
        which = np.arange(self._pages) if pages is None else pages
        return self._expected(which, self._rates(which), at)

    def worth(self, at: float, pages: NDArray[np.int64] | None = None) -> Numbers:
        """How much staleness a visit now takes away, in days."""
        which = np.arange(self._pages) if pages is None else pages
        rates = self._rates(which)
        expected = self._expected(which, rates, at)
        worth: Numbers = (1.0 - np.exp(-expected) * (1.0 + expected)) / rates
        return worth

    def best(self, at: float, count: int, weights: Numbers | None = None) -> NDArray[np.int64]:
        """The pages that are most worth a visit, best first; `weights` is how much each page matters."""
        worth = self.worth(at)
        if weights is not None:
            worth = worth * weights
        count = min(count, self._pages)
        if count <= 0:
            return np.zeros(0, np.int64)
        top = np.argpartition(-worth, count - 1)[:count]
        return top[np.argsort(-worth[top], kind="stable")]

    def _numbered(self, kind: int, name: Hashable) -> int:
        number = self._groups[kind].setdefault(name, len(self._groups[kind]))
        if number == self._shared[kind].shape[1]:
            self._shared[kind] = np.pad(self._shared[kind], ((0, 0), (0, number)))
        return number

    def _count(self, page: int, changes: float, days: float) -> None:
        self._own[:2, page] += (changes, days)
        self._all += (changes, days)
        for kind, shared in enumerate(self._shared):
            shared[:2, self._group_of[kind, page]] += (changes, days)

    def _note_activity(self, page: int, at: float, days: float, changed: bool, chance: float) -> None:
        """A change somewhere in a long time tells little of the last days."""
        weight = min(1.0, self._memory / days) if days > 0.0 else 1.0
        for kind, shared in enumerate(self._shared):
            group = shared[:, self._group_of[kind, page]]
            group[2:4] *= 0.5 ** (max(at - group[4], 0.0) / self._memory)
            group[2:4] += (weight * changed, weight * chance)
            group[4] = at

    @property
    def _memory(self) -> float:
        """Days in which the activity of a group fades by half."""
        return max(LATE_SHARE * self._gap, 1e-3)

    def _rates(self, pages: NDArray[np.int64]) -> Numbers:
        changes = np.full(len(pages), GROUP_DAYS * self._all[0] / self._all[1])
        days = np.full(len(pages), GROUP_DAYS)
        for kind, shared in enumerate(self._shared):
            groups = self._group_of[kind, pages]
            changes += shared[0, groups]
            days += shared[1, groups]
        own_changes, own_days = self._own[0, pages], self._own[1, pages]
        rates: Numbers = (OWN_DAYS * changes / days + own_changes) / (OWN_DAYS + own_days)
        return np.maximum(rates, _LEAST_RATE)

    def _expected(self, pages: NDArray[np.int64], rates: Numbers, at: float) -> Numbers:
        days = np.maximum(at - self._own[2, pages], 0.0)
        activity = np.ones(len(pages))
        for kind, shared in enumerate(self._shared):
            fade = 0.5 ** (np.maximum(at - shared[4], 0.0) / self._memory)
            level = (ACTIVITY_DOUBT + shared[2] * fade) / (ACTIVITY_DOUBT + shared[3] * fade)
            activity *= level[self._group_of[kind, pages]]
        late = np.minimum(days, self._memory)
        expected: Numbers = rates * (days + late * (np.minimum(activity, MOST_ACTIVE) - 1.0))
        return expected


def _gamma_range(shape: float, days: float) -> tuple[float, float]:
    """The middle nine tenths of what a rate may be: drawn, for the exact way needs a library that is not here."""
    draws = np.random.default_rng(1).gamma(shape, 1.0 / days, 4096)
    low, high = np.quantile(draws, (0.05, 0.95))
    return float(low), float(high)
