"""Results that grow while a crawl runs: keep.csv and follow.csv of a rule crawl, the files of a crawl for files."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from dowse.core.errors import CrawlError, DowseError
from dowse.engine.events import Event, Notice, Progress, Stopped
from dowse.engine.loop import Listener
from dowse.export.files import as_text, writing
from dowse.export.lists import GrowingList
from dowse.export.tables import write_text
from dowse.store.judgements import FILES, FoundFile
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


class GrowingFiles:
    """Listens to a crawl for files and puts what came into the folder files, and at the end a list beside it.

    What is there from runs before is written again only if it has changed since, or is gone. So a run that was killed
    loses nothing.
    """

    LIST = "files.csv"

    def __init__(self, directory: Path, listener: Listener) -> None:
        from dowse.store.bodies import FOLDER, BodyReader  # other crawls may keep no bodies

        self._directory = directory
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._bodies = BodyReader(directory / FOLDER)
        self._last = 0
        self._before = max((file.number for file in self._reader.judgements.files()), default=0)

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
            if is_last:
                self._write_list()
        except (OSError, DowseError) as error:  # they are in the archive, and tried again with the next
            if is_last:
                self._listener(Notice(f"cannot write {self._directory / FILES}: {error}; dowse resume tries again"))

    def _save(self, file: FoundFile) -> None:
        path = self._directory / FILES / file.name
        if file.number <= self._before and path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            body = self._bodies.read(file.body).body
        except CrawlError as error:
            self._listener(Notice(f"{file.url} cannot be saved: {error}"))
            return
        with writing(path) as stream:
            stream.write(body)

    def _write_list(self) -> None:
        with writing(self._directory / self.LIST) as stream, as_text(stream) as text:
            write_text(self._reader.table("files"), "csv", text, sparse=False)
