"""What a strategy is and what it says of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from dowse.core.model import Judged, Task
from dowse.parse.links import Link
from dowse.parse.page import Page, Reads

_METHOD = re.compile(r"[A-Z]+")
_BREAK = re.compile(r"[\r\n\0]")

Choice = tuple[Link, float, str]
"""A link the strategy would follow, how much it wants it (higher first), and what page type it expects there.

A plain tuple, because a hundred are made for every page and a named one takes five times as long to make.
"""


class Proposal(Struct, frozen=True, kw_only=True):
    """Any request that a strategy wants made. Scope, robots.txt and the visited-URL test hold for it as for links.

    The `url` may be relative to the page. `hint` comes back with the task (`Task.hint`), opaque to all others, and is
    handed on where the server redirects; `why` is told by `dowse why`. `is_link`: the page has this link, so it counts
    among its links. `keep`: it is a result, also where it may not be visited; without `visit` it is only that, and
    nobody has to allow it.
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

    def __post_init__(self) -> None:
        if self.method == "GET" and not self.headers:
            return
        if not _METHOD.fullmatch(self.method) or any(_BREAK.search(name + value) for name, value in self.headers):
            raise ValueError(f"no request can have the method {self.method!r} and the headers {self.headers!r}")


class Verdict(NamedTuple):
    """How relevant a page is and which of its links are worth following.

    `left` are links that are in the ledger alone. `judged` is what a focus crawl makes of the page; the records of its
    hints belong to the choices, one each. `requests` are what it wants besides the choices, `evidence` what it sends
    home for its own mode.
    """

    relevance: float
    choices: list[Choice]
    judged: Judged | None = None
    left: Sequence[Link] = ()
    requests: Sequence[Proposal] = ()
    evidence: bytes = b""


class Strategy(Protocol):
    """Judges one page at a time. What it may not follow is the scope's business, not its own."""

    reads: Reads
    """What it asks of pages."""

    def judge(self, page: Page, task: Task) -> Verdict: ...

    def priority(self, depth: int) -> float:
        """The priority of a URL that no page of the site was judged for: a seed, a sitemap entry, a redirect."""
        ...
