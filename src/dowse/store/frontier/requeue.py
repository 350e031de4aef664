"""Letting tasks wait again: after failures, for another visit of everything, or under other rules.

Each function changes rows inside the caller's transaction; memory is rebuilt from them afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec

from dowse.core.fate import CANONICAL, MIRROR, NEAR_DUPLICATE
from dowse.core.model import Request, State
from dowse.core.politeness import HostState, forgiven
from dowse.core.protocols import StopReason
from dowse.core.url_variants import Alike
from dowse.core.urls import host_of
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED, Admission
from dowse.store.reading.link_graph import IS_PAGE
from dowse.store.task_states import NOT_DONE, one_of

Refuse = Callable[[Request, str, int, str, str], str]
"""Takes a request, the site and depth it was found at, the reason it stands under and its label; answers with a refusal
or ""."""

Excluded = Callable[[str], object]
"""Whether the user wants no request for a URL. What was fetched before stays as it is."""


def no_url(url: str) -> bool:
    """That there is no such URL."""
    return False


_NOT_RETRIED = f"""UPDATE task SET state = {State.FAILED}, reason = 'not retried', not_before = 0
    WHERE state = {State.WAITING} AND not_before < ?"""
_WAIT = f"UPDATE task SET state = {State.WAITING}, reason = '', attempt = 0, not_before = 0"
# As if unseen it is fetched without conditions, so that its links are read whatever the server thinks of its age.
_RELEASE = f"""{_WAIT}, visit = -abs(visit)
    WHERE state = ? AND reason = ?"""
# Of each host, the pages that there are and that nobody is to ask for; those that wait count when they come.
_COUNT_PAGES = f"""UPDATE host SET pages = found.pages FROM (
    SELECT task.host, count(*) AS pages FROM task WHERE task.visit > 0 AND NOT task.{NOT_DONE} AND {IS_PAGE} GROUP BY 1
    ) AS found WHERE found.host = host.id"""
# The reasons that each setting does not know.
_SKIPPED_ONLY = {"near": (), "exact": (NEAR_DUPLICATE, CANONICAL), "off": (NEAR_DUPLICATE, CANONICAL, MIRROR)}


def retry_failed(connection: Database, excluded: Excluded) -> None:
    """Let what failed wait again, and all else that waits sit this run out."""
    connection.execute(f"UPDATE task SET not_before = ?, reason = '' WHERE state = {State.WAITING}", (PARKED,))
    _wait_again(connection, State.FAILED, _unless(connection, excluded))
    count_pages(connection)
    # A user who asks for another try means now: what a host's silence had cost it is forgotten.
    for number, politeness in connection.execute("SELECT id, politeness FROM host").fetchall():
        state = forgiven(msgspec.json.decode(politeness, type=HostState))
        row = (msgspec.json.encode(state).decode(), number)
        connection.execute("UPDATE host SET politeness = ? WHERE id = ?", row)


def revisit(connection: Database, excluded: Excluded) -> None:
    """Let every page that there is a copy of, or that failed, wait again, with its etag and digest."""
    wanted = _unless(connection, excluded)
    # Pages that change are asked for their copies. Before there can be such pages the index would only cost.
    connection.execute("CREATE INDEX IF NOT EXISTS visit_copies ON visit (duplicate_of) WHERE duplicate_of IS NOT NULL")
    _wait_again(connection, State.FETCHED, wanted)
    _wait_again(connection, State.FAILED, wanted)
    # The others were never fetched, by a rule.
    _wait_again(connection, State.DUPLICATE, f"AND visit > 0 {wanted}")
    _wait_again(connection, State.ROBOTS, f"AND visit IN (SELECT id FROM visit WHERE digest <> 0) {wanted}")
    count_pages(connection)


def end_retries(connection: Database) -> None:
    """A run of retries is over: what it did not come to has failed."""
    connection.execute(_NOT_RETRIED, (PARKED,))
    count_pages(connection)


def reason_after_retry(connection: Database, reason: StopReason, before: StopReason) -> StopReason:
    """A run of retries leaves the crawl as it was `before`, unless it found more in one that was complete."""
    if reason == "interrupted" or before != "complete":
        return reason if reason == "interrupted" else before
    return "retried" if count_parked(connection) else "complete"


def count_pages(connection: Database) -> None:
    """Count the pages of each host anew, which a limit on them is compared with."""
    connection.execute("UPDATE host SET pages = 0")
    connection.execute(_COUNT_PAGES)


def count_parked(connection: Database) -> int:
    """How many tasks sit this run out."""
    query = f"SELECT count(*) FROM task WHERE state = {State.WAITING} AND not_before = ?"
    return int(connection.execute(query, (PARKED,)).fetchone()[0])


def reconsider(connection: Database, admission: Admission, refuse: Refuse) -> None:
    """Ask of every URL that waits or was refused without a visit whether the rules, as they are now, let it in."""
    sites = dict(connection.execute("SELECT id, name FROM host").fetchall())
    rows = connection.execute(
        "SELECT id, url, key, key_hash, site, depth, state, reason, label FROM task"
        " WHERE parent > 0 AND coalesce(visit, -1) < 0"
        f" AND state IN {one_of(State.WAITING, State.OUT_OF_SCOPE, State.ROBOTS)}"
    ).fetchall()
    for number, url, key, key_hash, site, depth, state, reason, label in rows:
        request = Request(url, key_hash, host_of(url), key or "")
        refused = refuse(request, sites[site], depth, reason, label)
        if bool(refused) == (state != State.WAITING):
            continue
        after = State.WAITING if not refused else State.ROBOTS if refused == "robots" else State.OUT_OF_SCOPE
        host = 0 if refused else admission.host(request.host).id
        connection.execute(
            "UPDATE task SET state = ?, reason = ?, host = ? WHERE id = ?", (int(after), refused, host, number)
        )


def release(connection: Database, dedup: str, keep: Collection[str]) -> None:
    """Let wait what was skipped as a duplicate and would not be under these settings. It is fetched again, whole."""
    for reason in _SKIPPED_ONLY[dedup]:
        connection.execute(
            "UPDATE host SET pages = pages - (SELECT count(*) FROM task WHERE task.host = host.id AND state = ?"
            " AND reason = ?)",
            (int(State.DUPLICATE), reason),
        )
        connection.execute(_RELEASE, (int(State.DUPLICATE), reason))
    kept = {name.lower() for name in keep}
    rows = connection.execute("SELECT kind, place, name FROM alike WHERE broken = 0").fetchall()
    for rule in (Alike(*row) for row in rows):
        if dedup != "near" or (rule.kind == "parameter" and rule.name.lower() in kept):
            connection.execute("DELETE FROM alike WHERE kind = ? AND place = ? AND name = ?", rule)
            connection.execute(_RELEASE, (int(State.DUPLICATE), str(rule)))
    connection.execute(f"DELETE FROM variant WHERE task IN (SELECT id FROM task WHERE state = {State.WAITING})")


def _unless(connection: Database, excluded: Excluded) -> str:
    """The condition that the user wants a URL asked for; what they named they do."""
    rows = connection.stream(f"SELECT id, url FROM task WHERE parent > 0 AND NOT {NOT_DONE}")
    unwanted = [(number,) for number, url in rows if excluded(url)]
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS unwanted (id INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM unwanted")
    connection.executemany("INSERT INTO unwanted VALUES (?)", unwanted)
    return "AND id NOT IN (SELECT id FROM unwanted)"


def _wait_again(connection: Database, state: State, condition: str = "") -> None:
    connection.execute(f"{_WAIT} WHERE state = ? {condition}", (int(state),))
