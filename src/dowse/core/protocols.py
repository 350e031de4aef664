"""The seams: what each replaceable part promises to the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from dowse.core.model import Failure, Outcome, Request, Response, State, Task

StopReason = Literal["complete", "max_pages", "max_time", "host_pages", "retried", "interrupted"]

Sink = Callable[[bytes], None]


class Fetcher(Protocol):
    """Turns a request into a response or a failure. Never sleeps, retries or decides."""

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        """With a `sink` the body of a 2xx answer goes there piece by piece and the response's body is empty."""
        ...

    async def close(self) -> None: ...


class Work(NamedTuple):
    """The answer to "what now": tasks, else the date to ask again, else nothing is left (None)."""

    tasks: list[Task]
    wake_at: float | None


class Store(Protocol):
    """The frontier and all that is known. One writer; every method is one transaction."""

    def add_seeds(self, requests: Iterable[Request], priority: float, page_type: str = "") -> None:
        """URLs that the user named; in a rule crawl each is the base URL of a page type."""
        ...

    def lease(self, now: float, limit: int) -> Work: ...

    def commit(self, outcomes: Sequence[Outcome], now: float) -> None: ...

    def news(self) -> list[str]:
        """What was learned about the site since this was asked last, in sentences."""
        ...

    def finish(self, reason: StopReason, now: float) -> StopReason:
        """End a run; the answer is the reason as it stands in the ledger."""
        ...

    def close(self) -> None: ...

    @property
    def counts(self) -> Counter[tuple[State, str]]:
        """The ledger: how many URLs are in which state, by reason."""
        ...

    @property
    def pages(self) -> int: ...

    @property
    def bytes_received(self) -> int: ...

    def active_hosts(self) -> dict[str, int]: ...


class WorkerPool(Protocol):
    """Where visits happen. `results` waits for at least one outcome or until the timeout."""

    @property
    def room(self) -> int: ...

    @property
    def busy(self) -> int: ...

    async def open(self) -> None: ...

    def submit(self, tasks: Sequence[Task]) -> None: ...

    async def results(self, timeout: float) -> list[Outcome]: ...

    async def close(self) -> None: ...
