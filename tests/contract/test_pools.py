"""What every worker pool promises, checked on each of them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import pytest
from msgspec.structs import replace

from dowse.config import make_job
from dowse.core.errors import CrawlError
from dowse.core.model import SITEMAP, FailureKind, Outcome, Task
from dowse.core.protocols import WorkerPool
from dowse.core.url_keys import UrlKeys
from dowse.jobs.stored_jobs import job_to_json
from dowse.pools import ray_actors
from dowse.pools.event_loop import run
from dowse.pools.inline import InlinePool
from dowse.pools.processes import ProcessPool, WorkerValues
from dowse.pools.ray_actors import RayPool
from tests.contract.scripted import ENTRIES, HOST, build, build_far

JOB = make_job("site", f"http://{HOST}/", concurrency=16, workers=2)
VALUES = WorkerValues(job_to_json(JOB).encode(), {})
POOLS: dict[str, Callable[[], WorkerPool]] = {
    "inline": lambda: InlinePool(build(VALUES), JOB.fetch.concurrency),
    "processes": lambda: ProcessPool(JOB.fetch, VALUES, build),
    "ray": lambda: RayPool(JOB.fetch, VALUES, build_far),
}
SEVERAL = ("processes", "ray")
Scene = Callable[[WorkerPool], Awaitable[None]]


@pytest.fixture(params=POOLS)
def name(request: pytest.FixtureRequest) -> str:
    return _ready(str(request.param), request)


@pytest.fixture(params=SEVERAL)
def several(request: pytest.FixtureRequest) -> str:
    """Pools whose workers may die alone."""
    return _ready(str(request.param), request)


def _ready(name: str, request: pytest.FixtureRequest) -> str:
    if name == "ray":
        request.getfixturevalue("ray_session")
    return name


def task(number: int, path: str, label: str = "", host: str = HOST) -> Task:
    return Task(id=number, request=UrlKeys(JOB.urls).request(f"http://{host}{path}"), site=host, label=label)


def pages(number: int, path: str = "/page") -> list[Task]:
    return [task(each, f"{path}/{each}") for each in range(1, number + 1)]


def play(name: str, scene: Scene) -> None:
    """Open a pool, do something with it and close it, within bounds."""

    async def main() -> None:
        pool = POOLS[name]()
        await pool.open()
        try:
            async with asyncio.timeout(60):
                await scene(pool)
        finally:
            await pool.close()

    run(main())


async def finish(pool: WorkerPool, tasks: Sequence[Task]) -> list[Outcome]:
    """Hand out the tasks as there is room, and wait for all that comes of them."""
    waiting = list(tasks)
    outcomes: list[Outcome] = []
    while waiting or pool.busy:
        portion, waiting = waiting[: max(pool.room, 0)], waiting[max(pool.room, 0) :]
        pool.submit(portion)
        outcomes += await pool.results(0.25)
    return outcomes


def comparable(outcomes: list[Outcome]) -> dict[int, Outcome]:
    """By task, without the moments."""
    return {outcome.task.id: replace(outcome, fetched_at=0.0, elapsed=0.0) for outcome in outcomes}


def test_every_task_comes_home_exactly_once(name: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        outcomes = await finish(pool, pages(200))
        assert Counter(outcome.task.id for outcome in outcomes) == dict.fromkeys(range(1, 201), 1)
        assert (pool.room, pool.busy) == (16, 0)

    play(name, scene)


@pytest.mark.usefixtures("ray_session")
def test_all_pools_bring_the_same() -> None:
    tasks = [*pages(20), task(21, "/refuse"), task(22, "/raise"), task(23, "/page/deep", label="type")]
    brought: dict[str, dict[int, Outcome]] = {}

    async def scene(pool: WorkerPool) -> None:
        brought[each] = comparable(await finish(pool, tasks))

    for each in POOLS:
        play(each, scene)
    assert brought["inline"] == brought["processes"] == brought["ray"]
    first = brought["inline"][1]
    assert (first.task, first.status, first.title) == (tasks[0], 200, f"http://{HOST}/page/1")
    assert [candidate.request.url for candidate in first.candidates] == [f"http://{HOST}/page/1/next"]


def test_room_is_what_may_still_be_handed_out(name: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        assert (pool.room, pool.busy) == (16, 0)
        pool.submit(pages(6, "/hang"))
        assert (pool.room, pool.busy) == (10, 6)
        assert await pool.results(0.05) == []
        assert (pool.room, pool.busy) == (10, 6)

    play(name, scene)


def test_results_wait_no_longer_than_asked_and_no_longer_than_needed(name: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        start = time.monotonic()
        assert await pool.results(0.1) == []
        assert 0.09 < time.monotonic() - start < 10.0
        pool.submit(pages(1))
        assert len(await pool.results(15.0)) == 1
        assert pool.busy == 0, "what is home is home at once, or the end of a crawl would be noticed late"
        assert time.monotonic() - start < 14.0

    play(name, scene)


def test_a_long_list_comes_in_parts_and_its_task_once(name: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        outcomes = await finish(pool, [task(1, "/map", label=SITEMAP), *pages(3, "/page/x")[1:]])
        of_list = [outcome for outcome in outcomes if outcome.task.id == 1]
        assert [outcome.partial for outcome in of_list] == [True, True, True, False]
        urls = [candidate.request.url for outcome in of_list for candidate in outcome.candidates]
        assert urls == [f"http://{HOST}/page/{number}" for number in range(ENTRIES)]
        assert Counter(outcome.task.id for outcome in outcomes if not outcome.partial) == {1: 1, 2: 1, 3: 1}

    play(name, scene)


def test_a_mistake_of_ours_is_the_failure_of_one_task(name: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        outcomes = {outcome.task.id: outcome for outcome in await finish(pool, [task(1, "/raise"), *pages(9)[1:]])}
        failure = outcomes.pop(1).failure
        assert failure is not None
        assert (failure.kind, failure.detail) == (FailureKind.INTERNAL, "RuntimeError: a mistake")
        assert {outcome.failure for outcome in outcomes.values()} == {None}

    play(name, scene)


def test_a_pool_can_be_closed_while_it_is_busy(name: str) -> None:
    closing = 0.0

    async def scene(pool: WorkerPool) -> None:
        nonlocal closing
        pool.submit([*pages(4), *(task(number, f"/hang/{number}") for number in range(5, 9))])
        while pool.busy > 4:
            await pool.results(1.0)
        closing = time.monotonic()

    play(name, scene)
    assert time.monotonic() - closing < 15.0


def test_what_a_dead_worker_had_out_comes_home_and_the_next_one_takes_over(several: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        hanging = pages(6, "/hang")
        pool.submit([*hanging, task(7, "/die")])
        home: list[Outcome] = []
        dead = 4 if several == "processes" else 7  # the dead one's half; on a cluster one worker has all of a host
        while len(home) < dead:
            home += await pool.results(1.0)
            assert pool.room >= 0 or several == "ray"
        assert {outcome.failure and outcome.failure.kind for outcome in home} == {FailureKind.CRASH}
        assert home[-1].failure is not None
        assert home[-1].failure.detail.startswith("the worker ")
        assert 7 in [outcome.task.id for outcome in home]
        while pool.room < 9 + dead:
            await pool.results(0.1)
        more = [task(number, f"/page/{number}") for number in range(10, 30)]
        pool.submit(more[:13])
        outcomes: list[Outcome] = []
        while len(outcomes) < 13:
            outcomes += await pool.results(1.0)
        assert {outcome.task.id for outcome in outcomes} == set(range(10, 23))
        assert pool.busy == 7 - dead

    play(several, scene)


def test_tasks_handed_out_around_a_death_are_not_lost(several: str) -> None:
    """The moment between the end of a process and the start of the next is long enough for many submissions."""

    async def scene(pool: WorkerPool) -> None:
        waiting = pages(300)
        waiting[20] = task(21, "/die")
        outcomes = await finish(pool, waiting)
        assert Counter(outcome.task.id for outcome in outcomes) == dict.fromkeys(range(1, 301), 1)
        crashed = [outcome.task.id for outcome in outcomes if outcome.failure is not None]
        assert 21 in crashed
        assert len(crashed) <= 16, "no more than one worker had out"

    play(several, scene)


def test_a_new_briefing_reaches_the_workers_that_are_there_and_those_that_come(several: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        pool.brief({"word": b"new"})
        first = await finish(pool, pages(4, "/briefed"))
        assert {outcome.evidence for outcome in first} == {b"new"}
        await finish(pool, [task(5, "/die")])
        while pool.room < 16 or (pool.cluster is not None and pool.cluster.without_place):
            await pool.results(0.1)
        tasks = [task(each, f"/briefed/{each}", host=f"h{each}.example") for each in range(10, 40)]
        assert {outcome.evidence for outcome in await finish(pool, tasks)} == {b"new"}

    play(several, scene)


# What only a cluster promises


@pytest.mark.usefixtures("ray_session")
def test_the_tasks_of_a_host_go_to_one_actor() -> None:
    hosts = [f"h{number}.example" for number in range(24)]

    async def scene(pool: WorkerPool) -> None:
        tasks = [task(each, f"/where/{each}", host=hosts[each % 24]) for each in range(24 * 8)]
        places: dict[str, set[bytes]] = {}
        for outcome in await finish(pool, tasks):
            places.setdefault(outcome.task.request.host, set()).add(outcome.evidence)
        assert {len(found) for found in places.values()} == {1}
        assert len(set.union(*places.values())) == 2, "both actors had some"

    play("ray", scene)


@pytest.mark.usefixtures("ray_session")
def test_a_cluster_says_where_its_workers_are() -> None:
    async def scene(pool: WorkerPool) -> None:
        assert pool.cluster is not None
        assert sum(pool.cluster.nodes.values()) == 2
        assert pool.cluster.without_place == 0

    play("ray", scene)


@pytest.mark.usefixtures("ray_session")
def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_actors, "VERSION", "9.9.9")
    with pytest.raises(CrawlError, match=r"cannot take part: it has dowse .* this crawl is run by 9\.9\.9: install"):
        play("ray", _nothing)


async def _nothing(_pool: WorkerPool) -> None:
    pass
