"""The table of files that a crawl for files has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from dowse.modes.files.options import IS_FILE
from dowse.store.folder import explained
from dowse.store.reading.reader import CrawlReader
from dowse.store.reading.tables import Table

FOLDER = "files"
"""The folder, in that of the crawl, that files are put into."""

_FILES = """
    SELECT judgement.id, task.url, file.name, visit.media_type, visit.size, visit.body, finder.url, task.anchor,
           visit.fetched_at
    FROM judgement JOIN file ON file.task = judgement.task JOIN task ON task.id = judgement.task
         JOIN visit ON visit.id = task.visit LEFT JOIN task AS finder ON finder.id = task.parent
    WHERE judgement.relevance >= ? AND judgement.id > ? ORDER BY judgement.id
"""


class FoundFile(NamedTuple):
    """A file of a crawl for files: its name in their folder, where it was found, and where its answer is stored ("" if
    it is not).

    `number` grows with every file that comes, also with one that comes again because it has changed.
    """

    number: int
    url: str
    name: str
    media_type: str
    size: int
    body: str
    found_on: str | None
    anchor: str
    fetched_at: float


class FileTable(Table):
    """The files that were found, in the order they came; those `after` one of that number."""

    columns = ["url", "file", "media_type", "size", "found_on", "anchor", "fetched_at"]  # noqa: RUF012

    def __init__(self, reader: CrawlReader, after: int = 0) -> None:
        self._reader = reader
        self._after = after

    def __len__(self) -> int:
        return sum(1 for _ in found_files(self._reader, self._after))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        for file in found_files(self._reader, self._after):
            place = f"{FOLDER}/{file.name}" if file.body else ""
            yield file.url, place, file.media_type, file.size, file.found_on, file.anchor, file.fetched_at


def found_files(reader: CrawlReader, after: int = 0) -> Iterator[FoundFile]:
    """The files that came after one of that number."""
    with explained("read"):
        yield from map(FoundFile._make, reader.connection.stream(_FILES, (IS_FILE, after)))
