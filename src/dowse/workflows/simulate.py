"""Simulation: strategies run over pages that are there already, with the same engine, worker, store and rankers.

One page is under way at a time and nothing is on disk, so a run is the same every time, and it is what a live crawl
with --concurrency 1 does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dowse.app import scope_of, seed_requests
from dowse.config import make_job, user_agent
from dowse.core.errors import JobError
from dowse.core.job import FocusOptions, Job
from dowse.core.metrics import Mean, Score, harvest_curve, mean, score
from dowse.core.model import CHOSEN, Request, Response, Task
from dowse.core.phrasing import counted
from dowse.core.protocols import Ranker
from dowse.core.saturation import find_threshold
from dowse.crawl import read
from dowse.engine.events import Event
from dowse.engine.gate import Gate
from dowse.engine.loop import Engine
from dowse.engine.worker import Worker
from dowse.fetch.replay import Replayed, ReplayFetcher
from dowse.modes.focus.example_pages import find_related, focus_of, strategy_of
from dowse.modes.focus.orders import build_ranker, build_strategy
from dowse.parse.page import Page
from dowse.pools.event_loop import run as run_loop
from dowse.pools.inline import InlinePool
from dowse.store.folder import DATABASE
from dowse.store.sqlite import SqliteStore
from dowse.workflows.labels import read_truth
from dowse.workflows.replay_sources import Web, open_web

_ALONE: dict[str, Any] = {
    "concurrency": 1, "per_host": 1, "delay": 0.0, "retries": 0, "robots": "ignore", "sitemaps": False, "bodies": False,
    "scope": "any", "patience": 0,
}  # fmt: skip
_INDEXES = ("index.html", "index.htm")

Told = Callable[[int, int], None]
"""Takes how many runs are done and how many there are."""


class Run(Struct, frozen=True):
    """One simulated crawl: its pages in the order they were fetched, with their relevance in the end."""

    by: str
    seed: str
    pages: list[tuple[str, float]]


class Simulated(Struct, frozen=True):
    """One strategy from all seeds: its means, and how many relevant pages it had after each page."""

    by: str
    harvest: Mean
    area: Mean
    found: Mean
    precision: Mean
    recall: Mean
    curve: list[float]
    runs: list[Score]


def simulate(
    place: str | Path,
    by: Sequence[str],
    *,
    seeds: Sequence[str] = (),
    truth: str | Path | None = None,
    told: Told | None = None,
    **options: Any,
) -> list[Simulated]:
    """Run strategies over a stored crawl or a folder of pages, once from each seed, and measure them.

    Without labels the pages that the topic itself fits best count as relevant, which is only fit to compare orders.
    """
    wanted = [name for word in by for name in word.split(",") if name]
    if not wanted:
        raise JobError("by: names no strategy; give some with commas between them, such as breadth,learned")
    if not str(options.get("topic", "")).strip():
        raise JobError("topic: is empty; say in a few words what the pages should be about, such as 'heat pumps'")
    web = open_web(Path(place))
    starts = [web.address(seed) for seed in seeds] or _own_seeds(Path(place), web)
    if seeds and (unknown := [start for start in starts if web.find(start) is None]):
        raise JobError(f"seeds: {unknown[0]} is not among the pages of {place}")
    relevant = read_truth(Path(truth), web.address) if truth is not None else _fitting(web, options)
    if not relevant:
        raise JobError(
            f"no page of {place} is relevant, so there is nothing to measure; give another topic, or --truth"
        )
    if truth is not None and not any(web.find(url) is not None for url in relevant):
        raise JobError(f"truth: of {counted(len(relevant), 'URL')} in {truth} none is among the pages of {place}")
    results, done = [], 0
    for name in wanted:
        runs = []
        for start in starts:
            runs.append(simulate_run(web.find, [start], **{**options, "by": name}))
            done += 1
            if told is not None:
                told(done, len(wanted) * len(starts))
        results.append(summed_up(name, runs, relevant))
    return results


def summed_up(by: str, runs: Sequence[Run], truth: set[str]) -> Simulated:
    """What runs of one strategy from several seeds come to."""
    scores = [score(run.pages, truth, find_threshold([relevance for _, relevance in run.pages])) for run in runs]
    curves = [harvest_curve(run.pages, truth) for run in runs]
    longest = max(map(len, curves), default=0)
    curve = [sum(each[min(at, len(each) - 1)] for each in curves if each) / len(curves) for at in range(longest)]
    means = {name: mean([getattr(each, name) for each in scores]) for name in _MEASURES}
    return Simulated(by, **means, curve=curve, runs=scores)


_MEASURES = ("harvest", "area", "found", "precision", "recall")


def simulate_run(find: Callable[[str], Replayed | None], seeds: Sequence[str], **options: Any) -> Run:
    """Run one strategy from some seeds; the options are those of `dowse focus`."""
    job = make_job("focus", seeds, **{**_ALONE, **options, "output": "simulation"})
    focus = focus_of(job)
    return Run(focus.by, seeds[0], replayed(job, find, build_ranker(focus, related=find_related(focus))))


def replayed(job: Job, find: Callable[[str], Replayed | None], ranker: Ranker) -> list[tuple[str, float]]:
    """Run a best-first crawl over pages that are there; the answer is what it found, in that order, with relevance."""
    job = replace(job, fetch=replace(job.fetch, user_agent=user_agent(job)))
    store = SqliteStore(None, job, ranker)
    try:
        store.begin("", 0.0)
        store.add_seeds(seed_requests(job), CHOSEN)
        run_loop(_crawl(job, store, _worker(job, find)))
        return store.judged_pages()
    finally:
        store.close()


def _worker(job: Job, find: Callable[[str], Replayed | None]) -> Worker:
    scope = scope_of(job, ())
    gate = Gate(job, scope, lambda url: False)
    strategy = build_strategy(focus_of(job)) if isinstance(job.strategy, FocusOptions) else strategy_of(job)
    return Worker(job, ReplayFetcher(find), strategy, scope, gate)


async def _crawl(job: Job, store: SqliteStore, worker: Worker) -> None:
    pool = InlinePool(worker, 1)
    await pool.open()
    try:
        await Engine(store, pool, job.limits, _ignore).run()
    finally:
        await pool.close()


def _own_seeds(place: Path, web: Web) -> list[str]:
    """The seeds of a crawl, or the index of a folder."""
    if (place / DATABASE).exists():
        return list(read(place).job.seeds)
    found = next((name for name in _INDEXES if (place / name).exists()), None)
    if found is None:
        raise JobError(f"seeds: {place} has no index.html to start from; name a page with --seeds")
    return [web.address(found)]


def _fitting(web: Web, options: dict[str, Any]) -> set[str]:
    """The pages that fit the topic best, judged one by one."""
    topic = {name: options[name] for name in ("topic", "language") if name in options}
    strategy = build_strategy(FocusOptions(by="keywords", **topic))
    judged = []
    for url in web.urls():
        answer = web.find(url)
        if answer is not None and answer.status < 300:
            request = Request(url, 0, "")
            page = Page(Response(request, answer.status, answer.headers, answer.body, 0.0, 0.0))
            if page.is_html and not page.trouble:
                judged.append((url, strategy.judge(page, Task(0, request, "")).relevance))
    threshold = find_threshold([relevance for _, relevance in judged])
    return {url for url, relevance in judged if relevance >= threshold}


def _ignore(_event: Event) -> None:
    pass
