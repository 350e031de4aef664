"""The SQLite driver: a crawl's file, or a database in memory. No other module of the store knows the library.

It is a connection of Python's own module with a few methods more, so that a statement costs nothing beside SQLite.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import filelock

from dowse.core.errors import CrawlMissing
from dowse.store.database import Trouble, Values, told

LIBRARY_VERSION = sqlite3.sqlite_version

_BESIDE = ("-wal", "-shm", "-journal")

_SETTINGS = (
    "PRAGMA journal_mode = WAL",
    # In WAL mode NORMAL loses no committed batch to kill -9, only to a power cut, and never corrupts.
    "PRAGMA synchronous = NORMAL",
    "PRAGMA cache_size = -16384",
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA temp_store = MEMORY",
)

_TROUBLES = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_IOERR: Trouble.FULL,
    sqlite3.SQLITE_BUSY: Trouble.BUSY,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.UNREACHABLE,
}
_UNREADABLE = "Could not decode to UTF-8"
"""How Python's module says that a text is damaged; the whole message would quote it."""
_CLOSED = "Cannot operate on a closed database"


def trouble_of(error: BaseException) -> tuple[Trouble, str] | None:
    """What is wrong with the file, and SQLite's words for it; None where the mistake is in a statement."""
    if not isinstance(error, sqlite3.Error):
        return None
    if str(error).startswith(_UNREADABLE):
        return Trouble.DAMAGED, "database disk image is malformed"
    if str(error).startswith(_CLOSED):
        return Trouble.CLOSED, "it is closed"
    trouble = _TROUBLES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return (trouble, str(error)) if trouble else None


class SqliteDatabase(sqlite3.Connection):
    """Implements `Database`. Closed when nobody has it any more; Python warns of a plain one that is left to that."""

    name = "the database in memory"
    is_away = False
    _claim: filelock.BaseFileLock | None = None

    def __del__(self) -> None:
        with suppress(sqlite3.ProgrammingError):  # it was never opened
            self.close()

    def set_up(self) -> None:
        """Get ready to be written to."""
        for setting in _SETTINGS:
            self.execute(setting)

    def settle(self) -> None:
        """Let all that was written be in the file itself, and nothing of it beside."""
        self.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def keep(self, claim: filelock.BaseFileLock) -> None:
        """Give a lock back when this is closed."""
        self._claim = claim

    def stream(self, statement: str, values: Values = (), /) -> Iterator[Any]:
        return self.execute(statement, values)

    def regain(self) -> bool:
        return False  # a file is never away

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._is_writing():
            raise RuntimeError("there is no transaction inside of another")
        try:
            self.execute("BEGIN IMMEDIATE")
            yield
            self.execute("COMMIT")
        except BaseException as error:
            if self._is_writing():  # some trouble ends it by itself
                self.execute("ROLLBACK")
            if (found := trouble_of(error)) is not None:
                raise told(self.name, "write", *found) from error
            raise

    def _is_writing(self) -> bool:
        return self.in_transaction

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        self.execute("BEGIN")
        try:
            yield
        finally:
            self.execute("ROLLBACK")

    def tables(self) -> dict[str, str]:
        return dict(self.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'table'").fetchall())

    def columns(self, table: str) -> dict[str, str]:
        query = "SELECT name, coalesce(dflt_value, 'NULL') FROM pragma_table_info(?, 'main')"
        return dict(self.execute(query, (table,)).fetchall())

    def stamp(self) -> int:
        (version,) = self.execute("PRAGMA data_version").fetchone()
        return int(version)

    def close(self) -> None:
        if self._claim is not None:
            with suppress(sqlite3.Error):  # a full disk must not keep the lock
                self.execute("PRAGMA optimize")
        super().close()
        if self._claim is not None:
            self._claim.release()
            self._claim = None


def files_of(path: Path) -> list[Path]:
    """A database and the files that SQLite makes beside it, or writes to, also for those who only read."""
    return [path, *(path.with_name(path.name + end) for end in _BESIDE)]


def open_file(path: Path, *, read_only: bool = False, patience: float = 10.0) -> SqliteDatabase:
    """`patience` is how many seconds to wait while somebody else writes."""
    uri = path.resolve().as_uri() + ("?mode=ro" if read_only else "")
    try:
        database = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=patience, check_same_thread=False, factory=SqliteDatabase
        )
        database.name = path.name
        database.execute("PRAGMA trusted_schema = OFF")  # its views and triggers may be a stranger's
        return database
    except sqlite3.OperationalError as error:
        raise CrawlMissing(f"cannot open {path}: {error}") from error


def open_memory() -> SqliteDatabase:
    """A database that is nowhere on disk and ends with its connection."""
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False, factory=SqliteDatabase)
