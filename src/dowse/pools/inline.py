"""Visits on the event loop of this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from dowse.core.briefing import Briefing
from dowse.core.model import Failure, FailureKind, Outcome, Task
from dowse.engine.outcomes import failed
from dowse.engine.worker import Worker
from dowse.pools.outcome_queue import OutcomeQueue


class InlinePool:
    """Up to `concurrency` visits at once, each a coroutine.

    Outcomes come home in batches (pools/outcome_queue.py).
    """

    def __init__(self, worker: Worker, concurrency: int) -> None:
        self._worker = worker
        self._concurrency = concurrency
        self._visits: dict[int, asyncio.Task[None]] = {}
        self._queue = OutcomeQueue()

    async def open(self) -> None:
        """Nothing to wait for: the worker is in this process."""

    @property
    def busy(self) -> int:
        return len(self._visits) + len(self._queue)

    @property
    def room(self) -> int:
        return self._concurrency - self.busy

    def submit(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            self._visits[task.id] = asyncio.create_task(self._visit(task))

    @property
    def cluster(self) -> None:
        """It is in no cluster."""

    def notices(self) -> list[str]:
        return []

    def brief(self, briefing: Briefing) -> None:
        self._worker.brief(briefing)

    async def results(self, timeout: float) -> list[Outcome]:
        await self._queue.wait(timeout)
        return self._queue.take()

    async def close(self) -> None:
        visits = list(self._visits.values())
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        await self._worker.close()

    async def _visit(self, task: Task) -> None:
        started = time.time()
        try:
            outcome = await self._worker.visit(task, self._take)
        except Exception as mistake:  # noqa: BLE001
            # A mistake in our own code must not end the crawl of a million other pages; it is counted and shown.
            outcome = failed(task, Failure(FailureKind.INTERNAL, f"{type(mistake).__name__}: {mistake}"), started)
        del self._visits[task.id]
        self._take(outcome)

    def _take(self, outcome: Outcome) -> None:
        self._queue.gather((outcome,), len(self._visits))
