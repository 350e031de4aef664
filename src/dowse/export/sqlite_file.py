"""Tables as a SQLite file that any program can open. It is no crawl: only what was asked for is in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dowse.core.columns import Columnar, Kind, kinds_of
from dowse.core.errors import CrawlError
from dowse.export.text_tables import shown

if TYPE_CHECKING:
    from dowse.store.database import Database

MOST_COLUMNS = 2_000
"""What SQLite takes as it is usually built."""

_TYPES: dict[Kind, str] = {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL"}
_INTEGERS = range(-(2**63), 2**63)
_encode = msgspec.json.Encoder().encode


def fill(database: Database, tables: Mapping[str, Columnar]) -> int:
    """Write tables by their names into a database that has none; the answer is the number of rows."""
    with database.transaction():
        return sum(_add(database, name, table) for name, table in tables.items())


def _add(database: Database, name: str, table: Columnar) -> int:
    if len(table.columns) > MOST_COLUMNS:
        raise CrawlError(f"{name} has {len(table.columns):,} columns, and SQLite takes {MOST_COLUMNS:,}; export csv")
    kinds = kinds_of(table)
    columns = [
        f"{_quoted(title)} {_TYPES.get(kinds[column], 'TEXT')}"
        for column, title in zip(table.columns, distinct(table.columns), strict=True)
    ]
    database.execute(f"CREATE TABLE {_quoted(name)} ({', '.join(columns)})")
    places = ", ".join("?" * len(columns))
    rows = ([_value(cell) for cell in row] for row in shown(table))
    return database.executemany(f"INSERT INTO {_quoted(name)} VALUES ({places})", rows).rowcount


def distinct(names: Sequence[str]) -> Iterator[str]:
    """The names of columns, told apart where only case does: to SQLite that is one name.

    >>> list(distinct(["Price", "price", "url"]))
    ['Price', 'price_2', 'url']
    """
    taken = {name.lower() for name in names}
    seen: set[str] = set()
    for name in names:
        chosen, number = name, 1
        while chosen.lower() in seen or (number > 1 and chosen.lower() in taken):
            number += 1
            chosen = f"{name}_{number}"
        seen.add(chosen.lower())
        yield chosen


def _quoted(name: str) -> str:
    return '"' + name.replace("\0", "").replace('"', '""') + '"'


def _value(cell: Any) -> Any:
    if isinstance(cell, list | dict):
        return _encode(cell).decode()
    return str(cell) if isinstance(cell, int) and cell not in _INTEGERS else cell
