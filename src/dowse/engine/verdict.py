"""What a strategy is and what it says of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from dowse.core.model import Judged, Mark, Ruled, Task
from dowse.parse.links import Link
from dowse.parse.page import Page, Reads

Choice = tuple[Link, float, str]
"""A link the strategy would follow, how much it wants it (higher first), and what page type it expects there.

A plain tuple, because a hundred are made for every page and a named one takes five times as long to make.
"""

Marked = tuple[Link, tuple[Mark, ...]]
"""A link that rules match, and what each of them says of it."""


class Verdict(NamedTuple):
    """How relevant a page is and which of its links are worth following.

    `marked` are links that rules match, to be kept or followed, `left` the page's others, for the ledger alone, and
    `ruled` tells how that came about. `judged` is what a focus crawl makes of the page; the records of its hints belong
    to the choices, one each.
    """

    relevance: float
    choices: list[Choice]
    marked: Sequence[Marked] = ()
    ruled: Ruled | None = None
    judged: Judged | None = None
    left: Sequence[Link] = ()


class Strategy(Protocol):
    """Judges one page at a time. What it may not follow is the scope's business, not its own."""

    reads: Reads
    """What it asks of pages."""

    def judge(self, page: Page, task: Task) -> Verdict: ...

    def priority(self, depth: int) -> float:
        """The priority of a URL that no page of the site was judged for: a seed, a sitemap entry, a redirect."""
        ...
