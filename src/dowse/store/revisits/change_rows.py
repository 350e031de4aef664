"""The changes that recrawls have written down, for those who tell others of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import json

from dowse.store.database import Database

_NEWEST = "SELECT coalesce(max(id), 0) FROM change"
_VISITS = "SELECT coalesce(max(id), 0) FROM visit"
_ROWS = """SELECT change.id, change.at, change.kind, change.what, task.url,
        coalesce((SELECT title FROM visit WHERE visit.id = CASE WHEN change.kind IN ('removed', 'unreachable')
            THEN change.earlier ELSE change.later END), ''),
        change.before, change.after,
        coalesce((SELECT body FROM visit WHERE visit.id = change.earlier), ''),
        coalesce((SELECT body FROM visit WHERE visit.id = change.later), '')
    FROM change JOIN task ON task.id = change.task WHERE change.id > ? ORDER BY change.id"""


class ChangeRow(NamedTuple):
    """One change. `earlier` and `later` are where the two versions of a page are archived, or ""."""

    number: int
    at: float
    kind: str
    what: str
    url: str
    title: str
    before: Any
    after: Any
    earlier: str
    later: str


def newest_change(database: Database) -> int:
    """The number of the last change; 0 in a crawl that was never visited again."""
    if "change" not in database.tables():
        return 0
    return int(database.execute(_NEWEST).fetchone()[0])


def newest_visit(database: Database) -> int:
    """The number of the last request that had an answer or a failure."""
    return int(database.execute(_VISITS).fetchone()[0])


def changes_after(database: Database, number: int) -> list[ChangeRow]:
    """The changes behind a number, in the order they were seen."""
    if "change" not in database.tables():
        return []
    return [ChangeRow(*row[:6], *map(_value, row[6:8]), *row[8:]) for row in database.execute(_ROWS, (number,))]


def _value(text: str) -> Any:
    return json.decode(text) if text else None
