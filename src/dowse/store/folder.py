"""The folder of a crawl: its lock, its database, and what can be wrong with either, in words for the user.

The database is a file in the folder, or a schema in PostgreSQL that the folder names (whereabouts.py).
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filelock

from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, ExtraMissing
from dowse.core.optional_libraries import install_command
from dowse.store.database import Database, told
from dowse.store.inner_paths import inside, make_private
from dowse.store.postgres.address import Address, without_password
from dowse.store.sqlite import SqliteDatabase, files_of, open_file, open_memory, trouble_of
from dowse.store.whereabouts import address_for, address_of, has_pointer, point_to, remove_pointer, schema_in

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from dowse.store.postgres.connection import PostgresDatabase

DATABASE = "crawl.db"
BODIES = "warc"
"""The folder within it that has the stored answers."""

ELSEWHERE = "warc.at"
"""The file that says where they are, if not there."""

_LOCK = "crawl.lock"


def lock(directory: Path, *, private: bool = False, has_file: bool = True) -> filelock.BaseFileLock:
    """Make the folder and take it for this process alone. A process that is killed gives it back.

    A `private` crawl is for its owner alone. `has_file`: its tables are in a file there.
    """
    taken = filelock.FileLock(inside(directory, _LOCK))
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        taken.acquire(timeout=0.5)  # longer than `is_running` has it
        if private and has_file:
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
    return (directory / DATABASE).exists() or has_pointer(directory)


def is_blank(directory: Path) -> bool:
    """Whether the database of a folder has no table: a crawl that was ended before it began."""
    try:
        with closing(connect(directory, read_only=True)) as database, explained("read"):
            return not database.tables()
    except CrawlMissing:
        return True


def remove_crawl(directory: Path, others: Iterable[str] = ()) -> None:
    """Remove the database of a folder, and what else of these names is in it. All other files stay."""
    with lock(directory):
        if has_pointer(directory):
            with closing(_taken(directory)) as database:
                database.drop()
            remove_pointer(directory)
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
    """Whether a process has the crawl of this folder now, here or on another machine."""
    if is_taken(inside(directory, _LOCK)):
        return True
    if not has_pointer(directory):
        return False
    try:
        with closing(_beside(directory, read_only=True)) as database:
            return database.is_locked()
    except CrawlMissing:
        return False


def is_taken(place: Path) -> bool:
    """Whether a process has this lock now."""
    try:
        if sys.platform == "win32":
            with filelock.FileLock(place, timeout=0):
                return False
        with place.open("rb") as stream:
            # As filelock does, but shared: those who only look do not take each other for whoever has it.
            fcntl.flock(stream.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except (filelock.Timeout, BlockingIOError):
        return True
    except OSError:  # nobody has taken it yet, or it is for others alone
        return False


def connect(directory: Path, *, read_only: bool = False) -> Database:
    """Open the database of a crawl; to write to it belongs to whoever has the lock."""
    if has_pointer(directory):
        return _beside(directory, read_only=read_only)
    return connect_file(directory / DATABASE, read_only=read_only)


def connect_file(path: Path, *, read_only: bool = False) -> SqliteDatabase:
    """Open a database of this name in a folder."""
    for file in files_of(path):
        inside(file.parent, file.name)
    return open_file(path, read_only=read_only)


def take_over(directory: Path, store: str = "", *, private: bool = False) -> Database:
    """Open the database of a crawl to write to it, for this process alone until it is closed. `store` is where a new
    one is to be, if not in the folder."""
    with ExitStack() as undo:
        taken = lock(directory, private=private, has_file=not (store or has_pointer(directory)))
        undo.callback(taken.release)
        if store and not holds_crawl(directory):
            begin_in(directory, store)
        database = _taken(directory) if has_pointer(directory) else _set_up(directory)
        undo.callback(database.close)
        database.keep(taken)
        undo.pop_all()
    return database


def begin_in(directory: Path, store: str) -> None:
    """Let the tables of a new crawl be in a database that the user names."""
    address = address_for(directory, store)
    with closing(connect_server(address, exclusive=True)) as database:
        if database.tables():
            raise CrawlError(
                f"there is a crawl already in {address.shown}: go on with it by dowse resume {directory} --store"
                f" {without_password(store)}, or choose another name (-o)"
            )
    point_to(directory, address)


def attach(directory: Path, store: str) -> None:
    """Go on with a crawl whose tables are in a database that the user names, in a folder that may not know of it."""
    if (directory / DATABASE).exists():
        raise CrawlError(f"the crawl in {directory} is a file there; dowse copy {directory} {store} moves it")
    address = address_for(directory, store)
    if has_pointer(directory):
        address = address._replace(schema=schema_in(directory))
    with closing(connect_server(address, read_only=True)) as database:
        if "meta" not in database.tables():
            raise CrawlMissing(f"there is no crawl in {address.shown}")
    directory.mkdir(parents=True, exist_ok=True)
    point_to(directory, address)


def attached(directory: str | Path, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a run that goes on. Where its tables are is said before anything is read of the crawl."""
    if options.get("store"):
        attach(Path(directory), options["store"])
    return options


def connect_beside(directory: Path) -> Database:
    """Open the database of a crawl to write to it a second time, in the process that has taken it over."""
    return _beside(directory) if has_pointer(directory) else _set_up(directory)


def connect_memory() -> Database:
    """A database that is nowhere on disk and ends with its connection."""
    return open_memory()


def _set_up(directory: Path) -> SqliteDatabase:
    with ExitStack() as undo:
        database = connect_file(directory / DATABASE)
        undo.callback(database.close)
        with explained("open"):
            database.set_up()
        undo.pop_all()
    return database


def _taken(directory: Path) -> PostgresDatabase:
    return _beside(directory, exclusive=True)


def _beside(directory: Path, *, read_only: bool = False, exclusive: bool = False) -> PostgresDatabase:
    address = address_of(directory)
    assert address is not None
    return connect_server(address, read_only=read_only, exclusive=exclusive)


def connect_server(address: Address, *, read_only: bool = False, exclusive: bool = False) -> PostgresDatabase:
    """Open a schema of a database on a server."""
    try:
        from dowse.store.postgres.connection import PostgresDatabase
    except ImportError as error:
        install = install_command("postgres")
        raise ExtraMissing(f"tables in PostgreSQL need the package psycopg; install it with: {install}") from error
    return PostgresDatabase(address, read_only=read_only, exclusive=exclusive)


@contextmanager
def explained(act: str) -> Iterator[None]:
    """Trouble with the file becomes a message; a mistake in a statement stays what it is."""
    try:
        yield
    except Exception as error:
        if (found := trouble_of(error)) is None:
            raise
        raise told(DATABASE, act, *found) from error
