"""The loop between a store and a pool that do as the test says: when it asks, waits, tells and stops."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from dowse.core.briefing import Briefing
from dowse.core.errors import StoreFull
from dowse.core.job import Limits
from dowse.core.model import Failure, FailureKind, Outcome, Request, State, Task
from dowse.core.protocols import StopReason, Tally, Wait, Work
from dowse.engine import loop, meter
from dowse.engine.events import Event, Paused, Progress, Stopped, Stopping, Visited
from dowse.engine.loop import Engine

TASK = Task(id=1, request=Request(url="https://e.org/", key_hash=1, host="e.org"), site="e.org")
PAGE = Outcome(TASK, 0.0, status=200)


class ScriptedStore:
    """Answers leases from a list, the last answer again and again; is full as often as it is told."""

    def __init__(self, *work: Work) -> None:
        self.work = list(work)
        self.leases = 0
        self.committed: list[Outcome] = []
        self.counts: Counter[tuple[State, str]] = Counter()
        self.pages = self.spent = 0
        self.bytes_received = self.results = 0
        self.full = 0
        self.is_saturated = False
        self.awaits_requisites = False
        self.rereads = 0
        self.found: Tally | None = None
        self.briefing: Briefing | None = None
        self.heeded: list[float] = []
        self.wait: Wait | None = None
        self.worked = 0.0

    def add_seeds(
        self, requests: Iterable[Request], priority: float, hint: bytes = b"", *, anew: bool = False
    ) -> None: ...

    def lease(self, now: float, limit: int, pages: int | None = None) -> Work:
        self.leases += 1
        return self.work.pop(0) if len(self.work) > 1 else self.work[0]

    def commit(self, outcomes: Sequence[Outcome], now: float) -> None:
        if self.full:
            self.full -= 1
            raise StoreFull("no room")
        self.committed += outcomes

    def news(self) -> list[str]:
        return []

    def notices(self) -> list[str]:
        return []

    def finish(self, reason: StopReason, now: float) -> StopReason:
        return reason

    def close(self) -> None: ...

    def active_hosts(self) -> dict[str, int]:
        return {}

    def heed_clock(self, now: float) -> None:
        self.heeded.append(now)

    def next_wait(self, now: float) -> Wait | None:
        return self.wait

    def brief(self, briefing: Briefing) -> None:
        self.briefing = briefing

    def note_time(self, seconds: float) -> None:
        self.worked = seconds


class ScriptedPool:
    """Takes up to `room` tasks and brings what it is told to, `after` so many seconds."""

    def __init__(self, *outcomes: Outcome, room: int = 1, after: float = 0.0) -> None:
        self.outcomes = list(outcomes)
        self.room = room
        self.busy = 0
        self.after = after
        self.told: list[str] = []

    @property
    def cluster(self) -> None: ...

    def notices(self) -> list[str]:
        notices, self.told = self.told, []
        return notices

    async def open(self) -> None: ...

    def submit(self, tasks: Sequence[Task]) -> None:
        self.busy += len(tasks)
        self.room -= len(tasks)

    async def results(self, timeout: float) -> list[Outcome]:
        await asyncio.sleep(min(timeout, self.after))
        self.after = max(0.0, self.after - timeout)
        if self.after or not self.busy:
            return []
        outcome = self.outcomes.pop(0)
        self.busy -= not outcome.partial
        return [outcome]

    def brief(self, briefing: Briefing) -> None:
        self.briefing = briefing

    async def close(self) -> None: ...


def run(store: ScriptedStore, pool: ScriptedPool, limits: Limits | None = None) -> tuple[StopReason, list[Event]]:
    events: list[Event] = []

    async def main() -> StopReason:
        async with asyncio.timeout(20):
            return await Engine(store, pool, limits or Limits(), events.append).run()

    return asyncio.run(main()), events


@pytest.mark.parametrize(("rereads", "told"), [(0, Stopping(64)), (80, Stopping(0, 80))])
def test_stored_pages_that_are_judged_again_are_no_requests_under_way(rereads: int, told: Stopping) -> None:
    store, pool, events = ScriptedStore(Work([], None)), ScriptedPool(), list[Event]()
    store.rereads, pool.busy = rereads, 64
    Engine(store, pool, Limits(), events.append).stop()
    assert events == [told]


def test_nothing_to_do_is_complete() -> None:
    reason, events = run(ScriptedStore(Work([], None)), ScriptedPool())
    assert reason == "complete"
    assert [(event.reason, event.complete) for event in events if isinstance(event, Stopped)] == [("complete", True)]


def test_a_task_goes_out_and_its_outcome_is_committed_and_told() -> None:
    store = ScriptedStore(Work([TASK], None), Work([], None))
    reason, events = run(store, ScriptedPool(PAGE))
    assert (reason, store.committed) == ("complete", [PAGE])
    assert [event.url for event in events if isinstance(event, Visited)] == ["https://e.org/"]


def test_parts_of_a_list_are_committed_but_no_visit_of_their_own() -> None:
    part = Outcome(TASK, 0.0, partial=True)
    store = ScriptedStore(Work([TASK], None), Work([], None))
    _, events = run(store, ScriptedPool(part, part, PAGE))
    assert store.committed == [part, part, PAGE]
    assert len([event for event in events if isinstance(event, Visited)]) == 1


@pytest.mark.parametrize(
    ("found", "seen"), [(None, 7), (Tally("thread", 0), 7), (Tally("file", 0, may_be_enough=True), 0)], ids=str
)
def test_what_waits_is_no_end_for_a_crawl_that_stops_before(
    monkeypatch: pytest.MonkeyPatch, found: Tally | None, seen: int
) -> None:
    samples: list[meter.Sample] = []
    monkeypatch.setattr(meter.Meter, "note", lambda _meter, sample: samples.append(sample))
    store = ScriptedStore(Work([TASK], None), Work([], None))
    store.found, store.counts[State.WAITING, ""] = found, 7
    run(store, ScriptedPool(PAGE))
    assert {sample.waiting for sample in samples} == {seen}


def test_a_store_with_work_for_a_full_pool_is_not_asked_all_the_time() -> None:
    ready = time.time() - 1  # a host could be asked at once, if there were room
    store = ScriptedStore(Work([TASK], ready), *[Work([], ready)] * 50, Work([], None))
    run(store, ScriptedPool(PAGE, room=1, after=0.6), Limits(max_time=0.5))
    assert store.leases < 10


def test_a_page_limit_ends_a_crawl_that_only_waits_for_retries() -> None:
    """An hour from now they could not go out either."""
    store = ScriptedStore(Work([], time.time() + 3600))
    store.pages = store.spent = 5
    store.counts[State.WAITING, "http 503"] = 1
    assert run(store, ScriptedPool(), Limits(max_pages=5))[0] == "max_pages"


def test_a_full_disk_is_told_and_the_same_batch_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_PAUSE", 0.01)
    store = ScriptedStore(Work([TASK], None), Work([], None))
    store.full = 3
    reason, events = run(store, ScriptedPool(PAGE))
    assert (reason, store.committed) == ("complete", [PAGE])
    assert [event.reason for event in events if isinstance(event, Paused)] == [
        "no room; waiting for room (make some, or stop with Ctrl-C)"
    ] * 3


def test_a_long_wait_says_what_it_is_for() -> None:
    soon = time.time() + 3600
    store = ScriptedStore(Work([], soon))
    store.wait = Wait("e.org", soon, "its robots.txt asks for it")
    _, events = run(store, ScriptedPool(), Limits(max_time=0.6))
    assert {event.waits for event in events if isinstance(event, Progress)} == {store.wait}


def test_a_short_wait_is_not_worth_a_word() -> None:
    store = ScriptedStore(Work([], time.time() + 1.5))
    store.wait = Wait("e.org", time.time() + 1.5, "it takes long to answer")
    _, events = run(store, ScriptedPool(), Limits(max_time=0.6))
    assert {event.waits for event in events if isinstance(event, Progress)} == {None}


def test_the_store_is_told_when_the_clock_was_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    store, true_time, started = ScriptedStore(Work([], time.time() + 3600)), time.time, time.monotonic()
    monkeypatch.setattr(time, "time", lambda: true_time() - (86_400 if time.monotonic() - started > 0.4 else 0))
    run(store, ScriptedPool(), Limits(max_time=1.0))
    [heeded] = store.heeded
    assert heeded == pytest.approx(true_time() - 86_400, abs=20)


def test_hosts_that_have_just_answered_are_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "TICK", 0.0)
    _, events = run(ScriptedStore(Work([TASK], None), Work([], None)), ScriptedPool(PAGE))
    assert next(event.hosts for event in events if isinstance(event, Progress)) == {"e.org": 0}


def test_the_time_at_work_is_noted_in_the_end() -> None:
    store = ScriptedStore(Work([], time.time() + 3600))
    run(store, ScriptedPool(), Limits(max_time=0.6))
    assert 0.6 <= store.worked < 10


def test_trouble_of_the_machine_is_told_of_and_no_visit() -> None:
    trouble = Outcome(TASK, 0.0, failure=Failure(FailureKind.MACHINE, "no files"), requested=False)
    _, events = run(ScriptedStore(Work([TASK], None), Work([], None)), ScriptedPool(trouble))
    assert [event.reason for event in events if isinstance(event, Paused)] == [
        "no files; trying again (raise it, or stop with Ctrl-C)"
    ]
    assert not [event for event in events if isinstance(event, Visited)]


def test_a_stop_lets_what_is_out_come_home() -> None:
    store = ScriptedStore(Work([TASK], None), Work([TASK], None))
    pool = ScriptedPool(PAGE, PAGE, after=0.4)

    async def main() -> StopReason:
        engine = Engine(store, pool, Limits(), lambda _: None)
        asyncio.get_running_loop().call_later(0.1, engine.stop)
        return await engine.run()

    assert asyncio.run(main()) == "interrupted"
    assert store.committed == [PAGE]
    assert pool.busy == 0
