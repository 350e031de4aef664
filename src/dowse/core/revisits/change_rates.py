"""How often pages change, learned from their visits, and which of them it pays most to visit again.

Layers, from slow to quick:

    rate       of a page, in changes a day: its own visits, and as long as these are few those of its *groups*, the
               pages of its folder, its name in other folders, its template. Most pages of most sites never change, and
               a group tells it long before each of them was visited twice.
    activity   of a group at present: of the changes that its rates let expect in the pages visited of late, how many
               there were. Editors touch pages together, so one that changed makes its neighbours suspect, and ten that
               did not clear them.
    together   what changed at one time before may have done so again (changed_together.py).
    expected   changes of a page since its last visit: the rate over the time, the latest part of it times the
               activity.

A visit is worth the staleness it takes away. For changes at random at rate `r` with `x` expected since the last visit
that is (1 - e^-x (1 + x)) / r: the index of a policy that is the best there is when the rates are known. It asks
neither for pages that never change nor for those that change faster than anybody can follow.

Nothing here is slower than linear in the pages, and a million are weighed in a tenth of a second.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dowse.core.largest import largest
from dowse.core.revisits.changed_together import ChangedTogether
from dowse.core.revisits.gamma_range import gamma_range
from dowse.core.visit_dates import are_dated, days_since

Numbers = NDArray[np.float64]
Pages = NDArray[np.int64]
"""Pages by their numbers."""

NEVER = math.inf
"""The date of a change that nobody told."""

FIRST_RATE = 0.01
"""Changes a day of pages nobody knows anything about. It is worth FIRST_DAYS of looking at pages."""

FIRST_DAYS = 100.0

GROUP_CHANGES = 1.0
"""Changes that are seen, or should have been, in the pages of its groups before these tell as much of a page as the
pages of all groups do. Days would be a bad measure: what a site does in a year another does in an hour."""

OWN_CHANGES = 4.0
"""The same for the visits of a page itself, beside what its groups tell."""

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


class Activity(NamedTuple):
    """Of a group: changes found and changes expected in the pages visited of late, as of a day."""

    kind: int
    name: Hashable
    found: float
    expected: float
    at: float


class ChangeRates:
    """The pages of a crawl by number, each with the groups it belongs to; times are in days since any one moment.

    >>> rates = ChangeRates(kinds=1)
    >>> news, imprint = rates.add(["news"], at=0.0), rates.add(["imprint"], at=0.0)
    >>> for day in range(1, 300):
    ...     rates.visited(news, float(day), changed=True)
    ...     rates.visited(imprint, float(day), changed=False)
    >>> rates.rate(news).mean > 5 * rates.rate(imprint).mean
    True
    >>> rates.best(301.0, 1).tolist() == [news]
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
        self.together = ChangedTogether()
        self._gap = 0.0
        """The usual time between two visits of a page."""

    def __len__(self) -> int:
        return self._pages

    def add(self, groups: Sequence[Hashable], at: float, last_changed: float = NEVER) -> int:
        """A page was seen for the first time; the number it has from now on.

        `last_changed` is what its server says of it, where that can be believed: a page that is as it was for a year
        changes about once a year.
        """
        page = self._pages
        self._pages += 1
        if page == self._own.shape[1]:
            more = ((0, 0), (0, max(page, 16)))
            self._own, self._group_of = np.pad(self._own, more), np.pad(self._group_of, more)
        self._own[2, page] = at
        for kind, name in enumerate(groups):
            self._group_of[kind, page] = self._numbered(kind, name)
        if last_changed < at:
            self._count(np.array([page]), np.array([1.0]), np.array([at - last_changed]))
        return page

    def visited(self, page: int, at: float, changed: bool, last_changed: float = NEVER) -> None:
        """A page was visited again. A change is one or more: how many is guessed, less wildly where the server says
        when the last of them was."""
        self.visited_all(np.array([page]), at, np.array([changed]), np.array([last_changed]))

    def visited_all(self, pages: Pages, at: float, changed: NDArray[np.bool_], last_changed: Numbers) -> None:
        """The same of different pages at about the same time."""
        is_dated = are_dated(self._own[2, pages], at)
        if is_dated.any():
            self._learn(pages[is_dated], at, changed[is_dated], last_changed[is_dated])
        self._own[2, pages] = at
        self.together.visited(pages.tolist(), at, changed.tolist())

    def _learn(self, pages: Pages, at: float, changed: NDArray[np.bool_], last_changed: Numbers) -> None:
        before = self._own[2, pages]
        days = np.maximum(at - before, 0.0)
        rates = self._rates(pages)
        expected = np.maximum(rates * days, 1e-9)
        chance = -np.expm1(-expected)
        self._gap = self._gap or float(days.mean())
        self._gap += min(0.01 * len(pages), 1.0) * (float(days.mean()) - self._gap)
        self._note_activity(pages, at, days, changed, chance)
        self._own[:2, pages] *= 0.5 ** (days / HALF_LIFE)
        is_told = (before < last_changed) & (last_changed <= at)
        guessed = np.where(is_told, 1.0 + rates * (np.minimum(last_changed, at) - before), expected / chance)
        self._count(pages, np.where(changed, guessed, 0.0), days)

    def restore(self, groups: Sequence[Sequence[Hashable]], own: Numbers) -> None:
        """Take over pages of an earlier run, in the order of their numbers: the groups of each kind, a name a page; and
        the changes, the days and the date of the last visit, a row each."""
        self._pages = own.shape[1]
        self._own = np.array(own, np.float64)
        self._group_of = np.zeros((len(groups), self._pages), np.int64)
        for kind, names in enumerate(groups):
            known = self._groups[kind]
            self._group_of[kind] = [known.setdefault(name, len(known)) for name in names]
            shared = np.zeros((5, max(len(known), 16)))
            for row in (0, 1):
                shared[row] = np.bincount(self._group_of[kind], own[row], shared.shape[1])
            self._shared[kind] = shared
        self._all += own[:2].sum(axis=1)

    def own(self, pages: Pages) -> Numbers:
        """What `restore` needs of some pages."""
        return self._own[:, pages]

    def activities(self) -> list[Activity]:
        """What was found of late in the groups, and when that was."""
        return [
            Activity(kind, name, *self._shared[kind][2:, number].tolist())
            for kind, names in enumerate(self._groups)
            for name, number in names.items()
            if self._shared[kind][3, number] > 0.0
        ]

    def restore_activities(self, activities: Iterable[Activity], gap: float) -> None:
        """`gap` is the usual time between two visits of a page, `self.gap` of the earlier run."""
        self._gap = gap
        for kind, name, *numbers in activities:
            if name in self._groups[kind]:
                self._shared[kind][2:, self._groups[kind][name]] = numbers

    @property
    def gap(self) -> float:
        return self._gap

    def rate(self, page: int) -> Rate:
        """How often a page changes, and how sure that is."""
        mean = float(self._rates(np.array([page]))[0])
        shape = OWN_CHANGES + float(self._own[0, page])
        return Rate(mean, *gamma_range(shape, shape / mean))

    def days_since(self, at: float) -> Numbers:
        """Days since each page was visited."""
        return days_since(self._own[2, : self._pages], at, self._gap)

    @property
    def groups(self) -> Pages:
        """The groups of each page by number, a row for each kind of them."""
        return self._group_of[:, : self._pages]

    @property
    def days(self) -> Numbers:
        """Days that each page was looked at."""
        return self._own[1, : self._pages]

    @property
    def mean_rate(self) -> float:
        return float(self._all[0] / self._all[1])

    def expected(self, at: float) -> Numbers:
        """Changes to be expected of each page since it was visited."""
        pages = np.arange(self._pages)
        return self._expected(pages, self._rates(pages), at)

    def worth(self, at: float, odds: Numbers | None = None) -> Numbers:
        """How much staleness a visit now takes away, in days. `odds`: how much more likely what else is known of each
        page is if it changed since it was visited."""
        rates = self._rates(np.arange(self._pages))
        expected = np.minimum(self._expected(np.arange(self._pages), rates, at), 50.0)
        odds = self.together.odds(self._pages) * (1.0 if odds is None else odds)
        expected = np.log1p(odds * np.expm1(expected))
        worth: Numbers = (1.0 - np.exp(-expected) * (1.0 + expected)) / rates
        return worth

    def best(self, at: float, count: int, weights: Numbers | float = 1.0) -> Pages:
        """The pages that are most worth a visit, best first; `weights` is how much each page matters."""
        return largest(self.worth(at) * weights, count)

    def _numbered(self, kind: int, name: Hashable) -> int:
        number = self._groups[kind].setdefault(name, len(self._groups[kind]))
        if number == self._shared[kind].shape[1]:
            self._shared[kind] = np.pad(self._shared[kind], ((0, 0), (0, number)))
        return number

    def _count(self, pages: Pages, changes: Numbers, days: Numbers) -> None:
        self._own[0, pages] += changes
        self._own[1, pages] += days
        self._all += (changes.sum(), days.sum())
        for kind, shared in enumerate(self._shared):
            groups = self._group_of[kind, pages]
            np.add.at(shared[0], groups, changes)
            np.add.at(shared[1], groups, days)

    def _note_activity(
        self, pages: Pages, at: float, days: Numbers, changed: NDArray[np.bool_], chance: Numbers
    ) -> None:
        """A change somewhere in a long time tells little of the last days."""
        weights = np.minimum(1.0, self._memory / np.maximum(days, 1e-9))
        for kind, shared in enumerate(self._shared):
            groups = self._group_of[kind, pages]
            met = np.unique(groups)
            shared[2:4, met] *= 0.5 ** (np.maximum(at - shared[4, met], 0.0) / self._memory)
            shared[4, met] = at
            np.add.at(shared[2], groups, weights * changed)
            np.add.at(shared[3], groups, weights * chance)

    @property
    def _memory(self) -> float:
        """Days in which the activity of a group fades by half."""
        return max(LATE_SHARE * self._gap, 1e-3)

    def _rates(self, pages: Pages) -> Numbers:
        changes = np.full(len(pages), GROUP_CHANGES)
        days = np.full(len(pages), GROUP_CHANGES / self.mean_rate)
        for kind, shared in enumerate(self._shared):
            groups = self._group_of[kind, pages]
            changes += shared[0, groups]
            days += shared[1, groups]
        own_changes, own_days = self._own[0, pages], self._own[1, pages]
        rates: Numbers = (OWN_CHANGES + own_changes) / (OWN_CHANGES * days / changes + own_days)
        return np.maximum(rates, _LEAST_RATE)

    def _expected(self, pages: Pages, rates: Numbers, at: float) -> Numbers:
        days = days_since(self._own[2, pages], at, self._gap)
        activity = np.ones(len(pages))
        for kind, shared in enumerate(self._shared):
            fade = 0.5 ** (np.maximum(at - shared[4], 0.0) / self._memory)
            level = (ACTIVITY_DOUBT + shared[2] * fade) / (ACTIVITY_DOUBT + shared[3] * fade)
            activity *= level[self._group_of[kind, pages]]
        late = np.minimum(days, self._memory)
        expected: Numbers = rates * (days + late * (np.minimum(activity, MOST_ACTIVE) - 1.0))
        return expected
