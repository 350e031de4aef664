"""Links that rest: a crawl ended by itself, for next to nothing more was to be found, and is visited again.

A recrawl is about news, so what waited then waits on, and `dowse resume` is for it. Links that are new on pages that
were there before go out at once. What new pages link to rests, until all else was visited: then the crawl goes on with
all that waits if that is worth it, and ends as it had ended if not.
"""

from __future__ import annotations

from dowse.core.model import State
from dowse.core.protocols import StopReason
from dowse.core.task_labels import REQUISITE
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED
from dowse.store.revisits.new_links import GOES_OUT
from dowse.store.schema import SET_META

_RESTING = "revisit_resting"
"""The name in `meta` of whether links rest in the run that is under way. It is there also if they did in the last one
and its end says nothing of why: it had a budget, say."""

_NOW, _BEFORE = "now", "before"
_PARK = f"""UPDATE task SET not_before = {PARKED} WHERE state = {State.WAITING} AND visit IS NULL AND parent > 0
    AND label <> '{REQUISITE}' AND NOT ({GOES_OUT})"""
_UNPARK = f"UPDATE task SET not_before = 0 WHERE state = {State.WAITING} AND not_before = {PARKED}"
_ANY = f"SELECT 1 FROM task WHERE state = {State.WAITING} AND visit IS NULL LIMIT 1"
_ANY_NEW = f"SELECT 1 FROM task JOIN new_link ON new_link.task = task.id WHERE task.state = {State.WAITING} LIMIT 1"


def _standing(connection: Database) -> str:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (_RESTING,)).fetchone()
    return row[0] if row else ""


def links_rest(connection: Database) -> bool:
    """Whether links rest in the run that is under way."""
    return _standing(connection) == _NOW


def begin_rest(connection: Database, stopped: StopReason, *, is_bounded: bool) -> None:
    """A recrawl begins. A collection of bounded size wants the best of all links that are known."""
    rests = not is_bounded and (stopped == "saturated" or _standing(connection) != "")
    connection.execute("DELETE FROM meta WHERE name = ?", (_RESTING,))
    if rests:
        connection.execute(SET_META, (_RESTING, _NOW))
        park_links(connection)


def park_links(connection: Database) -> None:
    """Let them sit out."""
    connection.execute(_PARK)


def awaits_new_links(connection: Database) -> bool:
    """Whether new pages link to some that nobody asked for yet."""
    return connection.execute(_ANY_NEW).fetchone() is not None


def end_rest(connection: Database) -> None:
    """The crawl goes on."""
    connection.execute("DELETE FROM meta WHERE name = ?", (_RESTING,))
    connection.execute(_UNPARK)


def rest_finished(connection: Database, reason: StopReason, *, has_enough: bool) -> StopReason:
    """The run ends for this reason. If links rest, it ended as the run before it, and the next recrawl knows of it.
    A crawl that `has_enough` has looked at new links too, and what is left of them waits as others do."""
    rested = links_rest(connection)
    if rested and reason == "interrupted":
        return reason
    if has_enough and "new_link" in connection.tables():
        connection.execute("DELETE FROM new_link")
    connection.execute("DELETE FROM meta WHERE name = ?", (_RESTING,))
    if not rested or reason == "saturated" or connection.execute(_ANY).fetchone() is None:
        return reason
    if reason == "complete":
        return "saturated"
    connection.execute(SET_META, (_RESTING, _BEFORE))
    return reason
