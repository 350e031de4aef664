"""What a best-first crawl has brought so far, and whether it brings anything yet."""

from __future__ import annotations

import math
from array import array
from typing import NamedTuple

from dowse.core.patience import Patience
from dowse.store.best_first.worths import read_waiting, worth_of
from dowse.store.database import Database

_LOOK_EVERY = 10
"""Pages and dead links between two looks at whether a crawl still finds anything."""

_MOST_AGAIN = 1_000
"""Pages judged once more that are remembered until a look."""

_BEFORE = "SELECT relevance FROM judgement WHERE task = ?"


class _Again(NamedTuple):
    """A page that was judged once more: after how many others it came, its relevance, and what its link was worth."""

    after: int
    relevance: float
    worth: float


class Gains:
    """The relevance of answers in the order they came, and what their links were worth."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self.relevances, self._worths = array("d"), array("d")
        self._tasks = array("q")
        self.results = 0  # the answers that count, by what is known so far
        self._again: dict[int, _Again] = {}  # since the last look
        self._others = 0  # dead links, and pages that were judged once more
        self._look_at = 0  # so many pages and others
        self._has_enough = False

    def load(self, connection: Database) -> None:
        self._connection = connection
        rows = connection.execute("SELECT task, relevance, worth FROM judgement ORDER BY id").fetchall()
        self._tasks = array("q", [task for task, *_ in rows])
        self.relevances = array("d", [relevance for _, relevance, _ in rows])
        self._worths = array("d", [worth_of(worth) for *_, worth in rows])
        self.results = sum(value >= self._patience.threshold for value in self.relevances)
        self._again.clear()

    def came(self, task: int, relevance: float, worth: float) -> None:
        """A page was judged, perhaps not for the first time."""
        before = self._connection.execute(_BEFORE, (task,)).fetchone()
        self.change(task, before[0], relevance, worth) if before else self.add(task, relevance, worth)

    def add(self, task: int, relevance: float, worth: float) -> None:
        self._tasks.append(task)
        self.relevances.append(relevance)
        self._worths.append(worth)
        self.results += relevance >= self._patience.threshold

    def change(self, task: int, before: float, relevance: float, worth: float) -> None:
        """A page that was judged before comes last now."""
        self.results += (relevance >= self._patience.threshold) - (before >= self._patience.threshold)
        known = self._again.pop(task, None)
        if known is not None and math.isnan(worth):
            worth = known.worth
        self._again[task] = _Again(len(self.relevances), relevance, worth)
        self._others += 1
        if len(self._again) >= _MOST_AGAIN:  # nobody looks, where links rest or without patience
            self._put_anew()

    def miss(self) -> None:
        """A link was dead."""
        self._others += 1

    @property
    def may_be_enough(self) -> bool:
        return self._patience.answers > 0

    def is_enough(self) -> bool:
        """Whether next to nothing came for a while, or is left, as of the last look. Several pages may have come since
        the one before."""
        pages, patience = len(self.relevances), self._patience
        if not self.may_be_enough or pages < patience.first_look:
            return False
        if pages + self._others >= self._look_at:
            self._look_at = pages + self._others + _LOOK_EVERY
            self._has_enough = self._look()
        return self._has_enough

    def _look(self) -> bool:
        from dowse.core.saturation import prospect  # numpy comes with it

        if self._again:
            self._put_anew()
        pages, patience, waiting = len(self.relevances), self._patience, read_waiting(self._connection)
        known = pages + sum(waiting.counts) * waiting.alive
        if patience.ends_by_left and pages < patience.first_end(known, has_found=self.results > 0):
            return False
        found = prospect(self.relevances, self._worths, patience, waiting)
        return found.has_enough if patience.ends_by_left else found.is_over

    def _put_anew(self) -> None:
        """Put pages that were judged once more where they are in the table by now. To read all of that at every look
        would take a recrawl the longer for each page, the more there are. What a link was worth stays if nobody knows.
        """
        import numpy as np

        places = {task: place for place, task in enumerate(self._tasks) if task in self._again}
        worths = [self._worths[places[task]] if math.isnan(each.worth) else each.worth
                  for task, each in self._again.items()]  # fmt: skip
        after, relevances, _ = zip(*self._again.values(), strict=True)
        stay = np.delete(np.arange(len(self._tasks)), list(places.values()))
        order = np.argsort(np.concatenate([stay, np.subtract(after, 0.5)]), kind="stable")
        for name, values in (("_tasks", [*self._again]), ("relevances", relevances), ("_worths", worths)):
            kept = getattr(self, name)
            made = np.concatenate([np.asarray(kept)[stay], np.array(values, kept.typecode)])
            setattr(self, name, array(kept.typecode, made[order].tobytes()))
        self._again.clear()
