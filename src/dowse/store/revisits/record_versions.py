"""The records that pages had before a recrawl replaced them, so that they can be read as they were."""

from __future__ import annotations

import msgspec

from dowse.store.bookkeeping import Visit
from dowse.store.database import Database
from dowse.store.reading.records import record_rows

_RECORDS = "SELECT kind, key, fields FROM record WHERE task = ? ORDER BY id"
_KEEP = "INSERT INTO record_before (task, until, records) VALUES (?, ?, ?)"

_encode = msgspec.json.Encoder().encode


def keep_records(connection: Database, visit: Visit) -> None:
    """Put the records of a page aside if this visit replaces them by others."""
    if not (visit.is_new or visit.is_over):
        return
    task = visit.outcome.task.id
    before = connection.execute(_RECORDS, (task,)).fetchall()
    after = [row[1:] for row in record_rows(task, visit.outcome.records)] if visit.is_new else []
    if sorted(before) != sorted(after):
        connection.execute(_KEEP, (task, visit.outcome.fetched_at, _encode(before).decode()))
