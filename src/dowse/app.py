"""The composition root: a job becomes objects, and the objects run."""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from dowse.assembly import can_read_more, excluded_by, refusal_of, rules_of, seed_requests
from dowse.config import change_job, check_takes_seeds
from dowse.core.briefing import Briefing
from dowse.core.crawl_numbers import LedgerRow
from dowse.core.errors import CrawlError, CrawlInterrupted, JobError
from dowse.core.job import ExtractOptions, Job, Limits
from dowse.core.options.extract_options import DROP
from dowse.core.protocols import StopReason
from dowse.core.url_keys import have_same_keys
from dowse.crawl import REPORT, Crawl, Summary, read
from dowse.crawls.moved_content import StoredContent
from dowse.crawls.output_files import export, report
from dowse.engine.callbacks import OwnCode
from dowse.engine.events import Event, Notice, Problem
from dowse.engine.loop import Engine, Listener
from dowse.fetch.fetcher_chain import check_manners
from dowse.jobs.contact_notice import tell_of_contact
from dowse.jobs.own_code import NOTHING_GIVEN, Given, check_portable, load_own, named, placed
from dowse.jobs.seed_lists import all_seeds
from dowse.jobs.stored_jobs import job_to_json
from dowse.jobs.weight_lists import wishes_of, with_room
from dowse.machine.credentials import check_seal, resolved, seal
from dowse.modes.mode import Seed
from dowse.modes.registry import find_mode
from dowse.pools.event_loop import Reader, StopRequest, current_stop, run_anywhere, stopping_on_signals
from dowse.replacing import check_process, make_room
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import attached, holds_crawl
from dowse.store.reading.reader import RenderingTotals
from dowse.store.reading.stories import Story
from dowse.worker_pools import check_place, make_pool

if TYPE_CHECKING:
    from dowse.crawls.reextract import Extraction

__all__ = [
    "REPORT",
    "Crawl",
    "LedgerRow",
    "RenderingTotals",
    "Story",
    "Summary",
    "export",
    "extract",
    "read",
    "recrawl",
    "report",
    "resume",
    "retry",
    "start",
]


def start(
    job: Job,
    listener: Listener | None = None,
    given: Given = NOTHING_GIVEN,
    *,
    anew: bool = False,
    reader: Reader | None = None,
) -> Summary:
    """Run a new crawl to its end. The folder must not hold one yet, unless that is to be removed (`anew`). `given` is
    code that is no name (own_code.py), `reader` somebody who takes the pages while they come."""
    directory = Path(job.output)
    if holds_crawl(directory) and not anew:
        verb = "resume" if read(directory).status().pages else "retry"
        raise CrawlError(
            f"{directory} already holds a crawl: go on with dowse {verb} {directory}, or choose another folder (-o)"
        )
    return _run(with_room(job), listener, given=given, anew=anew, reader=reader)


def resume(
    directory: str | Path, listener: Listener | None = None, *, reader: Reader | None = None, **overrides: Any
) -> Summary:
    """Continue a crawl; options given here replace those it was started with. Only seeds (`seeds`, `seeds_from`) are
    added to its own."""
    overrides, given = named(attached(directory, overrides))
    seeds, source = overrides.pop("seeds", ()), overrides.pop("seeds_from", "")
    more = all_seeds(seeds, source, lambda: _job_of(directory, overrides)) if seeds or source else ()
    before, job = read(directory).job, _job_of(directory, overrides, more)

    def prepare(store: CrawlStore) -> Limits | None:
        if (job.dedup, job.urls) != (before.dedup, before.urls):
            store.release()
        if more or rules_of(job) != rules_of(before) or can_read_more(store.counts):
            store.reconsider(refusal_of(job))
        return None if store.has_budget else with_room(job).limits  # a recrawl that goes on makes room by itself

    return _run(job, listener, prepare, given=given, more=more, reader=reader)


def retry(directory: str | Path, listener: Listener | None = None, **overrides: Any) -> Summary:
    """Try what failed once more, and nothing else."""
    overrides, given = named(attached(directory, overrides))
    job = _job_of(directory, overrides)  # its limits are of this run; the crawl keeps its own
    unlimited = replace(job.limits, max_pages=0, max_bytes=0, max_results=0)
    more = replace(job.limits, **{name: overrides.get(name, 0) for name in ("max_pages", "max_bytes", "max_results")})

    def prepare(store: CrawlStore) -> Limits:
        store.retry_failed(excluded_by(job))
        return replace(_from_now(more, store), max_pages=more.max_pages and more.max_pages + store.spent)

    return _run(replace(job, limits=unlimited), listener, prepare, read(directory).job, given)


def recrawl(directory: str | Path, listener: Listener | None = None, *, budget: int = 0, **overrides: Any) -> Summary:
    """Visit every fetched page again, or with a `budget` make the requests that are expected to bring most news. A
    collection of bounded size always has one."""
    overrides, given = named(attached(directory, overrides))
    before, job = read(directory).job, _job_of(directory, overrides)
    wishes = wishes_of(job.revisits)
    budget = wishes.requests(budget)
    if wishes.collection:
        job = replace(job, limits=replace(job.limits, max_pages=0))

    def prepare(store: CrawlStore) -> Limits:
        if (job.dedup, job.urls) != (before.dedup, before.urls):
            store.release()
        if can_read_more(store.counts):
            store.reconsider(refusal_of(job))
        store.revisit(excluded_by(job), budget, wishes)
        return _from_now(replace(job.limits, max_pages=0) if budget else job.limits, store)

    noted = replace(job, limits=before.limits) if job.limits != before.limits else None
    return _run(job, listener, prepare, noted, given)


def _from_now(limits: Limits, store: CrawlStore) -> Limits:
    """Limits on what comes from now on; what came before was for other visits."""
    size, most = limits.max_bytes, limits.max_results
    return replace(limits, max_bytes=size and size + store.bytes_received, max_results=most and most + store.results)


def extract(directory: str | Path, told: Callable[[int, int], None] | None = None, **options: Any) -> Extraction:
    """Take fields from the stored pages of a crawl, without fetching anything.

    A field that is given anew replaces the crawl's field of that name; its other fields stay. The records are
    replaced all at once when all pages are read; those that are damaged keep theirs. `told` hears how many pages were
    read and how many there are.
    """
    from dowse.crawls.reextract import reread

    crawl = read(directory)
    return reread(Path(directory), crawl.job, crawl.seal, told, options)


def _run(
    job: Job,
    listener: Listener | None,
    change: Callable[[CrawlStore], Limits | None] | None = None,
    noted: Job | None = None,
    given: Given = NOTHING_GIVEN,
    more: Collection[str] = (),
    anew: bool = False,
    reader: Reader | None = None,
) -> Summary:
    """`change` is what is to be done to the store first; it may answer with other limits. `noted` is the job to write
    down where it is not the one that is run. Secrets are in neither: the workers of this run get a job of their own
    that has them. `more` are the seeds that a crawl which goes on gets now. What is in the folder is removed for a
    crawl that begins `anew`, when nothing can be wrong with the new job any more."""
    check_process()
    check_place(job)
    job = placed(job)
    own = load_own(job, given)
    check_portable(job)
    tell = listener or _ignore
    mode = find_mode(job.mode)
    running = resolved(replace(job, store=replace(job.store, store="")))  # workers open no database
    check_manners(running)
    is_there = holds_crawl(Path(job.output))
    stored = read(job.output).reader.briefing() if is_there and not anew else None
    briefing = mode.prepare(running, stored, lambda sentence: tell(Notice(sentence)))
    for text, is_error in _problems(job, briefing):
        tell(Problem(text, is_error))
    seeds = mode.seeds(job, briefing)
    named = tuple(seed.url for seed in seeds)
    job, running = replace(job, seeds=named), replace(running, seeds=named)
    tell_of_contact(job, listener if stored is None else None)
    stop = reader.stop if reader is not None else current_stop()
    if is_there and anew:
        make_room(running, briefing, stop)
    store = CrawlStore(Path(job.output), job, mode.lease_policy(job), mode.bookkeeping(job, briefing))
    try:
        store.begin(job_to_json(noted or job), time.time(), briefing, "" if noted else seal(job))
        _add_seeds(store, job, seeds, frozenset(more))
        if change is not None and (limits := change(store)) is not None:
            running = replace(running, limits=limits)
        started = time.monotonic()
        with stopping_on_signals(stop), _listening(job, tell) as listening:
            run_anywhere(_crawl(running, briefing, store, listening, stop, own, reader))
    finally:
        store.close()
    summary = replace(read(job.output).status(), elapsed=time.monotonic() - started)
    if stop.asked:
        raise CrawlInterrupted(summary.directory, summary)
    return summary


def _problems(job: Job, briefing: Briefing) -> Iterator[tuple[str, bool]]:
    """What is wrong with what the mode has read, and whether each is an error."""
    errors, warnings = find_mode(job.mode).problems(job, briefing)
    yield from ((text, True) for text in errors)
    yield from ((text, False) for text in warnings)


def _add_seeds(store: CrawlStore, job: Job, seeds: Iterable[Seed], more: Container[str]) -> None:
    """All that are alike at once: a list may have a hundred thousand of them."""
    alike: defaultdict[tuple[float, bytes, bool], list[Seed]] = defaultdict(list)
    for seed in seeds:
        alike[seed.priority, seed.hint, seed.url in more].append(seed)
    for (priority, hint, is_new), group in alike.items():
        store.add_seeds(seed_requests(job, group), priority, hint, anew=is_new)


async def _crawl(
    job: Job,
    briefing: Briefing,
    store: CrawlStore,
    listener: Listener,
    stop: StopRequest,
    own: OwnCode,
    reader: Reader | None,
) -> StopReason:
    pool = make_pool(job, briefing, own, listener)
    watch = find_mode(job.mode).watch(job)
    try:
        await pool.open()
        engine = Engine(store, pool, job.limits, listener, watch, reader.room if reader else None)
        stop.goes_to(engine.stop)
        reason = await engine.run()
        store.note_moved(StoredContent(job))
        return reason
    finally:
        if watch is not None:
            watch.close()
        await pool.close()


@contextlib.contextmanager
def _listening(job: Job, listener: Listener) -> Iterator[Listener]:
    """Whoever listens to a run; before them, what grows beside it."""
    growing = find_mode(job.mode).live_outputs(job, listener)
    if growing is None:
        yield listener
        return
    try:
        yield growing
    finally:
        growing.close()


def _job_of(directory: str | Path, overrides: dict[str, Any], seeds: Collection[str] = ()) -> Job:
    """The job of a crawl that goes on, with some options given anew and more seeds. Raises JobError if one of the
    options must stay."""
    crawl = read(directory)
    if seeds:
        check_takes_seeds(crawl.mode, "seeds")
    before = replace(crawl.job, seeds=crawl.mode.current_seeds(crawl))
    check_seal(before, crawl.seal, overrides)
    if any(name in (*ExtractOptions.__struct_fields__, DROP) for name in overrides):
        from dowse.crawls.reextract import merged

        overrides = merged(before.extract, overrides)
    with_more = replace(before, seeds=(*before.seeds, *seeds))
    job = change_job(with_more, **{**overrides, "output": str(directory)})
    crawl.mode.check_change(before, job, overrides)
    if job.politeness.use != before.politeness.use:
        raise JobError("use: cannot be changed in a crawl that has begun; start a new one")
    if job.fetch.bodies_at != before.fetch.bodies_at:
        raise JobError("bodies_at: cannot be changed in a crawl that has begun; start a new one")
    if not have_same_keys(job.urls, before.urls):
        changed = ", ".join(name for name in overrides if hasattr(job.urls, name))
        raise JobError(f"{changed}: cannot be changed in a crawl that has begun; start a new one")
    return job


def _ignore(_event: Event) -> None:
    pass
