"""keep.csv and follow.csv: the results of a rule crawl as files that grow while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from dowse.engine.events import Event, Notice, Progress, Stopped
from dowse.engine.loop import Listener
from dowse.export.lists import GrowingList
from dowse.store.queries import CrawlReader


class GrowingLists:
    """Listens to a rule crawl and lets its lists follow the tables; passes everything on to another listener."""

    _FILES: ClassVar = {"kept": "keep.csv", "followed": "follow.csv"}

    def __init__(self, directory: Path, listener: Listener) -> None:
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._lists: dict[str, GrowingList] = {}
        self._last: dict[str, int] = {}
        for table, file in self._FILES.items():
            grown = GrowingList(directory / file, self._reader.table(table).columns)
            self._last[table], rows = self._reader.rules.number_of(table, grown.rows)
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
            rows, last = self._reader.rules.grown(table, self._last[table])
            try:
                grown.add(rows)
                self._last[table] = last
            except OSError as error:  # the rows are in the database and come with the next ones
                if is_last:
                    self._listener(Notice(f"cannot write {grown.path}: {error.strerror}; see dowse export {table}"))
