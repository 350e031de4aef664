"""A crawl at this moment: its newest answers, how fast they come, and its hosts. Read again every second.

No question reads all URLs of the crawl: they are about the end of a table, about its hosts, or for an index.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from dowse.core.politeness import HostState
from dowse.store.database import Database
from dowse.store.fragments import THEN_JOIN
from dowse.store.task_states import READY

MOST_VISITS = 15
MOST_HOSTS = 12
MOST_COUNTED = 5_000
"""Answers that a rate is counted from."""
WINDOW = 10.0

_RECENT = "SELECT fetched_at FROM visit ORDER BY id DESC LIMIT ?"
_NEWEST = f"""
    SELECT task.url, task.state, task.reason, visit.status, visit.failure, visit.detail, visit.title, visit.size,
           visit.elapsed, visit.fetched_at
    FROM (SELECT id FROM visit ORDER BY id DESC LIMIT ?) AS newest
    {THEN_JOIN} visit ON visit.id = newest.id JOIN task ON task.id = visit.task ORDER BY visit.id DESC
"""
_HOSTS = "SELECT id, name, pages, politeness FROM host ORDER BY pages DESC, id LIMIT ?"
_WAITING = f"SELECT count(*) FROM task WHERE host = ? AND {READY}"

_decode = msgspec.json.Decoder(HostState).decode


class NewestVisit(Struct, frozen=True):
    """An answer or a failure, and what it made of its URL. `state` is a number (core.model.State)."""

    url: str
    state: int
    reason: str
    status: int
    failure: str
    detail: str
    title: str
    size: int
    elapsed: float
    fetched_at: float


class AskedHost(Struct, frozen=True):
    """A host with the pages it gave, the URLs that wait for it, and what politeness knows of it."""

    name: str
    pages: int
    waiting: int
    politeness: HostState


class LiveNumbers(Struct, frozen=True):
    """All of it."""

    rate: float
    newest: list[NewestVisit]
    hosts: list[AskedHost]


def live_numbers(connection: Database, now: float) -> LiveNumbers:
    """The crawl as it is now."""
    return LiveNumbers(
        _rate(connection, now),
        [NewestVisit(*row) for row in connection.execute(_NEWEST, (MOST_VISITS,))],
        [
            AskedHost(name, pages, connection.execute(_WAITING, (host,)).fetchone()[0], _decode(politeness))
            for host, name, pages, politeness in connection.execute(_HOSTS, (MOST_HOSTS,)).fetchall()
        ],
    )


def _rate(connection: Database, now: float) -> float:
    """Answers a second, over the last seconds, or since the first of them if that is not as long ago."""
    dates = [date for (date,) in connection.execute(_RECENT, (MOST_COUNTED,))]
    recent = [date for date in dates if date > now - WINDOW]
    is_young = bool(recent) and len(recent) == len(dates)
    return len(recent) / (max(now - min(recent), 1.0) if is_young else WINDOW)
