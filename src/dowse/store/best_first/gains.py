"""What a best-first crawl has brought so far, and whether it brings anything yet."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from dowse.core.patience import Patience
from dowse.store.best_first.worths import read_waiting, worth_of
from dowse.store.database import Database

_LOOK_EVERY = 10
"""Pages and dead links between two looks at whether a crawl still finds anything."""


class Gains:
    """The relevance of answers in the order they came, and what their links were worth."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self.relevances, self._worths = array("d"), array("d")
        self.results = 0  # the answers that count, by what is known so far
        self._missed = 0
        self._look_at = 0  # so many pages and dead links

    def load(self, connection: Database) -> None:
        self._connection = connection
        rows = connection.execute("SELECT relevance, worth FROM judgement ORDER BY id").fetchall()
        self.put(relevance for relevance, _ in rows)
        self._worths = array("d", (worth_of(worth) for _, worth in rows))

    def add(self, relevance: float, worth: float) -> None:
        self.relevances.append(relevance)
        self._worths.append(worth)
        self.results += relevance >= self._patience.threshold

    def miss(self) -> None:
        """A link was dead."""
        self._missed += 1

    def put(self, relevances: Iterable[float]) -> None:
        """All answers were judged anew."""
        self.relevances, line = array("d", relevances), self._patience.threshold
        self.results = sum(value >= line for value in self.relevances)

    def is_enough(self) -> bool:
        """Whether next to nothing came for a while, or is left. Several pages may have come since the last look."""
        pages, patience = len(self.relevances), self._patience
        if not patience.answers or pages < patience.first_look or pages + self._missed < self._look_at:
            return False
        self._look_at = pages + self._missed + _LOOK_EVERY
        from dowse.core.saturation import prospect  # numpy comes with it

        waiting = read_waiting(self._connection)
        if patience.ends_by_left and pages < patience.first_end(pages + sum(waiting.counts) * waiting.alive):
            return False
        found = prospect(self.relevances, self._worths, patience, waiting)
        return found.has_enough if patience.ends_by_left else found.is_dry
