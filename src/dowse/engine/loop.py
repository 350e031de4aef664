"""The loop: lease what is ready, wait for outcomes, commit them, until nothing is left or a limit is reached.

Invariant: what is out with the pool is exactly what the store says is out. Only this loop writes to the store.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from dowse.core.briefing import Watch
from dowse.core.errors import StoreAway, StoreFull
from dowse.core.job import Limits
from dowse.core.model import FailureKind, Outcome, State
from dowse.core.protocols import StopReason, Store, Wait, Work, WorkerPool
from dowse.core.task_labels import REQUISITE
from dowse.engine.events import Event, Learned, Notice, Paused, Progress, Stopped, Stopping, Visited
from dowse.engine.meter import TICK, Meter, Sample

T = TypeVar("T")

Listener = Callable[[Event], None]

Appetite = Callable[[], int]
"""Says how many more pages whoever reads them while they come has room for, beside those that came."""

_PAUSE = 2.0
"""Seconds between two tries to write to a full disk, or to reach a database."""

_WAITING = {
    StoreFull: "waiting for room (make some, or stop with Ctrl-C)",
    StoreAway: "waiting until it is back (or stop with Ctrl-C)",
}
_LEFT = {
    StoreFull: "stopped, and nothing that was stored is lost: make room, then dowse resume goes on",
    StoreAway: "stopped, and nothing that was stored is lost: dowse resume goes on when it is back",
}

_LONG_WAIT = 3.0
"""Seconds without a request before the crawl tells what it waits for."""

_CLOCK_SET_BACK = 5.0
"""If the clock of the machine was set back by so many seconds, dates are checked again."""

_NOTE_EVERY = 2.0
"""Seconds between two notes of how long the run has been at work."""

_DRAIN = 3.0
"""Seconds for requests under way to come home when the crawl stops early."""


class Engine:
    """Runs one crawl, from its store and its pool to a stop reason."""

    def __init__(
        self,
        store: Store,
        pool: WorkerPool,
        limits: Limits,
        listener: Listener,
        watch: Watch | None = None,
        appetite: Appetite | None = None,
    ) -> None:
        self._store = store
        self._pool = pool
        self._limits = limits
        self._listener = listener
        self._watch = watch
        self._appetite = appetite
        self._stop_asked = False
        self._told: set[str] = set()
        self._started = time.monotonic()
        self._page = ""
        self._meter = Meter(self._sample())
        self._clock_offset = time.time() - time.monotonic()
        self._wait: Wait | None = None
        self._answered: set[str] = set()
        self._time_noted = 0.0

    def stop(self) -> None:
        """Ask for a clean end: nothing new goes out, what is out comes home."""
        if not self._stop_asked:
            self._stop_asked = True
            rereads = self._store.rereads  # while there are any, nothing is asked for
            self._listener(Stopping(0 if rereads else self._pool.busy, rereads))

    async def run(self) -> StopReason:
        self._started = time.monotonic()
        ended = await self._crawl()
        await self._drain()
        await self._note_time()
        reason = await self._write(lambda: self._store.finish(ended, time.time()))
        self._listener(Stopped(reason, reason == "complete", self._progress()))
        return reason

    async def _crawl(self) -> StopReason:
        while True:
            reason = await self._write(self._limit_reached)
            if reason is not None:
                return reason
            work = await self._write(self._lease)
            await self._note_wait(work)
            if work.tasks:
                self._pool.submit(work.tasks)
            elif work.wake_at is None and not self._pool.busy and not self._is_held_back():
                return "max_pages" if self._has_all_pages() else "complete"
            await self._collect(self._patience(work.wake_at))

    def _lease(self) -> Work:
        now = time.time()
        offset = now - time.monotonic()
        if offset < self._clock_offset - _CLOCK_SET_BACK:
            self._store.heed_clock(now)
        self._clock_offset = offset
        return self._store.lease(now, self._pool.room, self._room())

    async def _note_wait(self, work: Work) -> None:
        """Look up what the crawl waits for, if the wait is long. Once is enough: it is the same until that date."""
        wake_at, now = work.wake_at, time.time()
        if work.tasks or self._pool.busy or wake_at is None or wake_at - now < _LONG_WAIT:
            if self._wait is not None and (work.tasks or now >= self._wait.until):
                self._wait = None
        elif self._wait is None or abs(self._wait.until - wake_at) > 1.0:
            self._wait = await self._write(lambda: self._store.next_wait(now))

    def _limit_reached(self) -> StopReason | None:
        limits = self._limits
        if self._stop_asked:
            return "interrupted"
        if limits.max_time and time.monotonic() - self._started >= limits.max_time:
            return "max_time"
        if self._store.rereads:  # costs no request, and every other limit is about what comes of it
            return None
        if self._has_all_pages() and not self._store.awaits_requisites:
            return "max_pages"
        if limits.max_bytes and self._store.bytes_received >= limits.max_bytes and self._waiting():
            return "max_bytes"
        if limits.max_results and self._store.results >= limits.max_results and self._waiting():
            return "max_results"
        if self._store.is_saturated:
            return "saturated"
        return None

    def _is_held_back(self) -> bool:
        """Whether what waits waits for whoever reads the pages along."""
        return self._appetite is not None and self._appetite() <= 0 and self._waiting() > 0

    def _has_all_pages(self) -> bool:
        most = self._limits.max_pages
        return bool(most) and self._store.spent >= most and self._waiting() > 0

    def _room(self) -> int:
        """How many tasks may go out now. Never more than the crawl budget allows, so `max_pages` is exact, nor than
        whoever reads the pages along has room for."""
        room = self._pool.room
        if self._limits.max_pages:
            room = min(room, self._limits.max_pages - self._store.spent - self._pool.busy)
        if self._appetite is not None:
            room = min(room, self._appetite() - self._pool.busy)
        return max(room, 0)

    def _patience(self, wake_at: float | None) -> float:
        """How long to wait for outcomes: until the next date, or a tick if there is no room for more tasks."""
        if wake_at is None or wake_at == math.inf or not self._room():
            return TICK
        return min(TICK, max(wake_at - time.time(), 0.0005))

    async def _collect(self, timeout: float) -> None:
        """Wait for outcomes, commit them, and tell the listener."""
        outcomes = await self._pool.results(timeout)
        if outcomes:
            self._page = outcomes[-1].task.request.url
            await self._write(lambda: self._store.commit(outcomes, time.time()))
            for sentence in self._store.news():
                self._listener(Learned(sentence))
            for notice in self._store.notices():
                self._tell(notice)
            for outcome in outcomes:
                self._answered.add(outcome.task.request.host)
                if outcome.notice:
                    self._tell(outcome.notice)
                for notice in outcome.rendered.notices if outcome.rendered is not None else ():
                    self._tell(notice)
                if outcome.links_dropped:
                    self._tell(f"{outcome.task.request.url} has too many links: {outcome.links_dropped:,} are left out")
                if outcome.failure is not None and outcome.failure.kind is FailureKind.MACHINE:
                    self._listener(Paused(f"{outcome.failure.detail}; trying again (raise it, or stop with Ctrl-C)"))
                elif not outcome.partial:
                    self._listener(_visited(outcome))
                elif outcome.failure is not None:
                    self._listener(
                        Paused(f"{outcome.failure.detail}; waiting for room (make some, or stop with Ctrl-C)")
                    )
        for notice in self._pool.notices():
            self._tell(notice)
        if self._watch is not None:
            await self._look(self._watch)
        if self._meter.due():
            self._listener(self._progress())
            self._answered.clear()
            if time.monotonic() - self._started >= self._time_noted + _NOTE_EVERY:
                await self._note_time()

    async def _note_time(self) -> None:
        self._time_noted = time.monotonic() - self._started
        await self._write(lambda: self._store.note_time(self._time_noted))

    async def _look(self, watch: Watch) -> None:
        """Send a new briefing to the workers and the store."""
        briefing = watch.look()
        if briefing is not None:
            self._pool.brief(briefing)
            await self._write(lambda: self._store.brief(briefing))
        if notice := watch.notice():
            self._tell(notice)

    def _tell(self, notice: str) -> None:
        """Each notice once, however many pages bring it."""
        if notice not in self._told:
            self._told.add(notice)
            self._listener(Notice(notice))

    async def _drain(self) -> None:
        end = time.monotonic() + _DRAIN
        while self._pool.busy and time.monotonic() < end:
            await self._collect(min(TICK, _DRAIN))

    async def _write(self, write: Callable[[], T]) -> T:
        """Do it; while the disk is full or the database away, say so, wait, and do it again."""
        while True:
            try:
                return write()
            except (StoreFull, StoreAway) as trouble:
                kind = type(trouble)
                if self._stop_asked:
                    raise kind(f"{trouble}; {_LEFT[kind]}") from trouble
                self._listener(Paused(f"{trouble}; {_WAITING[kind]}"))
                await asyncio.sleep(_PAUSE)

    def _progress(self) -> Progress:
        counts: Counter[str] = Counter()
        for (state, _reason), number in self._store.counts.items():
            counts[state.name.lower()] += number
        elapsed = time.monotonic() - self._started
        self._meter.note(self._sample())
        end = self._meter.end(self._limits, elapsed)
        return Progress(
            elapsed=elapsed,
            counts=dict(counts),
            pages=self._store.pages,
            pages_per_second=self._meter.pages_per_second,
            bytes_received=self._store.bytes_received,
            hosts=dict.fromkeys(self._answered, 0) | self._store.active_hosts(),
            seconds_left=end and end.seconds,
            share=end and end.share,
            page=self._page,
            found=self._store.found,
            waits=self._wait,
            requisites=self._store.counts[State.FETCHED, REQUISITE],
            rereads=self._store.rereads,
            cluster=self._pool.cluster,
        )

    def _sample(self) -> Sample:
        store = self._store
        results = store.results if self._limits.max_results else 0
        ends_early = store.found is not None and store.found.may_be_enough  # what waits says nothing of such an end
        return Sample(store.pages, store.bytes_received, results, 0 if ends_early else self._waiting())

    def _waiting(self) -> int:
        return sum(number for (state, _), number in self._store.counts.items() if state is State.WAITING)


def _visited(outcome: Outcome) -> Visited:
    if outcome.task.body:
        what = "stored page, judged again"
    elif outcome.failure is not None:
        what = f"{outcome.failure.kind}: {outcome.failure.detail}"
    elif outcome.redirect is not None:
        what = f"redirect to {outcome.redirect.request.url}"
    elif outcome.task.label == REQUISITE:
        what = outcome.media_type
    else:
        return Visited(outcome.task.request.url, outcome.status, outcome.media_type, outcome.body, outcome.records)
    return Visited(outcome.task.request.url, outcome.status, what)
