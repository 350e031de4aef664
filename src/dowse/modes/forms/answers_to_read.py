"""Answers that were sent on to pages that are there already: they will not come again, so they are read once more.

One page may be the answer to queries of several forms, such as "nothing was found". What is to be read is in a table,
so that a crawl that was stopped or killed goes on with it.
"""

from __future__ import annotations

from collections.abc import Container

from dowse.core.model import Outcome
from dowse.modes.forms.messages import query_hint
from dowse.store.bookkeeping import Due
from dowse.store.database import Database

TABLE = """
CREATE TABLE IF NOT EXISTS answer_to_read (
    task INTEGER NOT NULL,                 -- the page that a query was sent on to
    form INTEGER NOT NULL,
    hint BLOB NOT NULL,                    -- the query
    UNIQUE (task, form)
)"""

_ADD = """INSERT INTO answer_to_read VALUES (?, ?, ?)
    ON CONFLICT (task, form) DO UPDATE SET hint = excluded.hint"""


class AnswersToRead:
    """Knows them by page and form: one query of a form is out at a time."""

    def __init__(self, connection: Database) -> None:
        self._connection = connection
        self._hints: dict[int, dict[int, bytes]] = {}
        for task, form, hint in connection.execute("SELECT task, form, hint FROM answer_to_read").fetchall():
            self._hints.setdefault(task, {})[form] = bytes(hint)

    def add(self, task: int, hint: bytes) -> None:
        """This page is the answer to that query."""
        form = query_hint(hint).number
        self._hints.setdefault(task, {})[form] = hint
        self._connection.execute(_ADD, (task, form, hint))

    def due(self, limit: int, out: Container[int]) -> list[Due]:
        """What is to be read now: a page that is wanted for several forms is read for one after the other."""
        ready = [(task, next(iter(hints.values()))) for task, hints in self._hints.items() if task not in out]
        return [Due(task, hint) for task, hint in ready[: max(limit, 0)]]

    def take(self, outcome: Outcome) -> bool:
        """Whether this outcome is one of them; then it is none any more."""
        task, hints = outcome.task.id, self._hints.get(outcome.task.id)
        form = query_hint(outcome.task.hint).number if hints and outcome.task.hint else 0
        if not hints or hints.pop(form, None) is None:
            return False
        if not hints:
            del self._hints[task]
        self._connection.execute("DELETE FROM answer_to_read WHERE task = ? AND form = ?", (task, form))
        return True
