"""What a watch of a crawl must not forget, in a file beside the crawl's database: when it ran, and who was told what.

    watch         one row a fact: up to where dates are dealt with, up to which change people were told
    notification  one row a message for one receiver, and what became of it

It is a file of its own because the crawl's database belongs to whoever runs the crawl, and messages are sent while
nobody does. The first watch of a folder has it alone; a second one is told so. SQLite's own settings stay as they are:
what is committed outlives a power cut, and at a row a run that costs nothing.

    ready -> sending -> sent
       ^        |-----> refused     the receiver will not have it, or did not answer in many attempts
       |        |-----> unclear     nobody knows whether it arrived: it is not sent again
       +--------+                   it surely did not arrive: later again

`sending` is committed before the first byte goes out. A message that is found in that state after a kill is unclear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, Self

import filelock

from dowse.core.errors import CrawlError, CrawlLocked
from dowse.store.database import Trouble
from dowse.store.folder import connect_file, folder_trouble, is_taken
from dowse.store.fragments import upsert
from dowse.store.inner_paths import inside, make_private
from dowse.store.sqlite import trouble_of

FILE = "watch.db"
_LOCK = "watch.lock"
_KEPT = 90 * 86_400.0
"""Seconds for which messages that are settled are remembered, for people."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS watch (name TEXT PRIMARY KEY, value REAL NOT NULL)",
    """CREATE TABLE IF NOT EXISTS notification (
    id       TEXT PRIMARY KEY,             -- the same for every attempt
    made     REAL NOT NULL,
    receiver TEXT NOT NULL,                -- command, webhook, email
    state    TEXT NOT NULL,                -- ready, sending, sent, refused, unclear
    attempts INTEGER NOT NULL,
    due      REAL NOT NULL,
    body     BLOB NOT NULL                 -- the changes as JSON, until it is settled
)""",
)
_SET = upsert("watch", ("name", "value"), ["name"])
_INSERT = "INSERT INTO notification (id, made, receiver, state, attempts, due, body) VALUES (?, ?, ?, 'ready', 0, ?, ?)"
_READY = "SELECT id, receiver, attempts, due, body FROM notification WHERE state = 'ready' ORDER BY due, made, id"
_BEGIN = "UPDATE notification SET state = 'sending', attempts = attempts + 1 WHERE id = ?"
_AGAIN = "UPDATE notification SET state = 'ready', due = ? WHERE id = ?"
_SETTLE = "UPDATE notification SET state = ?, body = '' WHERE id = ?"
_UNCLEAR = "SELECT id, receiver FROM notification WHERE state = 'sending' ORDER BY made"
_FORGET = "DELETE FROM notification WHERE state IN ('sent', 'refused', 'unclear') AND made < ?"


class Notification(NamedTuple):
    """A message that waits to be sent. `body` is JSON."""

    id: str
    receiver: str
    attempts: int
    due: float
    body: bytes


def is_watched(directory: Path) -> bool:
    """Whether a watch has the crawl of this folder now."""
    if not (directory / FILE).exists():
        return False
    return is_taken(inside(directory, _LOCK))


class WatchBook:
    """The file, for this process alone until it is closed."""

    def __init__(self, directory: Path, *, private: bool = False) -> None:
        """The folder is made if it is not there, for its owner alone if the crawl is `private`."""
        self._path = directory / FILE
        with ExitStack() as undo:
            self._lock = filelock.FileLock(inside(directory, _LOCK))
            try:
                directory.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
                make_private(inside(directory, FILE))  # it quotes pages that may be nobody else's business
                self._lock.acquire(timeout=0)
            except filelock.Timeout:
                raise CrawlLocked(
                    f"another dowse watch has {directory}; stop that one first, or leave {directory} to it"
                ) from None
            except OSError as error:
                raise folder_trouble(directory, error) from error
            undo.callback(self._lock.release)
            self._database = connect_file(self._path)
            undo.callback(self._database.close)
            with self._explained(), self._database.transaction():
                for statement in _TABLES:
                    self._database.execute(statement)
            undo.pop_all()

    def fact(self, name: str) -> float | None:
        """A number that was noted, or None."""
        with self._explained():
            row = self._database.execute("SELECT value FROM watch WHERE name = ?", (name,)).fetchone()
        return float(row[0]) if row else None

    def note(self, **facts: float) -> None:
        """Note numbers, all or none."""
        with self._explained(), self._database.transaction():
            self._database.executemany(_SET, list(facts.items()))

    def add(self, told: int, now: float, messages: Iterable[tuple[str, str, bytes]]) -> None:
        """Note that people are told of changes up to a number by these messages: id, receiver and body of each."""
        with self._explained(), self._database.transaction():
            self._database.execute(_SET, ("told", told))
            self._database.execute(_FORGET, (now - _KEPT,))
            self._database.executemany(_INSERT, [(name, now, to, now, body) for name, to, body in messages])

    def ready(self, receivers: Iterable[str]) -> list[Notification]:
        """What is to be sent to these, the earliest first. Some may have to wait."""
        known = set(receivers)
        with self._explained():
            rows = [Notification(*row) for row in self._database.execute(_READY)]
        return [row for row in rows if row.receiver in known]

    def begin(self, name: str) -> None:
        """Note that a message goes out now."""
        self._change(_BEGIN, (name,))

    def again(self, name: str, due: float) -> None:
        """Note that it surely did not arrive, and when it is tried again."""
        self._change(_AGAIN, (due, name))

    def settle(self, name: str, state: str) -> None:
        """Note that it is sent, refused or unclear, and never sent again."""
        self._change(_SETTLE, (state, name))

    def unclear(self) -> list[tuple[str, str]]:
        """Id and receiver of messages in the middle of which a watch was killed; they count as unclear from now on."""
        with self._explained():
            found = [(str(name), str(receiver)) for name, receiver in self._database.execute(_UNCLEAR).fetchall()]
        for name, _ in found:
            self.settle(name, "unclear")
        return found

    def _change(self, statement: str, values: tuple[object, ...]) -> None:
        with self._explained(), self._database.transaction():
            self._database.execute(statement, values)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Trouble with the file, in words."""
        try:
            yield
        except Exception as error:
            found = trouble_of(error) or (error.__cause__ and trouble_of(error.__cause__))
            if not found:
                raise
            cure = "make room" if found[0] is Trouble.FULL else "remove the file, and the watch begins anew"
            raise CrawlError(f"{self._path}: {found[1]}; {cure}") from error

    def close(self) -> None:
        """Give the folder back."""
        self._database.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()
