"""A database that went away, taken over again: what was tried then may be written or not, and nobody had the answer.

Invariant: what the loop has is what the tables say is out, also after that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dowse.core.model import Outcome, State, Task
from dowse.store.database import Database

_OUT = f"SELECT id FROM task WHERE state = {State.OUT}"
_WAIT = f"UPDATE task SET state = {State.WAITING} WHERE id = ?"


class Regaining:
    """Knows what the loop has, and whether the last try was written."""

    def __init__(self, connection: Database, reload: Callable[[], None]) -> None:
        self._connection = connection
        self._reload = reload
        self._out: set[int] = set()
        self._was_done: bool | None = None  # it is known, and the rest is still to be done

    def went_out(self, tasks: Iterable[Task]) -> None:
        self._out.update([task.id for task in tasks])

    def came_home(self, outcomes: Iterable[Outcome]) -> None:
        self._out.difference_update([outcome.task.id for outcome in outcomes if not outcome.partial])

    def regain(self) -> bool:
        """If the database went away, take it over again, with memory as its tables have it. Whether what was tried
        then is written after all. What went out without anybody knowing waits again."""
        if not self._connection.is_away and self._was_done is None:
            return False
        done = self._connection.regain()
        self._was_done = done if self._was_done is None else self._was_done
        with self._connection.transaction():
            lost = [(number,) for (number,) in self._connection.execute(_OUT).fetchall() if number not in self._out]
            self._connection.executemany(_WAIT, lost)
        self._reload()
        was_done, self._was_done = self._was_done, None
        return was_done
