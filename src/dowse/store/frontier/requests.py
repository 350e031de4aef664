"""What is to be asked for, where the URL of a task does not say it all: method, body, headers; a hint, and why.

Rows are there for the few tasks that have any of it. Invariant: a crawl without such rows is known to have none
(`Memory.has_requests`), so that one of plain links never looks here, and in others no set of tasks grows in memory.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from dowse.core.model import Candidate, Task
from dowse.store.database import Database

Row = tuple[int, str, bytes, str, bytes, str]

INSERT = "INSERT INTO request VALUES (?, ?, ?, ?, ?, ?)"
DELETE = "DELETE FROM request WHERE task = ?"

_decode = msgspec.json.Decoder(tuple[tuple[str, str], ...]).decode


def request_row(number: int, candidate: Candidate) -> Row:
    """The row for a task."""
    request = candidate.request
    headers = msgspec.json.encode(request.headers).decode() if request.headers else "[]"
    return number, request.method, request.body, headers, candidate.hint, candidate.why


def has_requests(connection: Database) -> bool:
    return connection.execute("SELECT 1 FROM request LIMIT 1").fetchone() is not None


def restored(connection: Database, task: Task) -> Task:
    """A task with all that was asked for when it was found."""
    query = "SELECT method, body, headers, hint FROM request WHERE task = ?"
    row = connection.execute(query, (task.id,)).fetchone()
    if row is None:
        return task
    method, body, headers, hint = row
    request = replace(task.request, method=method, body=body, headers=_decode(headers))
    return replace(task, request=request, hint=hint)
