"""Some rows of a table: those that match, in the order of a column, from a place on. For those who look at tables.

A table that is a query is asked for these rows alone. Any other is read up to them, and put in order only if it is not
too long for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import inf, isfinite
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from msgspec import Struct

from dowse.core.errors import JobError
from dowse.store.folder import explained
from dowse.store.reading.tables import MEASURED, QueryTable, Table

MOST_SORTED = 50_000
"""Rows of a table that is no query that are put in order or looked through."""

_MOST_WORDS = 8
_LARGEST = 2**63
"""What the databases have no whole numbers for."""
_WILD = re.compile(r"[\\%_]")
_ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class Window(Struct, frozen=True):
    """Which rows: `words` all stand somewhere in a row, `equal` are the values of columns, `columns` those wanted."""

    offset: int = 0
    limit: int = 50
    sort: str = ""
    descending: bool = False
    words: str = ""
    equal: Mapping[str, str] = {}
    columns: Sequence[str] = ()


class WindowRows(Struct, frozen=True):
    """The rows, and how many there are that match."""

    columns: list[str]
    kinds: dict[str, str]
    rows: list[tuple[Any, ...]]
    total: int
    sortable: bool = True


def look_through(table: Table, window: Window) -> WindowRows:
    """The rows of a window."""
    there = shown_columns(table)
    for name in (window.sort, *window.equal):
        if name and name not in there:
            raise JobError(f"sort: there is no column {name!r:.60}; there are {', '.join(there[:20])}")
    columns = [name for name in there if not window.columns or name in window.columns] or there
    kinds = {name: str(table.kinds.get(name, "text")) for name in columns}
    if isinstance(table, QueryTable):
        return _asked(table, window, columns, kinds)
    return _read(table, window, columns, kinds)


def shown_columns(table: Table) -> list[str]:
    """The columns of a table without those that only the whole link graph can fill in."""
    query = table.query if isinstance(table, QueryTable) else ""
    return [name for name in table.columns if name not in MEASURED or f"task.id AS {name}" not in query]


def _asked(table: QueryTable, window: Window, columns: list[str], kinds: dict[str, str]) -> WindowRows:
    head, order, last = table.query.rpartition("ORDER BY")
    query = head if order else last
    conditions, values = _conditions(window, table.kinds, [name for name in columns if kinds[name] == "text"])
    names = ", ".join(f'"{name}"' for name in columns)
    if window.sort:
        whole = f"SELECT {names} FROM ({query}) AS whole {conditions} ORDER BY {_order(window, columns)}"
    else:  # its own order, which may be by what is no column
        whole = f"SELECT {names} FROM ({table.query}) AS whole {conditions}"
    with explained("read"):
        rows = table.execute(f"{whole} LIMIT ? OFFSET ?", (*values, window.limit, window.offset)).fetchall()
        total = len(table)
        if conditions:
            (total,) = table.execute(f"SELECT count(*) FROM ({query}) AS whole {conditions}", values).fetchone()
    return WindowRows(columns, kinds, [tuple(row) for row in rows], total)


def _order(window: Window, columns: list[str]) -> str:
    """Nothing is less than anything, whatever the database thinks. By the other columns, rows of one value are in the
    same order in the next window too."""
    way = "DESC NULLS LAST" if window.descending else "ASC NULLS FIRST"
    return ", ".join([f'"{window.sort}" {way}', *(f'"{name}"' for name in columns if name != window.sort)])


def _conditions(window: Window, kinds: Mapping[str, str], texts: Sequence[str]) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = []
    for word in window.words.split()[:_MOST_WORDS]:
        tests = [(name, spelling) for name in texts for spelling in _spellings(word)]
        like = " OR ".join(f"lower(coalesce(\"{name}\", '')) LIKE ? ESCAPE '\\'" for name, _ in tests)
        parts.append(f"({like})")
        values += ["%" + _WILD.sub(r"\\\g<0>", spelling) + "%" for _, spelling in tests]
    for name, text in window.equal.items():
        value = _value(name, text, kinds.get(name, "text"))
        if isinstance(value, bool):
            # What is true is a number in one database, and true in the other.
            parts.append(f"""CAST("{name}" AS TEXT) IN ({"'1', 'true'" if value else "'0', 'false'"})""")
            continue
        parts.append(f'CAST("{name}" AS TEXT) = ?' if isinstance(value, str) else f'"{name}" = ?')
        values.append(value)
    return ("WHERE " + " AND ".join(parts) if parts else ""), values


def _value(name: str, text: str, kind: str) -> str | float | bool:
    """What a column of a kind has to hold, from how it is written: as numbers, 1 and 1.0 are the same."""
    if kind == "boolean":
        return text.strip().lower() in ("1", "true", "yes")
    if kind not in ("integer", "number", "time"):
        return text
    try:
        value = float(text)
        whole = int(text) if text.strip().lstrip("-").isdecimal() else None
    except ValueError:
        value, whole = inf, None
    if not isfinite(value):
        raise JobError(f"value: {name} has numbers, and {text!r:.60} is none")
    return whole if whole is not None and abs(whole) < _LARGEST else value


def _spellings(word: str) -> set[str]:
    """How a word stands in what `lower` makes of a text: neither database changes letters beyond ASCII.

    >>> sorted(_spellings("Ärzte")), sorted(_spellings("PDF"))
    (['Ärzte', 'ärzte'], ['pdf'])
    """
    return {each.translate(_ASCII_LOWER) for each in (word, word.lower(), word.upper(), word.capitalize())}


def _read(table: Table, window: Window, columns: list[str], kinds: dict[str, str]) -> WindowRows:
    places = [table.columns.index(name) for name in columns]
    rows: Iterator[tuple[Any, ...]] = (tuple(row[place] for place in places) for row in table.rows())
    total = len(table)
    sortable = total <= MOST_SORTED
    end = window.offset + window.limit
    if not (window.sort or window.words or window.equal):
        return WindowRows(columns, kinds, list(islice(rows, window.offset, end)), total, sortable)
    if not sortable:
        raise JobError(f"sort: the table has {total:,} rows, too many to be put in order here; export it instead")
    equal = {name: _value(name, text, str(table.kinds.get(name, "text"))) for name, text in window.equal.items()}
    found = [row for row in rows if _matches(dict(zip(columns, row, strict=True)), equal, window.words)]
    if window.sort in columns:
        place = columns.index(window.sort)
        found.sort(key=lambda row: _comparable(row[place]), reverse=window.descending)
    return WindowRows(columns, kinds, found[window.offset : end], len(found), sortable)


def _matches(row: Mapping[str, Any], equal: Mapping[str, Any], typed: str) -> bool:
    if any((str(row.get(name)) if isinstance(value, str) else row.get(name)) != value for name, value in equal.items()):
        return False
    words = typed.lower().split()[:_MOST_WORDS]
    text = "\n".join(str(value) for value in row.values() if value is not None).lower() if words else ""
    return all(word in text for word in words)


def _comparable(value: Any) -> tuple[int, float, str]:
    """Nothing comes first, then numbers, then texts."""
    if value is None:
        return 0, 0.0, ""
    return (1, float(value), "") if isinstance(value, int | float) else (2, 0.0, str(value))
