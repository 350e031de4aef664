"""A crawl in numbers: what a report shows of it, counted by the store and drawn by the export.

Everything is bounded, whatever the size of the crawl: counts by kind, the first few of a list, a sample of pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:  # numpy takes 80 ms to import, and the ledger's row is needed without it
    import numpy as np
    import numpy.typing as npt


class LedgerRow(Struct, frozen=True):
    """How many discovered URLs are in one state for one reason."""

    state: str
    reason: str
    count: int


class Count(Struct, frozen=True):
    """How many there are of something, and how many bytes they have."""

    name: str
    count: int
    size: int = 0


class Level(Struct, frozen=True):
    """The URLs at one distance from a seed: found in scope, and of those the pages that were fetched."""

    depth: int
    found: int
    pages: int


class Interval(Struct, frozen=True):
    """The answers of one stretch of time, the `number`th since the first."""

    number: int
    pages: int
    others: int
    failures: int


class Timeline(Struct, frozen=True):
    """When answers came: stretches of `width` seconds, without those in which none came.

    The time between two runs is left out: each begins where the one before ended, and so `end` is earlier than the
    last answer. `worked` is how many seconds the runs took, from their starts to their ends.
    """

    start: float
    end: float
    width: float
    intervals: list[Interval]
    worked: float = 0.0
    runs: int = 1

    @property
    def seconds(self) -> float:
        """How long the crawl was at work."""
        return self.worked or self.end - self.start


class Speed(Struct, frozen=True):
    """How many answers took so long, in seconds to three digits."""

    seconds: float
    count: int


class HostRow(Struct, frozen=True):
    """One host that was asked."""

    name: str
    pages: int
    failed: int
    size: int
    median: float


class PageRow(Struct, frozen=True):
    """One page of a list: the slowest, the largest, the most linked."""

    url: str
    title: str
    value: float


class FailureGroup(Struct, frozen=True):
    """The URLs that failed alike, and the first of them: URL, what the server or the network said, linked from."""

    reason: str
    count: int
    examples: list[tuple[str, str, str]]


class CopyGroup(Struct, frozen=True):
    """A page that was met again under other URLs, and the first of those."""

    url: str
    title: str
    copies: int
    example: str


class FieldRow(Struct, frozen=True):
    """A field of records: how many of those looked at have it, how many values differ, and one of them."""

    name: str
    filled: int
    distinct: int
    example: Any


class RecordGroup(Struct, frozen=True):
    """The records of one kind; fields are counted among the first `looked_at` of them."""

    kind: str
    records: int
    looked_at: int
    fields: list[FieldRow]


class LinkSample(Struct, frozen=True):
    """Every `step`th page and the links among them: `sources` and `targets` are places in `urls`.

    `links` counts all that those pages hold, also to URLs that are not in the sample.
    """

    step: int
    urls: list[str]
    sources: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    links: int
    most_linked: list[PageRow]


class Survey(Struct, frozen=True):
    """All that a report says of a crawl, as of one moment."""

    ledger: list[LedgerRow]
    pages: int
    size: int
    requests: int
    timeline: Timeline | None
    speeds: list[Speed]
    statuses: list[Count]
    media_types: list[Count]
    levels: list[Level]
    hosts: list[HostRow]
    host_count: int
    other_sites: list[Count]
    other_site_count: int
    links: LinkSample
    records: list[RecordGroup]
    failures: list[FailureGroup]
    slowest: list[PageRow]
    largest: list[PageRow]
    copies: list[CopyGroup]

    @property
    def discovered(self) -> int:
        return sum(row.count for row in self.ledger)

    def in_state(self, state: str) -> int:
        """How many URLs are in a state."""
        return sum(row.count for row in self.ledger if row.state == state)


class About(Struct, frozen=True):
    """What a report says of itself: whose crawl it is, how that stands, and when this was written.

    `asked_fields` are those the job names, by their kind of records: what was never found is to be shown too. `wish` is
    what its mode was asked for, in words.
    """

    name: str
    seeds: tuple[str, ...]
    stop_reason: str
    written_at: float
    asked_fields: dict[str, tuple[str, ...]] = {}
    wish: str = ""
