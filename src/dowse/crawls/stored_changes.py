"""What changed in a crawl, with the text that did: the rows of its recrawls, and the stored versions of its pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dowse.core.columns import Kind
from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.revisits.changes import RECORD, Asked, Change, Passage, Version, words_changed
from dowse.documents.document_reader import DocumentReader
from dowse.documents.read_pages import page_of_answer
from dowse.extract.changed_passages import changed_passages
from dowse.parse.decode import charset_name
from dowse.parse.media import is_html, media_type
from dowse.parse.page import Page
from dowse.store.database import Database
from dowse.store.folder import bodies_of, explained
from dowse.store.reading.tables import Table
from dowse.store.reading.told_changes import (
    ToldChange,
    count_changes,
    newest_changes,
    restless_places,
    told_changes,
    versions_of,
)
from dowse.store.revisits.revisit_tables import RESTLESS
from dowse.store.warc.body_reader import BodyReader

NOT_STORED = "the earlier version is not stored any more"

_COLUMNS = ["at", "kind", "what", "url", "title", "before", "after"]

_encode = msgspec.json.Encoder().encode


class StoredVersions:
    """Reads the stored versions of pages and compares them."""

    def __init__(self, directory: Path, job: Job) -> None:
        self._bodies = BodyReader(bodies_of(directory))
        self._documents = DocumentReader()
        self._charset = charset_name(job.fetch.charset)
        self._read = lru_cache(maxsize=2)(self._page)

    def passages(self, earlier: str, later: str, restless: Collection[int] = ()) -> list[Passage]:
        """What differs between two versions by where they are stored; CrawlError if one of them is not there."""
        pages = self._read(earlier), self._read(later)
        if trouble := next((page.trouble for page in pages if page.trouble), ""):
            raise CrawlError(str(trouble))
        return changed_passages(*pages, restless)

    def close(self) -> None:
        self._documents.close()
        self._bodies.close()

    def _page(self, location: str) -> Page:
        if not location:
            raise CrawlError(NOT_STORED)
        answer = self._bodies.read(location)
        kind = media_type(answer.headers, answer.body)
        if not (is_html(kind) or kind.startswith("text/") or self._documents.reads(kind)):
            raise CrawlError(f"only its bytes can be compared: it is {kind or 'of no known type'}")
        return page_of_answer(answer, self._documents, charset=self._charset)


class StoredChanges:
    """The changes of a crawl, each with the text that changed."""

    def __init__(self, directory: Path, job: Job, connection: Database) -> None:
        self._directory = directory
        self._job = job
        self._connection = connection

    def of(self, asked: Asked) -> Iterator[Change]:
        """Those that are asked for, in the order they were seen."""
        versions = StoredVersions(self._directory, self._job)
        try:
            with explained("read"):
                for told in told_changes(self._connection, asked):
                    yield self._change(told, versions)
        finally:
            versions.close()

    def newest(self, asked: Asked, offset: int, limit: int) -> tuple[int, list[Change]]:
        """How many these are, and some of them, the newest first. Only the pages of these are read."""
        versions = StoredVersions(self._directory, self._job)
        try:
            with explained("read"):
                told = newest_changes(self._connection, asked, offset, limit)
                return self.count(asked), [self._change(each, versions) for each in told]
        finally:
            versions.close()

    def count(self, asked: Asked) -> int:
        with explained("read"):
            return count_changes(self._connection, asked)

    def versions(self, task: int) -> list[Version]:
        """The versions of a page, each compared with the one before."""
        with explained("read"):
            found = versions_of(self._connection, task)
        reader = StoredVersions(self._directory, self._job)
        result: list[Version] = []
        for seen in found:
            version = seen
            if result:
                try:
                    added, removed = words_changed(reader.passages(result[-1].location, seen.location))
                except CrawlError:
                    added = removed = -1
                version = replace(seen, added=added, removed=removed)
            result.append(version)
        reader.close()
        return result

    def difference(self, earlier: Version, later: Version) -> list[Passage]:
        """What differs between two versions of a page."""
        reader = StoredVersions(self._directory, self._job)
        try:
            return reader.passages(earlier.location, later.location)
        finally:
            reader.close()

    def _change(self, told: ToldChange, versions: StoredVersions) -> Change:
        change = Change(
            told.number, told.at, told.kind, told.what, told.url, told.title, before=told.before, after=told.after
        )
        if told.kind != "changed" or told.what == RECORD:
            return change
        try:
            restless = restless_places(self._connection, told.task, RESTLESS)
            found = restless and versions.passages(told.earlier, told.later, restless)
            # What changed in a place before it was known to be never the same is all there is to show.
            return replace(change, passages=tuple(found or versions.passages(told.earlier, told.later)))
        except CrawlError as error:
            return replace(change, lack=str(error))


class ChangeTable(Table):
    """Changes as rows. `before` and `after` are the lines of a page that differ, or the fields of a record as JSON."""

    columns = _COLUMNS
    kinds: dict[str, Kind] = {name: "time" if name == "at" else "text" for name in _COLUMNS}  # noqa: RUF012

    def __init__(self, changes: StoredChanges, asked: Asked) -> None:
        self._changes = changes
        self._asked = asked

    def __len__(self) -> int:
        return self._changes.count(self._asked)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        for change in self._changes.of(self._asked):
            texts = (change_text(change, "before"), change_text(change, "after"))
            yield change.at, change.kind, change.what, change.url, change.title, *texts


def change_table(directory: Path, job: Job, connection: Database, asked: Asked) -> ChangeTable:
    """The changes of a crawl that are asked for, as rows."""
    return ChangeTable(StoredChanges(directory, job, connection), asked)


def change_text(change: Change, side: str) -> str | None:
    """What a change has on one side, as text; None if it has nothing."""
    value = getattr(change, side)
    if value is not None:
        return value if isinstance(value, str) else _encode(value).decode()
    lines = [line for passage in change.passages if (line := getattr(passage, side))]
    return "\n".join(lines) or None
