"""What every worker pool promises, checked on each of them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import pytest
from msgspec.structs import replace

from dowse.config import make_job
from dowse.core.model import SITEMAP, FailureKind, Outcome, Task
from dowse.core.protocols import WorkerPool
from dowse.core.url_keys import UrlKeys
from dowse.pools.event_loop import run
from dowse.pools.inline import InlinePool
from dowse.pools.processes import ProcessPool, WorkerValues
from dowse.stored_jobs import job_to_json
from tests.contract.scripted import ENTRIES, HOST, build

JOB = make_job("site", f"http://{HOST}/", concurrency=16, workers=2)
VALUES = WorkerValues(job_to_json(JOB).encode(), {})
POOLS: dict[str, Callable[[], WorkerPool]] = {
    "inline": lambda: InlinePool(build(VALUES), JOB.fetch.concurrency),
    "processes": lambda: ProcessPool(JOB.fetch, VALUES, build),
}
Scene = Callable[[WorkerPool], Awaitable[None]]


@pytest.fixture(params=POOLS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def task(number: int, path: str, label: str = "") -> Task:
    return Task(id=number, request=UrlKeys(JOB.urls).request(f"http://{HOST}{path}"), site=HOST, label=label)


def pages(number: int, path: str = "/page") -> list[Task]:
    return [task(each, f"{path}/{each}") for each in range(1, number + 1)]


def play(name: str, scene: Scene) -> None:
    """Open a pool, do something with it and close it, within bounds."""

    async def main() -> None:
        pool = POOLS[name]()
        await pool.open()
        try:
            async with asyncio.timeout(20):
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


def test_all_pools_bring_the_same() -> None:
    tasks = [*pages(20), task(21, "/refuse"), task(22, "/raise"), task(23, "/page/deep", label="type")]
    brought: dict[str, dict[int, Outcome]] = {}

    async def scene(pool: WorkerPool) -> None:
        brought[each] = comparable(await finish(pool, tasks))

    for each in POOLS:
        play(each, scene)
    assert brought["inline"] == brought["processes"]
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


def test_what_a_dead_process_had_out_comes_home_and_the_next_one_takes_over() -> None:
    async def scene(pool: WorkerPool) -> None:
        hanging = pages(6, "/hang")
        pool.submit([*hanging, task(7, "/die")])
        home: list[Outcome] = []
        while len(home) < 4:  # the dead one's half
            home += await pool.results(1.0)
            assert pool.room >= 0
        assert {outcome.failure and outcome.failure.kind for outcome in home} == {FailureKind.CRASH}
        assert home[-1].failure is not None
        assert home[-1].failure.detail == "the worker process ended with status 7"
        assert 7 in [outcome.task.id for outcome in home]
        while pool.room < 16 - 3:
            await pool.results(0.1)
        more = [task(number, f"/page/{number}") for number in range(10, 30)]
        pool.submit(more[:13])
        outcomes: list[Outcome] = []
        while len(outcomes) < 13:
            outcomes += await pool.results(1.0)
        assert {outcome.task.id for outcome in outcomes} == set(range(10, 23))
        assert pool.busy == 3

    play("processes", scene)


def test_tasks_handed_out_around_a_death_are_not_lost() -> None:
    """The moment between the end of a process and the start of the next is long enough for many submissions."""

    async def scene(pool: WorkerPool) -> None:
        waiting = pages(300)
        waiting[20] = task(21, "/die")
        outcomes = await finish(pool, waiting)
        assert Counter(outcome.task.id for outcome in outcomes) == dict.fromkeys(range(1, 301), 1)
        crashed = [outcome.task.id for outcome in outcomes if outcome.failure is not None]
        assert 21 in crashed
        assert len(crashed) <= 8, "no more than one process had out"

    play("processes", scene)
