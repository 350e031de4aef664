"""The lease policy: which of the tasks that wait goes out next.

A store asks its policy inside a transaction. The policy looks at what waits, asks no host that must rest or is full,
marks what it chose as out, and says when to ask again. `ByHost` and `BestFirst` are the two of dowse; a mode may have
another (`Mode.lease_policy`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from dowse.core.job import Job
from dowse.core.model import State
from dowse.core.politeness import after_request
from dowse.core.protocols import StopReason
from dowse.store.database import Database
from dowse.store.frontier.hosts import Host
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.task_rows import TaskRow

_SEND_OUT = f"UPDATE task SET state = {State.OUT} WHERE id = ?"


Chosen = tuple[TaskRow, Host]
"""A task that goes out, as `LEASED` has it, and its host; a plain tuple, for there is one for every page."""


class Choice(NamedTuple):
    """What goes out, and when the next may, as far as hosts are concerned; None if none may for their sake."""

    tasks: list[Chosen]
    wake_at: float | None


class LeasePolicy:
    """The base of lease policies; only `choose` has no default."""

    connection: Database
    memory: Memory
    job: Job

    def load(self, connection: Database, memory: Memory, job: Job) -> None:
        """Be of this crawl; also after a transaction that was rolled back. Indexes that are needed are made here."""
        self.connection = connection
        self.memory = memory
        self.job = job

    def idle(self, now: float, limit: int) -> Choice | None:
        """The answer, where it is known that nothing can go out, so that no transaction need be opened."""
        return None if self.memory.counts[State.WAITING, ""] else Choice([], None)

    def choose(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Choice:
        """At most so many tasks, the best first; without `new` ones they are of pages that there is a copy of. Only
        those of the `least` priority or a higher one.

        Each row is asked for by `take`, each host by `ask`, and what goes out is marked by `send`.
        """
        raise NotImplementedError

    def finished(self, reason: StopReason) -> StopReason:
        """The run ends for this reason; the policy may know better why."""
        return reason

    def ask(self, host: Host, now: float, tasks: int = 1) -> None:
        """So many tasks of a host go out now."""
        for _ in range(tasks):
            host.politeness = after_request(host.politeness, now, self.job.politeness)
        host.waiting -= tasks
        self.memory.hosts.send_out(host, tasks)

    def take(self, number: int) -> bool:
        """Take a task, unless something keeps it back: its page is being read, or its seed has all its pages."""
        if number in self.memory.reading:
            return False
        return self.memory.seed_pages is None or self.memory.seed_pages.take(number)

    def send(self, numbers: Iterable[int]) -> None:
        """Mark tasks as out."""
        self.connection.executemany(_SEND_OUT, zip(numbers, strict=True))
