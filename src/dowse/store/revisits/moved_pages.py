"""Pages that are gone from one address and there at another, with the same content."""

from __future__ import annotations

import msgspec

from dowse.core.model import State
from dowse.store.database import Database
from dowse.store.task_states import one_of

_GONE = """SELECT change.id, change.task, task.url, visit.digest FROM change JOIN task ON task.id = change.task
    JOIN visit ON visit.id = change.earlier JOIN revisited ON revisited.task = task.id AND revisited.missing > 0
    WHERE change.id > ? AND change.kind IN ('removed', 'unreachable') AND change.what <> 'record'
    AND visit.digest <> 0"""
_THERE = f"""SELECT visit.digest, task.id, task.url FROM task JOIN visit ON visit.id = task.visit
    WHERE task.state IN {one_of(State.FETCHED, State.DUPLICATE)} AND visit.digest <> 0 ORDER BY task.id"""
_MOVED = "UPDATE change SET kind = 'moved', before = ?, after = ? WHERE id = ?"

_encode = msgspec.json.Encoder().encode


# Where a page has moved to is told with it, so it is not told as new.
_ADDED = """SELECT change.id, task.url FROM change JOIN task ON task.id = change.task
    WHERE change.id > ? AND change.kind = 'added' AND change.later IS NOT NULL AND change.what <> 'record'"""

_decode = msgspec.json.Decoder(str).decode


def note_moves(connection: Database, since: int) -> None:
    """Of the changes behind this one, say of pages that are gone where they are now."""
    _find_copies(connection, since)
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
    for digest, task, url in connection.execute(_THERE):
        if digest in wanted:
            there.setdefault(digest, (task, url))
    for number, task, url, digest in gone:
        other = there.get(digest)
        if other is not None and other[0] != task:
            connection.execute(_MOVED, (_encode(url).decode(), _encode(other[1]).decode(), number))
