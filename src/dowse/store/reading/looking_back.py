"""A crawl as it was at some moment: temporary tables and a view stand before those of the crawl, on one connection.

    told     one row a URL that was visited by then: the visit that told what was there, and the state after it
    away     pages that a bounded collection had let go by then, and had not taken back
    task     a view: the tasks of the crawl, with visit and state from `told` and `away`
    record   what pages had by then; record_before has what later visits replaced

Nothing is written to the crawl. SQLite looks a name up among the temporary ones first, so all that reads pages, links
and records reads those of that moment.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dowse.core.fate import GONE, NO_PAGE
from dowse.core.model import State
from dowse.store.database import Database
from dowse.store.folder import explained
from dowse.store.revisits.revisit_tables import LET_GO

# A visit that found the page as it was tells nothing: the one before is that with its links.
_THEN = f"""
    CREATE TEMP TABLE told AS
    SELECT task, max(id) AS visit FROM (
        SELECT id, task, digest, redirect, failure,
               lag(digest, 1, 0) OVER (PARTITION BY task ORDER BY id) AS before,
               lag(failure, 1, '') OVER (PARTITION BY task ORDER BY id) AS failed
        FROM visit WHERE fetched_at <= ? AND status <> 304 AND (
            failure = '' OR status IN ({", ".join(map(str, GONE))})
            OR failure IN ({", ".join(f"'{kind}'" for kind in NO_PAGE)}))
    ) AS telling WHERE digest <> before OR failure <> failed OR redirect IS NOT NULL GROUP BY task
"""
_INDEX = "CREATE UNIQUE INDEX temp.told_task ON told (task)"
# By visits and not by dates alone: a clock may have been put back since.
_AWAY = """
    CREATE TEMP TABLE away AS
    SELECT DISTINCT task FROM let_go WHERE at <= ? AND NOT EXISTS (
        SELECT 1 FROM visit WHERE visit.task = let_go.task AND visit.id > let_go.visit AND visit.fetched_at <= ?)
"""
_NONE_AWAY = "CREATE TEMP TABLE away (task INTEGER PRIMARY KEY)"
_IS_AWAY = "WHEN EXISTS (SELECT 1 FROM away WHERE away.task = now.id) THEN"
_STATE = f"""CASE {_IS_AWAY} {State.OUT_OF_SCOPE}
    ELSE coalesce((SELECT CASE WHEN visit.failure <> '' THEN {State.FAILED}
        WHEN visit.duplicate_of IS NOT NULL THEN {State.DUPLICATE} ELSE {State.FETCHED} END
    FROM told JOIN visit ON visit.id = told.visit WHERE told.task = now.id), {State.WAITING}) END"""
_REASON = f"""CASE {_IS_AWAY} '{LET_GO}'
    ELSE coalesce((SELECT CASE WHEN visit.redirect IS NOT NULL THEN 'redirect' ELSE visit.failure END
    FROM told JOIN visit ON visit.id = told.visit WHERE told.task = now.id), '') END"""
_VISIT = "(SELECT visit FROM told WHERE told.task = now.id)"
_COMPUTED = {"state": _STATE, "reason": _REASON, "visit": _VISIT}

_RECORD = """CREATE TEMP TABLE record (
    id INTEGER PRIMARY KEY, task INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, fields TEXT NOT NULL)"""
_REPLACED = """SELECT task, records FROM record_before
    WHERE id IN (SELECT min(id) FROM record_before WHERE until > ? GROUP BY task) ORDER BY task"""
_INSERT = "INSERT INTO temp.record (task, kind, key, fields) VALUES (?, ?, ?, ?)"
_KEPT = """INSERT INTO temp.record (task, kind, key, fields) SELECT task, kind, key, fields FROM main.record
    WHERE task IN (SELECT task FROM told) AND NOT EXISTS (SELECT 1 FROM replaced WHERE replaced.task = record.task)
    ORDER BY id"""

_decode = msgspec.json.Decoder(list[tuple[str, str, str]]).decode


@explained("read")
def look_back(connection: Database, moment: float) -> None:
    """Let a connection that only reads see the crawl as it was."""
    columns = connection.columns("task")
    names = ", ".join(f"{_COMPUTED[name]} AS {name}" if name in _COMPUTED else f"now.{name}" for name in columns)
    connection.execute(_THEN, (moment,))
    connection.execute(_INDEX)
    _leave_out(connection, moment)
    connection.execute(f"CREATE TEMP VIEW task AS SELECT {names} FROM main.task AS now")
    connection.execute("CREATE TEMP TABLE replaced (task INTEGER PRIMARY KEY)")
    connection.execute(_RECORD)
    has_before = "record_before" in connection.tables()
    replaced: list[Any] = connection.execute(_REPLACED, (moment,)).fetchall() if has_before else []
    connection.executemany("INSERT INTO replaced VALUES (?)", [(task,) for task, _ in replaced])
    connection.execute(_KEPT)
    for task, records in replaced:
        connection.executemany(_INSERT, [(task, *each) for each in _decode(records)])
    connection.execute("DELETE FROM temp.record WHERE task NOT IN (SELECT task FROM told)")
    connection.execute("CREATE INDEX temp.record_task ON record (task)")


def _leave_out(connection: Database, moment: float) -> None:
    """What had been let go by then tells nothing."""
    if "let_go" not in connection.tables():  # nobody ever bounded it
        connection.execute(_NONE_AWAY)
        return
    connection.execute(_AWAY, (moment, moment))
    connection.execute("CREATE UNIQUE INDEX temp.away_task ON away (task)")
    connection.execute("DELETE FROM told WHERE task IN (SELECT task FROM away)")
