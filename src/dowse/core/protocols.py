"""The seams: what each replaceable part promises to the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from dowse.core.briefing import Briefing
from dowse.core.document_kinds import DocumentText
from dowse.core.model import Failure, Judged, Outcome, Request, Response, State, Task

StopReason = Literal[
    "complete",
    "max_pages",
    "max_bytes",
    "max_results",
    "max_time",
    "budget",
    "collection",
    "host_pages",
    "retried",
    "interrupted",
    "saturated",
]

Sink = Callable[[bytes], None]


class Fetcher(Protocol):
    """Turns a request into a response or a failure. Never sleeps, retries or decides.

    >>> class Counting:
    ...     asked = 0
    ...
    ...     def __init__(self, fetcher: Fetcher) -> None:
    ...         self.fetcher = fetcher
    ...
    ...     async def fetch(self, request, sink=None):
    ...         Counting.asked += 1
    ...         return await self.fetcher.fetch(request, sink)
    >>> crawl = dowse.site("https://example.org/", wrap_fetcher=Counting, max_pages=5, output="out")
    >>> Counting.asked >= 5
    True
    """

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        """With a `sink` the body of a 2xx answer goes there piece by piece and the response's body is empty."""
        ...

    async def close(self) -> None:
        """The crawl has ended."""
        ...


class Documents(Protocol):
    """Reads documents that are no HTML, such as PDF files. What is wrong with one is a note."""

    def reads(self, media_type: str) -> bool:
        """Whether documents of this type can be read."""
        ...

    async def read_aside(self, media_type: str, body: bytes) -> DocumentText:
        """A document as HTML, while the loop goes on."""
        ...

    def close(self) -> None:
        """The crawl has ended."""
        ...


class Renewal(Protocol):
    """Logs in again when the log-in of a crawl was lost."""

    @property
    def age(self) -> int:
        """How often that was done."""
        ...

    async def renew(self, age: int) -> str:
        """Renew a log-in of that age, unless somebody has by now; why that cannot be done, or ""."""
        ...


class Work(NamedTuple):
    """The answer to "what now": tasks, else the date to ask again, else nothing is left (None)."""

    tasks: list[Task]
    wake_at: float | None


class Wait(Struct, frozen=True):
    """What is waited for: a host, the date it may be asked, and why not before. So many other hosts rest as well."""

    host: str
    until: float
    why: str
    others: int = 0


class Tally(NamedTuple):
    """How many things of a kind were found: one of them is a `noun`. If they `may_be_enough`, the crawl may stop while
    links wait."""

    noun: str
    number: int
    may_be_enough: bool = False


class Cluster(Struct, frozen=True):
    """Where the workers of a crawl are: how many on each node, by its name, and how many have no place yet."""

    nodes: dict[str, int]
    without_place: int = 0


class Scorer(Protocol):
    """Says what pages are worth. It may learn on the way: a value folded over outcomes, without clock or chance."""

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        """Take in a page and the lead that led to it (b"" if that is not told); the answer is what is made of it."""
        ...

    def rejudge(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        """What pages are by what is known by now, given their evidence and what a person said of some of them, by their
        places; nothing if that stays as it was."""
        ...

    def dump(self) -> bytes: ...

    def load(self, state: bytes) -> None: ...


class Ranker(Scorer, Protocol):
    """What a crawl has learned about a topic: what waiting links are worth, and, as a scorer of its own, pages.

    The same outcomes make the same ranker. A *lead* is what is known of a URL that waits, from all pages that link to
    it; the store keeps it as bytes.
    """

    @property
    def slack(self) -> float:
        """How far the priority of a link that waits may be from what it is worth now, as a part of how far it is from
        the best: what will not be fetched soon needs no exact place."""
        ...

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        """Take in a URL that turned out to be no page: a file, or nothing of use. The answer is what is made of it, if
        it is a result."""
        ...

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        """Add what a page says of some of its links, by their places in its hints, to their leads (b"" if new).

        Asked once for every page that was learned from, also where none of its links waits.
        """
        ...

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        """What links are worth, higher first. Those of sitemaps have no lead: b""."""
        ...

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        """The parts of what links are worth; they add up to it."""
        ...

    def due(self) -> int:
        """How many of the best that wait should be ranked anew now; asked once after every batch."""
        ...


class Store(Protocol):
    """The frontier and all that is known. One writer; every method is one transaction."""

    def add_seeds(self, requests: Iterable[Request], priority: float, hint: bytes = b"", *, anew: bool = False) -> None:
        """URLs that the user named, with a hint for their tasks. `anew`: just now, so that one is taken which was
        refused before."""
        ...

    def lease(self, now: float, limit: int, pages: int | None = None) -> Work:
        """At most so many tasks, and so many of them `pages`; requisites are none."""
        ...

    def commit(self, outcomes: Sequence[Outcome], now: float) -> None: ...

    def news(self) -> list[str]:
        """What was learned about the site since this was asked last, in sentences."""
        ...

    def notices(self) -> list[str]:
        """What the user should know of since this was asked last, in sentences."""
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
    def spent(self) -> int:
        """What counts against a limit on pages: pages, and some lists (core/sitemap_turns.py)."""
        ...

    @property
    def rereads(self) -> int:
        """How many stored pages are to be judged again before anything else goes out."""
        ...

    @property
    def awaits_requisites(self) -> bool:
        """Whether something waits or is out that a page needs to be shown."""
        ...

    @property
    def bytes_received(self) -> int:
        """The size of all bodies that came, in all runs."""
        ...

    @property
    def results(self) -> int:
        """How many results there are: what the mode looks for, or records where these are extracted."""
        ...

    @property
    def is_saturated(self) -> bool:
        """Whether a crawl that looks for something has found next to nothing for a while."""
        ...

    @property
    def found(self) -> Tally | None:
        """How much of what it looks for was found, if that can be counted."""
        ...

    def brief(self, briefing: Briefing) -> None:
        """Keep a new briefing; it holds from now on."""
        ...

    def active_hosts(self) -> dict[str, int]: ...

    def heed_clock(self, now: float) -> None:
        """The clock was set back: dates that were made before it was must not be waited for."""
        ...

    def next_wait(self, now: float) -> Wait | None:
        """What is waited for while nothing is out and nothing may go out."""
        ...

    def note_time(self, seconds: float) -> None:
        """So long has this run been at work."""
        ...


class WorkerPool(Protocol):
    """Where visits happen. `results` waits for at least one outcome or until the timeout."""

    @property
    def room(self) -> int: ...

    @property
    def busy(self) -> int: ...

    @property
    def cluster(self) -> Cluster | None:
        """Where the workers are, if they may be on other machines."""
        ...

    def notices(self) -> list[str]:
        """What the user should know of since this was asked last, in sentences."""
        ...

    async def open(self) -> None: ...

    def submit(self, tasks: Sequence[Task]) -> None: ...

    def brief(self, briefing: Briefing) -> None:
        """Give all workers a new briefing; it holds for pages that are judged from then on."""
        ...

    async def results(self, timeout: float) -> list[Outcome]: ...

    async def close(self) -> None: ...
