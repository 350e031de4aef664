"""The tables of a crawl: those that every crawl has, those of its mode, and what was extracted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dowse.core.errors import CrawlError, JobError, SeveralMeant
from dowse.core.job import Job
from dowse.core.model import Request
from dowse.core.options.store_options import kept_by
from dowse.core.record import ABOUT, ARTICLE_PAGE, RECORD_KINDS, REPEATED, WORDS
from dowse.core.revisits.changes import CHANGES, Asked
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.export.frame import Frame, TableFrame, to_networkx
from dowse.jobs.stored_jobs import job_from_json
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, modes
from dowse.settings import read_url
from dowse.store.reading.description_columns import JOINED
from dowse.store.reading.description_columns import SELECTED as DESCRIBED
from dowse.store.reading.keyword_column import SELECTED, KeywordColumn
from dowse.store.reading.reader import TABLES, CrawlReader
from dowse.store.reading.records import FieldCount, StoredPage
from dowse.store.reading.tables import StoredRows, Table

if TYPE_CHECKING:
    import networkx

    from dowse.extract.field_specs import FieldSpec

T = TypeVar("T")

WITH_DATES = ("pages", "links", "nodes", "edges", "records", "tables")
"""Tables that can be had as they were at some moment."""


class CrawlTables:
    """A crawl as tables. `Crawl` adds what else it can be asked."""

    def __init__(self, directory: Path, moment: float | None = None) -> None:
        """`moment`: as it was then, as far as that is known."""
        self.directory = directory
        self.moment = moment
        self.reader = CrawlReader(directory, moment)

    @property
    def job(self) -> Job:
        """What was asked for."""
        text = self.reader.meta("job")
        if not text:
            raise CrawlError(f"the crawl in {self.directory} was ended before it began; remove the folder, start anew")
        return job_from_json(text)

    @property
    def mode(self) -> Mode[Any]:
        """The mode it was made in."""
        return find_mode(self.job.mode)

    def frame(self, name: str) -> Frame:
        """A table by its name: one that every crawl has, or one of its mode."""
        if self.moment is not None and name not in WITH_DATES:
            raise CrawlError(
                f"the table {name} is not known as it was; of earlier days there are {', '.join(WITH_DATES)}"
            )
        if name == "records":
            return self.records
        if name == "pages":
            return self._index(self._pages(self.job))
        if name == CHANGES:
            from dowse.crawls.stored_changes import change_table  # with what reads pages

            return Frame(change_table(self.directory, self.job, self.reader.connection, Asked()))
        if name in TABLES:
            table = self.reader.table(name)
            ends = ("url", "target") if name == "edges" else ("url",)
            # Bodies of other pages are not there, and what pages need to be shown is.
            return Frame(table) if name in ("ledger", "bodies") else self._index(table, ends)
        if name not in self.mode.tables:
            there = ", ".join((*self.mode.tables, *TABLES))
            raise CrawlError(self._lack(name) or f"this crawl has no table {name!r:.60}; it has {there}")
        return Frame(self.mode.table(name, self.reader, self.job))

    def _pages(self, job: Job) -> Table:
        """The table of pages with the columns that its mode and its options add."""
        select, join = self.mode.page_columns(self.reader, job) or ("", "")
        if job.extract.describe:
            select, join = select + DESCRIBED, join + JOINED
        errors = job.store.store_errors
        if not job.extract.keywords:
            return self.reader.table("pages", (select, join), errors=errors)
        table = self.reader.table("pages", (select + SELECTED, join), errors=errors)
        return KeywordColumn(table, self.reader.connection, job.extract.keywords)

    def _index(self, table: Table, ends: tuple[str, ...] = ("url",)) -> Frame:
        """A table of what was fetched, without the pages that were only crawled through."""
        store = self.job.store
        return Frame(StoredRows(table, kept_by(store), ends) if store.store_only else table)

    def _lack(self, name: str) -> str:
        """Why a crawl has not what crawls of another mode have; "" if none has it."""
        for mode in modes():
            if name in mode.tables or hasattr(mode.view_type, name):
                command = " ".join(("dowse", *(mode.command or (mode.name,))))
                return (
                    f"the crawl in {self.directory} {mode.lack}: it was not made by {command};"
                    f" what it found is in the table {self.mode.result_table}"
                )
        return ""

    @property
    def pages(self) -> Frame:
        """Every page that was fetched, with what is known of it."""
        return self.frame("pages")

    @property
    def links(self) -> Frame:
        """Every link of every page: from `url` to `target`, with its anchor text."""
        return self.frame("links")

    @property
    def nodes(self) -> Frame:
        """Every page as a node of the link graph: how many pages link to it, to how many it links, its PageRank."""
        return self.frame("nodes")

    @property
    def edges(self) -> Frame:
        """Every edge of the link graph: from one page to another, redirects followed, once however many links."""
        return self.frame("edges")

    def graph(self) -> networkx.DiGraph[str]:
        """The link graph for networkx: nodes are URLs with the columns of `nodes`, edges have `anchor` and `nofollow`.

        >>> import networkx
        >>> graph = crawl.graph()
        >>> networkx.shortest_path(graph, "https://example.org/", "https://example.org/topics/health/")
        ['https://example.org/', 'https://example.org/topics/health/']
        """
        return to_networkx(self.nodes, self.edges)

    @property
    def records(self) -> Frame:
        """What was extracted: a row for each record, with the page's `url` and its fields."""
        return self._index(self.reader.records(asked=self._asked_fields(), dates=self._date_fields()))

    def records_of(self, kind: str) -> Frame:
        """The records of one kind: fields, article, data, table, list, json, on_page or that of an extractor of others;
        or those that are had only by name."""
        if kind not in RECORD_KINDS and kind not in (found := {count.kind for count in self.reader.fields()}):
            known = ", ".join(dict.fromkeys([*RECORD_KINDS, *sorted(found)]))
            raise JobError(f"there are no records of kind {kind!r}; there are {known}")
        asked = self._asked_fields() if kind == "fields" else ()
        return self._index(self.reader.records(kind, asked, self._date_fields()))

    @property
    def tables(self) -> Frame:
        """Every table that was taken from a page: `url`, its number there, its caption, rows and columns."""
        return self.frame("tables")

    def table(self, url: str, number: int = 1) -> TableFrame:
        """One table of a page, with its own columns. A path (`/about`) is one of the first seed's host.

        >>> len(crawl.table("/consultations/").to_pandas())
        80
        """
        request = self._request(url)
        known = self.reader.key_hash(request, self.job.urls) if request is not None else None
        table = self.reader.page_table(known, number) if known is not None else None
        if table is None:
            raise CrawlError(f"no table {number} was taken from {url}; crawl.tables lists those that were")
        return TableFrame(table)

    def each_table(self) -> Iterator[TableFrame]:
        """Every table of every page, a frame each: its columns are its own, and it knows its `url` and `caption`.

        >>> {(table.url, table.number): len(table) for table in crawl.each_table()}
        {('https://example.org/consultations/', 1): 80}
        """
        return map(TableFrame, self.reader.page_tables())

    def fields(self) -> list[FieldCount]:
        """Every field that was asked for or found, and how many records have it; 0 where no page had it.

        Those of the kind unfinished are counts of pages on which a field was not looked for to the end.
        """
        counts = {("fields", name): FieldCount("fields", name, 0) for name in self._asked_fields()}
        found = {
            (count.kind, count.name): count
            for count in self.reader.fields()
            if count.kind not in (REPEATED, WORDS, ABOUT, ARTICLE_PAGE)
        }
        return list((counts | found).values())

    def _asked_fields(self) -> tuple[str, ...]:
        """Those that were asked for, so that one that no record has can be told."""
        return tuple(self._field_specs())

    def _date_fields(self) -> set[str]:
        """The columns of records that should hold dates: fields of that type, and those of articles and items."""
        options = self.job.extract
        dates = {"date"} if options.article or options.lists else set()
        return dates | {name for name, spec in self._field_specs().items() if spec.type == "date"}

    def _field_specs(self) -> dict[str, FieldSpec]:
        if not self.job.extract.extract:
            return {}
        from dowse.extract.field_specs import parse_fields  # selectors take a moment to load

        return parse_fields(self.job.extract.extract)

    def stored_pages(self) -> Iterator[StoredPage]:
        """The pages whose bodies are archived, and where."""
        return self.reader.stored_pages()

    @property
    def bodies(self) -> Frame:
        """Every answer that was archived, and where."""
        return self.frame("bodies")

    @property
    def ledger(self) -> Frame:
        """Every URL ever discovered, its state and the reason for it."""
        return self.frame("ledger")

    def _request(self, url: str) -> Request | None:
        """The request for a URL; a path is one of the first seed's host."""
        found = resolve(self.job.seeds[0], url) if url.startswith("/") else resolve("", read_url(url, "url"))
        return UrlKeys(self.job.urls).request(found) if found else None

    def _looked_up(self, url: str, look: Callable[[Request], T | None]) -> T | None:
        """What there is for a URL, a path or the one URL that ends so."""
        trouble: JobError | None = None
        try:
            request = self._request(url)
        except JobError as error:
            request, trouble = None, error
        found = look(request) if request is not None else None
        if found is None and (meant := self._meant(url)):
            found = look(UrlKeys(self.job.urls).request(meant))
        if found is None and trouble is not None:
            raise trouble
        return found

    def _meant(self, text: str) -> str:
        """The one URL that a text is the end of; "" if there is none."""
        found = self.reader.ending(text) if text and "://" not in text else []
        if len(found) > 1:
            raise SeveralMeant(text, found)
        return found[0] if found else ""
