"""An order of its own: by the address of pages."""

from __future__ import annotations

import math

from dowse.store.frontier.lease_policy import Choice, Chosen, LeasePolicy
from dowse.store.frontier.task_rows import LEASED
from dowse.store.task_states import READY


class ByAddress(LeasePolicy):
    """The task whose URL is the last in the alphabet goes first."""

    def choose(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Choice:
        wanted = f"task.{READY} AND task.priority >= ? AND (? OR visit.digest <> 0)"
        query = f"{LEASED} WHERE {wanted} ORDER BY task.url DESC"
        chosen: list[Chosen] = []
        dates: list[float] = []
        for row in self.connection.execute(query, (least, new)).fetchall():
            host = self.memory.hosts.by_name[row[2].split("/")[2]]
            if host.politeness.not_before > now:
                dates.append(host.politeness.not_before)
            elif len(chosen) < limit and self.memory.hosts.room(host) > 0 and self.take(row[0]):
                self.ask(host, now)
                chosen.append((row, host))
        self.send(row[0] for row, _ in chosen)
        return Choice(chosen, min(dates, default=None))
