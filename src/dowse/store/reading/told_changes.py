"""The changes that recrawls wrote down, and the versions of one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from dowse.core.revisits.changes import RECORD, Asked, Version
from dowse.store.database import Database
from dowse.store.revisits.revisit_tables import BEGUN

_TOLD = """
    SELECT change.id, change.at, change.kind, change.what, task.id, task.url,
           coalesce(nullif(seen.title, ''), nullif(known.title, ''), nullif(task.anchor, ''), ''),
           coalesce(known.body, ''), coalesce(seen.body, ''),
           change.before, change.after
    FROM change JOIN task ON task.id = change.task
         LEFT JOIN visit AS known ON known.id = change.earlier LEFT JOIN visit AS seen ON seen.id = change.later
    WHERE {which} ORDER BY {order}
"""
_OLDEST_FIRST = "change.at, change.id"
_NEWEST_FIRST = "change.at DESC, change.id DESC LIMIT ? OFFSET ?"
_VISITS = """
    SELECT id, fetched_at, status, failure, size, title, digest, redirect, body FROM visit
    WHERE task = ? AND failure <> 'robots' ORDER BY id
"""
_TOLD_OF = "SELECT later, kind FROM change WHERE task = ? AND what <> ? AND later IS NOT NULL"
# That a page could not be reached is no news any more when it is known what became of it.
_NOT_CLEARED_UP = """NOT (change.kind = 'unreachable' AND coalesce((SELECT next.kind FROM change AS next
    WHERE next.task = change.task AND next.id > change.id AND next.what <> 'record' ORDER BY next.id LIMIT 1), '')
    IN ('removed', 'moved'))"""

_decode = msgspec.json.Decoder().decode


class ToldChange(NamedTuple):
    """A change as the tables have it; `earlier` and `later` say where the two versions of its page are stored."""

    number: int
    at: float
    kind: str
    what: str
    task: int
    url: str
    title: str
    earlier: str
    later: str
    before: Any
    after: Any


def was_visited_again(connection: Database) -> bool:
    """Whether there was a recrawl that wrote changes down."""
    return "change" in connection.tables()


def told_changes(connection: Database, asked: Asked) -> Iterator[ToldChange]:
    """The changes that are asked for, in the order they were seen."""
    if not was_visited_again(connection):
        return
    which, values = _condition(asked)
    yield from map(_told, connection.stream(_TOLD.format(which=which, order=_OLDEST_FIRST), values))


def newest_changes(connection: Database, asked: Asked, offset: int, limit: int) -> list[ToldChange]:
    """Some of them, the newest first."""
    if not was_visited_again(connection):
        return []
    which, values = _condition(asked)
    query = _TOLD.format(which=which, order=_NEWEST_FIRST)
    return [_told(row) for row in connection.execute(query, [*values, limit, offset])]


def _told(row: Sequence[Any]) -> ToldChange:
    before, after = (_decode(part) if part else None for part in row[-2:])
    return ToldChange._make((*row[:-2], before, after))


def count_changes(connection: Database, asked: Asked) -> int:
    """How many these are."""
    if not was_visited_again(connection):
        return 0
    which, values = _condition(asked)
    query = f"SELECT count(*) FROM change JOIN task ON task.id = change.task WHERE {which}"
    return int(connection.execute(query, values).fetchone()[0])


def kinds_of_run(connection: Database) -> dict[str, int]:
    """How many changes of each kind there were since the last run of revisits began."""
    if not was_visited_again(connection):
        return {}
    query = f"SELECT kind, count(*) FROM change WHERE id > ? AND {_NOT_CLEARED_UP} GROUP BY kind"
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (BEGUN,)).fetchone()
    return dict(connection.execute(query, (int(row[0]) if row else 0,)).fetchall())


def words_of_changes(connection: Database) -> list[str]:
    """What changed in a crawl, in its own words: page, record, or what its mode says."""
    if not was_visited_again(connection):
        return []
    return [word for (word,) in connection.execute("SELECT DISTINCT what FROM change ORDER BY what").fetchall()]


def _condition(asked: Asked) -> tuple[str, list[Any]]:
    parts = ["change.at >= ?", "change.id > ?", _NOT_CLEARED_UP]
    values: list[Any] = [asked.since, asked.after]
    for column, wanted in (("kind", asked.kinds), ("what", asked.whats)):
        if wanted:
            parts.append(f"change.{column} IN ({', '.join('?' * len(wanted))})")
            values += wanted
    return " AND ".join(parts), values


def restless_places(connection: Database, task: int, times: int) -> set[int]:
    """The places of a page that had another line at so many visits in a row."""
    if not was_visited_again(connection):
        return set()
    row = connection.execute("SELECT places FROM revisited WHERE task = ?", (task,)).fetchone()
    return {int(place) for place, number in _decode(row[0]).items() if number >= times} if row else set()


def versions_of(connection: Database, task: int) -> list[Version]:
    """The versions of a page, the first one first.

    A visit that brought other bytes and no other content is one more visit of the same version. Of visits before
    changes were written down the bytes alone decide.
    """
    told: dict[int, str] = {}
    is_told = was_visited_again(connection)
    if is_told:
        told = dict(connection.execute(_TOLD_OF, (task, RECORD)).fetchall())
    found: list[Version] = []
    digest = 0
    for visit, at, status, failure, size, title, content, redirect, body in connection.execute(_VISITS, (task,)):
        kind = told.get(visit, "")
        if failure or redirect is not None:
            if found:
                silent = "moved" if redirect is not None else f"{failure} {status or ''}".strip()
                found[-1] = replace(found[-1], fate=kind or found[-1].fate or silent)
            continue
        is_other = content not in (0, digest) and (not is_told or kind in ("changed", "added"))
        digest = content or digest
        if not found or is_other:
            found.append(Version(len(found) + 1, at, at, 1, size, title, body))
        else:
            found[-1] = replace(found[-1], until=at, visits=found[-1].visits + 1, fate="")
    return found
