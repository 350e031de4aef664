"""keep.csv and follow.csv, which grow while a rule crawl runs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from dowse.core.errors import FileUnwritable
from dowse.engine.events import Event, Notice, Progress, Stopped
from dowse.engine.loop import Listener
from dowse.export.growing_csv import GrowingList
from dowse.modes.mode import LiveOutput
from dowse.modes.rules.tables import RuleReader, query_of
from dowse.store.inner_paths import inside
from dowse.store.reading.reader import CrawlReader


class GrowingLists(LiveOutput):
    """Listens to a rule crawl and lets its lists follow the tables; passes everything on to another listener."""

    _FILES: ClassVar = {"kept": "keep.csv", "followed": "follow.csv"}

    def __init__(self, directory: Path, listener: Listener) -> None:
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._rules = RuleReader(self._reader.connection)
        self._lists: dict[str, GrowingList] = {}
        self._last: dict[str, int] = {}
        for table, file in self._FILES.items():
            grown = GrowingList(inside(directory, file), self._reader.query_table(self._query(table)).columns)
            self._last[table], rows = self._rules.number_of(table, grown.rows)
            grown.shorten(rows)
            self._lists[table] = grown

    def __call__(self, event: Event) -> None:
        self._listener(event)
        if isinstance(event, Progress | Stopped):
            self._catch_up(is_last=isinstance(event, Stopped))

    def close(self) -> None:
        self._reader.close()

    def _catch_up(self, *, is_last: bool) -> None:
        for table, grown in self._lists.items():
            rows, last = self._rules.grown(table, self._last[table])
            try:
                grown.add(map(_dated, rows) if table == "kept" else rows)
                self._last[table] = last
                if is_last:
                    grown.correct(partial(self._rows, table))
            except (OSError, FileUnwritable) as error:  # the rows are in the database and come with the next ones
                if is_last:
                    reason = error.strerror if isinstance(error, OSError) else error
                    self._listener(Notice(f"cannot write {grown.path}: {reason}; see dowse export {table}"))

    def _rows(self, table: str) -> Iterator[tuple[Any, ...]]:
        rows = (tuple(row.values()) for row in self._reader.query_table(self._query(table)))
        return map(_dated, rows) if table == "kept" else rows

    def _query(self, table: str) -> str:
        return query_of(table, self._reader.connection)


def _dated(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A kept link with the date that it was first seen at as people read it."""
    *rest, seen = row
    return (*rest, datetime.fromtimestamp(seen, UTC).isoformat(timespec="seconds").replace("+00:00", "Z"))
