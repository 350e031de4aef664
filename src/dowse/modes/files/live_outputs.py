"""The files of a crawl for files, and files.csv, which come while it runs."""

from __future__ import annotations

from pathlib import Path

from dowse.core.errors import CrawlError, DowseError
from dowse.engine.events import Event, Notice, Progress, Stopped
from dowse.engine.loop import Listener
from dowse.export.atomic_file import as_text, writing
from dowse.export.growing_csv import GrowingList
from dowse.export.text_tables import shown, write_text
from dowse.modes.files.tables import FOLDER, FileTable, FoundFile, found_files
from dowse.modes.mode import LiveOutput
from dowse.store.folder import bodies_of
from dowse.store.inner_paths import inside
from dowse.store.reading.reader import CrawlReader
from dowse.store.warc.body_reader import BodyReader


class GrowingFiles(LiveOutput):
    """Listens to a crawl for files and puts what came into the folder files, with a list beside it.

    What is there from runs before is written again only if it has changed since, or is gone. So a run that was killed
    loses nothing. In the end the list is written anew, for a file that came again has two rows until then.
    """

    LIST = "files.csv"

    def __init__(self, directory: Path, listener: Listener) -> None:
        self._directory = directory
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._bodies = BodyReader(bodies_of(directory))
        self._last = 0
        self._before = self._listed = max((file.number for file in found_files(self._reader)), default=0)
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
            for file in found_files(self._reader, self._last):
                if file.body:
                    self._save(file)
                self._last = file.number
            if is_last or self._list is None:
                self._write_list()
            elif self._last > self._listed:
                self._list.add(shown(FileTable(self._reader, self._listed)))
            self._listed = self._last
        except (OSError, DowseError) as error:  # they are in the archive, and tried again with the next
            if is_last:
                self._listener(Notice(f"cannot write {bodies_of(self._directory)}: {error}; dowse resume tries again"))

    def _save(self, file: FoundFile) -> None:
        folder = inside(self._directory, FOLDER)
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
        table = FileTable(self._reader)
        path = inside(self._directory, self.LIST)
        with writing(path) as stream, as_text(stream) as text:
            write_text(table, "csv", text)
        self._list = GrowingList(path, table.columns)
