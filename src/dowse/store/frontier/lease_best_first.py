"""Leasing best first: the best links of all hosts, among those whose host may be asked now.

Other crawls choose the host first and then its best task, which is cheaper but would spend as many pages on a host of
dull links as on any other. Here only the best links that wait are looked at, so many that a few resting hosts leave
some over; if some of them rest and no other may go out, the crawl waits for them rather than fetch what is worth less.
"""

from __future__ import annotations

import math

from dowse.core.job import Job
from dowse.core.sitemap_turns import LISTS_FIRST, had_their_share
from dowse.store.database import Database
from dowse.store.fragments import BY_RANK
from dowse.store.frontier.hosts import Host
from dowse.store.frontier.lease_policy import Choice, LeasePolicy
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.task_rows import LEASED
from dowse.store.task_states import READY

RANK_INDEX = f"CREATE INDEX IF NOT EXISTS task_best ON task (priority DESC, id) WHERE {READY}"

_UNUSED = "DROP INDEX IF EXISTS task_ready"
"""The index by host: nothing is chosen by host here, and to keep it would cost as much as to change ranks does."""

_LOOKED_AT = 256

_BEST = f"""
    SELECT id, host FROM task {BY_RANK} WHERE {READY} AND priority < ? AND priority >= ?
        AND (? OR EXISTS (SELECT 1 FROM visit WHERE visit.id = task.visit AND visit.digest <> 0))
    ORDER BY priority DESC, id
"""


class BestFirst(LeasePolicy):
    """Chooses tasks by their priority alone, as far as politeness lets it."""

    def __init__(self) -> None:
        self._wake_at = math.inf

    def load(self, connection: Database, memory: Memory, job: Job) -> None:
        super().load(connection, memory, job)
        connection.execute(RANK_INDEX)
        connection.execute(_UNUSED)

    def choose(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Choice:
        lists_wait = had_their_share(self.memory.hosts.lists_asked, self.memory.pages)
        found = self._best(now, limit, (LISTS_FIRST if lists_wait else math.inf, least), new=new)
        if lists_wait and not found and self._wake_at == math.inf:
            found = self._best(now, limit, (math.inf, least), new=new)
        self.send(number for number, _ in found)
        one = f"{LEASED} WHERE task.id = ?"
        rows = [(self.connection.execute(one, (number,)).fetchone(), host) for number, host in found]
        return Choice(rows, self._wake_at)

    def _best(self, now: float, limit: int, priorities: tuple[float, float], *, new: bool) -> list[tuple[int, Host]]:
        """The best that may go out now, of a priority below the first number, which holds back lists, and not below
        the second.

        `_wake_at` is when the next of those that were looked at may.
        """
        self._wake_at = math.inf
        chosen: list[tuple[int, Host]] = []
        if limit <= 0:
            return chosen
        # Rows are not fetched before they are looked at: mostly the first ones will do.
        for looked_at, (number, host_number) in enumerate(self.connection.stream(_BEST, (*priorities, new))):
            if looked_at >= _LOOKED_AT + limit and (chosen or self._wake_at < math.inf):
                break
            host = self.memory.hosts.by_id[host_number]
            if host.politeness.not_before > now:
                self._wake_at = min(self._wake_at, host.politeness.not_before)
            elif self.memory.hosts.room(host) > 0 and self.take(number):
                self.ask(host, now)
                chosen.append((number, host))
                if len(chosen) >= limit:
                    break
        return chosen
