"""A crawl's tables moved from its file into PostgreSQL, or back: written, read again and compared before they count.

Until the end the crawl is where it was. What was written by then is gone with the transaction, or is a file that the
next try replaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from xxhash import xxh3_64_intdigest

from dowse.core.errors import CrawlError, CrawlMissing, JobError
from dowse.core.secret import concealed
from dowse.store.database import Database
from dowse.store.folder import DATABASE, connect_file, connect_server, explained, holds_crawl, take_over
from dowse.store.inner_paths import inside, make_private
from dowse.store.postgres.address import is_address
from dowse.store.schema import SET_META
from dowse.store.sqlite import files_of
from dowse.store.versions import create, upgrade
from dowse.store.whereabouts import address_for, address_of, has_pointer, point_to, remove_pointer

FILE = "sqlite"
"""The word for the file in the folder of the crawl."""

BEFORE = f"{DATABASE}.before"
"""What a file is called that is the crawl no more."""

_NEW = f"{DATABASE}.new"
_AT_ONCE = 5_000
_WHOLE = (1 << 64) - 1

Told = Callable[[int, int], None]
"""Hears how many rows are written, and how many there are."""


class Moved(NamedTuple):
    """How many rows each table has, and where the tables were before."""

    rows: dict[str, int]
    before: str
    now: str


class _Content(NamedTuple):
    """What is in a table, whatever the order of its rows."""

    rows: int
    checksum: int


_NOTHING = _Content(0, 0)


def move(directory: Path, target: str, told: Told = lambda _done, _all: None, *, remove: bool = False) -> Moved:
    """Let the tables of a crawl be in a database that `target` names, or again in the file of its folder. Those at the
    old place stay, and are no crawl any more, unless they are to be removed."""
    if not holds_crawl(directory):
        raise CrawlMissing(f"there is no crawl in {directory}")
    if target == FILE:
        return _to_file(directory, told, remove=remove)
    if not is_address(target):
        raise JobError(f"a crawl is copied to postgresql://USER@HOST/DATABASE or to {FILE}, not to {target!r:.80}")
    return _to_server(directory, target, told, remove=remove)


def _to_server(directory: Path, target: str, told: Told, *, remove: bool) -> Moved:
    if has_pointer(directory):
        raise CrawlError(
            f"the tables of {directory} are in a database already; dowse copy {directory} {FILE} moves"
            " them back into a file"
        )
    address = address_for(directory, target)
    with closing(take_over(directory)) as source, closing(connect_server(address, exclusive=True)) as database:
        if database.tables():
            raise CrawlError(
                f"there is a crawl already in {address.shown}, such as one that was copied from there: remove it there"
                f' with DROP SCHEMA "{address.schema}" CASCADE, or rename the folder'
            )
        with database.transaction():
            rows = _copied(source, database, told)
            _note_place(database, target)
        database.go_on_counting()
        with explained("write"):
            source.settle()  # type: ignore[attr-defined]
        point_to(directory, address)  # as long as nobody else can go on with the file
    for path in files_of(directory / DATABASE):
        if remove or path.name != DATABASE:
            path.unlink(missing_ok=True)
        else:
            path.replace(inside(directory, BEFORE))
    return Moved(rows, "" if remove else str(directory / BEFORE), address.shown)


def _to_file(directory: Path, told: Told, *, remove: bool) -> Moved:
    address = address_of(directory)
    if address is None:
        raise CrawlError(f"the tables of {directory} are in a file already")
    for path in files_of(inside(directory, _NEW)):
        path.unlink(missing_ok=True)
    with closing(take_over(directory)) as source:
        make_private(directory / _NEW)  # whoever may not ask the server may not read it here either
        with closing(connect_file(directory / _NEW)) as database:
            with explained("open"):
                database.set_up()
            with database.transaction():
                rows = _copied(source, database, told)
                _note_place(database, "")
            database.settle()
        (directory / _NEW).replace(inside(directory, DATABASE))
        remove_pointer(directory)
        if remove:
            source.drop()  # type: ignore[attr-defined]
    return Moved(rows, "" if remove else address.shown, str(directory / DATABASE))


def _copied(source: Database, target: Database, told: Told) -> dict[str, int]:
    """Write all tables, read them again, and compare; inside a transaction of the target."""
    with source.transaction():
        upgrade(source)
    create(target)
    target.execute("DELETE FROM meta")
    tables = {name: made for name, made in source.tables().items() if not name.startswith("sqlite_")}
    with explained("read"):
        counts = {name: int(source.execute(f"SELECT count(*) FROM {name}").fetchone()[0]) for name in tables}
    total, done = sum(counts.values()), 0
    for name, made in tables.items():
        if name not in target.tables():
            target.execute(made)
        columns = ", ".join(source.columns(name))
        marks = ", ".join("?" * len(source.columns(name)))
        query = f"SELECT {columns} FROM {name}"
        written = _NOTHING
        with explained("read"):
            for some in _portions(source.stream(query)):
                target.executemany(f"INSERT INTO {name} ({columns}) VALUES ({marks})", some)
                written = _added(written, some)
                told(done + written.rows, total)
        found = _NOTHING
        for some in _portions(target.stream(query)):
            found = _added(found, some)
        if found != written or found.rows != counts[name]:
            raise CrawlError(
                f"the table {name} is not the same after it was copied: {counts[name]:,} rows were read,"
                f" {found.rows:,} are there; nothing was changed, the crawl is where it was"
            )
        done += found.rows
    return counts


def _portions(rows: Iterable[Any]) -> Iterator[list[tuple[Any, ...]]]:
    portion: list[tuple[Any, ...]] = []
    for row in rows:
        portion.append(row)
        if len(portion) >= _AT_ONCE:
            yield portion
            portion = []
    if portion:
        yield portion


def _added(content: _Content, rows: list[tuple[Any, ...]]) -> _Content:
    total = sum(xxh3_64_intdigest(repr([_plain(value) for value in row]).encode()) for row in rows)
    return _Content(content.rows + len(rows), (content.checksum + total) & _WHOLE)


def _plain(value: Any) -> Any:
    """The same for both databases: SQLite gives back 0 where 0 was put into a column of numbers with a point."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and "\0" in value:
        return value.replace("\0", "\ufffd")  # as PostgreSQL gets it
    return value


def _note_place(database: Database, store: str) -> None:
    """The job says where its tables are."""
    row = database.execute("SELECT value FROM meta WHERE name = 'job'").fetchone()
    if row is not None:
        job = msgspec.json.decode(row[0], type=dict[str, Any])
        job["store"] = {**job.get("store", {}), "store": concealed("store", store)}
        database.execute(SET_META, ("job", msgspec.json.encode(job).decode()))
