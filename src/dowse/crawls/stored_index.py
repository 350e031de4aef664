"""The full-text index of a crawl, brought up to date from its stored pages.

    1. what the crawl has is compared with what the index has: nothing is read where neither was written to since
    2. pages that are new, or whose bodies are others, are read again, in several processes if there are many
    3. they are written in batches, each with all that belongs to it; pages that the crawl has no more go

It is made by the first search and not while crawling, because to find the main text of a page takes longer than to
fetch and store it: `python -m benchmarks.search` has the numbers. A search while the crawl runs adds what came since.
"""

from __future__ import annotations

import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from dowse.core.columns import chunks
from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.options.store_options import kept_by
from dowse.core.urls import host_of
from dowse.crawls.stored_reading import FEW, PageReader, Told, chosen
from dowse.extract.markdown.main_text import main_text
from dowse.extract.site_blocks import SiteBlocks
from dowse.pools.batches import in_processes, usable_cores
from dowse.score.search_words import VERSION, is_brief, language_of, words_in
from dowse.store.database import Database
from dowse.store.folder import explained
from dowse.store.reading.indexed_pages import indexed_pages, stamp_of
from dowse.store.reading.records import StoredPage
from dowse.store.search.index_file import open_to_read, open_to_write
from dowse.store.search.search_index import PageFacts, ReadPage, SearchIndex

_AT_ONCE = 32
_WRITTEN_AT_ONCE = 256
_LOOKED_AT = 24
"""Pages that are looked at for the language of most."""
_MUCH = 0.1
"""The share of the pages that has to be new for the index to be worth putting in order."""
_DAY = re.compile(r"[12][0-9]{3}-[01][0-9]-[0-3][0-9]")


BUSY = "another process is bringing the search index up to date; pages may be missing until it is done"
READ_ONLY = "the folder is read-only, so the search index is as it was; pages that came since are missing"


class IndexSource(NamedTuple):
    """A crawl, as far as an index is made of it. `columns` are those that its mode adds to the table of pages."""

    directory: Path
    job: Job
    connection: Database
    columns: tuple[str, str]


class Updated(NamedTuple):
    """What was done to an index. `lack` says why it may lack pages, if it may."""

    read: int = 0
    removed: int = 0
    unreadable: tuple[str, ...] = ()
    lack: str = ""


def is_current(directory: Path) -> bool:
    """Whether the index of a crawl has all that the crawl has."""
    index = open_to_read(directory, VERSION, words_of)
    if index is None:
        return False
    try:
        return index.stamp() == stamp_of(directory)
    finally:
        index.close()


def has_index(directory: Path) -> bool:
    """Whether there is an index that can be asked, though it may lack pages."""
    index = open_to_read(directory, VERSION, words_of)
    if index is not None:
        index.close()
    return index is not None


def bring_up_to_date(source: IndexSource, told: Told | None = None) -> Updated:
    """Read what the index lacks, and take out what the crawl has no more."""
    if not os.access(source.directory, os.W_OK) and has_index(source.directory):
        return Updated(lack=READ_ONLY)
    index = open_to_write(source.directory, VERSION, words_of)
    if index is None:
        return Updated(lack=BUSY)
    try:
        return _update(source, index, told)
    finally:
        index.close()


def _update(source: IndexSource, index: SearchIndex, told: Told | None) -> Updated:
    stamp = stamp_of(source.directory)  # before it is read: what is written meanwhile is for the next time
    known = index.known()
    keeps = kept_by(source.job.store) if source.job.store.store_only else None
    facts: dict[int, PageFacts] = {}
    stored: list[StoredPage] = []
    with explained("read"):
        for fact, page in indexed_pages(source.connection, source.columns):
            if keeps is None or keeps(fact.url):
                facts[fact.task] = fact
                stored.append(page)
    gone = known.keys() - facts.keys()
    waiting = [page for page in stored if page.task not in known or known[page.task].digest != facts[page.task].digest]
    others = facts.keys() - {page.task for page in waiting}
    with index.changing():
        index.remove(gone)
        index.refresh(facts[task] for task in others if facts[task] != known[task])
    unreadable: list[str] = []
    done = 0
    usual = next(filter(None, index.languages()), "")
    for read in chunks(_read_all(source, waiting, stored, unreadable, usual), _WRITTEN_AT_ONCE):
        with index.changing():
            index.add((facts[page.task], page) for page in read)
        done += len(read)
        if told is not None:
            told(done, len(waiting))
    index.finish(stamp, much=len(waiting) > _MUCH * len(stored))
    return Updated(done, len(gone), tuple(unreadable))


def _read_all(
    source: IndexSource,
    waiting: Sequence[StoredPage],
    stored: Sequence[StoredPage],
    unreadable: list[str],
    usual: str,
) -> Iterator[ReadPage]:
    """`usual` is the language of most pages; "" if that is not known yet."""
    if not waiting:
        return
    reader = _Reader(source.directory, source.job.fetch.charset, SiteBlocks(), usual)
    try:
        hosts = {host_of(page.url) for page in waiting}
        reader.learn(chosen([page for page in stored if host_of(page.url) in hosts]))
        reader.usual = usual or reader.usual_language(waiting)
        batches = list(chunks(waiting, _AT_ONCE))
        workers = usable_cores()
        if workers < 2 or len(waiting) <= FEW:
            results: Iterator[_Read] = map(reader.read, batches)
        else:
            values = (source.directory, source.job.fetch.charset, reader.site, reader.usual)
            results = in_processes(workers, _begin, values, _read, batches)
        for pages, damaged in results:
            unreadable += damaged
            yield from pages
    finally:
        reader.close()


_Read = tuple[list[ReadPage], list[str]]
"""What was read of some pages, and those that could not be read."""


class _Reader(PageReader):
    """Reads stored pages of one crawl for an index. `usual` is the language of those with too few words to tell."""

    def __init__(self, directory: Path, charset: str, site: SiteBlocks, usual: str) -> None:
        super().__init__(directory, charset, site)
        self.usual = usual

    def usual_language(self, pages: Sequence[StoredPage]) -> str:
        """The language that most of some pages are in."""
        found, _ = self.read(pages[:: max(1, len(pages) // _LOOKED_AT)][:_LOOKED_AT])
        languages = Counter(page.language for page in found if page.language)
        return languages.most_common(1)[0][0] if languages else ""

    def read(self, batch: Sequence[StoredPage]) -> _Read:
        found: _Read = ([], [])
        for stored in batch:
            try:
                found[0].append(self._read_one(stored))
            except CrawlError as trouble:
                found[1].append(f"{stored.url}: {trouble}")
        return found

    def _read_one(self, stored: StoredPage) -> ReadPage:
        """Also of a page without any text, so that it is not read again with each search."""
        read = main_text(self.page(stored), self.site)
        text = read.text or read.title
        language = language_of(text, read.language) or (self.usual if is_brief(text) else "")
        title, body = words_in(read.title, language), words_in(read.text, language)
        return ReadPage(
            stored.task,
            read.title,
            zlib.compress(read.text.encode(), 1),
            language,
            _seconds(read.date),
            " ".join(title.found_by),
            " ".join(body.found_by),
            list(title.forms | body.forms),
        )


def words_of(title: str, text: bytes, language: str) -> tuple[str, str]:
    """The words that a page was put into the index with."""
    return " ".join(words_in(title, language).found_by), " ".join(words_in(text_of(text), language).found_by)


def text_of(text: bytes) -> str:
    """What was read of a page, as the index keeps it."""
    return zlib.decompress(text).decode()


def _seconds(date: str) -> float | None:
    """A date that a page states, as seconds since 1970; None if it is not written as computers do."""
    found = _DAY.match(date)
    try:
        return datetime.fromisoformat(found[0]).replace(tzinfo=UTC).timestamp() if found else None
    except ValueError:  # no such day
        return None


_reader: list[_Reader] = []
"""That of this process, if it was started to read."""


def _begin(directory: Path, charset: str, site: SiteBlocks, usual: str) -> None:
    _reader.append(_Reader(directory, charset, site, usual))


def _read(batch: list[StoredPage]) -> _Read:
    return _reader[0].read(batch)
