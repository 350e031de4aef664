"""The tables of a crawl as a run takes them over: all are there, of this version, and nothing is out."""

from __future__ import annotations

from dowse.core.model import State
from dowse.core.url_keys import KEY_VERSION
from dowse.store.bookkeeping import Bookkeeping
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED
from dowse.store.revisits import sit_out, with_revisits
from dowse.store.versions import create, upgrade

CALL_BACK = f"UPDATE task SET state = {State.WAITING} WHERE state = {State.OUT}"
UNPARK = f"UPDATE task SET not_before = 0, reason = '' WHERE state = {State.WAITING} AND not_before = {PARKED}"


def made_ready(connection: Database, bookkeeping: tuple[Bookkeeping, ...]) -> tuple[Bookkeeping, ...]:
    """Make the tables ready. The answer is the books of the crawl, with that of revisits if there were some before."""
    if "meta" not in connection.tables():
        create(connection)
        connection.execute("INSERT INTO meta VALUES ('keys', ?)", (str(KEY_VERSION),))
    upgrade(connection)
    books = with_revisits(connection, bookkeeping)
    for statement in (statement for each in books for statement in each.tables):
        connection.execute(statement)
    # What was out when a run was killed is fetched again; what sat out a retry run waits again.
    connection.execute(CALL_BACK)
    connection.execute(UNPARK)
    sit_out(connection)
    return books
