"""A recrawl under a budget: the requests that are expected to bring most news, and no others.

Known pages and links that waited before compete in waves. A wave is chosen when the one before is out, with all that
was learned from it: where something changed, its neighbours come sooner (core/change_rates.py). What pages link to that
nobody knew goes out at once, as in any crawl.

    a known page           the staleness that a visit takes away, times how much the page matters, and the new links
                           that pages like it bring
    a link that waited     a page that is missing altogether; at most every second request
    a page seen missing    once more, first of all: only then it counts as removed
"""

from __future__ import annotations

import math

from dowse.core.job import Job
from dowse.core.model import State
from dowse.core.protocols import StopReason
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED
from dowse.store.frontier.known_tasks import KnownTasks
from dowse.store.frontier.lease_policy import Choice, LeasePolicy
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.requeue import count_pages
from dowse.store.revisits.revisit_book import RevisitBook
from dowse.store.task_states import OF_PAGES, READY

_WAVES = 10
_SMALLEST_WAVE = 16
_MISSED_AGAIN = 3_600.0
"""Seconds after which a page that was missing is looked for once more."""

_PARK = f"UPDATE task SET not_before = {PARKED} WHERE {READY}"
_WAITED = f"""SELECT id FROM task WHERE state = {State.WAITING} AND not_before = {PARKED} AND task.{OF_PAGES}
    ORDER BY priority DESC, id LIMIT ?"""
_MISSING = f"""SELECT task.id FROM task JOIN revisit ON revisit.task = task.id
    WHERE revisit.missing = 1 AND revisit.at < ? AND task.state = {State.FAILED} ORDER BY revisit.at LIMIT ?"""
_READY = f"SELECT count(*) FROM task WHERE {READY}"


_BACK = f"""UPDATE task SET state = {State.FETCHED} WHERE {READY}
    AND visit IN (SELECT id FROM visit WHERE digest <> 0)"""


class UnderBudget(LeasePolicy):
    """Lets another policy choose among what is worth a request, until the budget is spent."""

    def __init__(self, chooses: LeasePolicy, budget: int, book: RevisitBook) -> None:
        self._chooses = chooses
        self._book = book
        self._left = budget
        self._wave = max(_SMALLEST_WAVE, math.ceil(budget / _WAVES))
        self._asked: set[int] = set()

    def begin(self, connection: Database) -> None:
        """Let what waits sit out until it is chosen."""
        connection.execute(_PARK)

    def load(self, connection: Database, memory: Memory, job: Job) -> None:
        super().load(connection, memory, job)
        self._chooses.load(connection, memory, job)
        self._known = KnownTasks(connection, memory, lambda: None)

    def idle(self, now: float, limit: int) -> Choice | None:
        return Choice([], None) if self._left <= 0 else None

    def choose(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Choice:
        limit = min(limit, self._left)
        (ready,) = self.connection.execute(_READY).fetchone()
        if ready < limit:
            self._release(min(self._wave, self._left - ready), now)
        choice = self._chooses.choose(now, limit, new=new, least=least)
        self._left -= len(choice.tasks)
        return choice

    def finished(self, reason: StopReason) -> StopReason:
        """What was chosen and had no turn is as it was: a page that there is a copy of."""
        self.connection.execute(_BACK)
        count_pages(self.connection)
        return "budget" if reason == "complete" and self._left <= 0 else reason

    def _release(self, count: int, now: float) -> None:
        """Let so many wait again that are worth most."""
        missing = self._numbers(_MISSING, now - _MISSED_AGAIN, count)
        known = self._fresh(self._book.rates.best(now, count + len(self._asked)))[: count - len(missing)]
        room = max(count // 2, count - len(missing) - len(known))
        waited = self._numbers(_WAITED, room)
        for number in missing:
            self._known.wait_again(number)
        for number in waited:
            self._known.unpark(number)
        for number in known[: count - len(missing) - len(waited)]:
            self._known.visit_again(number)
        self._asked.update(missing, known)

    def _numbers(self, query: str, *parameters: float) -> list[int]:
        return self._fresh([number for (number,) in self.connection.execute(query, parameters)])

    def _fresh(self, numbers: list[int]) -> list[int]:
        """Those that were not asked for in this run."""
        return [number for number in numbers if number not in self._asked]
