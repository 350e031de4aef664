"""The engine without a network, in a process of its own: python -m benchmarks.null_crawl build|run|alternate DIR ...

build DIR ORIGIN N [DATABASE]    a crawl of which N URLs wait, written by the store's own commit
run DIR PAGES         goes on with it for so many pages; prints its costs as JSON
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import turbohtml
from msgspec.structs import replace

import dowse.parse.page
from benchmarks.null_site import NullFetcher, address
from benchmarks.process import high_water
from dowse.assembly import seed_requests
from dowse.core.briefing import NOTHING
from dowse.core.job import DedupOptions, FetchOptions, Job, Limits, Politeness
from dowse.core.model import Candidate, Outcome, Request, Task
from dowse.core.options.store_options import StoreOptions
from dowse.core.protocols import Fetcher, StopReason, Work
from dowse.core.scope import Scope
from dowse.core.url_keys import UrlKeys
from dowse.engine.gate import Gate
from dowse.engine.loop import Engine
from dowse.engine.worker import Emit, Worker
from dowse.jobs.stored_jobs import job_from_json, job_to_json, pack_job
from dowse.modes.mode import Seed
from dowse.modes.site.options import SiteOptions
from dowse.modes.site.strategy import SiteStrategy
from dowse.parse.scan import Scan, scan
from dowse.pools.event_loop import run as run_loop
from dowse.pools.inline import InlinePool
from dowse.pools.processes import ProcessPool, WorkerValues
from dowse.store.crawl_store import CrawlStore
from dowse.store.reading.reader import CrawlReader

FOUND = 1000
"""Candidates of one outcome while a frontier is built."""

PARSED = 200
"""How often a page is parsed, of which the quickest counts."""

TURNS = 40
PAGES_A_TURN = 200

_KNOWN = "DOWSE_BENCH_KNOWN"
"""The variable by which processes learn how many pages were known when the run began."""

T = TypeVar("T")


def build(directory: Path, origin: str, waiting: int, database: str = "") -> None:
    """Fill a frontier, a thousand URLs from each page that was never fetched."""
    job = Job(
        seeds=(origin,),
        output=str(directory),
        mode="site",
        options=SiteOptions(),
        politeness=Politeness(delay=0, per_host=64),
        fetch=FetchOptions(user_agent="benchmark"),
        dedup=DedupOptions(dedup="off"),
        store=StoreOptions(store=database),
    )
    store, keys, found = CrawlStore(directory, job), UrlKeys(job.urls), 0
    store.begin(job_to_json(job), time.time())
    store.add_seeds(_seeds(job), 0.0)
    while found < waiting:
        outcomes = []
        for task in store.lease(time.time(), 64).tasks:
            numbers = range(found + 1, min(found + FOUND, waiting) + 1)
            found += len(numbers)
            candidates = [
                Candidate(keys.request(address(origin, each)), "a page", -1.0 - task.depth) for each in numbers
            ]
            outcomes.append(Outcome(task=task, fetched_at=time.time(), status=200, size=1, candidates=candidates))
        store.commit(outcomes, time.time())
    store.finish("max_pages", time.time())
    store.close()
    print(json.dumps({"found": found, "memory": high_water()}))


class Timed:
    """Stands before a part and adds up the processor time spent in it."""

    def __init__(self, part: Any) -> None:
        self._part = part
        self.seconds = {"lease": 0.0, "commit": 0.0, "finish": 0.0, "visit": 0.0}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)

    def lease(self, now: float, limit: int, pages: int | None = None) -> Work:
        return self._timed("lease", lambda: self._part.lease(now, limit, pages))

    def commit(self, outcomes: Sequence[Outcome], now: float) -> None:
        self._timed("commit", lambda: self._part.commit(outcomes, now))

    def finish(self, reason: StopReason, now: float) -> StopReason:
        return self._timed("finish", lambda: self._part.finish(reason, now))

    async def visit(self, task: Task, emit: Emit) -> Outcome:
        started = time.thread_time()
        outcome: Outcome = await self._part.visit(task, emit)  # which never waits: the answer is made in memory
        self.seconds["visit"] += time.thread_time() - started
        return outcome

    def _timed(self, what: str, call: Callable[[], T]) -> T:
        started = time.thread_time()
        answer = call()
        self.seconds[what] += time.thread_time() - started
        return answer


class NullCrawl:
    """A crawl that goes on for some pages whenever it is told to, and what that cost so far."""

    def __init__(self, directory: Path, workers: int = 1) -> None:
        job = job_from_json(CrawlReader(directory).meta("job"))
        self.store = Timed(CrawlStore(directory, job))
        os.environ[_KNOWN] = str(sum(self.store.counts.values()))
        self.job = replace(job, output=str(directory), fetch=replace(job.fetch, workers=workers))
        self._fetcher = null_fetcher(self.job)
        self._worker = Timed(build_worker(self.job, self._fetcher))
        self._cpu = 0.0
        self.pages, self.wall = 0, 0.0

    def go(self, pages: int) -> None:
        limits = Limits(max_pages=self.store.pages + pages)
        cpu, wall = time.thread_time(), time.perf_counter()
        run_loop(_crawl(replace(self.job, limits=limits), self.store, self._worker))
        self._cpu += time.thread_time() - cpu
        self.wall += time.perf_counter() - wall
        self.pages += pages

    @property
    def made(self) -> float:
        """The seconds that the making of pages took."""
        return self._fetcher.seconds

    def typical_page(self) -> bytes:
        return self._fetcher.page(1)

    def seconds(self) -> dict[str, float]:
        """Processor time by part; all of it but the making of the pages and what is done once a run."""
        return {
            "lease": self.store.seconds["lease"],
            "visit": self._worker.seconds["visit"] - self._fetcher.seconds,
            "commit": self.store.seconds["commit"],
            "all": self._cpu - self._fetcher.seconds - self.store.seconds["finish"],
        }


def run(directory: Path, pages: int, workers: int = 1) -> None:
    """Go on with a crawl, and say what it cost."""
    crawl, scanned = NullCrawl(directory, workers), _timed_scan()
    crawl.go(pages)
    memory = high_water()
    crawl.store.close()
    seconds = crawl.seconds() | {"scan": scanned[0], "parser": pages * _parser_seconds(crawl.typical_page())}
    print(json.dumps({"pages": pages, "wall": crawl.wall, "memory": memory, "seconds": seconds}))


def alternate(*directories: Path) -> None:
    """Go on with several crawls in turn, a fraction of a second each, and print how fast each was."""
    crawls = [NullCrawl(directory) for directory in directories]
    for _ in range(TURNS):
        for crawl in crawls:
            crawl.go(PAGES_A_TURN)
    for crawl in crawls:
        crawl.store.close()
    walls = [crawl.pages / (crawl.wall - crawl.made) for crawl in crawls]
    print(json.dumps({"speeds": [crawl.pages / crawl.seconds()["all"] for crawl in crawls], "walls": walls}))


def null_fetcher(job: Job) -> NullFetcher:
    return NullFetcher(job.seeds[0], int(os.environ[_KNOWN]))


def build_worker(job: Job, fetcher: Fetcher | None = None) -> Worker:
    """What `assembly.build_worker` does, with answers from memory; other processes call it too."""
    scope = Scope(job.scope, job.limits, {request.host for request in _seeds(job)})
    gate = Gate(job, scope, lambda _url: False)
    return Worker(job, fetcher or null_fetcher(job), lambda _: SiteStrategy(SiteOptions()), NOTHING, scope, gate)


def build_from(values: WorkerValues) -> Worker:
    """The same in another process."""
    return build_worker(job_from_json(values.job))


def build_far(values: WorkerValues) -> tuple[Worker, None]:
    """The same on a cluster."""
    return build_from(values), None


def _seeds(job: Job) -> list[Request]:
    return seed_requests(job, [Seed(url) for url in job.seeds])


async def _crawl(job: Job, store: Any, worker: Any) -> None:
    several = job.fetch.workers > 1
    values = WorkerValues(pack_job(job), NOTHING)
    pool = ProcessPool(job.fetch, values, build_from) if several else InlinePool(worker, job.fetch.concurrency)
    await pool.open()
    await Engine(store, pool, job.limits, lambda _event: None).run()
    await pool.close()


def _timed_scan() -> list[float]:
    """From now on the time that scans of pages take is added up in the first place of the answer."""
    spent = [0.0]

    def timed(body: bytes, headers: dict[str, str], *, outlined: bool) -> Scan | None:
        started = time.thread_time()
        found = scan(body, headers, outlined=outlined)
        spent[0] += time.thread_time() - started
        return found

    dowse.parse.page.scan = timed  # type: ignore[attr-defined]
    return spent


def _parser_seconds(body: bytes) -> float:
    """What the HTML parser alone would take for a page."""
    best = math.inf
    for _ in range(PARSED):
        started = time.thread_time()
        turbohtml.parse(body, positions=False)
        best = min(best, time.thread_time() - started)
    return best


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), *sys.argv[5:])
    elif sys.argv[1] == "alternate":
        alternate(*map(Path, sys.argv[2:]))
    else:
        run(Path(sys.argv[2]), *map(int, sys.argv[3:]))
