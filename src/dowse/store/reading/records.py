"""What extractors took from pages: the rows of a crawl, its fields counted, and their replacement by a new reading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec

from dowse.core.columns import Kind
from dowse.core.job import Job
from dowse.core.model import State
from dowse.core.record import APART, TAKEN, Record
from dowse.store.across_pages import compare_pages
from dowse.store.database import Database
from dowse.store.folder import explained, take_over
from dowse.store.fragments import count_if, json_rows
from dowse.store.reading.tables import ARCHIVE_FILE, Table
from dowse.store.schema import INSERT_RECORD, SET_META
from dowse.store.task_states import OF_PAGES
from dowse.store.versions import upgrade

_FIELDS = f"""
    SELECT record.kind, field.key, count(*), {count_if("field.type = 'array'")}
    FROM record, {json_rows("record.fields", "field")} GROUP BY 1, 2
"""
_LOOKED_AT = 1_000
"""Records of which the order of their fields is taken; what only later ones have comes last."""

STORED = f"task.state <> {State.DUPLICATE} AND visit.body <> '' AND visit.status < 300 AND task.{OF_PAGES}"
"""Of a task with its `visit`: it is a page, and archived."""

_PAGES = f"""
    SELECT task.id, task.url, visit.body FROM task JOIN visit ON visit.id = task.visit WHERE {STORED}
    ORDER BY {ARCHIVE_FILE}, visit.id
"""

_PAGE = """
    SELECT task.id, task.url, visit.body, visit.redirect FROM task LEFT JOIN visit ON visit.id = task.visit
    WHERE task.id = ?
"""
_MOST_HOPS = 100

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class FieldCount(NamedTuple):
    """How many records of a kind have a field, and in how many it is a list."""

    kind: str
    name: str
    records: int
    lists: int = 0


class StoredPage(NamedTuple):
    """A page whose body is archived, and where."""

    task: int
    url: str
    location: str


def record_rows(task: int, records: Iterable[Record]) -> list[tuple[int, str, str, str]]:
    """The records of a page as the table has them."""
    return [(task, record.kind, record.key, _encode(record.fields).decode()) for record in records]


def count_records(connection: Database) -> int:
    """How many there are, without those that are had only by name."""
    (number,) = connection.execute(f"SELECT count(*) FROM record WHERE kind NOT IN {APART}").fetchone()
    return int(number)


def count_fields(connection: Database) -> list[FieldCount]:
    """Every field that some record has, kind by kind, in the order in which records have them."""
    counts = [FieldCount(*row) for row in connection.execute(_FIELDS)]
    order: dict[tuple[str, str], int] = {}
    for (kind,) in connection.execute("SELECT DISTINCT kind FROM record").fetchall():
        rows = connection.execute("SELECT fields FROM record WHERE kind = ? LIMIT ?", (kind, _LOOKED_AT))
        for (fields,) in rows:
            for name in _decode(fields):
                order.setdefault((kind, name), len(order))
    return sorted(counts, key=lambda count: (count.kind, order.get((count.kind, count.name), len(order)), count.name))


def stored_pages(connection: Database) -> Iterator[StoredPage]:
    """The pages whose last good answer is archived, file by file."""
    return (StoredPage(*row) for row in connection.stream(_PAGES))


def stored_page(connection: Database, number: int) -> StoredPage:
    """What is stored of a URL, or of the one that it redirects to in the end; its location is "" if nothing is."""
    for _ in range(_MOST_HOPS):
        row = connection.execute(_PAGE, (number,)).fetchone()
        if row[3] is None:
            return StoredPage(row[0], row[1], row[2] or "")
        number = row[3]
    return StoredPage(number, "", "")


def records_of_page(connection: Database, number: int) -> list[Record]:
    """What extractors took from one page."""
    rows = connection.execute("SELECT kind, key, fields FROM record WHERE task = ? ORDER BY id", (number,))
    return [Record(kind, key, _decode(fields)) for kind, key, fields in rows if kind not in APART]


class RecordTable(Table):
    """The records of a crawl: iterate it for rows as dicts with the page's URL and the fields.

    The fields are those that were asked for, in that order, and the others that some record has. Where there are
    several kinds, a column tells them apart. A field is one thing in all records of a kind: where some have a list of
    values (two authors), a single value is a list of one.
    """

    def __init__(
        self,
        connection: Database,
        kind: str = "",
        asked: Sequence[str] = (),
        dates: Collection[str] = (),
    ) -> None:
        self._connection = connection
        self._kind = kind
        self._asked = asked
        self._dates = dates

    @cached_property
    def columns(self) -> list[str]:
        return [*self._heading, *(f"record_{name}" if name in TAKEN else name for name in self._fields)]

    @property
    def kinds(self) -> dict[str, Kind]:
        """What the fields hold is known only from their values."""
        return dict.fromkeys(self._heading, "text")

    @property
    def dates(self) -> Collection[str]:
        return self._dates

    @explained("read")
    def __len__(self) -> int:
        (number,) = self._connection.execute(f"SELECT count(*) FROM record {self._condition}", self._values).fetchone()
        return int(number)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        query = f"""SELECT task.url, record.kind, record.fields FROM record JOIN task ON task.id = record.task
                    {self._condition} ORDER BY record.id"""
        names = self._fields
        heading = len(self._heading)
        lists = self._lists
        with explained("read"):
            for url, kind, fields in self._connection.stream(query, self._values):
                found = _decode(fields)
                for name in lists.get(kind, ()):
                    if (value := found.get(name)) is not None and not isinstance(value, list):
                        found[name] = [value]
                yield (*(url, kind)[:heading], *[found.get(name) for name in names])

    @property
    def _condition(self) -> str:
        return "WHERE record.kind = ?" if self._kind else f"WHERE record.kind NOT IN ({','.join('?' * len(APART))})"

    @property
    def _values(self) -> tuple[str, ...]:
        return (self._kind,) if self._kind else APART

    @cached_property
    @explained("read")
    def _counts(self) -> list[FieldCount]:
        counts = count_fields(self._connection)
        return [count for count in counts if (count.kind == self._kind if self._kind else count.kind not in APART)]

    @cached_property
    def _lists(self) -> dict[str, list[str]]:
        """The fields of each kind that are lists in some records, but not in all."""
        found: dict[str, list[str]] = {}
        for count in self._counts:
            if 0 < count.lists < count.records:
                found.setdefault(count.kind, []).append(count.name)
        return found

    @cached_property
    def _heading(self) -> list[str]:
        return list(TAKEN if len({count.kind for count in self._counts}) > 1 else TAKEN[:1])

    @cached_property
    def _fields(self) -> list[str]:
        return list(dict.fromkeys([*self._asked, *(count.name for count in self._counts)]))


class Rereading:
    """A new reading of stored pages. It replaces their records, of all pages at once or, if it fails, of none.

    Only records of some kinds: what a browser captured is in no stored page. A page that cannot be read keeps its own.
    """

    def __init__(self, directory: Path, kinds: Sequence[str]) -> None:
        self._forget = f"DELETE FROM record WHERE task = ? AND kind IN ({','.join('?' * len(kinds))})"
        self._kinds = kinds
        with ExitStack() as undo:
            self._connection = take_over(directory)
            undo.callback(self._connection.close)
            with self._connection.transaction():
                upgrade(self._connection)
            self._undo = undo.pop_all()

    def __enter__(self) -> Self:
        self._undo.enter_context(self._connection.transaction())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._undo.__exit__(kind, error, traceback)

    def __len__(self) -> int:
        (number,) = self._connection.execute(f"SELECT count(*) FROM ({_PAGES}) AS counted").fetchone()
        return int(number)

    def pages(self) -> Iterator[StoredPage]:
        """Every page that is stored, file by file."""
        return stored_pages(self._connection)

    def keep(self, page: StoredPage, records: Iterable[Record]) -> None:
        with explained("write"):
            self._connection.execute(self._forget, (page.task, *self._kinds))
            self._connection.executemany(INSERT_RECORD, record_rows(page.task, records))

    def compare_pages(self, job: Job) -> int:
        """Compare the records of all pages, see store/across_pages.py; the answer is how many are left out by that."""
        with explained("write"):
            return compare_pages(self._connection, job)

    def note_job(self, job: str, seal: str) -> None:
        self._connection.executemany(SET_META, [("job", job), ("seal", seal)])
