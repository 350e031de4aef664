"""Pages that are sent to one and the same place for a while: to a notice that the site is being worked on, to a log-in.

Two different pages cannot both have moved to one. So where a redirect that is not for good (301, 308) leads from
several of them to one page, they are not reachable, as if their server were silent, and their copies count: that visit
has failed, and each page has the one again that has its content, and its records. What they are sent to is no page that
anybody is told of when it comes and goes, if it came with them. A redirect for good is believed: pages are merged at
times.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import msgspec

from dowse.core.model import FailureKind, State
from dowse.store.database import Database
from dowse.store.frontier.requeue import count_pages
from dowse.store.revisits.revisit_tables import MISSING
from dowse.store.schema import INSERT_RECORD

REASON = "sent elsewhere for a while"

_FEWEST = 2

# Where one notice has an address for each page that leads to it, these are copies of the first.
_SENT = """SELECT change.id, change.task, earlier.id, earlier.digest, later.fetched_at, later.id,
        coalesce(there.duplicate_of, later.redirect)
    FROM change JOIN task ON task.id = change.task AND task.visit = change.later AND task.reason = 'redirect'
    JOIN visit AS later ON later.id = change.later AND later.status NOT IN (301, 308)
    JOIN visit AS earlier ON earlier.id = change.earlier AND earlier.digest <> 0
    LEFT JOIN task AS target ON target.id = later.redirect LEFT JOIN visit AS there ON there.id = abs(target.visit)
    WHERE change.kind = 'moved' AND change.what <> 'record' AND later.redirect IS NOT NULL ORDER BY change.id"""
_KNOWN = f"""SELECT 0, task.id, task.visit, earlier.digest, 0.0, 0, coalesce(there.duplicate_of, later.redirect)
    FROM task JOIN visit AS earlier ON earlier.id = task.visit
    JOIN visit AS later ON later.id = (SELECT max(id) FROM visit WHERE visit.task = task.id AND redirect IS NOT NULL)
    LEFT JOIN task AS target ON target.id = later.redirect LEFT JOIN visit AS there ON there.id = abs(target.visit)
    WHERE task.state = {State.FAILED} AND task.reason = '{REASON}'"""
_FAILED = f"UPDATE task SET state = {State.FAILED}, reason = '{REASON}', visit = ? WHERE id = ?"
_VISIT_FAILED = f"UPDATE visit SET failure = '{FailureKind.REDIRECT}', detail = '{REASON}' WHERE id = ?"
_NOTICE = """INSERT INTO revisited (task, at, news, missing, places)
    SELECT later.redirect, later.fetched_at, 0, ?, '{}' FROM visit AS later WHERE later.id = ?
    AND later.id < (SELECT min(first.id) FROM visit AS first WHERE first.task = later.redirect)
    ON CONFLICT (task) DO UPDATE SET missing = excluded.missing"""
_SILENT_BEFORE = """SELECT coalesce((SELECT kind FROM change WHERE task = ? AND id < ? AND what <> 'record'
    ORDER BY id DESC LIMIT 1), '') = 'unreachable'"""
_UNREACHABLE = "UPDATE change SET kind = 'unreachable', before = '', after = '' WHERE id = ?"
_REPLACED = "SELECT id, records FROM record_before WHERE task = ? AND until = ? ORDER BY id DESC LIMIT 1"

_decode = msgspec.json.Decoder(list[tuple[str, str, str]]).decode


class _Sent(NamedTuple):
    """A page that has moved, as it seems: its change (0: it is known that it did not), the visit that has its content,
    and when it was sent where, by which visit."""

    change: int
    task: int
    visit: int
    digest: int
    at: float
    later: int
    target: int


def note_sent_elsewhere(connection: Database) -> None:
    """Take back that such pages have moved."""
    groups: defaultdict[int, list[_Sent]] = defaultdict(list)
    moved = connection.execute(_SENT).fetchall()
    for page in map(_Sent._make, moved + connection.execute(_KNOWN).fetchall() if moved else ()):
        groups[page.target].append(page)
    several = (group for group in groups.values() if len({page.digest for page in group}) >= _FEWEST)
    sent = [page for group in several for page in group if page.change]
    for page in sent:
        connection.execute(_FAILED, (page.visit, page.task))
        connection.execute(_VISIT_FAILED, (page.later,))
        connection.execute(_NOTICE, (MISSING, page.later))
        _bring_back_records(connection, page)
        (is_known,) = connection.execute(_SILENT_BEFORE, (page.task, page.change)).fetchone()
        connection.execute("DELETE FROM change WHERE id = ?" if is_known else _UNREACHABLE, (page.change,))
    if sent:
        count_pages(connection)


def _bring_back_records(connection: Database, page: _Sent) -> None:
    row = connection.execute(_REPLACED, (page.task, page.at)).fetchone()
    if row is not None:
        connection.executemany(INSERT_RECORD, [(page.task, *record) for record in _decode(row[1])])
        connection.execute("DELETE FROM record_before WHERE id = ?", (row[0],))
