"""Verdicts for an earlier purpose: when a crawl goes on with another topic, its pages are judged again.

They are read from their stored bodies in the order they came, before anything new is fetched; what was learned and what
links are worth comes of that as if they came now. A page that is not stored waits to be fetched again. Until then its
verdict is kept here, with what it was for. All of it is in tables, so an interrupted crawl goes on where it was.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

import msgspec

from dowse.core.phrasing import counted
from dowse.store.best_first.answer_table import change_topic
from dowse.store.bookkeeping import Due
from dowse.store.database import Database
from dowse.store.fragments import upsert
from dowse.store.frontier.known_tasks import KnownTasks

_KEPT, _READ, _FETCH = 0, 1, 2

TABLES = (
    f"""
CREATE TABLE IF NOT EXISTS outdated (
    id        INTEGER PRIMARY KEY,         -- in the order pages came home
    task      INTEGER NOT NULL UNIQUE,
    purpose   TEXT NOT NULL,               -- what it was judged for
    relevance REAL NOT NULL,
    parts     TEXT NOT NULL,               -- JSON: of the relevance
    due       INTEGER NOT NULL             -- {_READ} to be read again, {_FETCH} to be fetched again, {_KEPT} neither
)""",
    f"CREATE INDEX IF NOT EXISTS outdated_due ON outdated (id) WHERE due = {_READ}",
)

_NAME = "purpose"
_SAVE = upsert("model", ("name", "state"), ["name"])
_MOVE = f"""INSERT INTO outdated (task, purpose, relevance, parts, due)
    SELECT judgement.task, ?, judgement.relevance, judgement.parts,
           CASE WHEN visit.body <> '' THEN {_READ} ELSE {_FETCH} END
    FROM judgement JOIN task ON task.id = judgement.task JOIN visit ON visit.id = abs(task.visit)
    ORDER BY judgement.id"""
_DUE = f"SELECT task FROM outdated WHERE due = {_READ} ORDER BY id LIMIT ?"
_COUNT = "SELECT count(*) FROM outdated WHERE due = ?"


class Earlier(NamedTuple):
    """What a page was for an earlier purpose, and whether it is to be read again."""

    purpose: str
    relevance: float
    parts: dict[str, float]
    is_due: bool


class EarlierVerdicts:
    """Knows which pages are to be judged again."""

    _connection: Database

    def __init__(self, purpose: str) -> None:
        self._purpose = purpose
        self.left = 0
        """How many are to be read again."""
        self._unstored = 0
        self._is_used = False
        self._told: set[str] = set()
        self._notices: list[str] = []

    def load(self, connection: Database) -> None:
        """Be of this database. If its verdicts are for another purpose, they and all that was learned are set aside."""
        self._connection = connection
        row = connection.execute("SELECT state FROM model WHERE name = ?", (_NAME,)).fetchone()
        before = msgspec.msgpack.decode(row[0], type=str) if row else None
        if before != self._purpose:
            if before is not None:
                connection.execute(_MOVE, (before,))
                for table in ("judgement", "lead", "model WHERE name = 'ranker'"):
                    connection.execute(f"DELETE FROM {table}")
                self._tell_answers(*change_topic(connection, before, self._purpose))
            connection.execute(_SAVE, (_NAME, msgspec.msgpack.encode(self._purpose)))
        (self.left,), (self._unstored,) = (connection.execute(_COUNT, (due,)).fetchone() for due in (_READ, _FETCH))
        self._is_used = connection.execute("SELECT 1 FROM outdated LIMIT 1").fetchone() is not None
        if self.left:
            self._tell(f"the topic is another now: {counted(self.left, 'stored page')} to be judged again")

    def due(self, limit: int, out: Container[int]) -> list[Due]:
        if not self.left or limit <= 0:
            return []
        most = 2 * limit + 64  # those that are out come first
        numbers = [number for (number,) in self._connection.execute(_DUE, (most,)) if number not in out]
        return [Due(number, b"") for number in numbers[:limit]]

    def fetch_unstored(self, known: KnownTasks) -> None:
        """Let pages wait that have no stored body."""
        if not self._unstored:
            return
        rows = self._connection.execute(f"SELECT task FROM outdated WHERE due = {_FETCH} ORDER BY id").fetchall()
        for (number,) in rows:
            known.fetch_again(number)
        self._connection.execute(f"UPDATE outdated SET due = {_KEPT} WHERE due = {_FETCH}")
        self._notices.append(
            f"{counted(len(rows), 'page')} without a stored body cannot be judged again as it is; they wait to be"
            " fetched again, like links"
        )
        self._unstored = 0

    def _tell_answers(self, aside: int, back: int) -> None:
        """Answers were set aside with their topic, or came back with it."""
        if aside:
            were = counted(aside, "answer was", "answers were")
            self._tell(f"{were} for the topic before: set aside until it is the topic again")
        if back:
            were = counted(back, "answer was", "answers were")
            self._tell(f"{were} given for this topic before: in use again")

    def _tell(self, sentence: str) -> None:
        """Once, also when what was loaded is loaded again."""
        if sentence not in self._told:
            self._told.add(sentence)
            self._notices.append(sentence)

    def notices(self) -> list[str]:
        """What the user should know, once."""
        told, self._notices = self._notices, []
        return told

    def keep(self, number: int) -> None:
        """A page is not to be read again: it is to be fetched."""
        self._connection.execute(f"UPDATE outdated SET due = {_KEPT} WHERE task = ?", (number,))
        self._recount()

    def judged(self, numbers: Iterable[int]) -> None:
        """These have new verdicts."""
        if self._is_used:
            self._connection.executemany("DELETE FROM outdated WHERE task = ?", [(number,) for number in numbers])
            self._recount()

    def _recount(self) -> None:
        (self.left,) = self._connection.execute(_COUNT, (_READ,)).fetchone()


def rereads(connection: Database) -> int:
    """How many stored pages are still to be judged for the purpose of now."""
    if "outdated" not in connection.tables():
        return 0
    (count,) = connection.execute(_COUNT, (_READ,)).fetchone()
    return int(count)


def earlier_verdict(connection: Database, number: int) -> Earlier | None:
    """What is known of a page for an earlier purpose only."""
    if "outdated" not in connection.tables():
        return None
    row = connection.execute("SELECT purpose, relevance, parts, due FROM outdated WHERE task = ?", (number,)).fetchone()
    return Earlier(row[0], row[1], msgspec.json.decode(row[2]), row[3] == _READ) if row else None
