"""The few parts of statements that SQLite and PostgreSQL spell differently, each by a name.

All else in a statement is what both have: ON CONFLICT in the place of INSERT OR REPLACE, CASE in the place of iif,
count with FILTER in the place of a sum over conditions, and beside min() no column that is not grouped by. Flags are
numbers in tables, so they are compared with 0.

Words that are no more than syntax are constants; the driver of PostgreSQL replaces them as it finds them. The others
are calls of functions, which every crawl in PostgreSQL has in its schema (store/postgres/dialect.py). So all is written
as SQLite takes it, and costs nothing there.
"""

from __future__ import annotations

from collections.abc import Sequence

UNNUMBERED = "WITHOUT ROWID"
"""Behind a table whose rows are kept by their primary key."""

THEN_JOIN = "CROSS JOIN"
"""A join by ON that is made in the order it is written: SQLite would go through the other table and sort."""

BY_RANK = "INDEXED BY task_best"
"""Behind the name of the table `task`: all that waits is gone through by this index, best first."""


def upsert(table: str, columns: Sequence[str], key: Sequence[str]) -> str:
    """The statement that writes a row in the place of the one with the same key, if there is one."""
    rest = [name for name in columns if name not in key]
    changes = ", ".join(f"{name} = excluded.{name}" for name in rest)
    act = f"DO UPDATE SET {changes}" if changes else "DO NOTHING"
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) ON CONFLICT ({', '.join(key)}) {act}"


def count_if(condition: str) -> str:
    """Of how many rows something is true."""
    return f"count(*) FILTER (WHERE {condition})"


def place_of(part: str, text: str) -> str:
    """Where a text has a part, counted from 1; 0 if it does not."""
    return f"instr({text}, {part})"


def rounded(number: str) -> str:
    """A number with four digits behind the point."""
    return f"round({number}, 4)"


def whole(number: str) -> str:
    """A number without what is behind the point."""
    return f"CAST(printf('%d', {number}) AS BIGINT)"


def three_digits(number: str) -> str:
    """A number to three digits, wherever its point is."""
    return f"CAST(printf('%.2e', {number}) AS REAL)"


def hexadecimal(number: str) -> str:
    """A number of 64 bits as 16 digits."""
    return f"printf('%016x', {number})"


def json_part(text: str, place: str, kind: str = "") -> str:
    """What JSON has at a place: `$.name`, `$[0]`. What is no text needs a `kind`: BIGINT, REAL."""
    part = f"json_extract({text}, '{place}')"
    return f"CAST({part} AS {kind})" if kind else part


def json_length(text: str) -> str:
    """How long a JSON list is."""
    return f"json_array_length({text})"


def json_rows(text: str, name: str, place: str = "") -> str:
    """The members of a JSON list or object at a place, as a table with the columns key, value and type.

    Where key or value is no text, it has to be cast.
    """
    arguments = f"{text}, '{place}'" if place else text
    return f"json_each({arguments}) AS {name}"
