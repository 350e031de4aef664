"""What a crawl waits for when nothing may go out, and dates that its clock could not have set."""

from __future__ import annotations

from dowse.core.job import Politeness
from dowse.core.model import State
from dowse.core.phrasing import counted
from dowse.core.politeness import in_time, why_resting
from dowse.core.protocols import Wait
from dowse.core.retry_dates import JITTER, LONGEST_RETRY_AFTER
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED
from dowse.store.frontier.memory import Memory
from dowse.store.task_states import LATER

_LONGEST_RETRY = LONGEST_RETRY_AFTER * (1 + JITTER)


def heed_clock(connection: Database, memory: Memory, policy: Politeness, now: float) -> None:
    """Bring dates home that lie further ahead than they can: the clock was wrong when they were set, or is now."""
    hosts = memory.hosts
    for host in hosts.by_id.values():
        state = in_time(host.politeness, now, policy)
        if state is not host.politeness:
            host.politeness = state
            hosts.changed.add(host)
    hosts.line_up()
    connection.execute(
        f"UPDATE task SET not_before = ? WHERE state = {State.WAITING} AND not_before > ? AND not_before < ?",
        (now, now + _LONGEST_RETRY, PARKED),
    )
    memory.note_retry(connection)


def next_wait(connection: Database, memory: Memory, policy: Politeness, now: float) -> Wait | None:
    """The host that may be asked first, when, and why not before; None if nothing is to be waited for."""
    resting = [host for host in memory.hosts.by_id.values() if host.waiting and host.politeness.not_before > now]
    first = min(resting, key=lambda host: host.politeness.not_before, default=None)
    date = memory.next_retry
    if date is not None and date < PARKED and (first is None or date < first.politeness.not_before):
        return _next_retry(connection, date)
    if first is None:
        return None
    others = len(resting) - 1
    return Wait(first.name, first.politeness.not_before, why_resting(first.politeness, policy), others)


def _next_retry(connection: Database, date: float) -> Wait | None:
    row = connection.execute(
        "SELECT host.name, task.reason, task.host FROM task JOIN host ON host.id = task.host"
        f" WHERE task.state = {State.WAITING} AND task.not_before = ?",
        (date,),
    ).fetchone()
    if row is None:
        return None
    name, reason, number = row
    hosts, tasks = connection.execute(
        f"SELECT count(DISTINCT host), count(*) FILTER (WHERE host = ?) FROM task WHERE {LATER} AND not_before < ?",
        (number, PARKED),
    ).fetchone()
    return Wait(name, date, f"{counted(tasks, 'URL')} that failed will be tried again ({reason})", hosts - 1)
