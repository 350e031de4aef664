"""Outcomes that have come home to a pool, until the loop takes them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from dowse.core.model import Outcome


class OutcomeQueue:
    """Outcomes in the order they came. The pool says when there are enough of them to be worth taking."""

    def __init__(self) -> None:
        self._outcomes: list[Outcome] = []
        self._ready = asyncio.Event()

    def __len__(self) -> int:
        return len(self._outcomes)

    def put(self, outcomes: Iterable[Outcome]) -> None:
        self._outcomes += outcomes

    def wake(self) -> None:
        """Whoever waits need not wait any longer."""
        self._ready.set()

    async def wait(self, timeout: float) -> None:
        """Until `wake`, or until the time is up."""
        try:
            async with asyncio.timeout(timeout):
                await self._ready.wait()
        except TimeoutError:
            pass

    def take(self) -> list[Outcome]:
        """All that came; from now on others are waited for."""
        outcomes, self._outcomes = self._outcomes, []
        self._ready.clear()
        return outcomes
