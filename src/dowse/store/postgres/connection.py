"""A crawl's schema in a PostgreSQL database, opened: implements `Database` on psycopg.

    to be written to   one at a time: it holds a lock of the server (opening.py)
    to be read         may write to nothing but temporary tables

Each transaction counts up in the one row of `_written` before it commits. When the answer to a COMMIT is lost with the
connection, that number tells after reconnecting whether it was carried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import filelock
import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus

from dowse.core.errors import CrawlError, CrawlLocked, StoreAway
from dowse.store.database import Rows, Trouble, Values, told
from dowse.store.postgres.address import Address, words_of
from dowse.store.postgres.dialect import translated
from dowse.store.postgres.error_codes import trouble_of
from dowse.store.postgres.opening import WRITTEN, Backend, Connection, connected, set_up

_COPY_FROM = 24
"""From so many rows on COPY is quicker than INSERT."""

_STREAMED = 4_096
"""Rows of a long answer that are here at a time; at first there are fewer, for some want no more than the first."""


class PostgresDatabase:
    """The tables of one crawl."""

    def __init__(self, address: Address, *, read_only: bool = False, exclusive: bool = False) -> None:
        self._address = address
        self.name = address.shown
        self._schema = address.quoted_schema
        self._read_only = read_only
        self._exclusive = exclusive
        self._in_transaction = False
        self._streams = 0
        self._number = 0
        self._tried = -1
        self._backend: Backend | None = None
        self._is_closed = False
        self._claim: filelock.BaseFileLock | None = None
        self._connection = self._connected()

    def __del__(self) -> None:
        if getattr(self, "_connection", None) is not None:  # it was opened, and left to be forgotten
            self.close()

    # Being connected

    def _connected(self) -> Connection:
        connection = connected(self._address)
        try:
            self._backend, self._number = set_up(
                connection,
                self._address,
                read_only=self._read_only,
                exclusive=self._exclusive,
                before=self._backend,
            )
        except psycopg.Error as error:
            connection.close()
            raise self._told("open", error) from error
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def is_away(self) -> bool:
        return not self._is_closed and (self._connection.closed or self._connection.broken)

    def regain(self) -> bool:
        before, tried = self._number, self._tried
        with suppress(psycopg.Error):
            self._connection.close()
        self._in_transaction = False
        self._connection = self._connected()
        if self._exclusive and self._number not in (before, tried):
            self._connection.close()
            raise CrawlLocked(
                f"another process has gone on with the crawl in {self.name} meanwhile; dowse resume goes on from there"
            )
        self._tried = -1
        return self._number == tried

    def is_locked(self) -> bool:
        """Whether a process has the crawl now."""
        query = """SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (classid::bigint << 32) | objid::bigint = ?"""
        return self.execute(query, (self._address.key,)).fetchone() is not None

    def drop(self) -> None:
        """Remove the crawl."""
        self.execute(f"DROP SCHEMA IF EXISTS {self._schema} CASCADE")

    def go_on_counting(self) -> None:
        """Let rows that get their numbers from the database have higher ones than those that brought theirs along."""
        query = """SELECT table_name, column_name FROM information_schema.columns
            WHERE table_schema = ? AND is_identity = 'YES'"""
        for table, column in self.execute(query, (self._address.schema,)).fetchall():
            sequence = f"pg_get_serial_sequence('{table}', '{column}')"
            self.execute(f"SELECT setval({sequence}, greatest(max({column}), 1)) FROM {table}")

    # Statements

    def execute(self, statement: str, values: Values = (), /) -> Rows:
        text, names, _, makes, is_temporary = translated(statement, self._schema)
        given = _in_order(names, values)
        try:
            if is_temporary and self._read_only and not self._in_transaction:
                with self._writing_beside():
                    return self._connection.execute(text, given)
            rows = self._connection.execute(text, given)
            if makes:
                self._note_definition(makes, statement)
        except psycopg.Error as error:
            raise self._told("write" if self._in_transaction else "read", error) from error
        return rows

    @contextmanager
    def _writing_beside(self) -> Iterator[None]:
        """What only reads may have temporary tables."""
        self._connection.execute("BEGIN READ WRITE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK", prepare=False)
            raise
        self._connection.execute("COMMIT", prepare=False)

    def _note_definition(self, table: str, statement: str) -> None:
        """Kept with the table as it was written, for `tables`."""
        literal = sql.Literal(statement.strip()).as_bytes(self._connection)
        self._connection.execute(f"COMMENT ON TABLE {table} IS ".encode() + literal)

    def executemany(self, statement: str, rows: Iterable[Values], /) -> Rows:
        many = rows if isinstance(rows, list) else list(rows)
        cursor = self._connection.cursor()
        if not many:
            return cursor
        if not self._in_transaction:
            with self.transaction():
                return self.executemany(statement, many)
        text, names, target, *_ = translated(statement, self._schema)
        try:
            if target and len(many) >= _COPY_FROM:
                with cursor.copy(f"COPY {target} FROM STDIN".encode()) as copy:
                    for row in many:
                        copy.write_row(row)  # type: ignore[arg-type]
            else:
                cursor.executemany(text, [_in_order(names, row) or () for row in many])
        except psycopg.Error as error:
            raise self._told("write", error) from error
        return cursor

    def stream(self, statement: str, values: Values = (), /) -> Iterator[Any]:
        text, names, *_ = translated(statement, self._schema)
        self._streams += 1
        cursor = psycopg.RawServerCursor(self._connection, f"stream_{self._streams}", withhold=not self._in_transaction)
        try:
            cursor.execute(text, _in_order(names, values))
        except psycopg.Error as error:
            raise self._told("read", error) from error
        return self._rows(cursor)

    def _rows(self, cursor: psycopg.RawServerCursor[Any]) -> Iterator[Any]:
        size = _STREAMED // 32
        try:
            while rows := cursor.fetchmany(size):
                yield from rows
                size = min(2 * size, _STREAMED)
        except psycopg.Error as error:
            raise self._told("read", error) from error
        finally:
            with suppress(psycopg.Error):
                cursor.close()

    # Transactions

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._in_transaction:
            raise RuntimeError("there is no transaction inside of another")
        self._tried = -1
        try:
            self._connection.execute("BEGIN", prepare=False)
            self._in_transaction = True
            yield
            self._commit()
        except BaseException as error:
            self._roll_back()
            if isinstance(error, psycopg.Error):
                raise self._told("write", error) from error
            raise
        finally:
            self._in_transaction = False

    def _commit(self) -> None:
        connection = self._connection
        if self._read_only:
            connection.execute("COMMIT", prepare=False)
            return
        if self._exclusive:
            self._tried = self._number + 1
            connection.execute(f"UPDATE {WRITTEN} SET number = number + 1, done = $1", (self._tried,))
        else:
            connection.execute(f"UPDATE {WRITTEN} SET number = number + 1")
        connection.execute("COMMIT", prepare=False)
        self._number = max(self._number, self._tried)

    def _roll_back(self) -> None:
        with suppress(psycopg.Error):
            if self._connection.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN):
                self._connection.execute("ROLLBACK", prepare=False)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE")
        self._in_transaction = True
        try:
            yield
        finally:
            self._in_transaction = False
            self._roll_back()

    # What there is

    def tables(self) -> dict[str, str]:
        query = """SELECT relname, coalesce(obj_description(pg_class.oid), '') FROM pg_class
            WHERE relnamespace = to_regnamespace(?) AND relkind = 'r' AND relname <> ?"""
        return dict(self.execute(query, (self._schema, WRITTEN)).fetchall())

    def columns(self, table: str) -> dict[str, str]:
        query = """SELECT attname, coalesce(regexp_replace(pg_get_expr(adbin, adrelid), '::[a-z ]+$', ''), 'NULL')
            FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""
        return dict(self.execute(query, (f'{self._schema}."{table}"',)).fetchall())

    def stamp(self) -> int:
        (number,) = self.execute(f"SELECT number FROM {WRITTEN}").fetchone()
        return int(number)

    def keep(self, claim: filelock.BaseFileLock) -> None:
        """Give a lock back when this is closed."""
        self._claim = claim

    def close(self) -> None:
        self._is_closed = True
        self._connection.close()
        if self._claim is not None:
            self._claim.release()
            self._claim = None

    def _told(self, act: str, error: psycopg.Error) -> CrawlError | psycopg.Error:
        """The error in our words; a mistake in a statement stays what it is."""
        if self._is_closed:
            return told(self.name, act, Trouble.CLOSED, "it is closed")
        trouble = trouble_of(error, is_broken=self._is_broken())
        if trouble is None:
            return error
        if trouble is Trouble.AWAY:
            return StoreAway(f"cannot {act} {self.name}: {words_of(error)}")
        return told(self.name, act, trouble, words_of(error))

    def _is_broken(self) -> bool:
        connection = getattr(self, "_connection", None)
        return connection is not None and (connection.closed or connection.broken)


def _in_order(names: Sequence[str], values: Values) -> Sequence[Any] | None:
    """The values of a statement as it counts them, also those that have names in it; None if there are none."""
    return ([values[name] for name in names] if names else values) or None  # type: ignore[call-overload,return-value]
