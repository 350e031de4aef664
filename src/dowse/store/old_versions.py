"""Old versions of pages thrown away, and the room they took given back.

    1  visits of old versions lose their bodies, all in one transaction
    2  an archive file with records that nobody needs is copied without them, to disk
    3  all locations in that file become those in the copy, in one transaction
    4  the old file is removed

Whatever ends the process, each location points at a whole record in a file that is there. What was left is done by the
next time: a file that no location names is removed then.

The last visits of a page, which tell how it is now, keep their bodies. Of a version that stays the first and the last
visit do: those between brought other bytes and the same content. A page that a bounded collection let go has no version
that stays: if it comes back, it is fetched anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from dowse.core.archive import Location, Place
from dowse.core.errors import CrawlError
from dowse.core.model import State
from dowse.store.folder import bodies_of, explained, take_over
from dowse.store.inner_paths import inside
from dowse.store.reading.told_changes import was_visited_again
from dowse.store.revisits.revisit_tables import LET_GO
from dowse.store.versions import upgrade
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.smaller_files import Needed, copy_needed, size_needed, sizes, with_lengths

_WORTH_IT = 0.01
"""The share of a file that must be of no use before it is copied."""

_VISITS = """SELECT visit.task, visit.id, visit.digest, visit.body, abs(coalesce(task.visit, 0)) = visit.id,
        {told}, task.state = {out} AND task.reason = '{let_go}' FROM visit JOIN task ON task.id = visit.task
    WHERE visit.body <> '' AND visit.failure = '' ORDER BY visit.task, visit.id"""
_TOLD = """EXISTS (SELECT 1 FROM change WHERE change.task = visit.task AND change.later = visit.id
    AND change.kind IN ('changed', 'added') AND change.what <> 'record')"""
_BODIES = "SELECT id, body FROM {table} WHERE body <> ''"
_NAMING = "SELECT id, body FROM {table} WHERE body LIKE ? OR body LIKE ?"
_OLD_RECORDS = """DELETE FROM record_before WHERE id IN (SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY task ORDER BY id DESC) AS place FROM record_before) AS ranked
    WHERE place >= ?)"""

Told = Callable[[int, int], None]


class Plan(NamedTuple):
    """What there is to throw away: versions of pages, and the bytes that it frees of all bytes."""

    versions: int
    pages: int
    frees: int
    size: int


class Pruning:
    """Takes a crawl over and throws old versions away."""

    def __init__(self, directory: Path, keep: int) -> None:
        self._directory = bodies_of(directory)
        self._keep = keep
        with ExitStack() as undo:
            self._connection = take_over(directory)
            undo.callback(self._connection.close)
            with self._connection.transaction():
                upgrade(self._connection)
            self._reader = undo.enter_context(BodyReader(self._directory))
            self._undo = undo.pop_all()
        self._old: list[int] = []
        self._untouched: set[str] = set()

    def plan(self) -> Plan:
        """What would go; nothing is changed."""
        with explained("read"):
            pages = versions = 0
            self._old = []
            for visits, dropped in self._old_visits():
                self._old += visits
                pages += dropped > 0
                versions += dropped
            needed = self._needed(set(self._old))
            there = sizes(self._directory)
            frees = sum(size - self._size_then(file, size, needed.get(file)) for file, size in there.items())
        return Plan(versions, pages, frees, sum(there.values()))

    def run(self, told: Told | None = None) -> int:
        """Throw away what was planned; the answer is the bytes that were freed."""
        connection = self._connection
        with connection.transaction():
            connection.executemany("UPDATE visit SET body = '' WHERE id = ?", [(number,) for number in self._old])
            if "record_before" in connection.tables():
                connection.execute(_OLD_RECORDS, (self._keep,))
        before = sizes(self._directory)
        needed = self._needed(set())
        for number, (file, size) in enumerate(before.items()):
            if told is not None:
                told(number, len(before))
            if self._size_then(file, size, needed.get(file)) < size:
                if records := needed.get(file):
                    self._replace(file, records)
                inside(self._directory, file).unlink(missing_ok=True)
        return sum(before.values()) - sum(sizes(self._directory).values())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._undo.__exit__(kind, error, traceback)

    def _old_visits(self) -> Iterator[tuple[list[int], int]]:
        """Of each page the visits whose bodies are not needed, and how many versions go with them."""
        is_told = was_visited_again(self._connection)
        query = _VISITS.format(told=_TOLD if is_told else "1", out=State.OUT_OF_SCOPE, let_go=LET_GO)
        rows = self._connection.stream(query)
        for _, visits in groupby(rows, lambda row: row[0]):
            versions: list[list[tuple[int, str, bool]]] = []
            before = 0
            keep = self._keep
            for _task, number, digest, body, is_current, tells, is_let_go in visits:
                if not versions or (digest not in (0, before) and tells):
                    versions.append([])
                before = digest or before
                versions[-1].append((number, body, bool(is_current and not is_let_go)))
                keep = 0 if is_let_go else self._keep
            gone = versions[: max(0, len(versions) - keep)]
            old = [visit for version in gone for visit in version]
            old += [visit for version in versions[len(gone) :] for visit in version[1:-1] if " " not in visit[1]]
            yield [number for number, _, is_current in old if not is_current], len(gone)

    def _needed(self, without: set[int]) -> dict[str, Needed]:
        """The records that are needed of each file."""
        needed: dict[str, Needed] = defaultdict(dict)
        originals: dict[str, set[int]] = defaultdict(set)
        for table in ("visit", "robots"):
            for number, body in self._connection.stream(_BODIES.format(table=table)):
                if table == "visit" and number in without:
                    continue
                where = Location.parse(body)
                needed[where.place.file][where.place.offset] = where.length + where.request_length
                if where.original is not None:
                    originals[where.original.file].add(where.original.offset)
        for file, offsets in originals.items():
            try:
                with_lengths(self._reader, file, offsets, needed[file])
            except CrawlError:
                needed.pop(file, None)  # damaged: it stays as it is
                self._untouched.add(file)
        return needed

    def _size_then(self, file: str, size: int, needed: Needed | None) -> int:
        """How large a file is when it has been copied, or as it is if it is not worth it."""
        if file in self._untouched:
            return size
        try:
            after = size_needed(self._reader, file, needed or {})
        except CrawlError:
            return size
        return after if size - after > _WORTH_IT * size else size

    def _replace(self, file: str, needed: Needed) -> None:
        name, moved = copy_needed(self._directory, file, needed)
        with self._connection.transaction():
            for table in ("visit", "robots"):
                query = _NAMING.format(table=table)
                for number, body in self._connection.execute(query, (f"{file}:%", f"% {file}:%")).fetchall():
                    where = Location.parse(body)
                    if where.place.file == file:
                        where = where._replace(place=Place(name, moved[where.place.offset]))
                    if where.original is not None and where.original.file == file:
                        where = where._replace(original=Place(name, moved[where.original.offset]))
                    self._connection.execute(f"UPDATE {table} SET body = ? WHERE id = ?", (str(where), number))
