"""The columns of `task`: how a row is written, written anew, and read again for a lease. No other place lists them."""

from __future__ import annotations

from typing import Any

from dowse.core.model import Request, Task
from dowse.store.database import Database
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.requests import restored

TaskRow = tuple[Any, ...]

_ALWAYS = ("id", "key_hash", "url", "key")
_PLACE = ("host", "site", "label", "depth", "priority", "parent", "anchor", "state", "reason", "redirects", "chain",
          "not_before")  # fmt: skip
"""What depends on the way a URL was found by."""

_WRITTEN = (*_ALWAYS, *_PLACE)
_READ = (*_ALWAYS, "site", "label", "depth", "priority", "parent", "attempt", "redirects", "chain")

PRIORITY = _WRITTEN.index("priority")
STATE = _WRITTEN.index("state")
"""Where a row that is to be written has its priority and its state."""

INSERT_TASK = f"INSERT INTO task ({', '.join(_WRITTEN)}) VALUES ({', '.join('?' * len(_WRITTEN))})"

REVIVE = f"UPDATE task SET {', '.join(f'{name} = ?' for name in _PLACE)} WHERE id = ?"
"""A URL that was refused was found by a better way."""

_TASK_COLUMNS = ", ".join(f"task.{name}" for name in _READ)
"""What a task is made of again, before what is known from its last visit."""


def _if_seen(column: str) -> str:
    """Of a visit that brought no content nothing is known."""
    return f"CASE WHEN visit.digest <> 0 THEN visit.{column} ELSE '' END"


LEASED = f"""
    SELECT {_TASK_COLUMNS},
           {_if_seen("etag")}, {_if_seen("last_modified")}, coalesce(visit.digest, 0), {_if_seen("body")},
           {_if_seen("usage")}
    FROM task LEFT JOIN visit ON visit.id = task.visit
"""
"""Rows as `make_task` takes them, of tasks that a condition behind it names."""

_STORED = f"""
    SELECT {_TASK_COLUMNS}, '', '', 0, '', '', visit.body, host.name
    FROM task JOIN visit ON visit.id = abs(task.visit) JOIN host ON host.id = task.host WHERE task.id = ?
"""


def make_task(connection: Database, memory: Memory, row: TaskRow, host: str) -> Task:
    number, key_hash, url, key, site, *walk = row
    label, depth, priority, parent, attempt, redirects, chain, etag, last_modified, digest, before, usage = walk
    task = Task(
        id=number,
        request=Request(url, key_hash, host, key or ""),
        site=memory.hosts.by_id[site].name,
        label=label,
        depth=depth,
        priority=priority,
        parent=parent,
        attempt=attempt,
        redirects=redirects,
        chain=chain,
        etag=etag,
        last_modified=last_modified,
        digest=digest,
        usage=usage,
        twin=memory.spellings.twin(number) if number in memory.spellings.probed else None,
        before=before,
    )
    return restored(connection, task) if memory.has_requests else task


def stored_task(connection: Database, memory: Memory, number: int) -> tuple[Task, str]:
    """The task of a page that was fetched, to be read once more, and where its body is."""
    *row, body, host = connection.execute(_STORED, (number,)).fetchone()
    return make_task(connection, memory, tuple(row), host), body
