"""The words in the titles of a crawl, counted in the commits."""

from __future__ import annotations

import re
from collections import Counter

from dowse.core.model import State
from dowse.core.protocols import Tally
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission


class TitleWords(Bookkeeping):
    """Counts in how many titles a word is. When so many pages brought no new word, that is enough."""

    tables = ("CREATE TABLE IF NOT EXISTS title_word (word TEXT PRIMARY KEY, pages INTEGER NOT NULL)",)

    def __init__(self, patience: int) -> None:
        self._patience = patience

    def load(self, connection: Database) -> None:
        super().load(connection)
        self._words = Counter(dict(connection.execute("SELECT word, pages FROM title_word")))
        self._barren = 0
        self._changed: set[str] = set()

    def visited(self, visit: Visit, admission: Admission) -> None:
        if visit.is_new and visit.fate.state is State.FETCHED:
            words = set(re.findall(r"\w+", visit.outcome.title.lower()))
            self._barren = 0 if words - self._words.keys() else self._barren + 1
            self._words.update(words)
            self._changed |= words

    def written(self, admission: Admission) -> None:
        rows = [(word, self._words[word]) for word in sorted(self._changed)]
        self._connection.executemany(
            "INSERT INTO title_word VALUES (?, ?) ON CONFLICT (word) DO UPDATE SET pages = excluded.pages", rows
        )
        self._changed.clear()

    @property
    def found(self) -> Tally:
        return Tally("word", len(self._words), may_be_enough=self._patience > 0)

    def is_saturated(self, waiting: int) -> bool:
        return 0 < self._patience <= self._barren
