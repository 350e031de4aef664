"""The folder of a crawl: its lock, its database file, and what can be wrong with either, in words for the user."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing
from dowse.store.inside import inside, make_private

DATABASE = "crawl.db"
BODIES = "warc"
"""The folder within it that has the stored answers."""

_BESIDE = ("-wal", "-shm", "-journal")
_LOCK = "crawl.lock"

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NOT_OURS = frozenset({sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY})
_UNREADABLE = "Could not decode to UTF-8"
"""How Python's module says that a text is damaged; the whole message would quote it."""

FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
"""No room to write, for now."""

# What is not the program's mistake: the file is damaged, of another kind, not ours to use, or another process has it.
_OUTSIDE = FULL | _DAMAGED | _NOT_OURS | {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN}
_CURES = {
    **dict.fromkeys(
        _DAMAGED, "; restore it from a copy, or crawl anew into another folder; the pages in warc/ are still whole"
    ),
    **dict.fromkeys(_NOT_OURS, "; get the right to write to it, or work on a copy of the folder"),
}


def lock(directory: Path, *, private: bool = False) -> filelock.BaseFileLock:
    """Make the folder and take it for this process alone. A process that is killed gives it back.

    A `private` crawl is for its owner alone.
    """
    taken = filelock.FileLock(inside(directory, _LOCK))
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        taken.acquire(timeout=0.5)  # longer than `is_running` has it
        if private:
            for path in (inside(directory, DATABASE + end) for end in ("", *_BESIDE)):
                if path.name == DATABASE or path.exists():
                    make_private(path)
    except filelock.Timeout:
        raise CrawlLocked(f"another process is running the crawl in {directory}; wait for it or stop it") from None
    except OSError as error:
        raise CrawlError(_unusable(directory, error)) from error
    return taken


def _unusable(directory: Path, error: OSError) -> str:
    if directory.is_dir():
        return f"{directory} cannot be written to: {error.strerror}; get the right to, or work on a copy of the folder"
    reason = "it is a file" if directory.exists() else error.strerror
    return f"{directory} cannot be the folder of a crawl: {reason}; name another place (-o)"


def is_running(directory: Path) -> bool:
    """Whether a process has the crawl of this folder now."""
    try:
        with filelock.FileLock(inside(directory, _LOCK), timeout=0):
            return False
    except filelock.Timeout:
        return True
    except OSError:  # a folder that cannot be written to is read by others only
        return False


class _Connection(sqlite3.Connection):
    """Closed when nobody has it any more; Python warns of a plain one that is left to that."""

    def __del__(self) -> None:
        self.close()


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    for end in ("", *_BESIDE):  # which SQLite makes, or writes to, also for those who only read
        inside(path.parent, path.name + end)
    uri = path.resolve().as_uri() + ("?mode=ro" if read_only else "")
    try:
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=10, check_same_thread=False, factory=_Connection
        )
        connection.execute("PRAGMA trusted_schema = OFF")  # its views and triggers may be a stranger's
        return connection
    except sqlite3.OperationalError as error:
        raise CrawlMissing(f"cannot open {path}: {error}") from error


def connect_memory() -> sqlite3.Connection:
    """A database that is nowhere on disk and ends with its connection."""
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


@contextmanager
def explained(act: str) -> Iterator[None]:
    """Trouble with the file becomes a message; a mistake in a statement stays what it is."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if str(error).startswith(_UNREADABLE):
            damage = "database disk image is malformed"
            raise CrawlError(f"cannot {act} {DATABASE}: {damage}{_CURES[sqlite3.SQLITE_CORRUPT]}") from error
        if code(error) not in _OUTSIDE:
            raise
        raise CrawlError(f"cannot {act} {DATABASE}: {error}{_CURES.get(code(error), '')}") from error


def code(error: sqlite3.Error) -> int:
    """SQLite's own number for what went wrong; 0 where Python's module found the fault."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
