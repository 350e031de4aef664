"""Redirects that lead back to where they began, as the rows of their tasks tell."""

from __future__ import annotations

from dowse.core.model import Task
from dowse.store.database import Database

_SENT_BY = """SELECT sender.id FROM task JOIN task AS sender ON sender.id = task.parent
    WHERE task.id = ? AND sender.reason = 'redirect'"""


def leads_back(connection: Database, finder: Task, target: int) -> bool:
    """Whether a task is among the redirects that led to another.

    A task that moved has counted its redirects and has nothing before it, or a page that merely links to it.
    """
    number = finder.id
    for _ in range(finder.redirects):
        row = connection.execute(_SENT_BY, (number,)).fetchone()
        if row is None:
            return False
        (number,) = row
        if number == target:
            return True
    return False
