"""Connections to a crawl's schema: made, set up, and exclusive if that is asked for.

The writer holds an advisory lock of the server. The server gives it back when the connection ends, however it ends.
Both sides find out within half a minute that the other is gone, so the lock of an engine that was cut off goes too.
"""

from __future__ import annotations

import secrets
import time
from typing import Any, NamedTuple

import psycopg

from dowse.core.errors import CrawlLocked, CrawlMissing
from dowse.store.postgres.address import Address
from dowse.store.postgres.dialect import FUNCTIONS
from dowse.store.postgres.values import convert

WRITTEN = "_written"
"""The table whose one row counts transactions: `number` all of them, `done` those of whoever has the lock, from a
number of its own on."""

_CONNECT_SECONDS = 10
_SETTINGS = """
    SET client_encoding = 'UTF8'; SET client_min_messages = warning; SET jit = off;
    SET default_transaction_isolation = 'read committed'; SET lock_timeout = '10s';
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
"""
_PREPARED = 400
_PATIENCE = 0.5
"""Seconds to wait for a writer to end."""

# A number alone may be that of another connection by now.
_OWN_BACKEND = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END_BACKEND = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = $1 AND backend_start = $2::timestamptz"""

Connection = psycopg.Connection[Any]
Backend = tuple[int, str]
"""The process of the server that a connection has, and when it began."""


class SetUp(NamedTuple):
    """The server's side of a connection, and how many transactions those who had the lock have written before it."""

    backend: Backend
    number: int


def connected(address: Address) -> Connection:
    """A connection to the database. A CrawlError says why there is none, StoreAway that there may be one later."""
    try:
        return psycopg.connect(
            address.conninfo(),
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=30_000,
            application_name=f"dowse {address.schema}",
            cursor_factory=psycopg.RawCursor,
        )
    except psycopg.Error as error:
        raise address.unreachable(error) from error


def set_up(
    connection: Connection, address: Address, *, read_only: bool, exclusive: bool, before: Backend | None
) -> SetUp:
    """Let a connection be to the schema of a crawl. `before` is the server's side of one that broke."""
    connection.prepared_max = _PREPARED
    convert(connection)
    connection.execute(f"{_SETTINGS} SET search_path = {address.quoted_schema}".encode())
    if exclusive:
        _lock(connection, address, before)
        _make(connection, address)
        if before is None:
            _begin_counting(connection)
    elif not _has_schema(connection, address):
        raise CrawlMissing(f"cannot open {address.shown}: there is no such schema")
    if read_only:
        connection.execute("SET default_transaction_read_only = on")
    number = 0 if read_only else _first(connection, f"SELECT done FROM {WRITTEN}")
    pid, began = connection.execute(_OWN_BACKEND).fetchall()[0]
    return SetUp((pid, began), number)


def _lock(connection: Connection, address: Address, before: Backend | None) -> None:
    """The lock goes first: two engines that begin a crawl together would make its tables together."""
    end = time.monotonic() + _PATIENCE
    while not _first(connection, "SELECT pg_try_advisory_lock($1)", address.key):
        if before is not None:  # of a connection that broke, of which the server has not heard that yet
            connection.execute(_END_BACKEND, before)
            before = None
        elif time.monotonic() > end:
            raise CrawlLocked(f"another process is running the crawl in {address.shown}; wait for it or stop it")
        time.sleep(0.02)


def _make(connection: Connection, address: Address) -> None:
    """The schema with what the driver needs in it."""
    if not _has_schema(connection, address):
        try:
            connection.execute(f"CREATE SCHEMA {address.quoted_schema}".encode())
        except psycopg.errors.InsufficientPrivilege as error:
            raise address.without_rights(error) from error
    if _first(connection, "SELECT to_regclass($1)", f"{address.quoted_schema}.{WRITTEN}") is None:
        with connection.transaction():
            for function in FUNCTIONS:
                connection.execute(f"CREATE FUNCTION {function} LANGUAGE sql IMMUTABLE PARALLEL SAFE".encode())
            connection.execute(f"CREATE TABLE {WRITTEN} (number BIGINT NOT NULL, done BIGINT NOT NULL)".encode())
            connection.execute(f"INSERT INTO {WRITTEN} VALUES (0, 0)".encode())


def _begin_counting(connection: Connection) -> None:
    """From a number that nobody else has had: an engine that comes back after a cut sees by it that another came."""
    connection.execute(f"UPDATE {WRITTEN} SET done = $1".encode(), (secrets.randbits(62),))


def _has_schema(connection: Connection, address: Address) -> bool:
    query = "SELECT 1 FROM pg_namespace WHERE nspname = $1"
    return bool(connection.execute(query, (address.schema,)).fetchall())


def _first(connection: Connection, query: str, *values: Any) -> Any:
    return connection.execute(query.encode(), values or None).fetchall()[0][0]
