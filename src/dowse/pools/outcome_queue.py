"""Outcomes that have come home to a pool, until the loop takes them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from dowse.core.model import Outcome

_GATHER = 0.02
"""Longest time, in seconds, that a finished outcome waits for others to be committed with."""


class OutcomeQueue:
    """Outcomes in the order they came. The pool says when there are enough of them to be worth taking."""

    def __init__(self) -> None:
        self._outcomes: list[Outcome] = []
        self._ready = asyncio.Event()

    def __len__(self) -> int:
        return len(self._outcomes)

    def put(self, outcomes: Iterable[Outcome]) -> None:
        self._outcomes += outcomes

    def gather(self, outcomes: Sequence[Outcome], still_out: int) -> None:
        """Take outcomes in, and wake whoever waits when a quarter of what is out has come, or a moment after the first:
        a transaction costs as much as several pages."""
        is_first = not self._outcomes
        self.put(outcomes)
        if len(self) * 4 >= still_out:
            self.wake()
        elif is_first:
            asyncio.get_running_loop().call_later(_GATHER, self.wake)

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
