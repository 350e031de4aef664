"""Crawls that older versions of dowse made: brought up to date where they are written to, read as they are where not.

    to be written to    the statements of each version since, in one transaction with all else that opening does
    to be read          nothing is written: temporary views add the columns that came since, with their defaults, and
                        temporary tables are the tables that came since, empty

What a reader sees is the same in both cases. SQLite looks a name up among the temporary ones first, and a view that
only adds constants costs its queries nothing: it is dissolved in them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from dowse.core.errors import CrawlError
from dowse.store.folder import DATABASE, code, connect_memory, explained
from dowse.store.schema import MIGRATIONS, SCHEMA_VERSION, SET_META, TABLES


def create(connection: sqlite3.Connection) -> None:
    """Make the tables of a new crawl."""
    for statement in TABLES.split(";\n"):
        connection.execute(statement)
    _note(connection)


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring a crawl up to date, inside the caller's transaction; refuse what is none, or what is newer than this."""
    for version in range(_version(connection) + 1, SCHEMA_VERSION + 1):
        for statement in MIGRATIONS[version]:
            connection.execute(statement)
        _note(connection)


def prepare_reading(connection: sqlite3.Connection) -> None:
    """Let a crawl be read as if it were up to date, without a change to it; refuse as `upgrade` does."""
    if _version(connection) == SCHEMA_VERSION:
        return
    with explained("read"):
        for statement in _missing(connection):
            connection.execute(statement)


def _note(connection: sqlite3.Connection) -> None:
    connection.execute(SET_META, ("schema", str(SCHEMA_VERSION)))


def _version(connection: sqlite3.Connection) -> int:
    """The version of a crawl that this dowse can open."""
    with explained("read"):
        try:
            row = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        except sqlite3.OperationalError as error:
            if code(error) != sqlite3.SQLITE_ERROR:  # that is: there is no such table
                raise
            row = None
    if row is None:
        raise CrawlError(f"{DATABASE} is not a crawl of dowse, or it was ended before it began")
    oldest = min(MIGRATIONS, default=SCHEMA_VERSION + 1) - 1
    version = int(row[0]) if row[0].isdecimal() else 0
    if oldest <= version <= SCHEMA_VERSION:
        return version
    readable = f"{oldest} to {SCHEMA_VERSION}" if oldest < SCHEMA_VERSION else str(SCHEMA_VERSION)
    cure = "install a newer dowse" if version > SCHEMA_VERSION else "use the version it was made with"
    raise CrawlError(
        f"the crawl has schema {row[0]} and this dowse reads {readable}; {cure}, or start a new crawl in another folder"
    )


def _missing(connection: sqlite3.Connection) -> Iterator[str]:
    """The statements for what a crawl lacks of the tables as they are today."""
    with closing(connect_memory()) as today:
        create(today)
        for name, statement in today.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
            has = set(_columns(connection, name))
            added = {column: default for column, default in _columns(today, name).items() if column not in has}
            if not has:
                yield statement.replace("CREATE TABLE", "CREATE TEMP TABLE", 1)
            elif added:
                more = ", ".join(f"{default} AS {column}" for column, default in added.items())
                yield f"CREATE TEMP VIEW {name} AS SELECT *, {more} FROM main.{name}"


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    """The columns of a table and their defaults, as SQL."""
    rows = connection.execute("SELECT name, coalesce(dflt_value, 'NULL') FROM pragma_table_info(?, 'main')", (table,))
    return dict(rows.fetchall())
