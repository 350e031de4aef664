"""A crawl that was made, or is being made: everything that can be read from it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from dowse.config import job_from_json
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import Job
from dowse.core.model import RECORD_KINDS, REPEATED, Request
from dowse.core.phrasing import counted, printable
from dowse.core.results import Results
from dowse.core.survey import LedgerRow, Survey
from dowse.core.troubles import Trouble, may_have_troubles, troubles_of
from dowse.core.urls import UrlKeys, resolve
from dowse.export.atomic_file import writing
from dowse.export.formats import format_of
from dowse.export.frame import Frame, TableFrame, to_networkx
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, modes
from dowse.settings import read_url
from dowse.store.folder import is_running
from dowse.store.inside import inside
from dowse.store.reading.reader import TABLES, CrawlReader, RenderingTotals, Story
from dowse.store.reading.records import FieldCount, StoredPage

if TYPE_CHECKING:
    import networkx

    from dowse.reextract import Extraction

REPORT = "report.html"


class Summary(Struct, frozen=True):
    """How a crawl ended, or stands."""

    directory: str
    stop_reason: str
    counts: dict[str, int]
    pages: int
    elapsed: float
    bytes_received: int


class Crawl:
    """A crawl that can be read.

    >>> import dowse
    >>> crawl = dowse.site("https://example.org/", depth=2)      # doctest: +SKIP
    >>> for page in crawl.pages:                                 # doctest: +SKIP
    ...     print(page["url"], page["title"])
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.reader = CrawlReader(directory)

    @property
    def job(self) -> Job:
        """What was asked for."""
        text = self.reader.meta("job")
        if not text:
            raise CrawlError(f"the crawl in {self.directory} was ended before it began; remove the folder, start anew")
        return job_from_json(text)

    @property
    def seal(self) -> str:
        """Shows whether the crawl was begun here, see `dowse.credentials`."""
        return self.reader.meta("seal") or ""

    @property
    def mode(self) -> Mode[Any]:
        """The mode it was made in."""
        return find_mode(self.job.mode)

    def frame(self, name: str) -> Frame:
        """A table by its name: one that every crawl has, or one of its mode."""
        if name == "records":
            return self.records
        if name in TABLES:
            columns = self.mode.page_columns(self.reader, self.job) if name == "pages" else None
            return Frame(self.reader.table(name, columns or ("", "")))
        if name not in self.mode.tables:
            raise CrawlError(self._lack(name) or f"a crawl has no table {name}")
        return Frame(self.mode.table(name, self.reader, self.job))

    def __getattr__(self, name: str) -> Any:
        """The tables of its mode, and what else only such crawls can be asked: `crawl.matched`, `crawl.standing()`."""
        if name.startswith("_") or name in ("directory", "reader"):
            raise AttributeError(name)
        if name in self.mode.tables:
            return self.frame(name)
        view = self.mode.view(self)
        if hasattr(type(view), name):
            return getattr(view, name)
        if lack := self._lack(name):
            raise CrawlError(lack)
        raise AttributeError(f"a crawl has no {name}")

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
        return Frame(self.reader.table("links"))

    @property
    def nodes(self) -> Frame:
        """Every page as a node of the link graph: how many pages link to it, to how many it links, its PageRank."""
        return Frame(self.reader.table("nodes"))

    @property
    def edges(self) -> Frame:
        """Every edge of the link graph: from one page to another, redirects followed, once however many links."""
        return Frame(self.reader.table("edges"))

    def graph(self) -> networkx.DiGraph[str]:
        """The link graph for networkx: nodes are URLs with the columns of `nodes`, edges have `anchor` and `nofollow`.

        >>> graph = crawl.graph()                                    # doctest: +SKIP
        >>> networkx.shortest_path(graph, start, page)               # doctest: +SKIP
        """
        return to_networkx(self.nodes, self.edges)

    @property
    def records(self) -> Frame:
        """What was extracted: a row for each record, with the page's `url` and its fields."""
        return Frame(self.reader.records(asked=self._asked_fields(), dates=self._date_fields()))

    def records_of(self, kind: str) -> Frame:
        """The records of one kind: fields, article, data, table, list or json; or those that are had only by name."""
        if kind not in RECORD_KINDS:
            raise JobError(f"there are no records of kind {kind!r}; there are {', '.join(RECORD_KINDS)}")
        return Frame(self.reader.records(kind, self._asked_fields() if kind == "fields" else (), self._date_fields()))

    @property
    def tables(self) -> Frame:
        """Every table that was taken from a page: `url`, its number there, its caption, rows and columns."""
        return Frame(self.reader.table("tables"))

    def table(self, url: str, number: int = 1) -> TableFrame:
        """One table of a page, with its own columns. A path (`/about`) is one of the first seed's host.

        >>> crawl.table("/functions-string.html", 2).to_pandas()                  # doctest: +SKIP
        """
        request = self._request(url)
        known = self.reader.key_hash(request, self.job.urls) if request is not None else None
        table = self.reader.page_table(known, number) if known is not None else None
        if table is None:
            raise CrawlError(f"no table {number} was taken from {url}; crawl.tables lists those that were")
        return TableFrame(table)

    def each_table(self) -> Iterator[TableFrame]:
        """Every table of every page, a frame each: its columns are its own, and it knows its `url` and `caption`.

        >>> {(table.url, table.number): table.to_pandas() for table in crawl.each_table()}       # doctest: +SKIP
        """
        return map(TableFrame, self.reader.page_tables())

    def fields(self) -> list[FieldCount]:
        """Every field that was asked for or found, and how many records have it; 0 where no page had it.

        Those of the kind unfinished are counts of pages on which a field was not looked for to the end.
        """
        counts = {("fields", name): FieldCount("fields", name, 0) for name in self._asked_fields()}
        found = {(count.kind, count.name): count for count in self.reader.fields() if count.kind != REPEATED}
        return list((counts | found).values())

    def _asked_fields(self) -> tuple[str, ...]:
        if not self.job.extract.extract:
            return ()
        from dowse.extract.fields import FieldExtractor

        return FieldExtractor(self.job.extract).names

    def _date_fields(self) -> set[str]:
        """The columns of records that should hold dates: fields of that type, and those of articles and items."""
        options = self.job.extract
        dates = {"date"} if options.article or options.lists else set()
        if options.extract:
            from dowse.extract.specs import parse_field

            specs = [parse_field("extract", text) for text in options.extract]
            dates |= {spec.name for spec in specs if spec.type == "date"}
        return dates

    def extract(self, **options: Any) -> Extraction:
        """Take fields from the stored pages, without fetching anything; afterwards they are in `records`.

        >>> crawl.extract(extract=["title=//h1", "price:number=css:.price"])      # doctest: +SKIP
        """
        from dowse.reextract import reread

        return reread(self.directory, self.job, None, options)

    def export(self, table: str, file: str | Path, to: str | None = None) -> int:
        """Write a table to a file, in the format of its ending or another; the answer is the number of rows.

        >>> crawl.export("pages", "pages.parquet")                           # doctest: +SKIP
        >>> crawl.export("links", "site.gexf")                               # doctest: +SKIP
        """
        from dowse.output_files import export

        format_ = format_of(table, str(file), to)
        unreadable: list[str] = []
        with writing(file) as stream:
            rows = export(self, table, format_, stream, unreadable)
        if unreadable:
            lost = counted(len(unreadable), "stored page")
            warnings.warn(
                f"{lost} could not be read and is missing in {file}: {printable(unreadable[0])}", stacklevel=2
            )
        return rows

    @property
    def learned(self) -> list[str]:
        """What the crawl found out about the site that saves it requests, in sentences (dedup = near)."""
        return self.reader.learned()

    @property
    def counted(self) -> list[str]:
        """Parameters that are not counted elsewhere and make a difference on this site, in sentences."""
        return self.reader.counted()

    def results(self) -> Results:
        """What the crawl found, as its mode tells it."""
        return self.mode.results(self)

    def stored_pages(self) -> Iterator[StoredPage]:
        """The pages whose bodies are archived, and where."""
        return self.reader.stored_pages()

    @property
    def bodies(self) -> Frame:
        """Every answer that was archived, and where."""
        return Frame(self.reader.table("bodies"))

    @property
    def ledger(self) -> Frame:
        """Every URL ever discovered, its state and the reason for it."""
        return Frame(self.reader.table("ledger"))

    def balance(self) -> list[LedgerRow]:
        """The ledger counted by state and reason."""
        return self.reader.balance()

    def status(self) -> Summary:
        """How far the crawl is."""
        counts: dict[str, int] = {}
        for row in self.balance():
            counts[row.state] = counts.get(row.state, 0) + row.count
        pages, size, elapsed = self.reader.totals()
        return Summary(str(self.directory), self.stop_reason, counts, pages, elapsed, size)

    def spent(self) -> int:
        """What counts against a limit on pages."""
        return self.reader.spent()

    @property
    def stop_reason(self) -> str:
        """Why the crawl ended; running or killed if it did not."""
        return self.reader.meta("stop_reason") or ("running" if is_running(self.directory) else "killed")

    def survey(self) -> Survey:
        """The crawl in numbers, as the report draws them."""
        return self.reader.survey()

    def report(self, path: str | Path | None = None) -> Path:
        """Write the crawl as one HTML page with plots, into its folder if no file is named. Where it is comes back.

        >>> dowse.open("example").report()                       # doctest: +SKIP
        """
        from dowse.output_files import report

        file = Path(path) if path is not None else inside(self.directory, REPORT)
        with writing(file) as stream:
            report(self, stream)
        return file

    def rendering(self) -> RenderingTotals:
        """What rendering pages took and what it brought."""
        return self.reader.rendering()

    @property
    def troubles(self) -> list[Trouble]:
        """What did not go as it was asked for, though pages came: steps and conditions without effect, pages that were
        not ready in time or not seen as somebody who is logged in. Each says on how many pages, and one to look at.
        """
        job = self.job
        if not may_have_troubles(job.fetch):
            return []
        return troubles_of(job, self.reader.facts(), is_complete=self.stop_reason == "complete")

    def why(self, url: str) -> Story | None:
        """The story of one URL: who linked it, which rule decided, what came of it. None if it was never seen.

        A path (`/about`) is one of the first seed's host.
        """
        request = self._request(url)
        story = self.reader.why(request, self.job.urls) if request is not None else None
        return replace(story, facts=self.mode.story(self, story.number)) if story is not None else None

    def _request(self, url: str) -> Request | None:
        """The request for a URL; a path is one of the first seed's host."""
        found = resolve(self.job.seeds[0], url) if url.startswith("/") else resolve("", read_url(url, "url"))
        return UrlKeys(self.job.urls).request(found) if found else None

    def crowded(self) -> int:
        """How many pages had more links than are read of one."""
        return self.reader.crowded()

    def close(self) -> None:
        """Let go of the files."""
        self.reader.close()

    def __repr__(self) -> str:
        return f"<dowse crawl {self.directory}: {counted(len(self.pages), 'page')}>"


def read(directory: str | Path) -> Crawl:
    """Open a crawl for reading, also while it runs."""
    return Crawl(Path(directory))
