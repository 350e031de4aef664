"""Crawls that older versions of dowse made: brought up to date where they are written to, read as they are where not.

    to be written to    the statements of each version since, in one transaction with all else that opening does
    to be read          nothing is written: temporary views add the columns that came since, with their defaults, and
                        temporary tables are the tables that came since, empty

What a reader sees is the same in both cases. SQLite looks a name up among the temporary ones first, and a view that
only adds constants costs its queries nothing: it is dissolved in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from dowse.core.errors import CrawlError
from dowse.store.database import Database
from dowse.store.folder import DATABASE, connect_memory, explained
from dowse.store.schema import MIGRATIONS, SCHEMA_VERSION, SET_META, TABLES


def create(connection: Database) -> None:
    """Make the tables of a new crawl."""
    for statement in TABLES.split(";\n"):
        connection.execute(statement)
    _note(connection)


def upgrade(connection: Database) -> None:
    """Bring a crawl up to date, inside the caller's transaction; refuse what is none, or what is newer than this."""
    for version in range(_version(connection) + 1, SCHEMA_VERSION + 1):
        for statement in MIGRATIONS[version]:
            connection.execute(statement)
        _note(connection)


def prepare_reading(connection: Database) -> None:
    """Let a crawl be read as if it were up to date, without a change to it; refuse as `upgrade` does."""
    if _version(connection) == SCHEMA_VERSION:
        return
    with explained("read"):
        for statement in _missing(connection):
            connection.execute(statement)


def _note(connection: Database) -> None:
    connection.execute(SET_META, ("schema", str(SCHEMA_VERSION)))


def _version(connection: Database) -> int:
    """The version of a crawl that this dowse can open."""
    with explained("read"):
        is_ours = {"name", "value"} <= connection.columns("meta").keys()
        row = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone() if is_ours else None
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


def _missing(connection: Database) -> Iterator[str]:
    """The statements for what a crawl lacks of the tables as they are today."""
    with closing(connect_memory()) as today:
        create(today)
        for name, statement in today.tables().items():
            has = set(connection.columns(name))
            added = {column: default for column, default in today.columns(name).items() if column not in has}
            if not has:
                yield statement.replace("CREATE TABLE", "CREATE TEMP TABLE", 1)
            elif added:
                more = ", ".join(f"{default} AS {column}" for column, default in added.items())
                yield f"CREATE TEMP VIEW {name} AS SELECT *, {more} FROM main.{name}"
