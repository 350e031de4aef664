"""Tables that a site has on many pages: charts of the week, opening hours, a menu laid out in cells.

A page alone cannot tell such a table from its own. So when a crawl ends, or its pages were read again, the tables of
each host are compared. One that is the same on many pages stays a table on the first of them; on the others its rows
become records of the kind `repeated`. Nothing is lost by that, and the next comparison takes all of them anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from dowse.core.record import REPEATED
from dowse.store.database import Database
from dowse.store.fragments import place_of

LEAST_PAGES = 6
SHARE = 10
"""A table is the site's if so many pages have it, and one in `SHARE` of those with tables."""

_TABLE = "table"
# The first field of a row is the number of its table on the page, which says nothing of what is in it.
_ROWS = f"""
    SELECT task.host, record.task, substr(record.key, 1, {place_of("'-'", "record.key")} - 1), record.kind,
           substr(record.fields, {place_of("','", "record.fields")})
    FROM record JOIN task ON task.id = record.task WHERE record.kind IN (?, ?) ORDER BY record.id
"""
# Where a page was fetched anew and its old rows stayed, as they did in crawls of before, the table is the newer one.
_DROP_OLD = """
    DELETE FROM record WHERE kind = ? AND EXISTS (
        SELECT 1 FROM record AS newer WHERE newer.task = record.task AND newer.kind = ? AND newer.key = record.key)
"""
_MARK = "UPDATE record SET kind = ? WHERE task = ? AND kind = ? AND key >= ? AND key < ?"


class _Found(NamedTuple):
    """One table of a page; `content` is the same for the same rows on the same host."""

    host: int
    task: int
    number: str
    kind: str
    content: int


def mark_repeated(connection: Database) -> int:
    """Tell the tables of pages from those of their site, in the transaction of the caller.

    The answer is how many rows are left out by that. The rows of a page were written one after the other, so they need
    no sorting.
    """
    connection.execute(_DROP_OLD, (REPEATED, _TABLE))
    tables = list(_tables(connection))
    pages = Counter(host for host, _ in {(found.host, found.task) for found in tables})
    counts = Counter(content for content, _ in {(found.content, found.task) for found in tables})
    met: set[int] = set()
    changes: list[tuple[str, int, str, str, str]] = []
    for found in tables:
        count = counts[found.content]
        is_common = count >= LEAST_PAGES and count * SHARE >= pages[found.host]
        kind = REPEATED if is_common and found.content in met else _TABLE
        if is_common:
            met.add(found.content)
        if kind != found.kind:
            changes.append((kind, found.task, found.kind, f"{found.number}-", f"{found.number}."))
    connection.executemany(_MARK, changes)
    (rows,) = connection.execute("SELECT count(*) FROM record WHERE kind = ?", (REPEATED,)).fetchone()
    return int(rows)


def _tables(connection: Database) -> Iterator[_Found]:
    """Every table of every page."""
    rows = connection.stream(_ROWS, (_TABLE, REPEATED))
    for (host, task, number, kind), records in groupby(rows, itemgetter(0, 1, 2, 3)):
        content = "\n".join(record[4] for record in records)
        yield _Found(host, task, number, kind, xxh3_64_intdigest(f"{host} {content}".encode()))
