"""The tables that were taken from pages, each for itself: the list of them, and the rows of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import Any

import msgspec

from dowse.core.columns import Kind
from dowse.store.database import Database
from dowse.store.folder import explained
from dowse.store.fragments import place_of
from dowse.store.reading.tables import Table

_OWN = ("table", "caption")
"""What is said of a table and is no column of it."""

_ROWS = """
    SELECT task.url, record.task, record.key, record.fields FROM record JOIN task ON task.id = record.task
    WHERE record.kind = 'table' ORDER BY record.task, record.key
"""
_COUNT = f"""
    SELECT count(*) FROM (
        SELECT DISTINCT task, substr(key, 1, {place_of("'-'", "key")}) FROM record WHERE kind = 'table') AS counted
"""
_ONE = """
    SELECT task.url, record.fields FROM record JOIN task ON task.id = record.task
    WHERE task.key_hash = ? AND record.kind = 'table' AND record.key >= ? AND record.key < ? ORDER BY record.key
"""

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class TableList(Table):
    """Every table of every page, with its columns and the number of its rows."""

    columns = ["url", "table", "caption", "rows", "columns"]  # noqa: RUF012
    kinds: dict[str, Kind] = {  # noqa: RUF012
        "url": "text", "table": "integer", "caption": "text", "rows": "integer", "columns": "texts",
    }  # fmt: skip

    def __init__(self, connection: Database) -> None:
        self._connection = connection

    @explained("read")
    def __len__(self) -> int:
        (number,) = self._connection.execute(_COUNT).fetchone()
        return int(number)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        for table in page_tables(self._connection):
            yield table.url, table.number, table.caption or None, len(table), table.columns


class PageTable(Table):
    """One table of a page, all of it in memory."""

    def __init__(self, url: str, number: int, rows: list[dict[str, Any]]) -> None:
        self.url = url
        self.number = number
        self.caption: str = rows[0].get("caption", "") if rows else ""
        self._rows = rows

    @cached_property
    def columns(self) -> list[str]:
        return _columns_of(self._rows)

    @property
    def kinds(self) -> dict[str, Kind]:
        return dict.fromkeys(self.columns, "text")

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        columns = self.columns
        return (tuple(row.get(name) for name in columns) for row in self._rows)


def page_tables(connection: Database) -> Iterator[PageTable]:
    """Every table of every page, one at a time."""
    with explained("read"):
        found = connection.stream(_ROWS)
        for (url, _task, number), records in groupby(found, lambda row: (row[0], row[1], row[2].partition("-")[0])):
            yield PageTable(url, int(number), [_decode(record[3]) for record in records])


def page_table(connection: Database, key_hash: int, number: int) -> PageTable | None:
    """The table of a page with this number; None if there is none."""
    with explained("read"):
        found = connection.execute(_ONE, (key_hash, f"{number:03}-", f"{number:03}.")).fetchall()
    return PageTable(found[0][0], number, [_decode(fields) for _, fields in found]) if found else None


def _columns_of(rows: Iterable[dict[str, Any]]) -> list[str]:
    """The columns of a table, in its order: what a row leaves out stands where the next row that has it has it.

    >>> _columns_of([{"a": 1, "d": 1}, {"a": 1, "b": 1, "c": 1}])
    ['a', 'b', 'c', 'd']
    """
    columns: list[str] = []
    known: set[str] = set(_OWN)
    for row in rows:
        if known.issuperset(row):
            continue
        known.update(row)
        place = 0
        for name in row:
            if name in _OWN:
                continue
            if name in columns:
                place = columns.index(name) + 1
            else:
                columns.insert(place, name)
                place += 1
    return columns
