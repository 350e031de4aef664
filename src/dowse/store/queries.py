"""What can be read from a crawl, also while it runs: its tables, its ledger, and the story of one URL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from dowse.core.errors import CrawlMissing
from dowse.core.model import State
from dowse.core.rules import Instruction
from dowse.core.survey import LedgerRow, Survey
from dowse.store.extracted import FieldCount, RecordTable, count_fields
from dowse.store.folder import DATABASE, check_version, connect, explained

Row = dict[str, Any]

_STATES = {int(state): state.name.lower() for state in State}
_ORDER = {name: number for number, name in _STATES.items()}
_STATE_NAME = "CASE task.state " + " ".join(f"WHEN {n} THEN '{name}'" for n, name in _STATES.items()) + " END"

TABLES = {
    "pages": """
        SELECT task.url AS url, visit.status AS status, visit.title AS title, visit.media_type AS media_type,
               visit.charset AS charset, visit.size AS size, task.depth AS depth,
               json_array_length(visit.links) AS links, {state} AS state, task.reason AS reason,
               original.url AS duplicate_of, printf('%016x', visit.digest) AS digest,
               visit.fetched_at AS fetched_at, visit.elapsed AS elapsed,
               finder.url AS found_on, task.anchor AS anchor
        FROM task JOIN visit ON visit.id = task.visit LEFT JOIN task AS finder ON finder.id = task.parent
             LEFT JOIN task AS original ON original.id = visit.duplicate_of
        WHERE task.state IN (2, 3) AND task.reason <> 'redirect' AND task.label <> 'sitemap' ORDER BY task.visit
    """,
    "links": """
        SELECT source.url AS url, target.url AS target, link.anchor AS anchor, link.nofollow AS nofollow
        FROM link JOIN task AS source ON source.id = link.source JOIN task AS target ON target.id = link.target
    """,
    "bodies": """
        SELECT task.url AS url, visit.fetched_at AS fetched_at, visit.status AS status,
               visit.media_type AS media_type, visit.title AS title, visit.body AS body
        FROM visit JOIN task ON task.id = visit.task
        WHERE visit.body <> '' ORDER BY substr(visit.body, 1, instr(visit.body, ':')), visit.id
    """,
    "kept": """
        SELECT target.url AS url, kept.anchor AS anchor, source.url AS found_on, kept.from_type AS page_type,
               kept.rule AS rule, kept.base AS base
        FROM kept JOIN task AS target ON target.id = kept.task JOIN task AS source ON source.id = kept.source
        WHERE {span} ORDER BY kept.id
    """,
    "followed": """
        SELECT target.url AS url, page_type.anchor AS anchor, source.url AS found_on,
               page_type.from_type AS page_type, page_type.name AS to_type, page_type.rule AS rule,
               page_type.base AS base
        FROM page_type JOIN task AS target ON target.id = page_type.task
             JOIN task AS source ON source.id = page_type.source
        WHERE page_type.listed AND {span} ORDER BY page_type.id
    """,
    "ledger": """
        SELECT task.url AS url, {state} AS state, {reason} AS reason, task.depth AS depth, task.attempt AS attempts,
               visit.status AS status, visit.detail AS detail, finder.url AS found_on, task.anchor AS anchor
        FROM task LEFT JOIN visit ON visit.id = task.visit LEFT JOIN task AS finder ON finder.id = task.parent
        ORDER BY task.id
    """,
}
"""The tables a user can have. `state` and `reason` are filled in by whether the crawl has stopped."""

_GROWING = {"kept": ("kept", "1"), "followed": ("page_type", "listed")}
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

_decode_instruction = msgspec.json.Decoder(Instruction).decode


class Story(Struct, frozen=True):
    """All that is known of one URL."""

    url: str
    state: str
    reason: str
    depth: int
    parents: list[tuple[str, str]]
    visits: list[Row]
    redirected_from: str | None = None
    redirected_to: str | None = None
    duplicate_of: str | None = None
    next_attempt: float | None = None
    page_types: list[Row] = []
    kept: list[Row] = []
    instruction: Instruction | None = None


class Table:
    """One table of a crawl: iterate it for rows as dicts. Nothing is read before that, and never all at once."""

    def __init__(self, connection: sqlite3.Connection, query: str) -> None:
        self._connection = connection
        self.query = query

    @property
    def columns(self) -> list[str]:
        cursor = self._connection.execute(f"SELECT * FROM ({self.query}) LIMIT 0")
        return [column[0] for column in cursor.description]

    @explained("read")
    def __len__(self) -> int:
        (number,) = self._connection.execute(f"SELECT count(*) FROM ({self.query})").fetchone()
        return int(number)

    def __iter__(self) -> Iterator[Row]:
        columns = self.columns
        with explained("read"):
            for row in self._connection.execute(self.query):
                yield dict(zip(columns, row, strict=True))


class CrawlReader:
    """Read-only access to one crawl's database."""

    def __init__(self, directory: Path) -> None:
        path = directory / DATABASE
        if not path.exists():
            raise CrawlMissing(f"there is no crawl in {directory}; dowse site URL -o {directory} makes one")
        self._connection = connect(path, read_only=True)
        check_version(self._connection)

    @explained("read")
    def meta(self, name: str) -> str:
        row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def table(self, name: str) -> Table:
        stopped = self.meta("stop_reason")
        state, reason = _STATE_NAME, "task.reason"
        if stopped:
            state = f"CASE WHEN task.state = 0 THEN '{_STATES[State.NOT_REACHED]}' ELSE {_STATE_NAME} END"
            reason = f"CASE WHEN task.state = 0 AND task.reason = '' THEN '{stopped}' ELSE task.reason END"
        return Table(self._connection, TABLES[name].format(state=state, reason=reason, span="1"))

    @explained("read")
    def grown(self, name: str, after: int) -> tuple[list[tuple[Any, ...]], int]:
        """The rows of a growing table after the one with that number, and the number of the last."""
        source, _ = _GROWING[name]
        (last,) = self._connection.execute(f"SELECT max(id) FROM {source}").fetchone()
        if not last or last <= after:
            return [], after
        span = f"{source}.id > {after} AND {source}.id <= {last}"
        return self._connection.execute(TABLES[name].format(state="", reason="", span=span)).fetchall(), last

    @explained("read")
    def number_of(self, name: str, rows: int) -> tuple[int, int]:
        """The number of a growing table's row at that place, counted from 1, and at which place it stands.

        Where there are fewer rows, it is the last.
        """
        source, condition = _GROWING[name]
        query = f"SELECT id FROM {source} WHERE {condition} ORDER BY id"
        (count,) = self._connection.execute(f"SELECT count(*) FROM ({query})").fetchone()
        place = min(rows, count)
        row = self._connection.execute(f"{query} LIMIT 1 OFFSET ?", (place - 1,)).fetchone() if place else None
        return (row[0] if row else 0), place

    def records(self, kind: str = "") -> RecordTable:
        """What extractors took from pages, of one kind or of all."""
        return RecordTable(self._connection, kind)

    @explained("read")
    def fields(self) -> list[FieldCount]:
        """Every field that records have, and how many have it."""
        return count_fields(self._connection)

    @explained("read")
    def balance(self) -> list[LedgerRow]:
        """The whole ledger, by state and reason; the counts add up to all URLs ever discovered."""
        query = f"SELECT state, reason, count(*) FROM ({self.table('ledger').query}) GROUP BY 1, 2"
        rows = self._connection.execute(query).fetchall()
        return [LedgerRow(*row) for row in sorted(rows, key=lambda row: (_ORDER[row[0]], -row[2]))]

    @explained("read")
    def totals(self) -> tuple[int, int, float]:
        """Pages fetched, bytes received and seconds from the first request to the last."""
        pages, size, elapsed = self._connection.execute(
            "SELECT (SELECT sum(pages) FROM host), sum(size), max(fetched_at) - min(fetched_at) FROM visit"
        ).fetchone()
        return pages or 0, size or 0, elapsed or 0.0

    @explained("read")
    def why(self, key_hash: int) -> Story | None:
        """The story of the URL with this key, or None if it was never discovered."""
        row = self._connection.execute(
            "SELECT id, url, depth, parent, redirects, not_before FROM task WHERE key_hash = ?", (key_hash,)
        ).fetchone()
        if row is None:
            return None
        number, url, depth, parent, redirects, not_before = row
        state, reason = self._standing(number)
        visits = self._visits(number)
        last = visits[-1] if visits else {}
        return Story(
            url=url,
            state=state,
            reason=reason,
            depth=depth,
            parents=self._parents(number, 0 if redirects else parent),
            visits=visits,
            redirected_from=self._url(parent) if redirects else None,
            redirected_to=self._url(last.get("redirect")),
            duplicate_of=self._url(last.get("duplicate_of")),
            next_attempt=not_before or None,
            page_types=self._rows(_PAGE_TYPES, number),
            kept=self._rows(_KEPT, number),
            instruction=self._instruction(number),
        )

    @explained("read")
    def survey(self) -> Survey:
        """The crawl in numbers, all of one moment, also while it runs."""
        from dowse.store.survey import take_survey  # numpy comes with it

        self._connection.execute("BEGIN")
        try:
            return take_survey(self._connection, self.balance())
        finally:
            self._connection.execute("ROLLBACK")  # and with it go the temporary tables

    def instructions(self) -> Iterator[Instruction]:
        """What was to be done with each page, in the order they were found."""
        for (text,) in self._connection.execute("SELECT instruction FROM instruction ORDER BY task"):
            yield _decode_instruction(text)

    @explained("read")
    def matches(self) -> dict[int, tuple[int, int]]:
        """For each rule that was applied: to how many pages, and how many links it matched there."""
        found: dict[int, tuple[int, int]] = {}
        for (text,) in self._connection.execute("SELECT matches FROM instruction"):
            for row, count in msgspec.json.decode(text):
                pages, links = found.get(row, (0, 0))
                found[row] = (pages + 1, links + count)
        return found

    def close(self) -> None:
        self._connection.close()

    def _standing(self, number: int) -> tuple[str, str]:
        query = f"{self.table('ledger').query.partition('ORDER')[0]} WHERE task.id = ?"
        row = self._connection.execute(query, (number,)).fetchone()
        return row[1], row[2]

    def _parents(self, number: int, finder: int) -> list[tuple[str, str]]:
        """Pages that link here, the one that found it first at the head."""
        rows = self._connection.execute(
            """
            SELECT source.url, json_extract(edge.value, '$[1]')
            FROM task AS source JOIN visit ON visit.id = source.visit, json_each(visit.links) AS edge
            WHERE instr(visit.links, '[' || ?1 || ',') AND json_extract(edge.value, '$[0]') = ?1
            ORDER BY source.id <> ?2, source.id
            """,
            (number, finder),
        ).fetchall()
        return rows or ([(self._url(finder) or "", "")] if finder else [])

    def _visits(self, number: int) -> list[Row]:
        return self._rows(
            "SELECT fetched_at, elapsed, status, failure, detail, media_type, charset, title, size,"
            " printf('%016x', digest) AS digest, redirect,"
            " duplicate_of, json_array_length(links) AS links FROM visit WHERE task = ? ORDER BY id",
            number,
        )

    def _instruction(self, number: int) -> Instruction | None:
        row = self._connection.execute("SELECT instruction FROM instruction WHERE task = ?", (number,)).fetchone()
        return _decode_instruction(row[0]) if row else None

    def _rows(self, query: str, number: int) -> list[Row]:
        cursor = self._connection.execute(query, (number,))
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor]

    def _url(self, number: int | None) -> str | None:
        row = self._connection.execute("SELECT url FROM task WHERE id = ?", (number,)).fetchone()
        return row[0] if row else None
