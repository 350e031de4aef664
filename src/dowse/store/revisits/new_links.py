"""Which URLs are new on the site, and which were only unknown to the crawl.

A link is new if it is found on a page or list that was visited before the recrawl, or on a new page. One that waited
since an earlier run is not, nor is what its page links to: all that may have been there for years. So a page is news if
its link is new, or if it was asked for before and was not there.
"""

from __future__ import annotations

from dowse.core.model import State
from dowse.core.task_labels import REQUISITE
from dowse.store.database import Database
from dowse.store.schema import SET_META
from dowse.store.task_states import one_of

BEGUN_VISIT = "revisit_begun_visit"
"""The name in `meta` of the last visit that was there when the run of revisits began."""

GOES_OUT = f"""id IN (SELECT task FROM new_link) AND (redirects > 0 OR EXISTS (SELECT 1 FROM visit
    WHERE visit.task = task.parent AND visit.id <= (SELECT CAST(value AS INTEGER) FROM meta
        WHERE name = '{BEGUN_VISIT}')))"""
"""A new link that does not rest: it is on a page that was there before, or is where one leads to."""

_READ = "SELECT value FROM meta WHERE name = ?"
_NEWEST = "SELECT coalesce(max(id), 0) FROM visit"
_WAS_VISITED = "SELECT 1 FROM visit WHERE task = ? AND id <= ? LIMIT 1"
_IS_NEW = "SELECT 1 FROM new_link WHERE task = ?"
_FOUND = f"""SELECT id, state = {State.WAITING}, parent > 0 AND redirects = 0 AND label <> '{REQUISITE}',
        EXISTS (SELECT 1 FROM visit WHERE visit.task = parent AND visit.id <= ?),
        EXISTS (SELECT 1 FROM new_link WHERE new_link.task = parent)
    FROM task WHERE id >= ? AND state IN {one_of(State.WAITING, State.KEPT)} ORDER BY id"""
_NOTE = "INSERT INTO new_link VALUES (?) ON CONFLICT (task) DO NOTHING"


def begin_visits(connection: Database) -> None:
    """A run of revisits begins."""
    (newest,) = connection.execute(_NEWEST).fetchone()
    connection.execute(SET_META, (BEGUN_VISIT, str(newest)))


class NewLinks:
    """The new links of a crawl that were not followed yet, as rows of `new_link`: a crawl that goes on may find as many
    as there are pages."""

    def load(self, connection: Database) -> None:
        self._connection = connection
        row = connection.execute(_READ, (BEGUN_VISIT,)).fetchone()
        self._begun = int(row[0]) if row else connection.execute(_NEWEST).fetchone()[0]
        self._came: list[int] = []

    def is_news(self, task: int) -> bool:
        """Whether a page is news that there was no copy of."""
        found = self._connection.execute(_IS_NEW, (task,)).fetchone()
        return (found or self._connection.execute(_WAS_VISITED, (task, self._begun)).fetchone()) is not None

    def came(self, task: int) -> None:
        """A link was followed."""
        self._came.append(task)

    def find(self, first: int) -> tuple[set[int], list[int]]:
        """Of the tasks from this one on, which have just been written, those that are no news, and the links that wait
        and are on pages that were not there before. Then the links that came are new no more."""
        late: set[int] = set()
        beyond: list[int] = []
        found: list[int] = []
        for task, waits, is_link, was_visited, is_of_new in self._connection.execute(
            _FOUND, (self._begun, first)
        ).fetchall():
            if waits and is_link and not was_visited:
                beyond.append(task)
            if not was_visited and not is_of_new:
                late.add(task)
            elif waits:
                found.append(task)
        self._connection.executemany(_NOTE, [(task,) for task in found])
        self._connection.executemany("DELETE FROM new_link WHERE task = ?", [(task,) for task in self._came])
        self._came.clear()
        return late, beyond
