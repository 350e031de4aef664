"""A crawl that was made, or is being made: everything that can be read from it, and the files it can become."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from msgspec import Struct
from msgspec.structs import replace

from dowse.config import job_from_json, read_url
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import Job, RulesOptions
from dowse.core.model import RECORD_KINDS, REPEATED, Request
from dowse.core.phrasing import counted, printable
from dowse.core.rules import Instruction, RuleTable, build_instruction
from dowse.core.survey import About, LedgerRow, Survey
from dowse.core.troubles import Trouble, may_have_troubles, troubles_of
from dowse.core.urls import UrlKeys, resolve
from dowse.credentials import is_ours
from dowse.export.atomic_file import as_text, writing
from dowse.export.formats import form_of
from dowse.export.frame import Frame, TableFrame, to_networkx
from dowse.export.text_tables import write_text
from dowse.store.best_first.judgements import Standing
from dowse.store.folder import DATABASE, is_running
from dowse.store.inside import inside
from dowse.store.reading.reader import CrawlReader, RenderingTotals, Story
from dowse.store.reading.records import FieldCount, StoredPage
from dowse.store.rule_places import current_rules

if TYPE_CHECKING:
    import networkx

    from dowse.reextract import Extraction

REPORT = "report.html"

# What a crawl that a command did not make is without, and where the results of each are.
_ONLY_FOR = {
    "rules": ("has no rules that keep or follow links", "dowse rules run"),
    "focus": ("has no topic", "dowse focus"),
    "files": ("was not for files", "dowse files"),
}
_RESULTS = {"rules": "kept", "focus": "matched", "files": "files"}


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
        self._reader = CrawlReader(directory)

    @property
    def job(self) -> Job:
        """What was asked for."""
        text = self._reader.meta("job")
        if not text:
            raise CrawlError(f"the crawl in {self.directory} was ended before it began; remove the folder, start anew")
        return job_from_json(text)

    @property
    def seal(self) -> str:
        """Shows whether the crawl was begun here, see `dowse.credentials`."""
        return self._reader.meta("seal") or ""

    @property
    def pages(self) -> Frame:
        """Every page that was fetched, with what is known of it."""
        return Frame(self._reader.table("pages"))

    @property
    def links(self) -> Frame:
        """Every link of every page: from `url` to `target`, with its anchor text."""
        return Frame(self._reader.table("links"))

    @property
    def nodes(self) -> Frame:
        """Every page as a node of the link graph: how many pages link to it, to how many it links, its PageRank."""
        return Frame(self._reader.table("nodes"))

    @property
    def edges(self) -> Frame:
        """Every edge of the link graph: from one page to another, redirects followed, once however many links."""
        return Frame(self._reader.table("edges"))

    def graph(self) -> networkx.DiGraph[str]:
        """The link graph for networkx: nodes are URLs with the columns of `nodes`, edges have `anchor` and `nofollow`.

        >>> graph = crawl.graph()                                    # doctest: +SKIP
        >>> networkx.shortest_path(graph, start, page)               # doctest: +SKIP
        """
        return to_networkx(self.nodes, self.edges)

    @property
    def records(self) -> Frame:
        """What was extracted: a row for each record, with the page's `url` and its fields."""
        return Frame(self._reader.records(asked=self._asked_fields(), dates=self._date_fields()))

    def records_of(self, kind: str) -> Frame:
        """The records of one kind: fields, article, data, table, list or json; or those that are had only by name."""
        if kind not in RECORD_KINDS:
            raise JobError(f"there are no records of kind {kind!r}; there are {', '.join(RECORD_KINDS)}")
        return Frame(self._reader.records(kind, self._asked_fields() if kind == "fields" else (), self._date_fields()))

    @property
    def tables(self) -> Frame:
        """Every table that was taken from a page: `url`, its number there, its caption, rows and columns."""
        return Frame(self._reader.table("tables"))

    def table(self, url: str, number: int = 1) -> TableFrame:
        """One table of a page, with its own columns. A path (`/about`) is one of the first seed's host.

        >>> crawl.table("/functions-string.html", 2).to_pandas()                  # doctest: +SKIP
        """
        request = self._request(url)
        known = self._reader.key_hash(request, self.job.urls) if request is not None else None
        table = self._reader.page_table(known, number) if known is not None else None
        if table is None:
            raise CrawlError(f"no table {number} was taken from {url}; crawl.tables lists those that were")
        return TableFrame(table)

    def each_table(self) -> Iterator[TableFrame]:
        """Every table of every page, a frame each: its columns are its own, and it knows its `url` and `caption`.

        >>> {(table.url, table.number): table.to_pandas() for table in crawl.each_table()}       # doctest: +SKIP
        """
        return map(TableFrame, self._reader.page_tables())

    def fields(self) -> list[FieldCount]:
        """Every field that was asked for or found, and how many records have it; 0 where no page had it.

        Those of the kind unfinished are counts of pages on which a field was not looked for to the end.
        """
        counts = {("fields", name): FieldCount("fields", name, 0) for name in self._asked_fields()}
        found = {(count.kind, count.name): count for count in self._reader.fields() if count.kind != REPEATED}
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
        return extract(self.directory, **options)

    def export(self, table: str, file: str | Path, to: str | None = None) -> int:
        """Write a table to a file, in the format of its ending or another; the answer is the number of rows.

        >>> crawl.export("pages", "pages.parquet")                           # doctest: +SKIP
        >>> crawl.export("links", "site.gexf")                               # doctest: +SKIP
        """
        form = form_of(table, str(file), to)
        unreadable: list[str] = []
        with writing(file) as stream:
            rows = export(self.directory, table, form, stream, unreadable)
        if unreadable:
            lost = counted(len(unreadable), "stored page")
            warnings.warn(
                f"{lost} could not be read and is missing in {file}: {printable(unreadable[0])}", stacklevel=2
            )
        return rows

    @property
    def learned(self) -> list[str]:
        """What the crawl found out about the site that saves it requests, in sentences (dedup = near)."""
        return self._reader.learned()

    @property
    def counted(self) -> list[str]:
        """Parameters that are not counted elsewhere and make a difference on this site, in sentences."""
        return self._reader.counted()

    @property
    def kept(self) -> Frame:
        """The links that rules keep: the results of a rule crawl."""
        return self._made_by("rules", "kept")

    @property
    def followed(self) -> Frame:
        """The links that rules follow, with the type of the page each leads to."""
        return self._made_by("rules", "followed")

    @property
    def matched(self) -> Frame:
        """The pages of a focus crawl that are about its topic, best first."""
        return self._made_by("focus", "matched")

    @property
    def crawled(self) -> Frame:
        """The pages of a focus crawl in the order they were fetched."""
        return self._made_by("focus", "crawled")

    @property
    def waiting(self) -> Frame:
        """The URLs that a focus crawl would fetch next, best first."""
        return self._made_by("focus", "waiting")

    @property
    def files(self) -> Frame:
        """The files that a crawl for files found, with the names they have in its folder."""
        return self._made_by("files", "files")

    def standing(self) -> Standing:
        """How far a best-first crawl is: what matched, and how much there may be left."""
        if self._reader.strategy != "files":
            self._made_by("focus", "matched")
        return self._reader.judgements.standing()

    def _made_by(self, strategy: str, table: str) -> Frame:
        """A table that only crawls of one kind have."""
        made = self._reader.strategy
        if made != strategy:
            lack, command = _ONLY_FOR[strategy]
            raise CrawlError(
                f"the crawl in {self.directory} {lack}: it was not made by {command};"
                f" what it found is in the table {_RESULTS.get(made, 'pages')}"
            )
        return Frame(self._reader.table(table))

    @property
    def rules(self) -> RuleTable:
        """The rules of a rule crawl, as they are now."""
        table = self._rules_options().table
        # A stranger's crawl could name a database that is to get a password of ours; its own copy will do.
        if not is_ours(self.job, self.seal):
            table = f"sqlite:///{self.directory / DATABASE}"
        return current_rules(table, self.directory)

    def instructions(self) -> Iterator[Instruction]:
        """What was to be done with each page of a rule crawl."""
        self._rules_options()
        return self._reader.rules.instructions()

    def matches(self) -> dict[int, tuple[int, int]]:
        """For each row of the rule table: to how many pages it was applied, and how many links it matched there."""
        return self._reader.rules.matches()

    def next_instruction(self, story: Story) -> Instruction | None:
        """What would be done with a URL of a rule crawl that was not crawled yet; None if it has no page type."""
        if not story.page_types:
            return None
        table = self.rules
        rules = [rule for each in story.page_types for rule in table.from_type(each["base"], each["name"])]
        return build_instruction(story.page_types[0]["base"], story.url, rules)

    def stored_pages(self) -> Iterator[StoredPage]:
        """The pages whose bodies are archived, and where."""
        return self._reader.stored_pages()

    @property
    def bodies(self) -> Frame:
        """Every answer that was archived, and where."""
        return Frame(self._reader.table("bodies"))

    @property
    def ledger(self) -> Frame:
        """Every URL ever discovered, its state and the reason for it."""
        return Frame(self._reader.table("ledger"))

    def balance(self) -> list[LedgerRow]:
        """The ledger counted by state and reason."""
        return self._reader.balance()

    def status(self) -> Summary:
        """How far the crawl is."""
        counts: dict[str, int] = {}
        for row in self.balance():
            counts[row.state] = counts.get(row.state, 0) + row.count
        pages, size, elapsed = self._reader.totals()
        return Summary(str(self.directory), self.stop_reason, counts, pages, elapsed, size)

    @property
    def stop_reason(self) -> str:
        """Why the crawl ended; running or killed if it did not."""
        return self._reader.meta("stop_reason") or ("running" if is_running(self.directory) else "killed")

    def survey(self) -> Survey:
        """The crawl in numbers, as the report draws them."""
        return self._reader.survey()

    def report(self, path: str | Path | None = None) -> Path:
        """Write the crawl as one HTML page with plots, into its folder if no file is named. Where it is comes back.

        >>> dowse.open("example").report()                       # doctest: +SKIP
        """
        file = Path(path) if path is not None else inside(self.directory, REPORT)
        with writing(file) as stream:
            report(self.directory, stream)
        return file

    def rendering(self) -> RenderingTotals:
        """What rendering pages took and what it brought."""
        return self._reader.rendering()

    @property
    def troubles(self) -> list[Trouble]:
        """What did not go as it was asked for, though pages came: steps and conditions without effect, pages that were
        not ready in time or not seen as somebody who is logged in. Each says on how many pages, and one to look at.
        """
        job = self.job
        if not may_have_troubles(job.fetch):
            return []
        return troubles_of(job, self._reader.facts(), is_complete=self.stop_reason == "complete")

    def why(self, url: str) -> Story | None:
        """The story of one URL: who linked it, which rule decided, what came of it. None if it was never seen.

        A path (`/about`) is one of the first seed's host.
        """
        request = self._request(url)
        story = self._reader.why(request, self.job.urls) if request is not None else None
        if story is not None and story.lead:
            from dowse.modes.focus.example_pages import explain

            return replace(story, worth=explain(self.job, self._reader.judgements.model(), story.lead), lead=b"")
        return story

    def _request(self, url: str) -> Request | None:
        """The request for a URL; a path is one of the first seed's host."""
        found = resolve(self.job.seeds[0], url) if url.startswith("/") else resolve("", read_url(url, "url"))
        return UrlKeys(self.job.urls).request(found) if found else None

    def crowded(self) -> int:
        """How many pages had more links than are read of one."""
        return self._reader.crowded()

    def _rules_options(self) -> RulesOptions:
        strategy = self.job.strategy
        if not isinstance(strategy, RulesOptions):
            raise CrawlError(f"the crawl in {self.directory} has no rules: it was not made by dowse rules run")
        return strategy

    def close(self) -> None:
        """Let go of the files."""
        self._reader.close()

    def __repr__(self) -> str:
        return f"<dowse crawl {self.directory}: {counted(len(self.pages), 'page')}>"


def read(directory: str | Path) -> Crawl:
    """Open a crawl for reading, also while it runs."""
    return Crawl(Path(directory))


def export(
    directory: str | Path, table: str, form: str, stream: BinaryIO, unreadable: list[str], kind: str = ""
) -> int:
    """Write a table of a crawl in one of its formats (export/formats.py); the answer is the number of rows.

    Stored pages that are damaged are left out, with a line for each in `unreadable`. `kind` is for records: only those
    of that kind.
    """
    crawl = read(directory)
    if table == "bodies":
        return _export_bodies(crawl, form, stream, unreadable)
    frame = crawl.records_of(kind) if kind else getattr(crawl, table)
    if form == "parquet":
        from dowse.export.arrow import write_parquet

        return write_parquet(frame, stream)
    if form in ("graphml", "gexf"):
        from dowse.export.graph import write_graph

        return write_graph(crawl.nodes, crawl.edges, form, stream)
    with as_text(stream) as text:
        return (
            _export_markdown(crawl, text, unreadable)
            if form == "markdown"
            else write_text(frame, form, text, sparse=table == "records")
        )


def _export_markdown(crawl: Crawl, stream: TextIO, unreadable: list[str]) -> int:
    from dowse.export.markdown import write_markdown
    from dowse.reextract import check_bodies, markdown_rows

    check_bodies(crawl.job, crawl.directory, len(crawl.bodies))
    return write_markdown(markdown_rows(crawl.directory, crawl.stored_pages(), unreadable), stream)


def _export_bodies(crawl: Crawl, form: str, stream: BinaryIO, unreadable: list[str]) -> int:
    from dowse.export.wacz import write_wacz
    from dowse.export.warc import write_warc
    from dowse.reextract import check_bodies
    from dowse.store.warc.bodies import FOLDER, BodyReader

    directory = crawl.directory
    check_bodies(crawl.job, directory, len(crawl.bodies))
    with BodyReader(directory / FOLDER) as bodies:
        if form == "warc":
            return write_warc(crawl.bodies, bodies, stream, unreadable)
        return write_wacz(crawl.bodies, bodies, stream, unreadable, title=str(directory), main_page=crawl.job.seeds[0])


def extract(directory: str | Path, told: Callable[[int, int], None] | None = None, **options: Any) -> Extraction:
    """Take fields from the stored pages of a crawl, without fetching anything.

    A field that is given anew replaces the crawl's field of that name; its other fields stay. The records are
    replaced all at once when all pages are read; those that are damaged keep theirs. `told` hears how many pages were
    read and how many there are.
    """
    from dowse.reextract import reread

    return reread(Path(directory), read(directory).job, told, options)


def report(directory: str | Path, stream: BinaryIO) -> None:
    """Write a crawl as one HTML page with plots, complete in itself."""
    from dowse.export.report.document import write_report
    from dowse.extract.fields import KIND as FIELDS
    from dowse.extract.fields import FieldExtractor

    crawl = read(directory)
    job = crawl.job
    asked = {FIELDS: tuple(FieldExtractor(job.extract).names)} if job.extract.extract else {}
    about = About(Path(directory).resolve().name, job.seeds, crawl.stop_reason, time.time(), asked)
    with as_text(stream) as text:
        write_report(about, crawl.survey(), text)
