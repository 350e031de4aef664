"""What the tables of a crawl know of what did not go as asked (core/troubles.py)."""

from __future__ import annotations

from dowse.core.model import FailureKind, State
from dowse.core.rendered_pages import ready_name
from dowse.core.sessions import SIGNED_OUT
from dowse.core.troubles import Effect, Facts, Group
from dowse.store.database import Database
from dowse.store.fragments import json_part, json_rows
from dowse.store.reading.link_graph import IS_PAGE

_LAST = "FROM task JOIN visit ON visit.id = task.visit"
_PAGES = f"SELECT count(*), count(visit.rendered) {_LAST} WHERE {IS_PAGE}"
# A page that waited in vain for what makes it ready is told of with that condition.
_CUT = f"""{_LAST} WHERE {json_part("visit.rendered", "$.cut", "TEXT")} NOT IN ('0', 'false')
    AND coalesce({json_part("visit.rendered", "$.missed")}, '') NOT LIKE '%"{ready_name("%")}'"""
_SIGNED_OUT = f"{_LAST} WHERE visit.detail LIKE ? AND visit.failure = ''"
_FAILED = "FROM task WHERE state = ? AND reason = ?"
_MISTAKE = f"SELECT visit.detail {_LAST} WHERE task.state = ? AND task.reason = ? ORDER BY task.id LIMIT 1"
_GROUP = """
    SELECT found.pages, coalesce(task.url, '')
    FROM (SELECT count(*) AS pages, min(task.id) AS first {condition}) AS found LEFT JOIN task ON task.id = found.first
"""
_EFFECTS = """
    SELECT found.name, found.pages, task.url
    FROM (SELECT each.value AS name, count(*) AS pages, min(task.id) AS first {last}, {effects}
          WHERE visit.rendered IS NOT NULL GROUP BY 1) AS found JOIN task ON task.id = found.first
"""


def facts_of(connection: Database) -> Facts:
    """What is known of the pages of a crawl by now."""
    pages, rendered = connection.execute(_PAGES).fetchone()
    (records,) = connection.execute("SELECT count(*) FROM record").fetchone()
    met = {name: pages for name, pages, _ in _effects(connection, "$.met")}
    missed = {name: Group(pages, url) for name, pages, url in _effects(connection, "$.missed")}
    mistake = connection.execute(_MISTAKE, (int(State.FAILED), str(FailureKind.CALLBACK))).fetchone()
    return Facts(
        pages=pages,
        rendered=rendered,
        records=records,
        cut=_group(connection, _CUT),
        effects={name: Effect(met.get(name, 0), missed.get(name, Group())) for name in met | missed},
        signed_out=_group(connection, _SIGNED_OUT, f"{SIGNED_OUT}:%"),
        log_in=_group(connection, _FAILED, int(State.FAILED), str(FailureKind.LOGIN)),
        callback=_group(connection, _FAILED, int(State.FAILED), str(FailureKind.CALLBACK)),
        mistake=mistake[0] if mistake else "",
    )


def _group(connection: Database, condition: str, *values: str | int) -> Group:
    return Group(*connection.execute(_GROUP.format(condition=condition), values).fetchone())


def _effects(connection: Database, place: str) -> list[tuple[str, int, str]]:
    """What pages have at a place of what is known of their rendering: each value, how many have it, and the first."""
    effects = json_rows("visit.rendered", "each", place)
    return connection.execute(_EFFECTS.format(last=_LAST, effects=effects)).fetchall()
