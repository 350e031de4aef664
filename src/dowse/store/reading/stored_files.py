"""What is stored of a crawl as files for a mirror: pages, what they need to be shown, and where other URLs lead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dowse.core.job import UrlOptions
from dowse.core.model import SITEMAP, Request, State
from dowse.core.task_labels import HEAD
from dowse.core.url_keys import UrlKeys, key_of
from dowse.core.url_spellings import Spelled
from dowse.store.database import Database
from dowse.store.reading.link_graph import ELSEWHERE
from dowse.store.reading.tables import ARCHIVE_FILE

_FILES = f"""
    SELECT task.id, task.url, visit.media_type, visit.body, coalesce((
        SELECT around.charset FROM task AS finder JOIN visit AS around ON around.id = finder.visit
        WHERE finder.id = task.parent), '')
    FROM task JOIN visit ON visit.id = task.visit
    WHERE visit.body <> '' AND visit.status >= 200 AND visit.status < 300 AND task.state <> {State.DUPLICATE}
        AND task.label NOT IN ('{SITEMAP}', '{HEAD}')
        AND task.id NOT IN (SELECT task FROM request WHERE method <> 'GET')
    ORDER BY {ARCHIVE_FILE}, visit.id
"""
_SPELLED = "SELECT url_hash, key_hash FROM spelling JOIN task ON task.id = spelling.task"
_MOST_HOPS = 100


class StoredFile(NamedTuple):
    """An answer that is archived, and where; `around` is the charset of the page that it was first found on."""

    task: int
    url: str
    media_type: str
    location: str
    around: str


def stored_files(connection: Database) -> list[StoredFile]:
    """All that there is to write, file by file of the archive."""
    return [StoredFile(*row) for row in connection.execute(_FILES)]


def landing_keys(connection: Database, tasks: set[int]) -> Iterator[tuple[int, int]]:
    """The key of every URL that leads to one of these tasks, and that task: its own, by redirects, as a copy."""
    elsewhere = dict(connection.execute(ELSEWHERE).fetchall())
    for number, key_hash in connection.stream("SELECT id, key_hash FROM task"):
        target = number
        for _ in range(_MOST_HOPS):
            if target in tasks or target not in elsewhere:
                break
            target = elsewhere[target]
        if target in tasks:
            yield key_hash, target


class KnownUrls:
    """By which key each URL is known in a crawl. It needs no database any more, so it can go to another process."""

    def __init__(self, connection: Database, options: UrlOptions) -> None:
        self._keys = UrlKeys(options)
        self._spelled = Spelled(options)
        for host, name in connection.execute("SELECT place, name FROM alike WHERE kind = 'dropped'").fetchall():
            self._spelled.undo(host, [name])
        self._own = dict(connection.execute(_SPELLED).fetchall())

    def key_hash(self, url: str) -> int:
        request: Request = self._keys.request(url)
        own = self._own.get(key_of(url)) if self._own else None
        return self._spelled.request(request).key_hash if own is None else int(own)
