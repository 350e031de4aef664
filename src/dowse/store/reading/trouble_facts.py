"""What the tables of a crawl know of what did not go as asked (core/troubles.py)."""

from __future__ import annotations

import sqlite3

from dowse.core.model import FailureKind, State
from dowse.core.rendered import ready_name
from dowse.core.sessions import SIGNED_OUT
from dowse.core.troubles import Effect, Facts, Group
from dowse.store.reading.link_graph import IS_PAGE

_LAST = "FROM task JOIN visit ON visit.id = task.visit"
_PAGES = f"SELECT count(*), count(visit.rendered) {_LAST} WHERE {IS_PAGE}"
# Beside min() stand the other columns of the row that has it.
_FIRST = "SELECT count(*), coalesce(task.url, ''), min(task.id)"
# A page that waited in vain for what makes it ready is told of with that condition.
_CUT = (
    f"{_FIRST} {_LAST} WHERE json_extract(visit.rendered, '$.cut')"
    f" AND coalesce(json_extract(visit.rendered, '$.missed'), '') NOT LIKE '%\"{ready_name('%')}'"
)
_SIGNED_OUT = f"{_FIRST} {_LAST} WHERE visit.detail LIKE ? AND visit.failure = ''"
_LOG_IN = f"{_FIRST} FROM task WHERE state = ? AND reason = ?"
_EFFECTS = f"""
    SELECT each.value, count(*), task.url, min(task.id) {_LAST}, json_each(visit.rendered, ?) AS each
    WHERE visit.rendered IS NOT NULL GROUP BY 1
"""


def facts_of(connection: sqlite3.Connection) -> Facts:
    """What is known of the pages of a crawl by now."""
    pages, rendered = connection.execute(_PAGES).fetchone()
    (records,) = connection.execute("SELECT count(*) FROM record").fetchone()
    met = {name: count for name, count, _, _ in connection.execute(_EFFECTS, ("$.met",))}
    missed = {name: Group(count, url) for name, count, url, _ in connection.execute(_EFFECTS, ("$.missed",))}
    return Facts(
        pages=pages,
        rendered=rendered,
        records=records,
        cut=_group(connection, _CUT),
        effects={name: Effect(met.get(name, 0), missed.get(name, Group())) for name in met | missed},
        signed_out=_group(connection, _SIGNED_OUT, f"{SIGNED_OUT}:%"),
        log_in=_group(connection, _LOG_IN, int(State.FAILED), str(FailureKind.LOGIN)),
    )


def _group(connection: sqlite3.Connection, query: str, *values: str | int) -> Group:
    pages, url, _ = connection.execute(query, values).fetchone()
    return Group(pages, url)
