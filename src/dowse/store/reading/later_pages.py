"""The pages that a crawl has stored after a certain one, for those who read them one after the other."""

from __future__ import annotations

from typing import NamedTuple

from dowse.store.database import Database
from dowse.store.folder import explained
from dowse.store.task_states import OF_PAGES

_LAST = "SELECT body FROM visit WHERE body <> '' ORDER BY id DESC LIMIT 1"
_PLACE = "SELECT coalesce(max(id), 0) FROM visit WHERE body = ?"
_LATER = f"""SELECT task.id, visit.body FROM visit JOIN task ON task.id = visit.task AND task.visit = visit.id
    WHERE visit.id > ? AND visit.body <> '' AND visit.failure = '' AND visit.redirect IS NULL AND task.{OF_PAGES}
    ORDER BY visit.id"""


class LaterPage(NamedTuple):
    """A page by its number, and where it is stored."""

    task: int
    page: str


@explained("read")
def last_location(connection: Database) -> str:
    """Where the last answer is stored; "" if none is."""
    row = connection.execute(_LAST).fetchone()
    return str(row[0]) if row else ""


@explained("read")
def later_pages(connection: Database, location: str) -> list[LaterPage]:
    """The pages that came after the answer at a location; all of them if there is none."""
    (visit,) = connection.execute(_PLACE, (location,)).fetchone()
    return [LaterPage(*row) for row in connection.execute(_LATER, (visit,))]
