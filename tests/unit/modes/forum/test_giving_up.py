"""A site that is no forum is left, and the others of the crawl are not."""

from __future__ import annotations

import sqlite3
from typing import Any

from dowse.core.model import State
from dowse.modes.forum.forum_rows import TABLES
from dowse.modes.forum.giving_up import give_up
from dowse.modes.forum.judging import NO_FORUM


class Refused:
    """Stands for an admission: it knows only what was dropped."""

    def __init__(self) -> None:
        self.known = self
        self.dropped: list[tuple[int, str]] = []

    def drop(self, number: int, reason: str) -> None:
        self.dropped.append((number, reason))


def test_only_what_waits_of_that_site_is_dropped() -> None:
    connection: Any = sqlite3.connect(":memory:")
    for table in TABLES:
        connection.execute(table)
    connection.execute("CREATE TABLE host (id INTEGER, name TEXT)")
    connection.execute("CREATE TABLE task (id INTEGER, site INTEGER, state INTEGER)")
    connection.executemany("INSERT INTO host VALUES (?, ?)", [(1, "manual.example"), (2, "forum.example")])
    tasks = [(1, 1, State.WAITING), (2, 2, State.WAITING), (3, 1, State.FETCHED), (4, 1, State.WAITING)]
    connection.executemany("INSERT INTO task VALUES (?, ?, ?)", tasks)
    admission: Any = Refused()
    give_up(connection, "manual.example", admission)
    assert admission.dropped == [(1, NO_FORUM), (4, NO_FORUM)]
    connection.close()
