"""The pages of a crawl as a full-text index knows them, and whether the crawl was written to since."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from dowse.core.document_kinds import DOCUMENT_TYPES
from dowse.core.urls import host_of
from dowse.store.database import Database
from dowse.store.folder import DATABASE, connect
from dowse.store.reading.records import STORED, StoredPage
from dowse.store.reading.tables import ARCHIVE_FILE
from dowse.store.search.search_index import PageFacts
from dowse.store.sqlite import files_of
from dowse.store.whereabouts import has_pointer

RELEVANCE = "relevance"
"""The column that some modes add to the table of pages."""

_TYPES = {**DOCUMENT_TYPES, "text/html": "html", "application/xhtml+xml": "html", "": "html", "text/plain": "txt"}


def indexed_pages(connection: Database, columns: tuple[str, str]) -> Iterator[tuple[PageFacts, StoredPage]]:
    """The pages whose last good answer is archived, file by file. `columns` are those that the mode adds to pages, and
    what is joined for them."""
    select, join = columns if f"AS {RELEVANCE}" in columns[0] else ("", "")
    relevance = RELEVANCE if select else "NULL"
    query = f"""
        SELECT id, digest, url, media_type, fetched_at, {relevance}, body FROM (
            SELECT {select} task.id AS id, visit.digest AS digest, task.url AS url, visit.media_type AS media_type,
                   visit.fetched_at AS fetched_at, visit.body AS body, visit.id AS visit
            FROM task JOIN visit ON visit.id = task.visit {join} WHERE {STORED}) AS stored
        ORDER BY {ARCHIVE_FILE}, visit
    """
    for task, digest, url, media_type, fetched_at, worth, body in connection.stream(query):
        site = host_of(url).partition(":")[0]
        facts = PageFacts(task, digest, url, site, type_of(media_type), fetched_at, worth)
        yield facts, StoredPage(task, url, body)


def type_of(media_type: str) -> str:
    """What a page is, in one word.

    >>> type_of("application/pdf"), type_of("text/html"), type_of("image/svg+xml")
    ('pdf', 'html', 'svg+xml')
    """
    return _TYPES.get(media_type) or media_type.rpartition("/")[2]


def stamp_of(directory: Path) -> str:
    """Another text when the crawl in a folder was written to."""
    if has_pointer(directory):
        with closing(connect(directory, read_only=True)) as database:
            return str(database.stamp())
    file, log, *_ = files_of(directory / DATABASE)
    found = [file.stat()]
    if log.exists() and log.stat().st_size:  # those who only read leave an empty one
        found.append(log.stat())
    return " ".join(f"{each.st_mtime_ns}-{each.st_size}" for each in found)
