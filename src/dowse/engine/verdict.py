"""What a strategy is and what it says of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from dowse.core.model import NO_RULE, Judged, Request, Task
from dowse.core.record import Record
from dowse.core.steps import FormFilling
from dowse.parse.links import Link
from dowse.parse.page import Page, Reads

_METHOD = re.compile(r"[A-Z]+")
_BREAK = re.compile(r"[\r\n\0]")

Choice = tuple[Link, float, str]
"""A link worth following, its priority (higher first), and the label of its task.

A plain tuple, because a hundred are made for every page. A named tuple takes five times as long to make.
"""


class Proposal(Struct, frozen=True, kw_only=True):
    """Any request that a strategy wants made. Scope, robots.txt and the visited-URL test hold for it as for links.

    url       may be relative to the page
    hint      comes back with the task (`Task.hint`), also after a redirect; nobody else looks into it
    why       the reason, for `dowse why`
    is_link   the page has this link, so it counts among the links of the page
    keep      it is a result, even if it may not be visited
    visit     without it, the request is a result and nothing else; then neither scope nor robots.txt is asked
    refused   why it is not made after all; it is written down for `dowse why`

    >>> Proposal(url="/search", method="POST", body=b"word=fish", why="the search of the site").method
    'POST'
    """

    url: str
    method: str = "GET"
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    anchor: str = ""
    priority: float = 0.0
    label: str = ""
    hint: bytes = b""
    why: str = ""
    is_link: bool = False
    nofollow: bool = False
    keep: bool = False
    visit: bool = True
    refused: str = ""

    def __post_init__(self) -> None:
        if self.method == "GET" and not self.headers:
            return
        if not _METHOD.fullmatch(self.method) or any(_BREAK.search(name + value) for name, value in self.headers):
            raise ValueError(f"no request can have the method {self.method!r} and the headers {self.headers!r}")


class Verdict(NamedTuple):
    """How relevant a page is and which of its links are worth following.

    choices    links worth following
    judged     relevance in detail, for a ranker; its `hints` have one record for each choice
    left       links that are only noted in the ledger; `left_as` says why they are not visited
    requests   proposals besides the choices
    evidence   bytes for the mode itself; they go home in the outcome
    records    what the strategy itself takes from the page, beside what extractors take

    >>> def judge(page: Page, task: Task) -> Verdict:
    ...     return Verdict(1.0, [(link, 0.5, "") for link in page.links])
    """

    relevance: float
    choices: list[Choice]
    judged: Judged | None = None
    left: Sequence[Link] = ()
    requests: Sequence[Proposal] = ()
    evidence: bytes = b""
    records: Sequence[Record] = ()
    left_as: str = NO_RULE


class Strategy(Protocol):
    """Judges one page at a time. It does not ask about scope or robots.txt; the gate does.

    >>> class Titled:
    ...     reads = "links"
    ...
    ...     def judge(self, page: Page, task: Task) -> Verdict:
    ...         return Verdict(float("fish" in page.title), [(link, 0.0, "") for link in page.links])
    ...
    ...     def priority(self, depth: int) -> float:
    ...         return -float(depth)
    """

    reads: Reads
    """How much of a page it reads."""

    def judge(self, page: Page, task: Task) -> Verdict:
        """What is made of a page."""
        ...

    def priority(self, depth: int) -> float:
        """The priority of a URL that is no link of a judged page: a seed, a sitemap entry, a redirect."""
        ...


@runtime_checkable
class FormFiller(Protocol):
    """A strategy that knows of a form to be filled in and sent in the browser, on the page that is fetched."""

    def filling(self, task: Task) -> FormFilling | None: ...


@runtime_checkable
class Typing(Protocol):
    """A strategy that knows types of pages before they are fetched, for steps in the browser that are for a type."""

    def types(self, task: Task) -> tuple[str, ...]: ...


@runtime_checkable
class Paging(Protocol):
    """A strategy whose tasks have hints, and so have the further pages of a list."""

    def further(self, task: Task) -> bytes:
        """The hint of a further page of the list, article or thread whose page came of this task."""
        ...


def as_shown(request: Request, strategy: Strategy, task: Task) -> Request:
    """The request with what the strategy knows of what is to be done on the page in the browser."""
    if isinstance(strategy, Typing):
        request = replace(request, types=strategy.types(task))
    if task.hint and isinstance(strategy, FormFiller):
        request = replace(request, filling=strategy.filling(task))
    return request
