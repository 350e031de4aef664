"""The tables of a rule crawl: links kept and followed, page types of one URL, and the instructions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dowse.modes.rules.rule_table import Instruction
from dowse.store.database import Database
from dowse.store.folder import explained
from dowse.store.reading.tables import Row

QUERIES = {
    "kept": """
        SELECT target.url AS url, kept.anchor AS anchor, source.url AS found_on, kept.from_type AS page_type,
               kept.rule AS rule, kept.base AS base, coalesce(kept_words.context, '') AS context,
               coalesce(kept_words.title, '') AS title, coalesce(kept_words.rel, '') AS rel,
               coalesce(kept_facts.media_type, '') AS media_type, kept_facts.size AS size,
               coalesce(kept_facts.last_modified, '') AS last_modified,
               coalesce((SELECT min(told.at) FROM change AS told WHERE told.what = 'kept' AND told.task = kept.task),
                        (SELECT min(visit.fetched_at) FROM visit WHERE visit.task = kept.source)) AS first_seen
        FROM kept JOIN task AS target ON target.id = kept.task JOIN task AS source ON source.id = kept.source
             LEFT JOIN kept_words ON kept_words.kept = kept.id
             LEFT JOIN kept_facts ON kept_facts.link = kept.task
        WHERE true ORDER BY kept.id
    """,
    "followed": """
        SELECT target.url AS url, page_type.anchor AS anchor, source.url AS found_on,
               page_type.from_type AS page_type, page_type.name AS to_type, page_type.rule AS rule,
               page_type.base AS base
        FROM page_type JOIN task AS target ON target.id = page_type.task
             JOIN task AS source ON source.id = page_type.source
        WHERE page_type.listed <> 0 ORDER BY page_type.id
    """,
}

# Crawls of before have no such tables, and where they are only read none is made. `change` comes with a recrawl.
_LATER = {
    "change AS told WHERE told.what = 'kept' AND told.task = kept.task": "(SELECT CAST(NULL AS REAL) AS at) AS told",
    "kept_words ON kept_words.kept = kept.id": "(SELECT '' AS context, '' AS title, '' AS rel) AS kept_words ON false",
    "kept_facts ON kept_facts.link = kept.task": "(SELECT '' AS media_type, NULL AS size, '' AS last_modified)"
    " AS kept_facts ON false",
}

GROWING = {"kept": ("kept", "true"), "followed": ("page_type", "listed <> 0")}
"""Tables that only grow: where their rows are, and which of them count."""

_PAGE_TYPES = """
    SELECT page_type.name AS name, page_type.base AS base, page_type.rule AS rule, source.url AS found_on,
           page_type.from_type AS from_type, page_type.applied = 1 AS applied
    FROM page_type LEFT JOIN task AS source ON source.id = page_type.source
    WHERE page_type.task = ? ORDER BY page_type.id
"""
_KEPT = """
    SELECT kept.base AS base, kept.rule AS rule, source.url AS found_on, kept.from_type AS page_type
    FROM kept JOIN task AS source ON source.id = kept.source WHERE kept.task = ? ORDER BY kept.id
"""


def query_of(name: str, connection: Database) -> str:
    """The query of a table, for a crawl that may be of before."""
    query = QUERIES[name]
    for join, nothing in _LATER.items():
        if not connection.columns(join.partition(" ")[0]):
            query = query.replace(join, nothing)
    return query


_decode = msgspec.json.Decoder(Instruction).decode


class RuleReader:
    """Reads over a connection that somebody else owns."""

    def __init__(self, connection: Database) -> None:
        self._connection = connection

    @explained("read")
    def grown(self, name: str, after: int) -> tuple[list[tuple[Any, ...]], int]:
        """The rows of a growing table after the one with that number, and the number of the last."""
        source, _ = GROWING[name]
        (last,) = self._connection.execute(f"SELECT max(id) FROM {source}").fetchone()
        if not last or last <= after:
            return [], after
        body, _, order = query_of(name, self._connection).rpartition("ORDER BY")
        query = f"{body} AND {source}.id > ? AND {source}.id <= ? ORDER BY {order}"
        return self._connection.execute(query, (after, last)).fetchall(), last

    @explained("read")
    def number_of(self, name: str, rows: int) -> tuple[int, int]:
        """The number of a growing table's row at that place, counted from 1, and at which place it stands.

        Where there are fewer rows, it is the last.
        """
        source, condition = GROWING[name]
        query = f"SELECT id FROM {source} WHERE {condition} ORDER BY id"
        (count,) = self._connection.execute(f"SELECT count(*) FROM ({query}) AS counted").fetchone()
        place = min(rows, count)
        row = self._connection.execute(f"{query} LIMIT 1 OFFSET ?", (place - 1,)).fetchone() if place else None
        return (row[0] if row else 0), place

    @explained("read")
    def instructions(self) -> Iterator[Instruction]:
        """The instruction of each page, in the order the pages were found."""
        for (text,) in self._connection.stream("SELECT instruction FROM instruction ORDER BY task"):
            yield _decode(text)

    @explained("read")
    def matches(self) -> dict[int, tuple[int, int]]:
        """For each rule that was applied the number of pages, and of links it matched there."""
        found: dict[int, tuple[int, int]] = {}
        for (text,) in self._connection.stream("SELECT matches FROM instruction"):
            for row, count in msgspec.json.decode(text):
                pages, links = found.get(row, (0, 0))
                found[row] = (pages + 1, links + count)
        return found

    def page_types(self, number: int) -> list[Row]:
        """The page types of a URL, and how it came to them."""
        return self._rows(_PAGE_TYPES, number)

    def kept(self, number: int) -> list[Row]:
        """Which rules keep a URL, and where they found it."""
        return self._rows(_KEPT, number)

    def instruction(self, number: int) -> Instruction | None:
        row = self._connection.execute("SELECT instruction FROM instruction WHERE task = ?", (number,)).fetchone()
        return _decode(row[0]) if row else None

    def _rows(self, query: str, number: int) -> list[Row]:
        cursor = self._connection.execute(query, (number,))
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor]
