"""The tables that a crawl of a forum has: boards, threads and posts.

A thread is put together from its pages: posts in the order of their pages, each once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from dowse.extract.posts.assembling import assemble
from dowse.extract.posts.thread_records import Post, Thread, ThreadPage
from dowse.modes.forum.forum_rows import COPY
from dowse.store.folder import explained
from dowse.store.reading.reader import CrawlReader
from dowse.store.reading.tables import Table

_BOARDS = """
    SELECT page.url AS url, CASE WHEN task.anchor <> '' THEN task.anchor ELSE visit.title END AS name,
           CASE WHEN page.board <> '' THEN page.board ELSE (
               SELECT above.url FROM forum_page AS found JOIN forum_page AS above ON above.task = found.base
               WHERE found.task = task.parent AND found.type = 'index') END AS parent,
           (SELECT count(*) FROM forum_page AS thread JOIN task AS own ON own.id = thread.task
            JOIN forum_page AS finder ON finder.task = own.parent
            WHERE thread.type = 'thread' AND thread.base = thread.task AND finder.base = page.task) AS threads,
           (SELECT count(*) FROM forum_page AS part WHERE part.base = page.task) AS pages,
           visit.fetched_at AS fetched_at, page.note AS note
    FROM forum_page AS page JOIN task ON task.id = page.task JOIN visit ON visit.id = task.visit
    WHERE page.type = 'index' AND page.base = page.task ORDER BY page.task
"""
_THREADS = """
    SELECT page.task, page.url, CASE WHEN page.title <> '' THEN page.title ELSE visit.title END,
           CASE WHEN page.board <> '' THEN page.board ELSE (
               SELECT above.url FROM forum_page AS found JOIN forum_page AS above ON above.task = found.base
               WHERE found.task = task.parent AND found.type = 'index') END,
           (SELECT count(*) FROM forum_page AS part WHERE part.base = page.task AND part.type <> 'other'),
           visit.fetched_at, page.note
    FROM forum_page AS page JOIN task ON task.id = page.task JOIN visit ON visit.id = task.visit
    WHERE page.type = 'thread' AND page.base = page.task AND page.note <> ? ORDER BY page.task
"""
_POSTS = """
    SELECT page.base, task.url, forum_post.post FROM forum_page AS page JOIN forum_post ON forum_post.task = page.task
    JOIN task ON task.id = page.task JOIN forum_page AS first ON first.task = page.base
    WHERE first.type = 'thread' AND page.type = 'thread' AND first.note <> ?
    ORDER BY page.base, CASE WHEN page.number = 0 THEN 1000000 ELSE page.number END, page.task, forum_post.position
"""


class FoundThread(NamedTuple):
    """A thread that was put together: the task of its first page, and the pages that its posts are on."""

    task: int
    thread: Thread
    pages: tuple[str, ...]


def found_threads(reader: CrawlReader) -> Iterator[FoundThread]:
    """The threads that have posts."""
    with explained("read"):
        rows = reader.connection.stream(_POSTS, (COPY,))
        for task, group in groupby(rows, key=lambda row: row[0]):
            by_page: dict[str, list[Post]] = {}
            for _, page, packed in group:
                by_page.setdefault(page, []).append(msgspec.json.decode(packed, type=Post))
            pages = [ThreadPage(page, "", tuple(posts)) for page, posts in by_page.items()]
            yield FoundThread(task, assemble(pages), tuple(by_page))


class PostTable(Table):
    """Every post of every thread."""

    columns = ["thread", "number", "author", "author_url", "time", "text", "quotes", "permalink"]  # noqa: RUF012

    def __init__(self, reader: CrawlReader) -> None:
        self._reader = reader

    def __len__(self) -> int:
        return sum(len(found.thread.posts) for found in found_threads(self._reader))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        urls = {row[0]: row[1] for row in self._reader.connection.execute(_THREADS, (COPY,)).fetchall()}
        for found in found_threads(self._reader):
            for post in found.thread.posts:
                quotes = msgspec.json.encode(post.quotes).decode() if post.quotes else ""
                author, time = post.author, post.time or None
                yield urls[found.task], post.position, author.name, author.url, time, post.text, quotes, post.permalink


class ThreadTable(Table):
    """Every thread, once."""

    columns = ["url", "title", "board", "author", "started", "last", "posts", "pages", "fetched_at", "note"]  # noqa: RUF012

    def __init__(self, reader: CrawlReader) -> None:
        self._reader = reader

    def __len__(self) -> int:
        return sum(1 for _ in self.rows())

    def rows(self) -> Iterator[tuple[Any, ...]]:
        with explained("read"):
            threads = self._reader.connection.execute(_THREADS, (COPY,)).fetchall()
        by_task = {found.task: found.thread.posts for found in found_threads(self._reader)}
        for task, url, title, board, pages, fetched_at, note in threads:
            posts = by_task.get(task, ())
            times = [post.time for post in posts if post.time]
            author = posts[0].author.name if posts else ""
            first, last = (times[0], max(times)) if times else (None, None)
            yield url, title, board, author, first, last, len(posts), pages, fetched_at, note


def table(name: str, reader: CrawlReader) -> Table:
    """One of the tables."""
    if name == "boards":
        return reader.query_table(_BOARDS)
    return ThreadTable(reader) if name == "threads" else PostTable(reader)
