"""A collection of bounded size: what is in it, what is let go, and what comes back.

Every known URL has a standing (importance.py), whether it was fetched or not where that can be said in advance. When a
recrawl ends, the pages of least standing are let go until there is room: their rows stay, with the dates of all visits,
so they are known, can say why they are not there, and come back when the links of the site, or their user, give them a
better standing than the least of those that are there. What the user named stays in any case.
"""

from __future__ import annotations

import msgspec
import numpy as np

from dowse.core.model import State
from dowse.core.options.revisit_options import Upkeep
from dowse.store.database import Database
from dowse.store.frontier.requeue import count_pages
from dowse.store.reading.link_graph import IS_PAGE
from dowse.store.revisits.importance import Importance
from dowse.store.revisits.revisit_tables import LET_GO
from dowse.store.task_states import OF_PAGES

_NOISE = 1e-9
"""Pages that are worth the same may differ by so much, because sums are rounded."""

_PAGES = f"SELECT task.id, task.url, task.parent FROM task WHERE {IS_PAGE}"
_GONE = f"SELECT id, url FROM task WHERE state = {State.OUT_OF_SCOPE} AND reason = '{LET_GO}'"
_WAITING = f"""SELECT id, url FROM task WHERE state = {State.WAITING} AND coalesce(visit, -1) < 0 AND task.{OF_PAGES}
    ORDER BY priority DESC, id"""
_LEAVES = """INSERT INTO let_go (task, at, visit)
    SELECT task, CAST(? AS REAL), max(id) FROM visit WHERE task = ? GROUP BY task"""
_LET_GO = f"UPDATE task SET state = {State.OUT_OF_SCOPE}, reason = '{LET_GO}', not_before = 0 WHERE id = ?"
# As if unseen it is fetched without conditions, so that its records are taken again.
_COME_BACK = f"""UPDATE task SET state = {State.WAITING}, reason = '', attempt = 0, not_before = 0, visit = -abs(visit)
    WHERE id = ?"""
_RECORDS = "SELECT kind, key, fields FROM record WHERE task = ? ORDER BY id"
_KEEP_RECORDS = "INSERT INTO record_before (task, until, records) VALUES (?, ?, ?)"

_encode = msgspec.json.Encoder().encode


def least_standing(connection: Database, importance: Importance) -> float:
    """What a page has to have more than to come into the collection: 0 while there is room, less if all have."""
    if not importance.wishes.collection:
        return -1.0
    rows = connection.execute(_PAGES).fetchall()
    standings = _standings(importance, [(number, url) for number, url, parent in rows if parent > 0])
    is_full = len(rows) >= importance.wishes.collection and len(standings) > 0
    return float(standings.min()) * (1.0 + _NOISE) if is_full else 0.0


def best_candidates(connection: Database, importance: Importance, most: int) -> list[int]:
    """The links that wait and are worth a place in the collection, the best first."""
    rows = _rows(connection, _WAITING)
    if not importance.foresees:
        return [number for number, _ in rows[:most]]
    standings = _standings(importance, rows)
    order = np.argsort(-standings, kind="stable")[:most]
    least = least_standing(connection, importance)
    return [rows[place][0] for place in order.tolist() if standings[place] > least]


def come_back(connection: Database, importance: Importance) -> None:
    """Let those wait again that were let go and have a better standing now than the least of those that are there."""
    gone = _rows(connection, _GONE)
    if not gone:
        return
    least = least_standing(connection, importance)
    standings = _standings(importance, gone)
    better = [(number,) for (number, _), standing in zip(gone, standings, strict=True) if standing > least]
    connection.executemany(_COME_BACK, better)


def make_room(connection: Database, importance: Importance, now: float, freshness: float) -> Upkeep:
    """Let the pages of least standing go, and say how that leaves the collection."""
    room = importance.wishes.collection
    rows = connection.execute(_PAGES).fetchall()
    pages = [(number, url) for number, url, _ in rows]
    standings = _standings(importance, pages)
    ranked = np.where(np.array([parent for *_, parent in rows]) > 0, standings, np.inf)  # what was named stays
    order = np.lexsort((np.array([number for number, _ in pages]), -ranked))
    leaving = [pages[place][0] for place in order[room:].tolist() if np.isfinite(ranked[place])]
    for number in leaving:
        _put_records_aside(connection, number, now)
    connection.executemany(_LEAVES, [(now, number) for number in leaving])
    connection.executemany(_LET_GO, [(number,) for number in leaving])
    count_pages(connection)
    kept = float(standings[order[: len(pages) - len(leaving)]].sum())
    others = _standings(importance, _rows(connection, _WAITING)) if importance.foresees else np.zeros(0)
    best = np.sort(np.concatenate([standings, _standings(importance, _rows(connection, _GONE)), others]))[::-1]
    top = float(best[:room].sum())
    return Upkeep(freshness, len(pages) - len(leaving), room, len(leaving), kept / top if top > 0.0 else 1.0)


def _put_records_aside(connection: Database, task: int, now: float) -> None:
    records = connection.execute(_RECORDS, (task,)).fetchall()
    if records:
        connection.execute(_KEEP_RECORDS, (task, now, _encode(records).decode()))
        connection.execute("DELETE FROM record WHERE task = ?", (task,))


def _standings(importance: Importance, rows: list[tuple[int, str]]) -> np.ndarray:
    return importance.standings([number for number, _ in rows], [url for _, url in rows])


def _rows(connection: Database, query: str) -> list[tuple[int, str]]:
    return [(row[0], row[1]) for row in connection.execute(query).fetchall()]
