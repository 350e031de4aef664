"""The stored pages of a crawl as Markdown, in one process or in several.

    1. some pages of each host are read for what they have in common (extract/site_blocks.py)
    2. all pages are read and written, in the order in which they are stored; further pages of what may be an article
       are read together with its first, and joined if they are (core/joined_articles.py)

A small crawl is done in this process: to start others takes a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dowse.core.errors import CrawlError
from dowse.core.joined_articles import MOST_JOINED, joined
from dowse.core.urls import host_of
from dowse.crawls.stored_reading import FEW, PageReader, Told, chosen
from dowse.export.losses import Losses
from dowse.extract.articles.article_pages import part_of_article, without_pager
from dowse.extract.markdown.main_markdown import markdown_row
from dowse.extract.site_blocks import SiteBlocks
from dowse.pools.batches import in_processes
from dowse.store.reading.records import StoredPage

_AT_ONCE = 16
_BETWEEN = "\n\n"
"""What parts the blocks of a text in Markdown."""

Unit = list[StoredPage]
"""A page, or pages that may be one article."""


class Read(NamedTuple):
    """What came of some pages: their rows, and those that could not be read."""

    rows: list[dict[str, Any]]
    losses: Losses


class _Reader(PageReader):
    """Reads stored pages of one crawl as Markdown."""

    def read(self, units: Sequence[Unit]) -> Read:
        found = Read([], Losses())
        for unit in units:
            rows: list[dict[str, Any]] = []
            parts: dict[int, dict[str, Any]] = {}
            for stored in unit:
                try:
                    page = self.page(stored)
                except CrawlError as trouble:
                    found.losses.damaged.append(f"{stored.url}: {trouble}")
                    continue
                row = markdown_row(page, self.site)
                if row.get("text"):
                    if len(unit) > 1 and (part := part_of_article(page, row["text"])) is not None:
                        text = without_pager(row["text"], page.paging, _BETWEEN)
                        parts[len(rows)] = {**row, "text": text, **part}
                    rows.append(row)
                elif page.note:
                    found.losses.unread.append((stored.url, page.note))
            found.rows.extend(_with_joined(rows, parts))
        return found


class KnownSites:
    """What the pages of each host of a crawl have in common, learned when it is first asked for."""

    def __init__(self, directory: Path, charset: str, pages: Callable[[], Iterable[StoredPage]]) -> None:
        self._directory = directory
        self._charset = charset
        self._pages = pages
        self._known: dict[str, SiteBlocks] = {}

    def of(self, url: str) -> SiteBlocks:
        host = host_of(url)
        if host not in self._known:
            self._known[host] = site = SiteBlocks()
            reader = PageReader(self._directory, self._charset, site)
            try:
                reader.learn(chosen([stored for stored in self._pages() if host_of(stored.url) == host]))
            finally:
                reader.close()
        return self._known[host]


class MarkdownRows:
    """The rows of a crawl's pages. `charset` is what the user says they are written in, `workers` the processes."""

    def __init__(self, directory: Path, charset: str = "", workers: int = 1, told: Told | None = None) -> None:
        self.losses = Losses()
        self._directory = directory
        self._charset = charset
        self._workers = workers
        self._told = told

    def of(self, pages: Iterable[StoredPage], first: Mapping[int, int] | None = None) -> Iterator[dict[str, Any]]:
        """The main content of stored pages, with what is known of each; pages without one are left out.

        `first` says of pages which they are further pages of.
        """
        waiting = list(pages)
        site = SiteBlocks()
        reader = _Reader(self._directory, self._charset, site)
        batches = list(_batches(waiting, first or {}))
        done = 0
        try:
            reader.learn(chosen(waiting))
            is_small = self._workers < 2 or len(waiting) <= FEW
            results = map(reader.read, batches) if is_small else self._in_parallel(site, batches)
            for batch, result in zip(batches, results, strict=True):
                self.losses.add(result.losses)
                yield from result.rows
                done += sum(map(len, batch))
                if self._told is not None:
                    self._told(done, len(waiting))
        finally:
            reader.close()

    def _in_parallel(self, site: SiteBlocks, batches: list[list[Unit]]) -> Iterator[Read]:
        return in_processes(self._workers, _begin, (self._directory, self._charset, site), _read, batches)


def _batches(pages: Sequence[StoredPage], first: Mapping[int, int]) -> Iterator[list[Unit]]:
    """Pages to be read at once. Those that may be one article are together."""
    units: dict[int, Unit] = {}
    for stored in pages:
        units.setdefault(first.get(stored.task, stored.task), []).append(stored)
    batch: list[Unit] = []
    for unit in units.values():
        batch += [unit] if len(unit) <= MOST_JOINED else [[stored] for stored in unit]
        if sum(map(len, batch)) >= _AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _with_joined(rows: list[dict[str, Any]], parts: Mapping[int, dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of some pages; of those that are one article there is one, at the place of its first page."""
    places = list(parts)
    for article in joined([rows[at]["url"] for at in places], [parts[at] for at in places], _BETWEEN):
        members = [places[at] for at in article.members]
        rows[members[0]] = article.fields
        for at in members[1:]:
            rows[at] = {}
    return [row for row in rows if row]


_reader: list[_Reader] = []
"""That of this process, if it was started to read."""


def _begin(directory: Path, charset: str, site: SiteBlocks) -> None:
    _reader.append(_Reader(directory, charset, site))


def _read(units: list[Unit]) -> Read:
    return _reader[0].read(units)
