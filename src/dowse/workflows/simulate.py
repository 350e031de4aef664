"""Simulation: a mode run over stored pages, with the same engine, worker, store and rankers.

Pages are read one at a time and nothing is written to disk, so a run is the same every time. A live crawl with
--concurrency 1 takes the same pages in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dowse.app import read
from dowse.assembly import documents_for, scope_of, seed_requests, worker_with
from dowse.config import asked_of_mode, make_job
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.metrics import Mean, Score, harvest_curve, mean, score
from dowse.core.model import Request, Response
from dowse.core.phrasing import counted
from dowse.core.user_agent import user_agent
from dowse.documents.document_reader import DocumentReader
from dowse.documents.read_pages import page_of_answer
from dowse.engine.events import Event, Progress, Stopped
from dowse.engine.gate import Gate
from dowse.engine.loop import Engine, Listener
from dowse.engine.worker import Worker
from dowse.fetch.replay import Replayed, ReplayFetcher
from dowse.fetch.robots import RobotsFetcher
from dowse.jobs.own_code import NOTHING_GIVEN, Given, load_own, named
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode, modes
from dowse.parse.page import Page
from dowse.pools.event_loop import run as run_loop
from dowse.pools.inline import InlinePool
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import holds_crawl
from dowse.workflows.labels import read_labels
from dowse.workflows.replay_sources import Web, open_web

_ALONE: dict[str, Any] = {
    "concurrency": 1, "per_host": 1, "delay": 0.0, "retries": 0, "robots": "ignore", "sitemaps": False, "bodies": False,
    "scope": "any", "patience": 0, "max_pages": 300, "documents": False,
}  # fmt: skip
"""One page at a time, and no limit but the number of pages. Options that a mode does not have are left out."""

_INDEXES = ("index.html", "index.htm")

Told = Callable[[int, int], None]
"""Takes how many pages are done and how many there may be in all runs."""


class Run(Struct, frozen=True):
    """One simulated crawl: its pages in the order they were fetched, with their relevance in the end."""

    by: str
    seed: str
    pages: list[tuple[str, float]]


class Simulated(Struct, frozen=True):
    """One ranker (or a mode without any) from all seeds: means, and the number of relevant pages after each page. So
    many pages count as `relevant` in all, and so many of them are `stored`, so that they can be found."""

    by: str
    harvest: Mean
    area: Mean
    found: Mean
    precision: Mean
    recall: Mean
    curve: list[float]
    runs: list[Score]
    relevant: int
    stored: int


def simulate(
    place: str | Path,
    by: Sequence[str] = (),
    *,
    mode: str = "",
    seeds: Sequence[str] = (),
    truth: str | Path | None = None,
    told: Told | None = None,
    **options: Any,
) -> list[Simulated]:
    """Run a mode over a stored crawl or a folder of pages, once from each seed, and measure it.

    `by` are the rankers to compare, if the mode has any. What a crawl of this mode was asked for in words, such as
    its topic, holds if `options` say nothing else. Without labels the pages that fit the job best count as relevant,
    which is good enough to compare rankers.
    """
    options, given = named(options)
    chosen = find_mode(mode) if mode else compared_mode()
    wanted = [name for word in by for name in word.split(",") if name]
    if chosen.compares and not wanted:
        raise JobError(
            f"{chosen.compares}: names no ranker; give some with commas between them, such as breadth,learned"
        )
    web = open_web(Path(place))
    starts = [web.address(seed) for seed in seeds] or _own_seeds(Path(place), web)
    if seeds and (unknown := [start for start in starts if web.find(start) is None]):
        raise JobError(f"seeds: {unknown[0]} is not among the pages of {place}")
    own = {**_asked_before(Path(place), chosen), **_alone(chosen), "documents": _has_documents(Path(place))}
    options = {**own, **options}
    named_by = {name: {chosen.compares: name} for name in wanted} if chosen.compares else {chosen.name: {}}
    jobs = {name: _job(chosen, starts, {**options, **ranker}) for name, ranker in named_by.items()}
    any_job = next(iter(jobs.values()))
    relevant = read_labels(Path(truth), web.address) if truth is not None else _fitting(chosen, any_job, web)
    if not relevant:
        raise JobError(
            f"no page of {place} is relevant, so there is nothing to measure; give another topic, or --truth"
        )
    stored = sum(map(web.has, relevant))
    if truth is not None and not stored:
        raise JobError(f"truth: of {counted(len(relevant), 'URL')} in {truth} none is among the pages of {place}")
    results, done = [], 0
    for name, job in jobs.items():
        runs = []
        for start in starts:
            listener = _counting(done, len(jobs) * len(starts), job.limits.max_pages, told)
            runs.append(Run(name, start, replayed(replace(job, seeds=(start,)), web.find, given, listener)))
            done += 1
        results.append(summed_up(name, runs, relevant, stored, chosen.matched_from(job)))
    return results


def compared_mode() -> Mode[Any]:
    """The mode to simulate if none is named: the first with rankers to compare."""
    return next(mode for mode in modes() if mode.compares)


def _job(mode: Mode[Any], seeds: Sequence[str], options: dict[str, Any]) -> Job:
    return make_job(mode.name, () if mode.start else seeds, **{**options, "output": "simulation"})


def _asked_before(place: Path, mode: Mode[Any]) -> dict[str, Any]:
    """What a crawl of this mode was asked for in words, such as its topic. Examples are left out: they would have to be
    fetched."""
    job = read(place).job if holds_crawl(place) else None
    if job is None or job.mode != mode.name:
        return {}
    texts = {setting.name for setting in mode.settings if setting.kind == "text"}
    return {name: value for name, value in asked_of_mode(job).items() if name in texts}


def _alone(mode: Mode[Any]) -> dict[str, Any]:
    known = {setting.name for setting in mode.settings}
    return {name: value for name, value in _ALONE.items() if name in known}


def summed_up(by: str, runs: Sequence[Run], truth: set[str], stored: int, threshold: float) -> Simulated:
    """The means over the runs of one ranker from several seeds, if pages match from a relevance."""
    scores = [score(run.pages, truth, threshold) for run in runs]
    curves = [harvest_curve(run.pages, truth) for run in runs]
    longest = max(map(len, curves), default=0)
    curve = [sum(each[min(at, len(each) - 1)] for each in curves if each) / len(curves) for at in range(longest)]
    means = {name: mean([getattr(each, name) for each in scores]) for name in _MEASURES}
    return Simulated(by, **means, curve=curve, runs=scores, relevant=len(truth), stored=stored)


_MEASURES = ("harvest", "area", "found", "precision", "recall")


def simulate_run(find: Callable[[str], Replayed | None], seeds: Sequence[str], **options: Any) -> Run:
    """Run the mode with rankers from some seeds, one page at a time and with no limit but those that are given."""
    mode = compared_mode()
    job = _job(mode, seeds, {**_alone(mode), **options})
    return Run(str(options.get(mode.compares, "")), seeds[0], replayed(job, find))


def _counting(done: int, runs: int, pages: int, told: Told | None) -> Listener:
    """Tells how far all runs are, each of at most so many pages, while one of them runs."""

    def listen(event: Event) -> None:
        if told is not None and pages and isinstance(event, Progress | Stopped):
            now = event.pages if isinstance(event, Progress) else pages
            told(done * pages + now, runs * pages)

    return listen


def replayed(
    job: Job,
    find: Callable[[str], Replayed | None],
    given: Given = NOTHING_GIVEN,
    listener: Listener = lambda _event: None,
) -> list[tuple[str, float]]:
    """Run a crawl over stored pages. Returns its pages in the order of the crawl, with their relevance."""
    job = replace(job, fetch=replace(job.fetch, user_agent=user_agent(job)))
    mode = find_mode(job.mode)
    briefing = mode.prepare(job, None, _ignore)
    store = CrawlStore(None, job, mode.lease_policy(job), mode.bookkeeping(job, briefing))
    scope = scope_of(job, ())
    own = load_own(job, given)
    replay = ReplayFetcher(find)
    obeys = job.politeness.robots == "obey"
    robots = RobotsFetcher(replay, job.fetch.user_agent, uses=job.politeness.use) if obeys else None
    gate = Gate(job, scope, robots.refuses if robots else lambda url: False)
    parts = (lambda briefing: mode.strategy(job, briefing), briefing, scope, gate, (), None, None, None)
    worker = worker_with(own, job, robots or replay, *parts, documents_for(job, scope))
    try:
        store.begin("", 0.0)
        for seed in mode.seeds(job, briefing):
            store.add_seeds(seed_requests(job, [seed]), seed.priority, seed.hint)
        run_loop(_crawl(job, store, worker, listener))
        return store.fetched_pages()
    finally:
        store.close()


async def _crawl(job: Job, store: CrawlStore, worker: Worker, listener: Listener) -> None:
    pool = InlinePool(worker, 1)
    await pool.open()
    try:
        await Engine(store, pool, job.limits, listener).run()
    finally:
        await pool.close()


def _has_documents(place: Path) -> bool:
    """Whether a crawl took documents for pages; where it did not, there are none to find."""
    return holds_crawl(place) and read(place).job.scope.documents


def _own_seeds(place: Path, web: Web) -> list[str]:
    """The seeds of a crawl, or the index of a folder."""
    if holds_crawl(place):
        return list(read(place).job.seeds)
    found = next((name for name in _INDEXES if (place / name).exists()), None)
    if found is None:
        raise JobError(f"seeds: {place} has no index.html to start from; name a page with --seeds")
    return [web.address(found)]


def _fitting(mode: Mode[Any], job: Job, web: Web) -> set[str]:
    """The pages that fit the job best, judged one by one."""
    pages = []
    with DocumentReader() as reader:
        for url in web.urls():
            answer = web.find(url)
            if answer is not None and answer.status < 300:
                response = Response(Request(url, 0, ""), answer.status, answer.headers, answer.body, 0.0, 0.0)
                page = page_of_answer(response, reader) if job.scope.documents else Page(response)
                if page.is_html and not page.trouble:
                    pages.append((url, page))
    return mode.fitting(job, pages)


def _ignore(_sentence: str) -> None:
    pass
