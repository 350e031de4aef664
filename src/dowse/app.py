"""The composition root: a job becomes objects, and the objects run."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dowse.config import change_job, job_to_json, user_agent
from dowse.core.archive import Archive
from dowse.core.errors import CrawlError, CrawlInterrupted, JobError
from dowse.core.files import wanted_files
from dowse.core.job import ExploreOptions, ExtractOptions, FilesOptions, FocusOptions, Job, RulesOptions, topic_of
from dowse.core.model import CHOSEN, NO_RULE, Request
from dowse.core.phrasing import counted
from dowse.core.protocols import Ranker, StopReason, WorkerPool
from dowse.core.rules import BASE, RuleTable
from dowse.core.scope import Scope
from dowse.core.sessions import LOG_OUT, has_session
from dowse.core.survey import LedgerRow
from dowse.core.traps import MEMORY_TRAPS
from dowse.core.urls import UrlKeys, have_same_keys, resolve
from dowse.crawl import REPORT, Crawl, Summary, export, extract, read, report
from dowse.credentials import check_seal, resolved, revealed_steps, seal
from dowse.engine.events import Event, Notice
from dowse.engine.gate import Gate
from dowse.engine.loop import Engine, Listener
from dowse.engine.session_watch import SessionWatch
from dowse.engine.verdict import Strategy
from dowse.engine.worker import Worker
from dowse.extract.extractors import build_extractors
from dowse.extract.visible_content import lacking, looking
from dowse.fetch.chain import build_fetchers, check_means
from dowse.listing import GrowingFiles, GrowingLists, GrowingUrls
from dowse.modes.explore.strategy import ExploreStrategy
from dowse.modes.rules.strategy import RulesStrategy
from dowse.modes.site.strategy import SiteStrategy
from dowse.pools.event_loop import StopRequest, run_anywhere, stopping_on_signals
from dowse.pools.inline import InlinePool
from dowse.pools.open_files import affordable
from dowse.pools.processes import ProcessPool
from dowse.store.folder import DATABASE
from dowse.store.reading.reader import RenderingTotals, Story
from dowse.store.rule_files import format_rules
from dowse.store.rule_places import (
    LiveRules,
    copy_rules,
    current_rules,
    has_rules,
    is_database,
    live_rules,
    read_rules,
    shown_place,
    write_rules,
)
from dowse.store.sqlite import SqliteStore

__all__ = [
    "REPORT",
    "Crawl",
    "LedgerRow",
    "RenderingTotals",
    "Story",
    "Summary",
    "copy_rules",
    "export",
    "extract",
    "format_rules",
    "has_rules",
    "read",
    "read_rules",
    "recrawl",
    "report",
    "resume",
    "retry",
    "rules_text",
    "shown_place",
    "start",
    "usable_rules",
    "write_rules",
]


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
    if topic_of(job.strategy) != topic_of(before.strategy):
        what = "topic of a crawl that has begun, and the way to it," if _is_focus(job) else "files that a crawl is for"
        raise JobError(f"the {what} cannot be changed; start a new one")
    if "table" in overrides and not is_database(str(overrides["table"])):
        raise JobError(
            f"table: the crawl has rules of its own by now; change them with: dowse rules import"
            f" {overrides['table']} sqlite:///{directory}/{DATABASE} --replace"
        )
    if not have_same_keys(job.urls, before.urls):
        changed = ", ".join(name for name in overrides if hasattr(job.urls, name))
        raise JobError(
            f"{changed}: which URLs are the same cannot be changed in a crawl that has begun; start a new one"
        )

    def prepare(store: SqliteStore) -> None:
        if (job.dedup, job.urls) != (before.dedup, before.urls):
            store.release()
        rules = (job.scope, job.limits.depth, job.politeness.robots)
        if rules != (before.scope, before.limits.depth, before.politeness.robots):
            store.reconsider(_refusal(job))

    return _run(job, listener, prepare)


def retry(directory: str | Path, listener: Listener | None = None, **overrides: Any) -> Summary:
    """Try what failed once more, and nothing else."""
    job = _job_of(directory, overrides)
    crawl = read(directory)
    limit = overrides.get("max_pages", 0) and overrides["max_pages"] + crawl.status().pages
    limits = replace(job.limits, max_pages=limit)  # for this run; the crawl keeps its own
    return _run(replace(job, limits=limits), listener, lambda store: store.retry_failed(_excluded(job)), crawl.job)


def recrawl(directory: str | Path, listener: Listener | None = None, **overrides: Any) -> Summary:
    """Visit every fetched page again; what did not change is not processed again."""
    before, job = read(directory).job, _job_of(directory, overrides)

    def prepare(store: SqliteStore) -> None:
        if (job.dedup, job.urls) != (before.dedup, before.urls):
            store.release()
        store.revisit(_excluded(job))

    return _run(job, listener, prepare)


def build_worker(job: Job) -> Worker:
    """Everything a worker needs, made from the job alone, so that any process can make its own."""
    job = replace(job, fetch=replace(job.fetch, user_agent=user_agent(job)))
    seeds = seed_requests(job)
    scope = scope_of(job, seeds)
    extractors = build_extractors(job.extract)
    fetchers = build_fetchers(
        job,
        seeds,
        lambda media_type: not scope.refuse_media_type(media_type),
        looking(extractors),
        lacking(extractors),
        scope.excluded,
        revealed_steps,
    )
    archive: Archive | None = None
    if job.fetch.bodies:
        from dowse.store.warc.bodies import FOLDER, WarcArchive  # a crawl without bodies need not load it

        archive = WarcArchive(Path(job.output) / FOLDER, job, fetchers.http.shown_headers)
    gate = Gate(job, scope, fetchers.refuses)
    strategy: Strategy
    rules: list[LiveRules] = []
    if isinstance(job.strategy, RulesOptions):
        rules.append(live_rules(job.strategy.table, Path(job.output)))
        strategy = RulesStrategy(rules[0].current, rules[0].notice)
    elif isinstance(job.strategy, ExploreOptions):
        strategy = ExploreStrategy(job.strategy)
    elif isinstance(job.strategy, FocusOptions | FilesOptions):
        from dowse.modes.focus.example_pages import strategy_of  # scoring, which other crawls need not load

        strategy = strategy_of(job)
    else:
        strategy = SiteStrategy(job.strategy)
    session = SessionWatch(job.fetch, fetchers.renewal) if has_session(job.fetch) else None
    return Worker(job, fetchers.first, strategy, scope, gate, extractors, archive, rules, session)


def scope_of(job: Job, seeds: Sequence[Request]) -> Scope:
    """Where a job may go."""
    wanted = wanted_files(job.strategy) if isinstance(job.strategy, FilesOptions) else None
    return Scope(job.scope, job.limits, {seed.host for seed in seeds}, wanted)


def seed_requests(job: Job) -> list[Request]:
    keys = UrlKeys(job.urls)
    return [keys.request(url) for seed in job.seeds if (url := resolve("", seed)) is not None]


def _excluded(job: Job) -> Callable[[str], str]:
    return scope_of(job, seed_requests(job)).excluded


def _refusal(job: Job) -> Callable[[Request, str, int, str], str]:
    """What the rules of a job say of a URL that was found, or refused, under others."""
    scope = scope_of(job, seed_requests(job))

    def refuse(request: Request, site: str, depth: int, reason: str) -> str:
        if reason in ("nofollow", "robots"):
            return "" if job.politeness.robots == "ignore" else reason
        if reason == NO_RULE or reason in MEMORY_TRAPS or (reason == LOG_OUT and has_session(job.fetch)):
            return reason
        return scope.refuse(request) or scope.refuse_link(request, site, depth)

    return refuse


def _run(
    job: Job,
    listener: Listener | None,
    prepare: Callable[[SqliteStore], object] | None = None,
    noted: Job | None = None,
) -> Summary:
    """`noted` is the job to write down where it is not the one that is run. Secrets are in neither: the workers of
    this run get a job of their own that has them."""
    check_means(job.fetch)
    running = resolved(job)
    facts, ranker = _ranking(running, listener or _ignore)
    stop = StopRequest()
    store = SqliteStore(Path(job.output), job, ranker)
    try:
        facts = facts if noted else {**facts, "seal": seal(job)}
        store.begin(job_to_json(noted or job), time.time(), facts)
        store.add_seeds(
            seed_requests(job),
            0.0 if ranker is None else CHOSEN,
            BASE if isinstance(job.strategy, RulesOptions) else "",
        )
        if prepare is not None:
            prepare(store)
        started = time.monotonic()
        with _listening(job, listener or _ignore) as listening:
            run_anywhere(_crawl(running, store, listening, stop), stop)
    finally:
        store.close()
    summary = replace(read(job.output).status(), elapsed=time.monotonic() - started)
    if stop.asked:
        raise CrawlInterrupted(summary.directory, summary)
    return summary


def _is_focus(job: Job) -> bool:
    return isinstance(job.strategy, FocusOptions)


def _ranking(job: Job, listener: Listener) -> tuple[dict[str, str], Ranker | None]:
    """What a best-first crawl has to write down at its beginning, and its ranker; nothing for other crawls."""
    if not isinstance(job.strategy, FocusOptions | FilesOptions):
        return {}, None
    from dowse.modes.focus import example_pages

    if isinstance(job.strategy, FilesOptions):
        return {}, example_pages.files_ranker(job.strategy)
    if (Path(job.output) / DATABASE).exists():
        return {}, example_pages.ranker_of(job, example_pages.kept_examples(job), example_pages.kept_related(job))
    examples = example_pages.read_examples(job)
    related = example_pages.find_related(example_pages.focus_of(job), examples)
    for sentence in example_pages.related_sentences(related):
        listener(Notice(sentence))
    return example_pages.facts(examples, related), example_pages.ranker_of(job, examples, related)


async def _crawl(job: Job, store: SqliteStore, listener: Listener, stop: StopRequest) -> StopReason:
    pool: WorkerPool
    if job.fetch.workers > 1:
        pool = ProcessPool(job, build_worker)
    else:
        job = _within_limits(job, listener)
        pool = InlinePool(build_worker(job), job.fetch.concurrency)
    try:
        with stopping_on_signals(stop):
            await pool.open()
            engine = Engine(store, pool, job.limits, listener)
            stop.goes_to(engine.stop)
            return await engine.run()
    finally:
        await pool.close()


def _within_limits(job: Job, listener: Listener) -> Job:
    """The same with as many requests at a time as this process may have open files for."""
    asked = job.fetch.concurrency
    number = affordable(asked)
    if number < asked:
        listener(
            Notice(f"{counted(number, 'request')} at a time instead of {asked}: few files may be open (ulimit -n)")
        )
    return replace(job, fetch=replace(job.fetch, concurrency=number))


@contextlib.contextmanager
def _listening(job: Job, listener: Listener) -> Iterator[Listener]:
    """Whoever listens to a run; before them, what grows beside it."""
    growing: GrowingLists | GrowingFiles | GrowingUrls
    if isinstance(job.strategy, RulesOptions):
        growing = GrowingLists(Path(job.output), listener)
    elif isinstance(job.strategy, FilesOptions):
        growing = GrowingFiles(Path(job.output), listener)
    elif isinstance(job.strategy, FocusOptions):
        growing = GrowingUrls(Path(job.output), listener)
    else:
        yield listener
        return
    try:
        yield growing
    finally:
        growing.close()


def _job_of(directory: str | Path, overrides: dict[str, Any]) -> Job:
    crawl = read(directory)
    before = crawl.job
    if isinstance(before.strategy, RulesOptions):
        before = replace(before, seeds=crawl.rules.bases or before.seeds)
    check_seal(before, crawl.seal, overrides)
    if any(name in ExtractOptions.__struct_fields__ for name in overrides):
        from dowse.reextract import merged

        overrides = merged(before.extract, overrides)
    job = change_job(before, **{**overrides, "output": str(directory)})
    if isinstance(job.strategy, RulesOptions):
        bases = current_rules(job.strategy.table, Path(job.output)).bases
        job = replace(job, seeds=bases or job.seeds)
    return job


def _ignore(_event: Event) -> None:
    pass
