"""What spellings have to know of tasks: their keys, the pages that links are on, and what to compare a probe with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.core.duplicates.twins import Twin
from dowse.core.model import Candidate, Request, State, Task
from dowse.core.traps import SESSION_PARAMETER
from dowse.core.url_spellings import is_of_url
from dowse.core.urls import host_of
from dowse.store.database import Database

if TYPE_CHECKING:
    from dowse.store.frontier.memory import Memory

Keyed = tuple[int, str, int]
"""Number, URL and the hash of the key of a task whose key is not its URL."""


class SpelledTasks:
    """Reads the table `task` for spellings, and gives tasks new keys."""

    def __init__(self, connection: Database, memory: Memory) -> None:
        self._connection = connection
        self._memory = memory

    def state(self, number: int) -> State:
        (state,) = self._connection.execute("SELECT state FROM task WHERE id = ?", (number,)).fetchone()
        return State(state)

    def finder(self, number: int, host: str = "") -> Task:
        """The task that found a link, as far as the link's own place depends on it; 0 is the user, who named a URL."""
        if not number:
            return Task(0, Request("", 0, ""), host)
        url, site, depth, chain = self._connection.execute(
            "SELECT url, site, depth, chain FROM task WHERE id = ?", (number,)
        ).fetchone()
        return Task(number, Request(url, 0, ""), self._memory.hosts.by_id[site].name, depth=depth, chain=chain)

    def twin(self, number: int) -> Twin | None:
        """A page that another one is compared with."""
        row = self._connection.execute(
            "SELECT task.url, visit.body FROM task JOIN visit ON visit.id = task.visit WHERE task.id = ?", (number,)
        ).fetchone()
        return Twin(*row) if row else None

    def keyed(self) -> Iterator[Keyed]:
        """Those of all hosts; none that was refused."""
        rows = self._connection.stream("SELECT id, url, key, key_hash FROM task WHERE key IS NOT NULL AND host > 0")
        return ((number, url, key_hash) for number, url, key, key_hash in rows if is_of_url(key))

    def keyed_of(self, host: str) -> list[Keyed]:
        """Those of one host, also those that were refused."""
        rows = self._connection.execute(
            "SELECT id, url, key, key_hash FROM task WHERE key IS NOT NULL AND host IN (0, ?)",  # 0: it was refused
            (self._memory.hosts.by_name[host].id,),
        ).fetchall()
        return [
            (number, url, key_hash) for number, url, key, key_hash in rows if host_of(url) == host and is_of_url(key)
        ]

    def change_key(self, number: int, request: Request) -> None:
        """A task is known by another key from now on."""
        self._connection.execute(
            "UPDATE task SET key = ?, key_hash = ? WHERE id = ?", (request.key or None, request.key_hash, number)
        )

    def taken_for_sessions(self, host: str) -> list[tuple[int, int, int, Candidate]]:
        """What was refused because a parameter looked like a session id: number, hash of its key, parent and link."""
        rows = self._connection.execute(
            "SELECT id, url, key_hash, parent, anchor, priority FROM task WHERE state = ? AND reason = ?",
            (int(State.OUT_OF_SCOPE), SESSION_PARAMETER),
        ).fetchall()
        return [
            (number, key_hash, parent, Candidate(Request(url, key_hash, host), anchor, priority))
            for number, url, key_hash, parent, anchor, priority in rows
            if host_of(url) == host
        ]
