"""The tables a user can have: what is asked of the database for each, and what their columns hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from dowse.core.columns import Kind
from dowse.core.model import FailureKind, State
from dowse.store.database import Database, Rows
from dowse.store.folder import explained
from dowse.store.fragments import THEN_JOIN, hexadecimal, json_length, json_part, place_of
from dowse.store.reading.link_graph import IS_NODE, LinkGraph
from dowse.store.task_states import one_of

Row = dict[str, Any]

# The pages and redirects that led to a page or on from one, never more than the limit on redirects and some.
# What found a URL and redirects now may have been a page with a link to it then: it must redirect to that very URL.
_FIRST_HOP = """CASE WHEN (SELECT sent.redirect FROM visit AS sent WHERE sent.id = finder.visit) = task.id THEN (
        WITH RECURSIVE hop (id, url, parent, far) AS (
            SELECT finder.id, finder.url, finder.parent, 1 UNION ALL
            SELECT before.id, before.url, before.parent, far + 1 FROM hop JOIN task AS before ON before.id = hop.parent
            JOIN visit AS sent ON sent.id = before.visit WHERE sent.redirect = hop.id AND far < 100)
        SELECT url FROM hop WHERE far = (SELECT max(far) FROM hop)) END"""
_LAST_HOP = """CASE WHEN task.reason = 'redirect' THEN (
        WITH RECURSIVE hop (url, reason, visit, far) AS (
            SELECT task.url, task.reason, task.visit, 0 UNION ALL
            SELECT next.url, next.reason, next.visit, far + 1
            FROM hop JOIN visit ON visit.id = hop.visit JOIN task AS next ON next.id = visit.redirect
            WHERE hop.reason = 'redirect' AND far < 100)
        SELECT url FROM hop WHERE reason <> 'redirect') END"""

ARCHIVE_FILE = f"""substr(body, 1, {place_of("':'", "body")})"""
"""The file in which a body is: pages are read file by file."""

# The visit that tells how a URL stands; `task.visit` is the one that tells what is there, which may be an earlier one.
LAST_TRY = f"""CASE WHEN task.state IN {one_of(State.ROBOTS, State.FAILED)}
        THEN (SELECT max(tried.id) FROM visit AS tried WHERE tried.task = task.id) ELSE task.visit END"""

IS_ERROR = f"(task.state = {State.FAILED} AND visit.failure = '{FailureKind.HTTP}')"
"""A URL whose server answers with a bad status, and of which there is no earlier copy."""

QUERIES = {
    "pages": f"""
        SELECT task.url AS url, {{select}}
               {_FIRST_HOP} AS redirected_from, visit.status AS status, visit.title AS title,
               visit.media_type AS media_type, visit.charset AS charset,
               visit.declared AS declared_charset, visit.size AS size, task.depth AS depth,
               task.id AS in_links, {json_length("visit.links")} AS out_links,
               {{state}} AS state, task.reason AS reason,
               original.url AS duplicate_of, {hexadecimal("visit.digest")} AS digest,
               visit.fetched_at AS fetched_at, visit.elapsed AS elapsed,
               {json_part("visit.rendered", "$.elapsed", "REAL")} AS rendered,
               finder.url AS found_on, task.anchor AS anchor, visit.usage AS usage
        FROM visit {THEN_JOIN} task ON task.id = visit.task AND task.visit = visit.id
             LEFT JOIN task AS finder ON finder.id = task.parent
             LEFT JOIN task AS original ON original.id = visit.duplicate_of {{join}}
        WHERE {{which}} ORDER BY visit.id
    """,
    "nodes": f"""
        SELECT task.url AS url, visit.title AS title, visit.status AS status, task.depth AS depth, {{state}} AS state,
               task.id AS in_degree, task.id AS out_degree, task.id AS pagerank
        FROM visit {THEN_JOIN} task ON task.id = visit.task AND task.visit = visit.id
        WHERE {IS_NODE} ORDER BY visit.id
    """,
    "bodies": f"""
        SELECT * FROM (
            SELECT task.url AS url, visit.fetched_at AS fetched_at, visit.status AS status,
                   visit.media_type AS media_type, visit.title AS title, task.label AS label, visit.body AS body
            FROM visit JOIN task ON task.id = visit.task WHERE visit.body <> ''
            UNION ALL SELECT url, fetched_at, status, 'text/plain', '', '', body FROM robots WHERE body <> ''
        ) AS answer ORDER BY {ARCHIVE_FILE}, fetched_at
    """,
    "ledger": f"""
        SELECT task.url AS url, {{state}} AS state, {{reason}} AS reason, task.depth AS depth,
               (SELECT count(*) FROM visit AS each WHERE each.task = task.id AND each.failure <> 'robots') AS attempts,
               visit.status AS status, visit.detail AS detail, {_LAST_HOP} AS final_url,
               finder.url AS found_on, task.anchor AS anchor, visit.usage AS usage
        FROM task LEFT JOIN visit ON visit.id = {LAST_TRY} LEFT JOIN task AS finder ON finder.id = task.parent
        ORDER BY task.id
    """,
}
"""`state` and `reason` are filled in by whether the crawl has stopped, `select` and `join` by what its mode adds,
`which` by whether error pages are among the pages.

The visits are gone through in their order (`THEN_JOIN`).
"""

MEASURED = {
    "in_links": "in_degree", "in_degree": "in_degree", "out_degree": "out_degree", "pagerank": "pagerank",
}  # fmt: skip
"""Columns that the link graph fills in: a query has the task there, and the table what the graph says of it."""

KINDS: dict[str, Kind] = {
    **dict.fromkeys(("status", "size", "depth", "in_links", "out_links", "attempts"), "integer"),
    **dict.fromkeys(("in_degree", "out_degree", "rule", "words"), "integer"),
    **dict.fromkeys(("elapsed", "rendered", "pagerank", "relevance", "priority"), "number"),
    **dict.fromkeys(("matched", "nofollow"), "boolean"),
    **dict.fromkeys(("fetched_at", "first_seen"), "time"),
}
"""Columns that are no texts. A name means the same in every table."""


class Table(ABC):
    """One table of a crawl: iterate it for rows as dicts. Nothing is read before that, and never all at once."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """The names of the columns."""

    @property
    def kinds(self) -> dict[str, Kind]:
        """What each column holds."""
        return {name: KINDS.get(name, "text") for name in self.columns}

    @property
    def dates(self) -> Collection[str]:
        """The columns, among those whose kind is not known, that should hold dates."""
        return ()

    @abstractmethod
    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows without the names of their columns."""

    @abstractmethod
    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Row]:
        columns = self.columns
        for row in self.rows():
            yield dict(zip(columns, row, strict=True))


class QueryTable(Table):
    """A table that one statement gives."""

    def __init__(self, connection: Database, graph: LinkGraph, query: str, values: Sequence[Any] = ()) -> None:
        """`values` are those that stand in the query as `?`."""
        self._connection = connection
        self._graph = graph
        self._values = values
        self.query = query

    @cached_property
    @explained("read")
    def columns(self) -> list[str]:
        cursor = self._connection.execute(f"SELECT * FROM ({self.query}) AS empty LIMIT 0", self._values)
        return [column[0] for column in cursor.description]

    @explained("read")
    def __len__(self) -> int:
        query = self.query.rpartition("ORDER BY")[0] or self.query  # to sort would be to read all columns
        (number,) = self._connection.execute(f"SELECT count(*) FROM ({query}) AS counted", self._values).fetchone()
        return int(number)

    def execute(self, statement: str, values: Sequence[Any]) -> Rows:
        """Ask for a part of it: a statement about its query, whose values come first."""
        return self._connection.execute(statement, (*self._values, *values))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        measured = {
            place: MEASURED[name]
            for place, name in enumerate(self.columns)
            if name in MEASURED and f"task.id AS {name}" in self.query
        }
        if measured:
            self._graph.measure(measured.values())
        with explained("read"):
            rows = self._connection.stream(self.query, self._values)
            yield from self._measured(rows, measured) if measured else rows

    def _measured(self, rows: Iterable[tuple[Any, ...]], measured: dict[int, str]) -> Iterator[tuple[Any, ...]]:
        """Rows with measures of the graph in the place of tasks."""
        look_ups = [(place, self._graph.look_up(name)) for place, name in measured.items()]
        for row in rows:
            cells = list(row)
            for place, look_up in look_ups:
                cells[place] = look_up(cells[place])
            yield tuple(cells)


class TableOver(Table):
    """A table made of another one, with the same columns and rows; what it does otherwise is said in its class."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def columns(self) -> list[str]:
        return self._table.columns

    @property
    def kinds(self) -> dict[str, Kind]:
        return self._table.kinds

    @property
    def dates(self) -> Collection[str]:
        return self._table.dates

    def rows(self) -> Iterator[tuple[Any, ...]]:
        return self._table.rows()

    def __len__(self) -> int:
        return len(self._table)


class StoredRows(TableOver):
    """The rows of a table that are about pages the user wants in the index (store_only)."""

    def __init__(self, table: Table, keeps: Callable[[str], object], ends: Sequence[str] = ("url",)) -> None:
        """`keeps` says so of a URL, and is asked about the columns in `ends`."""
        super().__init__(table)
        self._keeps = keeps
        self._ends = ends

    def rows(self) -> Iterator[tuple[Any, ...]]:
        places = [self.columns.index(name) for name in self._ends]
        return (row for row in self._table.rows() if all(self._keeps(row[place]) for place in places))

    def __len__(self) -> int:
        return sum(1 for _ in self.rows())


class LinkTable(Table):
    """The links of all pages, or the edges of the graph that they make."""

    columns = ["url", "target", "anchor", "nofollow"]  # noqa: RUF012

    def __init__(self, read: Callable[[], Iterator[tuple[Any, ...]]], count: Callable[[], int]) -> None:
        self._read = read
        self._count = count

    def __len__(self) -> int:
        return self._count()

    def rows(self) -> Iterator[tuple[Any, ...]]:
        return self._read()
