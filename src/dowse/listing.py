"""Results that grow while a crawl runs: keep.csv and follow.csv of a rule crawl, the files of a crawl for files with
files.csv, and urls.txt of a focus crawl."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from dowse.core.errors import CrawlError, DowseError, FileUnwritable
from dowse.engine.events import Event, Notice, Progress, Stopped
from dowse.engine.loop import Listener
from dowse.export.atomic_file import as_text, writing
from dowse.export.growing_csv import GrowingList
from dowse.export.text_tables import shown, write_text
from dowse.store.best_first.judgements import FILES, FileTable, FoundFile
from dowse.store.inside import inside
from dowse.store.reading.reader import CrawlReader


class GrowingLists:
    """Listens to a rule crawl and lets its lists follow the tables; passes everything on to another listener."""

    _FILES: ClassVar = {"kept": "keep.csv", "followed": "follow.csv"}

    def __init__(self, directory: Path, listener: Listener) -> None:
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._lists: dict[str, GrowingList] = {}
        self._last: dict[str, int] = {}
        for table, file in self._FILES.items():
            grown = GrowingList(inside(directory, file), self._reader.table(table).columns)
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
                if is_last:
                    grown.correct(partial(self._rows, table))
            except (OSError, FileUnwritable) as error:  # the rows are in the database and come with the next ones
                if is_last:
                    reason = error.strerror if isinstance(error, OSError) else error
                    self._listener(Notice(f"cannot write {grown.path}: {reason}; see dowse export {table}"))

    def _rows(self, table: str) -> Iterator[list[Any]]:
        return ([*row.values()] for row in self._reader.table(table))


class GrowingFiles:
    """Listens to a crawl for files and puts what came into the folder files, with a list beside it.

    What is there from runs before is written again only if it has changed since, or is gone. So a run that was killed
    loses nothing. In the end the list is written anew, for a file that came again has two rows until then.
    """

    LIST = "files.csv"

    def __init__(self, directory: Path, listener: Listener) -> None:
        from dowse.store.warc.bodies import FOLDER, BodyReader  # other crawls may keep no bodies

        self._directory = directory
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._bodies = BodyReader(directory / FOLDER)
        self._last = 0
        self._before = self._listed = max((file.number for file in self._reader.judgements.files()), default=0)
        self._list: GrowingList | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, Progress | Stopped):
            self._catch_up(is_last=isinstance(event, Stopped))
        self._listener(event)

    def close(self) -> None:
        self._bodies.close()
        self._reader.close()

    def _catch_up(self, *, is_last: bool) -> None:
        try:
            for file in self._reader.judgements.files(self._last):
                if file.body:
                    self._save(file)
                self._last = file.number
            if is_last or self._list is None:
                self._write_list()
            elif self._last > self._listed:
                self._list.add(shown(FileTable(self._reader.judgements, self._listed)))
            self._listed = self._last
        except (OSError, DowseError) as error:  # they are in the archive, and tried again with the next
            if is_last:
                self._listener(Notice(f"cannot write {self._directory / FILES}: {error}; dowse resume tries again"))

    def _save(self, file: FoundFile) -> None:
        folder = inside(self._directory, FILES)
        try:
            path = inside(folder, file.name)
            if file.number <= self._before and path.exists():
                return
            body = self._bodies.read(file.body).body
        except CrawlError as error:
            self._listener(Notice(f"{file.url} cannot be saved: {error}"))
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing(path) as stream:
            stream.write(body)

    def _write_list(self) -> None:
        table = FileTable(self._reader.judgements)
        path = inside(self._directory, self.LIST)
        with writing(path) as stream, as_text(stream) as text:
            write_text(table, "csv", text)
        self._list = GrowingList(path, table.columns)


class GrowingUrls:
    """Listens to a focus crawl and writes its results, best first, from time to time and in the end.

    The list is made anew each time, for every page may change the order; seldom enough to take little of the time.
    """

    LIST = "urls.txt"
    SOONEST = 2.0
    """Seconds between two lists."""

    _SHARE = 0.02
    """The part of the time that may go into them."""

    def __init__(self, directory: Path, listener: Listener) -> None:
        self._file = inside(directory, self.LIST)
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._next = time.monotonic() + self.SOONEST

    def __call__(self, event: Event) -> None:
        if isinstance(event, Stopped) or (isinstance(event, Progress) and time.monotonic() >= self._next):
            self._write(is_last=isinstance(event, Stopped))
        self._listener(event)

    def close(self) -> None:
        self._reader.close()

    def _write(self, *, is_last: bool) -> None:
        began = time.monotonic()
        try:
            with writing(self._file) as stream:
                stream.writelines(f"{row['url']}\n".encode() for row in self._reader.table("matched"))
        except FileUnwritable as error:
            if is_last:
                self._listener(Notice(f"{error}; see dowse export {self._file.parent} matched"))
        now = time.monotonic()
        self._next = now + max(self.SOONEST, (now - began) / self._SHARE)
