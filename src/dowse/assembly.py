"""The parts of a crawl, built from its job and its briefing alone: the worker, the scope and the seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dowse.core.archive import Archive, TravelBag
from dowse.core.briefing import Briefing
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.model import NO_RULE, NOT_BEST, WORTH_LESS, Request, State
from dowse.core.protocols import Fetcher
from dowse.core.scope import NO_READER, Scope
from dowse.core.sessions import LOG_OUT, has_session
from dowse.core.task_labels import HEAD, NO_PAGES, REQUISITE
from dowse.core.traps import MEMORY_TRAPS
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.core.user_agent import product_token, user_agent
from dowse.documents.installed import has_pdf_reader, readable_kinds
from dowse.engine.callback_worker import CallbackWorker
from dowse.engine.callbacks import NO_CODE, REFUSED, UNDECIDED, Callbacks, OwnCode
from dowse.engine.document_pages import DocumentPages
from dowse.engine.gate import Gate
from dowse.engine.guarded_fetcher import GuardedFetcher
from dowse.engine.paging_series import SeriesMemory
from dowse.engine.paging_strategy import with_paging
from dowse.engine.session_watch import SessionWatch
from dowse.engine.verdict import Strategy
from dowse.engine.worker import Worker
from dowse.extract.extractors import build_extractors
from dowse.extract.visible_content import lacking, looking
from dowse.fetch.fetcher_chain import Questions, build_fetchers, check_means
from dowse.jobs.own_code import load_in_worker
from dowse.jobs.stored_jobs import job_from_json
from dowse.machine.credentials import revealed_steps
from dowse.modes.mode import Seed
from dowse.modes.registry import find_mode
from dowse.parse.decode import charset_name, for_browser
from dowse.parse.requisites import is_shown
from dowse.pools.processes import WorkerValues
from dowse.store.folder import BODIES
from dowse.store.frontier.requeue import Refuse

MakeArchive = Callable[[Job, Sequence[str]], Archive]
"""Makes the archive of a worker, for a job and the headers that go with every request."""


def own_archive(job: Job, sent: Sequence[str]) -> Archive:
    """Files that the worker writes itself, in the folder of the crawl or at a place that other machines see too."""
    from dowse.store.warc.body_writer import WarcArchive  # a crawl without bodies need not load it

    return WarcArchive(Path(job.fetch.bodies_at or Path(job.output) / BODIES), job, sent)


def build_worker(
    job: Job, briefing: Briefing, own: OwnCode = NO_CODE, make_archive: MakeArchive = own_archive
) -> Worker:
    """Everything a worker needs, made from values alone, so that any process can make its own."""
    mode = find_mode(job.mode)
    job = replace(job, fetch=replace(job.fetch, user_agent=user_agent(job), step=steps_of(job)))
    seeds = seed_requests(job, mode.seeds(job, briefing))
    scope = scope_of(job, seeds)
    extractors = build_extractors(job.extract, joining=job.scope.paging)
    questions = Questions(
        wants=lambda kind: not scope.refuse_media_type(kind) or (job.store.requisites and is_shown(kind)),
        look=looking(extractors),
        write=partial(for_browser, given=charset_name(job.fetch.charset)),
        lacks=lacking(extractors),
        excludes=scope.excluded,
        reveal=revealed_steps,
    )
    fetchers = build_fetchers(job, seeds, questions)
    archive = make_archive(job, fetchers.http.shown_headers) if job.fetch.bodies else None
    gate = Gate(job, scope, fetchers.refuses)
    session = SessionWatch(job.fetch, fetchers.renewal) if has_session(job.fetch) else None

    pages_of_lists = SeriesMemory()

    def strategy(briefing: Briefing) -> Strategy:
        own = mode.strategy(job, briefing)
        return with_paging(own, pages_of_lists) if job.scope.paging else own

    documents = documents_for(job, scope)
    parts = (strategy, briefing, scope, gate, extractors, archive, session, fetchers.heard, documents)
    return worker_with(own, job, fetchers.first, *parts)


def steps_of(job: Job) -> tuple[str, ...]:
    """What is done on rendered pages: the steps of the job, and those that bring the rest of a list."""
    if not job.scope.paging or job.fetch.fetch == "http":
        return job.fetch.step
    from dowse.parse.pagination.load_more import paging_steps  # words of four dozen languages

    return *job.fetch.step, *paging_steps()


def worker_with(own: OwnCode, job: Job, fetcher: Fetcher, *parts: Any) -> Worker:
    """A worker of these parts that asks the code of the user, if there is some."""
    if own.wrap_fetcher is not None:
        fetcher = GuardedFetcher(own.wrap_fetcher, fetcher)
    if not own.sees_pages:
        return Worker(job, fetcher, *parts)
    return CallbackWorker(Callbacks(own, job.fetch.workers), job, fetcher, *parts)


def build_from(values: WorkerValues) -> Worker:
    """The same in another process."""
    job = job_from_json(values.job)
    job = replace(job, fetch=replace(job.fetch, concurrency=values.concurrency))
    return build_worker(job, values.briefing, load_in_worker(job))


def build_far(values: WorkerValues) -> tuple[Worker, TravelBag | None]:
    """The same on another machine, which does not see the folder of the crawl."""
    from dowse.store.warc.travelling_answers import PackingArchive

    job = job_from_json(values.job)
    check_means(job.fetch)
    bags: list[PackingArchive] = []

    def packing(job: Job, sent: Sequence[str]) -> Archive:
        if job.fetch.bodies_at:
            if not Path(job.fetch.bodies_at).is_dir():
                raise JobError(f"bodies_at: it does not see the folder {job.fetch.bodies_at}, which all machines must")
            return own_archive(job, sent)
        bags.append(PackingArchive(job, sent))
        return bags[-1]

    job = replace(job, fetch=replace(job.fetch, concurrency=values.concurrency))
    return build_worker(job, values.briefing, load_in_worker(job), packing), bags[0] if bags else None


def scope_of(job: Job, seeds: Sequence[Request]) -> Scope:
    """Where a job may go."""
    wanted = find_mode(job.mode).scope_exception(job)
    documents = readable_kinds() if job.scope.documents else frozenset()
    return Scope(job.scope, job.limits, {seed.host for seed in seeds}, wanted, documents)


def documents_for(job: Job, scope: Scope) -> DocumentPages | None:
    """What reads documents, if the job wants them read."""
    if not job.scope.documents:
        return None
    from dowse.documents.document_reader import DocumentReader  # other crawls need not load it

    return DocumentPages(DocumentReader(), scope, product_token(job.fetch.user_agent))


def seed_requests(job: Job, seeds: Sequence[Seed]) -> list[Request]:
    """The requests of seeds; what is no URL is none."""
    keys = UrlKeys(job.urls)
    return [keys.request(url) for seed in seeds if (url := resolve("", seed.url)) is not None]


def rules_of(job: Job) -> tuple[object, ...]:
    """What decides about links that were found: if it changes, those that were refused are asked about again."""
    return job.scope, job.limits.depth, job.politeness.robots, bool(job.callbacks.follow)


def can_read_more(counts: Mapping[tuple[State, str], int]) -> bool:
    """Whether some of what was refused was lacking a reader that is there now; `counts` are of states and reasons."""
    return has_pdf_reader() and any(number and reason.endswith(NO_READER) for (_, reason), number in counts.items())


def excluded_by(job: Job) -> Callable[[str], str]:
    """A test of URLs: the option of a job that excludes one, or ""."""
    return scope_of(job, seed_requests(job, [Seed(url) for url in job.seeds])).excluded


def refusal_of(job: Job) -> Refuse:
    """What the rules of a job say of a URL that was found, or refused, under others."""
    scope = scope_of(job, seed_requests(job, [Seed(url) for url in job.seeds]))

    def refuse(request: Request, site: str, depth: int, reason: str, label: str) -> str:
        if reason in ("nofollow", "robots"):
            return "" if job.politeness.robots == "ignore" else reason
        if reason in (REFUSED, UNDECIDED) and job.callbacks.follow:
            return reason  # who asked for it, and in which words, is known to the page alone
        if reason == NOT_BEST or reason.startswith(WORTH_LESS):
            return reason  # no rule about URLs said so, but the ranker
        if reason == NO_RULE or reason in MEMORY_TRAPS or (reason == LOG_OUT and has_session(job.fetch)):
            return reason
        refused = scope.refuse(request, seed=label in NO_PAGES)  # as where it was found, see engine/gate.py
        depth -= label == HEAD
        return refused if refused or label == REQUISITE else scope.refuse_link(request, site, depth)

    return refuse
