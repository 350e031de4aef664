"""Tasks go out: those that the lease policy chooses, retries whose date has come, and stored pages to be read again."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from msgspec.structs import replace

from dowse.core.job import Job
from dowse.core.model import SITEMAP, State, Task
from dowse.core.politeness import gap
from dowse.core.protocols import Work
from dowse.core.task_labels import REQUISITE, REQUISITES_FIRST
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED
from dowse.store.frontier.known_tasks import KnownTasks
from dowse.store.frontier.lease_policy import LeasePolicy
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.task_rows import make_task, stored_task
from dowse.store.task_states import LATER, NOT_DONE

_STORED_AT_ONCE = 64
"""Stored pages that are out to be read at a time; they cost no request, so no limit on requests is theirs."""

# What is left of them is asked for often once a limit on pages is reached; few wait at a time.
_REQUISITE_INDEX = f"""CREATE INDEX IF NOT EXISTS task_requisite ON task (id)
    WHERE {NOT_DONE} AND label = '{REQUISITE}'"""
_REQUISITE = f"SELECT id FROM task WHERE {NOT_DONE} AND label = '{REQUISITE}' LIMIT 1"


class Leasing:
    """Answers "what now" for one crawl, until its memory is built anew."""

    def __init__(
        self,
        connection: Database,
        memory: Memory,
        job: Job,
        policy: LeasePolicy,
        transaction: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._connection = connection
        self._memory = memory
        self._job = job
        self._policy = policy
        self._transaction = transaction
        policy.load(connection, memory, job)
        if job.store.requisites:
            connection.execute(_REQUISITE_INDEX)

    @property
    def awaits_requisites(self) -> bool:
        """Whether something waits or is out that a page needs to be shown."""
        return self._job.store.requisites and self._connection.execute(_REQUISITE).fetchone() is not None

    def lease(self, now: float, limit: int, pages: int | None = None) -> Work:
        """The best tasks that may go out, else the date when one may, else None: nothing is left.

        So many of them may be `pages`; requisites are none, and go first.
        """
        memory = self._memory
        if memory.next_retry is not None and memory.next_retry <= now:
            self._wake_retries(now)
        if memory.seed_pages is not None and memory.seed_pages.full:
            with self._transaction():
                memory.seed_pages.settle(KnownTasks(self._connection, memory, lambda: None))
            memory.doubt()
        if pages is not None and pages < limit:
            if self._job.store.requisites:
                work = self._lease_some(now, limit, new=True, least=REQUISITES_FIRST)
                if work.tasks or pages <= 0:
                    return work
            limit = pages
        room = self._room_for_new()
        new = room > 0
        limit = min(limit, room) if new else limit
        work = self._lease_some(now, limit, new=new)
        if not new and not work.tasks and limit > 0 and not memory.counts[State.OUT, ""]:
            memory.count_revisits(self._connection)  # some may have ended without a visit
            if not memory.revisits:
                work = self._lease_some(now, limit, new=True)
        return work

    def _room_for_new(self) -> int:
        """How many pages may go out that there is no copy of, under a limit on pages.

        The pages that are to be visited again have their place in it, also while they fail. What is out is taken for
        new; where it is not, the new ones wait a little longer.
        """
        most, revisits = self._job.limits.max_pages, self._memory.revisits
        if not most or revisits <= 0:
            return sys.maxsize
        return most - self._memory.spent - revisits - self._memory.counts[State.OUT, ""]

    def _lease_some(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Work:
        """Lease what is ready, of this priority at least; without `new` URLs, only pages that there is a copy of."""
        memory = self._memory
        stored = self._stored_tasks() if memory.bookkeeping else []
        if any(each.rereads for each in memory.bookkeeping):
            memory.reading.update(task.id for task in stored)
            return Work(stored, math.inf)  # what is worth a request is known when all are read
        choice = self._policy.idle(now, limit)
        if choice is None:
            with self._transaction():
                choice = self._policy.choose(now, limit, new=new, least=least)
                tasks = [make_task(self._connection, memory, row, host.name) for row, host in choice.tasks]
                self._note_turns(tasks)
                for each in memory.bookkeeping:
                    tasks = each.leased(tasks)
            memory.counts[State.WAITING, ""] -= len(tasks)
            memory.counts[State.OUT, ""] += len(tasks)
        else:
            tasks = []
        memory.reading.update(task.id for task in stored)
        return Work(stored + tasks, self._next_date(choice.wake_at))

    def _stored_tasks(self) -> list[Task]:
        """Pages that are to be read from the archive."""
        tasks: list[Task] = []
        for each in self._memory.bookkeeping:
            room = _STORED_AT_ONCE - len(self._memory.reading) - len(tasks)
            for number, hint in each.due(room, self._memory.reading):
                task, body = stored_task(self._connection, self._memory, number)
                tasks.append(replace(task, hint=hint, body=body))
        return tasks

    def _note_turns(self, tasks: list[Task]) -> None:
        """Lists are counted, and a probe has its host for itself, for it may ask more than once."""
        for task in tasks:
            host = self._memory.hosts.by_name[task.request.host] if task.label == SITEMAP or task.twin else None
            if host and task.label == SITEMAP:
                self._memory.hosts.send_lists(host, 1)
            elif host and gap(host.politeness, self._job.politeness):
                host.probe = task.id

    def _wake_retries(self, now: float) -> None:
        due = f"{LATER} AND not_before <= ?"
        with self._transaction():
            rows = self._connection.execute(
                f"SELECT host, reason, count(*) FROM task WHERE {due} GROUP BY 1, 2", (now,)
            ).fetchall()
            self._connection.execute(f"UPDATE task SET not_before = 0, reason = '' WHERE {due}", (now,))
            for number, reason, tasks in rows:
                self._memory.counts[State.WAITING, reason] -= tasks
                self._memory.counts[State.WAITING, ""] += tasks
                host = self._memory.hosts.by_id[number]
                host.waiting += tasks
                self._memory.hosts.offer(host)
            self._memory.note_retry(self._connection)

    def _next_date(self, of_hosts: float | None) -> float | None:
        """When the next task may go out, given when a host may be asked; None if none may in this run: all that waits
        is parked, or its hosts have had all their pages."""
        memory = self._memory
        dates = [date for date in (of_hosts, memory.next_retry) if date is not None and date < PARKED]
        if dates:
            return min(dates)
        return math.inf if memory.counts[State.OUT, ""] else None
