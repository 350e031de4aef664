"""What a best-first crawl has brought so far, and whether it brings anything yet."""

from __future__ import annotations

from array import array

from dowse.core.patience import Patience
from dowse.store.best_first.worths import read_waiting, worth_of
from dowse.store.database import Database

_LOOK_EVERY = 10
"""Pages and dead links between two looks at whether a crawl still finds anything."""

_BEFORE = "SELECT relevance FROM judgement WHERE task = ?"


class Gains:
    """The relevance of answers in the order they came, and what their links were worth."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self.relevances, self._worths = array("d"), array("d")
        self.results = 0  # the answers that count, by what is known so far
        self._is_outdated = False
        self._others = 0  # dead links, and pages that were judged once more
        self._look_at = 0  # so many pages and others
        self._has_enough = False

    def load(self, connection: Database) -> None:
        self._connection = connection
        rows = connection.execute("SELECT relevance, worth FROM judgement ORDER BY id").fetchall()
        self.relevances = array("d", [relevance for relevance, _ in rows])
        self._worths = array("d", [worth_of(worth) for _, worth in rows])
        self.results = sum(value >= self._patience.threshold for value in self.relevances)
        self._is_outdated = False

    def came(self, task: int, relevance: float, worth: float) -> None:
        """A page was judged, perhaps not for the first time."""
        before = self._connection.execute(_BEFORE, (task,)).fetchone()
        self.change(before[0], relevance) if before else self.add(relevance, worth)

    def add(self, relevance: float, worth: float) -> None:
        self.relevances.append(relevance)
        self._worths.append(worth)
        self.results += relevance >= self._patience.threshold

    def change(self, before: float, relevance: float) -> None:
        """A page that was judged before comes last now."""
        self.results += (relevance >= self._patience.threshold) - (before >= self._patience.threshold)
        self._is_outdated = True
        self._others += 1

    def miss(self) -> None:
        """A link was dead."""
        self._others += 1

    def is_enough(self) -> bool:
        """Whether next to nothing came for a while, or is left, as of the last look. Several pages may have come since
        the one before."""
        pages, patience = len(self.relevances), self._patience
        if not patience.answers or pages < patience.first_look:
            return False
        if pages + self._others >= self._look_at:
            self._look_at = pages + self._others + _LOOK_EVERY
            self._has_enough = self._look()
        return self._has_enough

    def _look(self) -> bool:
        from dowse.core.saturation import prospect  # numpy comes with it

        if self._is_outdated:
            self.load(self._connection)
        pages, patience, waiting = len(self.relevances), self._patience, read_waiting(self._connection)
        if patience.ends_by_left and pages < patience.first_end(pages + sum(waiting.counts) * waiting.alive):
            return False
        found = prospect(self.relevances, self._worths, patience, waiting)
        return found.has_enough if patience.ends_by_left else found.is_dry
