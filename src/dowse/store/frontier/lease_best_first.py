"""Leasing for a focus crawl: the best links of all hosts first, among those whose host may be asked now.

Other crawls choose the host first and then its best task, which is cheaper but would spend as many pages on a host of
dull links as on any other. Here only the best links that wait are looked at, so many that a few resting hosts leave
some over; if some of them rest and no other may go out, the crawl waits for them rather than fetch what is worth less.
"""

from __future__ import annotations

import math

from dowse.core.job import Politeness
from dowse.core.politeness import after_request
from dowse.store.database import Database
from dowse.store.fragments import BY_RANK
from dowse.store.frontier.hosts import Host, HostTable
from dowse.store.task_states import READY

INDEX = f"CREATE INDEX IF NOT EXISTS task_best ON task (priority DESC, id) WHERE {READY}"

UNUSED = "DROP INDEX IF EXISTS task_ready"
"""The index by host: nothing is chosen by host here, and to keep it would cost as much as to change ranks does."""

_LOOKED_AT = 256

_BEST = f"""
    SELECT id, host FROM task {BY_RANK} WHERE {READY} AND priority < ?
        AND (? OR EXISTS (SELECT 1 FROM visit WHERE visit.id = task.visit AND visit.digest <> 0))
    ORDER BY priority DESC, id
"""


class BestFirst:
    """Chooses tasks by their priority alone, as far as politeness lets it."""

    def __init__(self, connection: Database, hosts: HostTable, policy: Politeness) -> None:
        self._connection = connection
        self._hosts = hosts
        self._policy = policy
        self.wake_at = math.inf

    def choose(self, now: float, limit: int, below: float = math.inf, *, new: bool = True) -> list[tuple[int, Host]]:
        """The best tasks that may go out now, best first; `wake_at` is when the next of those looked at may.

        Their priority is `below` a number, which holds back lists. Without `new` ones they are of pages that there is
        a copy of.
        """
        self.wake_at = math.inf
        chosen: list[tuple[int, Host]] = []
        if limit <= 0:
            return chosen
        # Rows are not fetched before they are looked at: mostly the first ones will do.
        for looked_at, (number, host_number) in enumerate(self._connection.execute(_BEST, (below, new))):
            if looked_at >= _LOOKED_AT + limit and (chosen or self.wake_at < math.inf):
                break
            host = self._hosts.by_id[host_number]
            if host.politeness.not_before > now:
                self.wake_at = min(self.wake_at, host.politeness.not_before)
            elif self._hosts.room(host) > 0:
                host.politeness = after_request(host.politeness, now, self._policy)
                host.waiting -= 1
                self._hosts.send_out(host, 1)
                chosen.append((number, host))
                if len(chosen) >= limit:
                    break
        return chosen
