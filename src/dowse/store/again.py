"""Letting tasks wait again: after failures, for another visit of everything, or under other rules.

Each function changes rows inside the caller's transaction; memory is rebuilt from them afterwards.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import msgspec

from dowse.core.model import Request, State
from dowse.core.politeness import HostState, forgiven
from dowse.core.urls import host_of
from dowse.store.admission import PARKED, Admission

Refuse = Callable[[Request, str, int, str], str]
"""Takes a request, the site and depth it was found at and the reason it stands under; answers with a refusal or ""."""


def retry_failed(connection: sqlite3.Connection) -> None:
    """Let what failed wait again, and all else that waits sit this run out."""
    connection.execute("UPDATE task SET not_before = ?, reason = '' WHERE state = 0", (PARKED,))
    _wait_again(connection, State.FAILED)
    # A user who asks for another try means now: what a host's silence had cost it is forgotten.
    for number, politeness in connection.execute("SELECT id, politeness FROM host").fetchall():
        state = forgiven(msgspec.json.decode(politeness, type=HostState))
        row = (msgspec.json.encode(state).decode(), number)
        connection.execute("UPDATE host SET politeness = ? WHERE id = ?", row)


def revisit(connection: sqlite3.Connection) -> None:
    """Let every page that was fetched or failed wait again, with its etag and digest."""
    _wait_again(connection, State.FETCHED, State.DUPLICATE, State.FAILED)
    connection.execute("UPDATE host SET pages = 0")


def reconsider(connection: sqlite3.Connection, admission: Admission, refuse: Refuse) -> None:
    """Ask of every URL that waits or was refused without a visit whether the rules, as they are now, let it in."""
    sites = dict(connection.execute("SELECT id, name FROM host").fetchall())
    rows = connection.execute(
        "SELECT id, url, key, key_hash, site, depth, state, reason FROM task"
        " WHERE parent > 0 AND visit IS NULL AND state IN (?, ?, ?)",
        (int(State.WAITING), int(State.OUT_OF_SCOPE), int(State.ROBOTS)),
    ).fetchall()
    for number, url, key, key_hash, site, depth, state, reason in rows:
        request = Request(url, key_hash, host_of(url), key or "")
        refused = refuse(request, sites[site], depth, reason)
        if bool(refused) == (state != State.WAITING):
            continue
        after = State.WAITING if not refused else State.ROBOTS if refused == "robots" else State.OUT_OF_SCOPE
        host = 0 if refused else admission.host(request.host).id
        connection.execute(
            "UPDATE task SET state = ?, reason = ?, host = ? WHERE id = ?", (int(after), refused, host, number)
        )


def _wait_again(connection: sqlite3.Connection, *states: State) -> None:
    connection.executemany(
        "UPDATE task SET state = 0, reason = '', attempt = 0, not_before = 0 WHERE state = ?",
        [(int(state),) for state in states],
    )
