"""What was asked for, where that is more than a URL: method, body, and the strategy's reason."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from dowse.core.model import SITEMAP, State
from dowse.core.sitemap_turns import SOUGHT_FIRST
from dowse.store.database import Database

SOUGHT = "robots.txt names no sitemap, and most sites have theirs here"

_SHOWN = 60
"""Characters of a body that people are shown."""


class Asked(Struct, frozen=True):
    """A request besides its URL. Bytes of the body that are no text are replaced."""

    method: str = "GET"
    body: str = ""
    why: str = ""
    state: str = ""

    def __str__(self) -> str:
        """For people; empty for a plain GET."""
        if self.method == "GET" and not self.body:
            return ""
        body = self.body if len(self.body) <= _SHOWN else f"{self.body[:_SHOWN]}..."
        return f"{self.method} {body}".rstrip()


def request_of(connection: Database, number: int) -> Asked:
    """What a task asks for."""
    query = "SELECT method, body, why, state FROM request JOIN task ON task.id = request.task WHERE request.task = ?"
    if row := connection.execute(query, (number,)).fetchone():
        return _asked(*row)
    query = "SELECT 1 FROM task WHERE id = ? AND label = ? AND priority = ?"
    return Asked(why=SOUGHT) if connection.execute(query, (number, SITEMAP, SOUGHT_FIRST)).fetchone() else Asked()


def asked_at(connection: Database, url: str, besides: int) -> list[Asked]:
    """What else is asked for at a URL that is more than it."""
    query = """SELECT method, body, why, state FROM request JOIN task ON task.id = request.task
        WHERE url = ? AND request.task <> ? ORDER BY request.task"""
    return [_asked(*row) for row in connection.execute(query, (url, besides))]


def first_at(connection: Database, url: str) -> int:
    """The first task that asks something of a URL that nobody just fetches; 0 if there is none."""
    query = "SELECT min(request.task) FROM request JOIN task ON task.id = request.task WHERE url = ?"
    return int(connection.execute(query, (url,)).fetchone()[0] or 0)


def archived_answers(connection: Database) -> Iterator[tuple[str, str]]:
    """Which requests have an archived answer, and where it is; a later answer comes after those before it.

    A request is named by its URL; one that has a method or a body besides, by its key (core/urls.py). What a server
    said of a page that had not changed is no answer.
    """
    query = """SELECT task.url, task.key, visit.body FROM visit JOIN task ON task.id = visit.task
        WHERE visit.body <> '' AND visit.status <> 304 ORDER BY visit.id"""
    yield from connection.stream("SELECT url, body FROM robots ORDER BY id")
    for url, key, place in connection.stream(query):
        yield (key if key and "#" in key else url), place


def _asked(method: str, body: bytes, why: str, state: int) -> Asked:
    return Asked(method, body.decode("utf-8", "replace"), why, State(state).name.lower())
