"""Events of a running crawl, for listeners: the terminal, the web page, a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from dowse.core.protocols import Cluster, Tally, Wait
from dowse.core.record import Record


def _nothing() -> None:
    pass


class Progress(Struct, frozen=True):
    """A snapshot, sent a few times a second.

    `hosts` are the active hosts with their requests under way; 0 means that the last was just answered. `waits` says
    what the crawl waits for, if it waits for more than a few seconds. `found` counts the results so far, if they can
    be counted. `share` is how much is done, and `seconds_left` is the time to the end, where these can be told. `page`
    is the URL that was visited last. `requisites` are what pages need to be shown, and are counted apart. `rereads`
    are stored pages that are to be judged again first. `cluster` says where the workers are, if on other machines.
    """

    elapsed: float
    counts: dict[str, int]
    pages: int
    pages_per_second: float
    bytes_received: int
    hosts: dict[str, int]
    seconds_left: float | None = None
    share: float | None = None
    page: str = ""
    found: Tally | None = None
    waits: Wait | None = None
    requisites: int = 0
    rereads: int = 0
    cluster: Cluster | None = None

    @property
    def discovered(self) -> int:
        return sum(self.counts.values())


class Visited(Struct, frozen=True):
    """One URL is done; `--verbose` prints these.

    If a page came that is stored, `page` is where (core/archive.py), and `records` are what was taken from it.
    """

    url: str
    status: int
    what: str
    page: str = ""
    records: Sequence[Record] = ()


class Learned(Struct, frozen=True):
    """The crawl found out something about the site that saves it requests, or that this was wrong."""

    sentence: str


class Paused(Struct, frozen=True):
    """The crawl waits for something outside it, such as room on the disk."""

    reason: str


class Notice(Struct, frozen=True):
    """Something the user should know of, that does not stop the crawl. Who shows it to somebody calls `shown`."""

    text: str
    shown: Callable[[], None] = _nothing


class Problem(Struct, frozen=True):
    """Something is wrong with the input of the crawl, such as a rule. An error costs a part of it, a warning none."""

    text: str
    is_error: bool


class Stopping(Struct, frozen=True):
    """The user asked for an end; so many requests are still under way, or so many stored pages to be judged again."""

    requests: int
    rereads: int = 0


class Stopped(Struct, frozen=True):
    """The crawl has ended; `complete` means nothing was left to do."""

    reason: str
    complete: bool
    progress: Progress


Event = Progress | Visited | Learned | Paused | Notice | Problem | Stopping | Stopped
