"""Leasing by host: hosts take turns, and each gives its best tasks."""

from __future__ import annotations

import math
import sys
from typing import NamedTuple

from dowse.core.job import Job
from dowse.core.politeness import after_request
from dowse.core.sitemap_turns import LISTS_FIRST, had_their_share
from dowse.store.database import Database
from dowse.store.frontier.hosts import Host
from dowse.store.frontier.lease_policy import Choice, Chosen, LeasePolicy
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.task_rows import LEASED
from dowse.store.task_states import NOT_DONE, READY

_LEASE = f"""{LEASED}
    WHERE task.host = ? AND task.{READY} AND task.depth <= ? AND task.priority < ? AND task.priority >= ?
        AND (? OR visit.digest <> 0)
    ORDER BY task.priority DESC, task.id LIMIT ?
"""
_LEVEL_INDEX = f"CREATE INDEX IF NOT EXISTS task_level ON task (depth) WHERE {NOT_DONE}"


class _Bounds(NamedTuple):
    """Which tasks may go out: as deep as this, of this priority or a higher one, and whether new ones."""

    level: int
    least: float
    new: bool


class ByHost(LeasePolicy):
    """The host that has been ready the longest is asked first.

    Where it goes `by_level`, a level is finished before the next is begun, so that a limit on depth is exact: otherwise
    a page could be found by a long way first, when the short one leads over a slow page.
    """

    def __init__(self, *, by_level: bool = True) -> None:
        self._wants_levels = by_level
        self._by_level = False

    def load(self, connection: Database, memory: Memory, job: Job) -> None:
        super().load(connection, memory, job)
        self._by_level = self._wants_levels and job.limits.depth >= 0 and not job.scope.host_pages
        if self._by_level:
            connection.execute(_LEVEL_INDEX)

    def idle(self, now: float, limit: int) -> Choice | None:
        date = self.memory.hosts.next_date()
        return Choice([], date) if limit <= 0 or date is None or date > now else None

    def choose(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Choice:
        hosts = self.memory.hosts
        chosen: list[Chosen] = []
        held_back: list[Host] = []  # they have nothing on this level
        # What was fetched, and what is of no level, is as deep as it is.
        bounds = _Bounds(self._level() if new and least == -math.inf else sys.maxsize, least, new)
        while len(chosen) < limit and (host := hosts.next_ready(now)) is not None:
            leased = self._of_host(host, now, limit - len(chosen), bounds)
            chosen += leased
            if leased:
                hosts.offer(host)
            else:
                held_back.append(host)
        date = hosts.next_date()
        for host in held_back:
            hosts.offer(host)
        return Choice(chosen, date)

    def _of_host(self, host: Host, now: float, limit: int, bounds: _Bounds) -> list[Chosen]:
        room = min(limit, self.memory.hosts.room(host))
        if after_request(host.politeness, now, self.job.politeness).not_before > now:
            room = 1  # the next request of this host has a later date
        # Lists that have had their share wait until there are no pages.
        turns = (LISTS_FIRST, math.inf) if had_their_share(host.lists_asked, host.pages) else (math.inf,)
        for below in turns:
            values = (host.id, bounds.level, below, bounds.least, bounds.new, room)
            if rows := self.connection.execute(_LEASE, values).fetchall():
                break
        if self.memory.reading or self.memory.seed_pages:
            rows = [row for row in rows if self.take(row[0])]
        self.send([row[0] for row in rows])
        self.ask(host, now, len(rows))
        return [(row, host) for row in rows]

    def _level(self) -> int:
        """How deep tasks may be that go out now: as deep as the shallowest that is not done, where levels count."""
        if not self._by_level or self.memory.parked:
            return sys.maxsize
        (level,) = self.connection.execute(f"SELECT min(depth) FROM task WHERE {NOT_DONE}").fetchone()
        return int(level or 0)
