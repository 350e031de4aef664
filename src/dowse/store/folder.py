"""The folder of a crawl: its lock, its database file, and what can be wrong with either, in words for the user."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import filelock

from dowse.core.errors import CrawlError, CrawlLocked
from dowse.store.database import Database, told
from dowse.store.inner_paths import inside, make_private
from dowse.store.sqlite import SqliteDatabase, files_of, open_file, open_memory, trouble_of

DATABASE = "crawl.db"
BODIES = "warc"
"""The folder within it that has the stored answers."""

ELSEWHERE = "warc.at"
"""The file that says where they are, if not there."""

_LOCK = "crawl.lock"


def lock(directory: Path, *, private: bool = False) -> filelock.BaseFileLock:
    """Make the folder and take it for this process alone. A process that is killed gives it back.

    A `private` crawl is for its owner alone.
    """
    taken = filelock.FileLock(inside(directory, _LOCK))
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        taken.acquire(timeout=0.5)  # longer than `is_running` has it
        if private:
            for path in files_of(directory / DATABASE):
                inside(directory, path.name)
                if path.name == DATABASE or path.exists():
                    make_private(path)
    except filelock.Timeout:
        raise CrawlLocked(f"another process is running the crawl in {directory}; wait for it or stop it") from None
    except OSError as error:
        raise folder_trouble(directory, error) from error
    return taken


def folder_trouble(directory: Path, error: OSError) -> CrawlError:
    """What is wrong with a folder that cannot be used."""
    if directory.is_dir():
        cure = "get the right to, or work on a copy of the folder"
        return CrawlError(f"{directory} cannot be written to: {error.strerror}; {cure}")
    reason = "it is a file" if directory.exists() else error.strerror
    return CrawlError(f"{directory} cannot be the folder of a crawl: {reason}; name another place (-o)")


def bodies_of(directory: Path) -> Path:
    """Where the stored answers of a crawl are: in its folder, or where that says."""
    try:
        return Path((directory / ELSEWHERE).read_text().strip())
    except OSError:
        return directory / BODIES


def put_bodies_at(directory: Path, place: str) -> Path:
    """A folder for the stored answers of a crawl at a place that other machines see too; the same one when it goes on.
    It is there before any worker looks for it, so one that does not find it sees another place of that name."""
    pointer = inside(directory, ELSEWHERE)
    try:
        if not pointer.exists():
            folder = Path(place).resolve() / f"{directory.resolve().name}-{secrets.token_hex(4)}"
            folder.mkdir()
            pointer.write_text(f"{folder}\n")
        folder = bodies_of(directory)
        inside(Path(place), os.path.relpath(folder, Path(place).resolve()))  # where to write is for the user to say
        return folder
    except OSError as error:
        raise CrawlError(f"bodies_at: {place} cannot be used: {error.strerror}") from error


def holds_crawl(directory: Path) -> bool:
    """Whether there is a crawl in a folder."""
    return (directory / DATABASE).exists()


def is_blank(directory: Path) -> bool:
    """Whether the database of a folder has no table: a crawl that was ended before it began."""
    with closing(connect(directory / DATABASE, read_only=True)) as database, explained("read"):
        return not database.tables()


def remove_crawl(directory: Path, others: Iterable[str] = ()) -> None:
    """Remove the database of a folder, and what else of these names is in it. All other files stay."""
    with lock(directory):
        places = [inside(directory, name) for name in others] + files_of(directory / DATABASE)
        for place in places:
            try:
                if place.is_dir() and not place.is_symlink():
                    shutil.rmtree(place)
                else:
                    place.unlink(missing_ok=True)
            except OSError as error:
                raise CrawlError(f"{place} cannot be removed: {error.strerror}") from error


def is_running(directory: Path) -> bool:
    """Whether a process has the crawl of this folder now."""
    return is_taken(inside(directory, _LOCK))


def is_taken(place: Path) -> bool:
    """Whether a process has this lock now."""
    try:
        with filelock.FileLock(place, timeout=0):
            return False
    except filelock.Timeout:
        return True
    except OSError:  # a folder that cannot be written to is read by others only
        return False


def connect(path: Path, *, read_only: bool = False) -> Database:
    """Open a database; to write to it belongs to whoever has the lock."""
    return _connect(path, read_only=read_only)


def take_over(directory: Path, *, private: bool = False) -> Database:
    """Open the database of a crawl to write to it, for this process alone until it is closed."""
    with ExitStack() as undo:
        taken = lock(directory, private=private)
        undo.callback(taken.release)
        database = _connect(directory / DATABASE)
        undo.callback(database.close)
        with explained("open"):
            database.set_up()
        database.keep(taken)
        undo.pop_all()
    return database


def connect_beside(directory: Path) -> Database:
    """Open the database of a crawl to write to it a second time, in the process that has taken it over."""
    database = _connect(directory / DATABASE)
    with explained("open"):
        database.set_up()
    return database


def connect_memory() -> Database:
    """A database that is nowhere on disk and ends with its connection."""
    return open_memory()


def _connect(path: Path, *, read_only: bool = False) -> SqliteDatabase:
    for file in files_of(path):
        inside(file.parent, file.name)
    return open_file(path, read_only=read_only)


@contextmanager
def explained(act: str) -> Iterator[None]:
    """Trouble with the file becomes a message; a mistake in a statement stays what it is."""
    try:
        yield
    except Exception as error:
        if (found := trouble_of(error)) is None:
            raise
        raise told(DATABASE, act, *found) from error
