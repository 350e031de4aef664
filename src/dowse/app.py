"""The composition root: a job becomes objects, and the objects run."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, TextIO

from msgspec import Struct
from msgspec.structs import replace

from dowse.config import change_job, job_from_json, job_to_json, read_url, user_agent
from dowse.core.archive import Archive
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import Job, RulesOptions
from dowse.core.model import Request
from dowse.core.protocols import Fetcher, StopReason, WorkerPool
from dowse.core.rules import BASE, Instruction, RuleTable, build_instruction
from dowse.core.scope import Scope
from dowse.core.survey import About, LedgerRow, Survey
from dowse.core.traps import MEMORY_TRAPS
from dowse.core.urls import UrlKeys, resolve
from dowse.engine.events import Event, Notice, Progress, Stopped
from dowse.engine.gate import Gate
from dowse.engine.loop import Engine, Listener
from dowse.engine.worker import Worker
from dowse.export.lists import GrowingList
from dowse.export.tables import write_rows
from dowse.extract.extractors import build_extractors
from dowse.fetch.http import HttpFetcher
from dowse.fetch.robots import RobotsFetcher
from dowse.pools.event_loop import run as run_loop
from dowse.pools.inline import InlinePool
from dowse.pools.processes import ProcessPool
from dowse.store.extracted import FieldCount, RecordTable
from dowse.store.folder import DATABASE, is_running
from dowse.store.queries import CrawlReader, Story, Table
from dowse.store.rule_files import format_rules
from dowse.store.rule_places import (
    LiveRules,
    copy_rules,
    has_rules,
    is_database,
    live_rules,
    read_rules,
    shown_place,
)
from dowse.store.sqlite import SqliteStore
from dowse.strategies.rules import RulesStrategy
from dowse.strategies.site import SiteStrategy
from dowse.strategies.verdict import Strategy

if TYPE_CHECKING:
    from dowse.extraction import Extraction

__all__ = [
    "Crawl", "LedgerRow", "Story", "Summary", "copy_rules", "export", "extract", "has_rules", "read", "read_rules",
    "recrawl", "report", "resume", "retry", "rules_text", "shown_place", "start", "usable_rules",
]  # fmt: skip

REPORT = "report.html"


class Summary(Struct, frozen=True):
    """How a crawl ended, or stands."""

    directory: str
    stop_reason: str
    counts: dict[str, int]
    pages: int
    elapsed: float
    bytes_received: int


def start(job: Job, listener: Listener | None = None) -> Summary:
    """Run a new crawl to its end. The folder must not hold one yet."""
    directory = Path(job.output)
    if (directory / DATABASE).exists():
        verb = "resume" if read(directory).status().pages else "retry"
        raise CrawlError(
            f"{directory} already holds a crawl: go on with dowse {verb} {directory}, or choose another folder (-o)"
        )
    if not isinstance(job.strategy, RulesOptions):
        return _run(job, listener)
    table = usable_rules(job.strategy.table)
    return _run(replace(job, seeds=table.bases), listener, lambda store: store.set_rules(table.rules))


def usable_rules(place: str) -> RuleTable:
    """The rules at a place. Raises JobError if there is none that could be used."""
    table = read_rules(place)
    if not table.rules:
        raise JobError(f"{shown_place(place)}: no rule can be used: " + "; ".join(map(str, table.errors)))
    return table


def rules_text(place: str, form: str) -> str:
    """The rules at a place as csv, json or toml."""
    return format_rules(usable_rules(place).rules, form)


def resume(directory: str | Path, listener: Listener | None = None, **overrides: Any) -> Summary:
    """Continue a crawl; options given here replace those it was started with."""
    before, job = read(directory).job, _job_of(directory, overrides)
    if "table" in overrides and not is_database(str(overrides["table"])):
        raise JobError(
            f"table: the crawl has rules of its own by now; change them with: dowse rules import"
            f" {overrides['table']} sqlite:///{directory}/{DATABASE} --replace"
        )
    if job.urls != before.urls:
        changed = ", ".join(name for name in overrides if hasattr(job.urls, name))
        raise JobError(
            f"{changed}: which URLs are the same cannot be changed in a crawl that has begun; start a new one"
        )
    rules = (job.scope, job.limits.depth, job.politeness.robots)
    if rules == (before.scope, before.limits.depth, before.politeness.robots):
        return _run(job, listener)
    return _run(job, listener, lambda store: store.reconsider(_refusal(job)))


def retry(directory: str | Path, listener: Listener | None = None, **overrides: Any) -> Summary:
    """Try what failed once more, and nothing else."""
    job = _job_of(directory, overrides)
    crawl = read(directory)
    limit = overrides.get("max_pages", 0) and overrides["max_pages"] + crawl.status().pages
    limits = replace(job.limits, max_pages=limit)  # for this run; the crawl keeps its own
    return _run(replace(job, limits=limits), listener, lambda store: store.retry_failed(), crawl.job)


def recrawl(directory: str | Path, listener: Listener | None = None, **overrides: Any) -> Summary:
    """Visit every fetched page again; what did not change is not processed again."""
    return _run(_job_of(directory, overrides), listener, lambda store: store.revisit())


def read(directory: str | Path) -> Crawl:
    """Open a crawl for reading, also while it runs."""
    return Crawl(Path(directory))


def export(directory: str | Path, table: str, form: str, stream: TextIO) -> int:
    """Write one table of a crawl to a text stream, as csv or jsonl; the answer is the number of rows."""
    rows = getattr(read(directory), table)
    return write_rows(rows, rows.columns, form, stream)


def export_bodies(directory: str | Path, form: str, stream: BinaryIO) -> int:
    """Write all that servers answered to one file, as warc or wacz; how many answers there are comes back."""
    from dowse.export.wacz import write_wacz
    from dowse.export.warc import write_warc
    from dowse.store.bodies import FOLDER, BodyReader

    crawl = read(directory)
    with BodyReader(Path(directory) / FOLDER) as bodies:
        if form == "warc":
            return write_warc(crawl.bodies, bodies, stream)
        return write_wacz(crawl.bodies, bodies, stream, title=str(directory), main_page=crawl.job.seeds[0])


def extract(directory: str | Path, told: Callable[[int, int], None] | None = None, **options: Any) -> Extraction:
    """Take fields from the stored pages of a crawl, without fetching anything.

    A field that is given anew replaces the crawl's field of that name; its other fields stay. The records are
    replaced all at once, or not at all. `told` hears how many pages were read and how many there are.
    """
    from dowse.extraction import reread

    return reread(Path(directory), read(directory).job, told, options)


def report(directory: str | Path, stream: TextIO) -> None:
    """Write a crawl as one HTML page with plots, complete in itself."""
    from dowse.export.report import write_report
    from dowse.extract.fields import KIND as FIELDS
    from dowse.extract.fields import FieldExtractor

    crawl = read(directory)
    job = crawl.job
    asked = {FIELDS: tuple(FieldExtractor(job.extract).names)} if job.extract.extract else {}
    about = About(Path(directory).resolve().name, job.seeds, crawl.stop_reason, time.time(), asked)
    write_report(about, crawl.survey(), stream)


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
    def pages(self) -> Table:
        """Every page that was fetched, with what is known of it."""
        return self._reader.table("pages")

    @property
    def links(self) -> Table:
        """Every link of every page: from `url` to `target`, with its anchor text."""
        return self._reader.table("links")

    @property
    def records(self) -> RecordTable:
        """What was extracted: a row for each record, with the page's `url` and its fields."""
        return self._reader.records()

    def records_of(self, kind: str) -> RecordTable:
        """The records of one kind: fields, article, data, table or list."""
        return self._reader.records(kind)

    def fields(self) -> list[FieldCount]:
        """Every field that was asked for or found, and how many records have it; 0 where no page had it."""
        found = self._reader.fields()
        if not self.job.extract.extract:
            return found
        from dowse.extract.fields import KIND, FieldExtractor

        known = {count.name for count in found if count.kind == KIND}
        asked = FieldExtractor(self.job.extract).names
        return found + [FieldCount(KIND, name, 0) for name in asked if name not in known]

    def extract(self, **options: Any) -> Extraction:
        """Take fields from the stored pages, without fetching anything; afterwards they are in `records`.

        >>> crawl.extract(extract=["title=//h1", "price:number=css:.price"])      # doctest: +SKIP
        """
        return extract(self.directory, **options)

    @property
    def kept(self) -> Table:
        """The links that rules keep: the results of a rule crawl."""
        return self._reader.table("kept")

    @property
    def followed(self) -> Table:
        """The links that rules follow, with the type of the page each leads to."""
        return self._reader.table("followed")

    @property
    def rules(self) -> RuleTable:
        """The rules of a rule crawl, as they are now."""
        if not isinstance(self.job.strategy, RulesOptions):
            raise CrawlError(f"the crawl in {self.directory} has no rules: it was not made by dowse rules run")
        return _rules_of(self.job)

    def instructions(self) -> Iterator[Instruction]:
        """What was to be done with each page of a rule crawl."""
        return self._reader.instructions()

    def matches(self) -> dict[int, tuple[int, int]]:
        """For each row of the rule table: to how many pages it was applied, and how many links it matched there."""
        return self._reader.matches()

    def next_instruction(self, story: Story) -> Instruction | None:
        """What would be done with a URL of a rule crawl that was not crawled yet; None if it has no page type."""
        if not story.page_types:
            return None
        table = self.rules
        rules = [rule for each in story.page_types for rule in table.from_type(each["base"], each["name"])]
        return build_instruction(story.page_types[0]["base"], story.url, rules)

    @property
    def bodies(self) -> Table:
        """Every answer that was archived, and where."""
        return self._reader.table("bodies")

    @property
    def ledger(self) -> Table:
        """Every URL ever discovered, its state and the reason for it."""
        return self._reader.table("ledger")

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
        file = Path(path) if path is not None else self.directory / REPORT
        with file.open("w", encoding="utf-8") as stream:
            report(self.directory, stream)
        return file

    def why(self, url: str) -> Story | None:
        """The story of one URL: who linked it, which rule decided, what came of it. None if it was never seen."""
        found = resolve("", read_url(url))
        return self._reader.why(UrlKeys(self.job.urls).request(found).key_hash) if found else None

    def close(self) -> None:
        """Let go of the files."""
        self._reader.close()

    def __repr__(self) -> str:
        return f"<dowse crawl {self.directory}: {len(self.pages):,} pages>"


def build_worker(job: Job) -> Worker:
    """Everything a worker needs, made from the job alone, so that any process can make its own."""
    job = replace(job, fetch=replace(job.fetch, user_agent=user_agent(job)))
    seeds = seed_requests(job)
    scope = Scope(job.scope, job.limits, {seed.host for seed in seeds})
    http = HttpFetcher(job.fetch, seeds, lambda media_type: not scope.refuse_media_type(media_type))
    fetcher: Fetcher = http
    archive: Archive | None = None
    if job.fetch.bodies:
        from dowse.store.bodies import FOLDER, WarcArchive  # a crawl without bodies need not load it

        archive = WarcArchive(Path(job.output) / FOLDER, job, http.shown_headers)
    refused_by_robots: Callable[[str], bool] = _nothing_refused
    if job.politeness.robots == "obey":
        robots = RobotsFetcher(fetcher, job.fetch.user_agent)
        fetcher, refused_by_robots = robots, robots.refuses
    gate = Gate(job, scope, refused_by_robots)
    strategy: Strategy
    rules: list[LiveRules] = []
    if isinstance(job.strategy, RulesOptions):
        rules.append(live_rules(job.strategy.table, Path(job.output)))
        strategy = RulesStrategy(rules[0].current, rules[0].notice)
    else:
        strategy = SiteStrategy(job.strategy)
    return Worker(job, fetcher, strategy, scope, gate, build_extractors(job.extract), archive, rules)


def seed_requests(job: Job) -> list[Request]:
    keys = UrlKeys(job.urls)
    return [keys.request(url) for seed in job.seeds if (url := resolve("", seed)) is not None]


def _refusal(job: Job) -> Callable[[Request, str, int, str], str]:
    """What the rules of a job say of a URL that was found, or refused, under others."""
    scope = Scope(job.scope, job.limits, {seed.host for seed in seed_requests(job)})

    def refuse(request: Request, site: str, depth: int, reason: str) -> str:
        if reason in ("nofollow", "robots"):
            return "" if job.politeness.robots == "ignore" else reason
        if reason in MEMORY_TRAPS:
            return reason
        return scope.refuse(request) or scope.refuse_walk(request.host, site, depth)

    return refuse


def _nothing_refused(_url: str) -> bool:
    return False


def _run(
    job: Job,
    listener: Listener | None,
    prepare: Callable[[SqliteStore], object] | None = None,
    noted: Job | None = None,
) -> Summary:
    """`noted` is the job to write down where it is not the one that is run."""
    store = SqliteStore(Path(job.output), job)
    try:
        store.begin(job_to_json(noted or job), time.time())
        is_ruled = isinstance(job.strategy, RulesOptions)
        store.add_seeds(seed_requests(job), 0.0, BASE if is_ruled else "")
        if prepare is not None:
            prepare(store)
        started = time.monotonic()
        listener = listener or _ignore
        _run_anywhere(_crawl(job, store, _Lists(Path(job.output), listener) if is_ruled else listener))
    finally:
        store.close()
    summary = read(job.output).status()
    return replace(summary, elapsed=time.monotonic() - started)


async def _crawl(job: Job, store: SqliteStore, listener: Listener) -> StopReason:
    pool: WorkerPool
    if job.fetch.workers > 1:
        pool = ProcessPool(job, build_worker)
    else:
        pool = InlinePool(build_worker(job), job.fetch.concurrency)
    await pool.open()
    engine = Engine(store, pool, job.limits, listener)
    try:
        with _stopping_on_interrupt(engine):
            return await engine.run()
    finally:
        await pool.close()


class _Lists:
    """Lets keep.csv and follow.csv grow while a rule crawl runs; a listener before another one."""

    _FILES: ClassVar = {"kept": "keep.csv", "followed": "follow.csv"}

    def __init__(self, directory: Path, listener: Listener) -> None:
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._lists: dict[str, GrowingList] = {}
        self._last: dict[str, int] = {}
        for table, file in self._FILES.items():
            grown = GrowingList(directory / file, self._reader.table(table).columns)
            self._last[table], rows = self._reader.number_of(table, grown.rows)
            grown.shorten(rows)
            self._lists[table] = grown

    def __call__(self, event: Event) -> None:
        self._listener(event)
        if isinstance(event, Progress | Stopped):
            self._catch_up(is_last=isinstance(event, Stopped))

    def _catch_up(self, *, is_last: bool) -> None:
        for table, grown in self._lists.items():
            rows, last = self._reader.grown(table, self._last[table])
            try:
                grown.add(rows)
                self._last[table] = last
            except OSError as error:  # the rows are in the database and come with the next ones
                if is_last:
                    self._listener(Notice(f"cannot write {grown.path}: {error.strerror}; see dowse export {table}"))
        if is_last:
            self._reader.close()


@contextlib.contextmanager
def _stopping_on_interrupt(engine: Engine) -> Iterator[None]:
    """The first Ctrl-C asks the engine to stop; the second ends the program as it always does."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        engine.stop()

    try:
        loop.add_signal_handler(signal.SIGINT, stop)
    except NotImplementedError:  # Windows has no signal handlers on its loop; there Ctrl-C ends the program
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _run_anywhere(main: Coroutine[Any, Any, Any]) -> None:
    """Run on a new event loop; in a notebook, where one is running already, on a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        run_loop(main)
        return
    trouble: list[BaseException] = []

    def target() -> None:
        try:
            run_loop(main)
        except BaseException as error:  # noqa: BLE001, raised again in the caller's thread
            trouble.append(error)

    thread = threading.Thread(target=target, name="dowse")
    thread.start()
    thread.join()
    if trouble:
        raise trouble[0]


def _job_of(directory: str | Path, overrides: dict[str, Any]) -> Job:
    job = change_job(read(directory).job, **{**overrides, "output": str(directory)})
    if isinstance(job.strategy, RulesOptions) and (bases := _rules_of(job).bases):
        job = replace(job, seeds=bases)
    return job


def _rules_of(job: Job) -> RuleTable:
    """The rules that a crawl obeys."""
    assert isinstance(job.strategy, RulesOptions)
    live = live_rules(job.strategy.table, Path(job.output))
    try:
        return live.current()
    finally:
        live.close()


def _ignore(_event: Event) -> None:
    pass
