"""Pages that are gone from one address and there at another, with the same content.

Those with the same bytes are found here. Most pages are not the same to the byte: a menu marks another place, a date
moved. Of these the pairs are named that may be one page, and somebody who can read them says which are.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import msgspec

from dowse.core.model import State
from dowse.store.database import Database
from dowse.store.task_states import one_of

_GONE = """SELECT change.id, change.task, task.url, visit.digest FROM change JOIN task ON task.id = change.task
    JOIN visit ON visit.id = change.earlier JOIN revisited ON revisited.task = task.id AND revisited.missing > 0
    WHERE change.id > ? AND change.kind IN ('removed', 'unreachable') AND change.what <> 'record'
    AND visit.digest <> 0"""
_THERE = f"""SELECT visit.digest, task.id, task.url FROM task JOIN visit ON visit.id = task.visit
    LEFT JOIN revisited ON revisited.task = task.id
    WHERE task.state IN {one_of(State.FETCHED, State.DUPLICATE)} AND visit.digest <> 0
    AND coalesce(revisited.missing, 0) = 0 ORDER BY task.id"""
_MOVED = "UPDATE change SET kind = 'moved', before = ?, after = ? WHERE id = ?"

# Both with their titles, and with where they are stored.
_PAIRED = """SELECT change.id, task.url, visit.title, visit.body FROM change JOIN task ON task.id = change.task
    JOIN visit ON visit.id = {version} LEFT JOIN revisited ON revisited.task = task.id
    WHERE change.id > ? AND change.what <> 'record' AND visit.title <> '' AND visit.body <> '' AND {which}
    ORDER BY change.id"""
_LOST = _PAIRED.format(
    version="change.earlier", which="change.kind IN ('removed', 'unreachable') AND revisited.missing > 0"
)
_NEW = _PAIRED.format(version="change.later", which="change.kind = 'added'")

MOST_ALIKE = 4
"""Pages that may have the same title; where more have it, it names the site and not the page."""

_encode = msgspec.json.Encoder().encode


# Where a page has moved to is told with it, so it is not told as new.
_ADDED = """SELECT change.id, task.url FROM change JOIN task ON task.id = change.task
    WHERE change.id > ? AND change.kind = 'added' AND change.later IS NOT NULL AND change.what <> 'record'"""

_decode = msgspec.json.Decoder(str).decode


class MayBeMoved(NamedTuple):
    """A page that is gone, by its change and where it is stored, and new ones of the same title: URL and where."""

    change: int
    url: str
    body: str
    others: tuple[tuple[str, str], ...]


def may_be_moved(connection: Database, since: int) -> list[MayBeMoved]:
    """Of the changes behind this one, pages that are gone and may be at another address."""
    new: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for _, url, title, body in connection.execute(_NEW, (since,)):
        new[title].append((url, body))
    return [
        MayBeMoved(number, url, body, tuple(new[title]))
        for number, url, title, body in connection.execute(_LOST, (since,)).fetchall()
        if 0 < len(new.get(title, ())) <= MOST_ALIKE
    ]


def note_found(connection: Database, since: int, found: dict[MayBeMoved, str]) -> None:
    """Write down where such pages are now."""
    rows = [(_encode(page.url).decode(), _encode(url).decode(), page.change) for page, url in found.items()]
    connection.executemany(_MOVED, rows)
    _drop_added(connection, since)


def note_moves(connection: Database, since: int) -> None:
    """Of the changes behind this one, say of pages that are gone where they are now."""
    _find_copies(connection, since)
    _drop_added(connection, since)


def _drop_added(connection: Database, since: int) -> None:
    targets = connection.execute("SELECT after FROM change WHERE id > ? AND kind = 'moved'", (since,)).fetchall()
    moved = {_decode(after) for (after,) in targets}
    added = connection.execute(_ADDED, (since,)).fetchall()
    connection.executemany("DELETE FROM change WHERE id = ?", [(number,) for number, url in added if url in moved])


def _find_copies(connection: Database, since: int) -> None:
    gone = connection.execute(_GONE, (since,)).fetchall()
    if not gone:
        return
    wanted = {digest for *_, digest in gone}
    there: dict[int, tuple[int, str]] = {}
    for digest, task, url in connection.stream(_THERE):
        if digest in wanted:
            there.setdefault(digest, (task, url))
    for number, task, url, digest in gone:
        other = there.get(digest)
        if other is not None and other[0] != task:
            connection.execute(_MOVED, (_encode(url).decode(), _encode(other[1]).decode(), number))
