"""Pages that are gone though their server answers 200: one and the same page stands where several different ones were,
or what its server shows where nothing is.

Those that may be such are named here, by their new title, and somebody who can read them says whether they have become
one page. They count as missing then, like those whose server says 404. What a server shows where nothing is is known
without asking for it: many show it in place of robots.txt, others show their front page. If the pages that the user
named are among them, all of a host, the whole site is away for a while, behind a notice say, and none of its pages
counts as removed.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from dowse.store.database import Database
from dowse.store.task_states import OF_PAGES

MOST_SHOWN = 8
"""Answers of a host that a page is compared with."""

_TURNED = """SELECT change.id, change.task, task.url, later.title, earlier.title, earlier.body, later.body
    FROM change JOIN task ON task.id = change.task
    JOIN visit AS earlier ON earlier.id = change.earlier JOIN visit AS later ON later.id = change.later
    WHERE change.id > ? AND change.kind = 'changed' AND change.what <> 'record' AND later.title <> earlier.title
    AND earlier.body <> '' AND later.body <> '' ORDER BY change.id"""
_KNOWN = """SELECT 0, task.id, task.url, visit.title, '', '', visit.body
    FROM revisited JOIN task ON task.id = revisited.task JOIN visit ON visit.id = task.visit
    WHERE revisited.missing > 0 AND visit.digest <> 0 AND visit.body <> ''"""
_ROBOTS = "SELECT body FROM robots WHERE url = ? AND status = 200 AND body <> '' ORDER BY id DESC LIMIT 1"
_SHOWN = f"""SELECT visit.body FROM task JOIN visit ON visit.id = task.visit
    WHERE task.host = (SELECT host FROM task WHERE id = ?) AND visit.body <> '' AND task.id <> ?
    AND task.parent <= 0 AND task.{OF_PAGES} ORDER BY task.id LIMIT {MOST_SHOWN}"""
_NOT_REACHED = "UPDATE change SET kind = 'unreachable' WHERE id = ?"
# What an extractor found on the page that says so is nothing that changed.
_NO_RECORDS = (
    "DELETE FROM change WHERE what = 'record' AND task = ? AND later = (SELECT later FROM change WHERE id = ?)"
)
_MISSING = """INSERT INTO revisited (task, at, news, missing, places)
    SELECT task, at, 0, 1, '{}' FROM change WHERE id = ?
    ON CONFLICT (task) DO UPDATE SET missing = 1, at = excluded.at"""

_NAMED = f"""SELECT count(*), count(revisited.task)
    FROM task LEFT JOIN revisited ON revisited.task = task.id AND revisited.missing > 0
    WHERE task.parent <= 0 AND task.{OF_PAGES} AND task.host = (SELECT host FROM task WHERE id = ?)"""
_LAST_VERSION = "SELECT earlier FROM change WHERE task = ? AND kind = 'unreachable' ORDER BY id DESC LIMIT 1"


class Turned(NamedTuple):
    """A page that has another title now than before: its change (0: it was missing before), and where both versions are
    stored."""

    change: int
    task: int
    url: str
    title: str
    before: str
    earlier: str
    later: str


def turned_pages(connection: Database, since: int) -> list[list[Turned]]:
    """Pages whose titles are others since this change, each with those of its host that have the same title now."""
    groups: defaultdict[tuple[str, str], list[Turned]] = defaultdict(list)
    turned = [Turned._make(row) for row in connection.execute(_TURNED, (since,)).fetchall()]
    if turned:
        for page in (*turned, *map(Turned._make, connection.execute(_KNOWN).fetchall())):
            groups[page.url.split("/", 3)[2], page.title].append(page)
    return list(groups.values())


def shown_for_nothing(connection: Database, page: Turned) -> list[str]:
    """Where answers are stored that the server of a page may give where nothing is."""
    scheme, _, rest = page.url.partition("://")
    origin = f"{scheme}://{rest.partition('/')[0]}"
    rows = connection.execute(_ROBOTS, (f"{origin}/robots.txt",)).fetchall()
    return [body for (body,) in [*rows, *connection.execute(_SHOWN, (page.task, page.task)).fetchall()]]


def note_missing(connection: Database, missing: list[Turned]) -> None:
    """Write down that these pages are missing."""
    for page in missing:
        connection.execute(_MISSING, (page.change,))
        connection.execute(_NO_RECORDS, (page.task, page.change))
        connection.execute(_NOT_REACHED, (page.change,))


def is_host_away(connection: Database, task: int) -> bool:
    """Whether all that the user named of the host of a page is missing as it is."""
    named, missing = connection.execute(_NAMED, (task,)).fetchone()
    return bool(named) and named == missing


def last_version(connection: Database, task: int) -> int | None:
    """The visit that has the page as it was before something else stood in its place."""
    row = connection.execute(_LAST_VERSION, (task,)).fetchone()
    return row[0] if row else None
