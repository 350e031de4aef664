"""How fast a run is, how far, and how long it may take to its end.

    an end              how far it is                        how long it takes
    a limit             what there is of what it allows      by the pace of the last seconds
    nothing waits       the share of pages in all of them    as long as fewer and fewer wait

The last is no end of a crawl that stops when little of what it looks for is left. The nearest end counts. As long as
pages bring more links than are fetched, no end is in sight.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from dowse.core.job import Limits

TICK = 0.25
"""Seconds between two looks at the clock: progress, limits and a request to stop are noticed this soon."""

_SAMPLES = 20
_FEWEST = 8
_FALLING = 0.2
"""Of the pages that are fetched, the share that must bring nothing new, so that the end of what waits is in sight."""


class Sample(NamedTuple):
    """What there is at a moment: pages, bytes and results, and how many URLs wait."""

    pages: int
    size: int
    results: int
    waiting: int


class End(NamedTuple):
    """The share that is done, and the seconds that are left."""

    share: float
    seconds: float


class Meter:
    """Tells when the next progress is due and how fast the last seconds were."""

    def __init__(self, sample: Sample) -> None:
        self._next = time.monotonic() + TICK
        self._samples = deque([(time.monotonic(), sample)], maxlen=_SAMPLES)

    def due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + TICK
        return True

    def note(self, sample: Sample) -> None:
        self._samples.append((time.monotonic(), sample))

    @property
    def pages_per_second(self) -> float:
        return max(self._pace(0), 0.0)  # a recrawl may let pages go

    def end(self, limits: Limits, elapsed: float) -> End | None:
        """The nearest end that can be told."""
        ends = [*self._limits(limits), *self._empty()]
        if limits.max_time:
            ends.append(End(elapsed / limits.max_time, limits.max_time - elapsed))
        nearest = min(ends, key=lambda end: end.seconds, default=None)
        return nearest and End(min(nearest.share, 1.0), max(nearest.seconds, 0.0))

    def _limits(self, limits: Limits) -> Iterator[End]:
        now = self._samples[-1][1]
        for place, most in enumerate((limits.max_pages, limits.max_bytes, limits.max_results)):
            pace = self._pace(place)
            if most and pace > 0:
                yield End(now[place] / most, (most - now[place]) / pace)

    def _empty(self) -> Iterator[End]:
        now, fall = self._samples[-1][1], -self._pace(3)
        if len(self._samples) >= _FEWEST and now.waiting and fall > _FALLING * self._pace(0) > 0:
            yield End(now.pages / (now.pages + now.waiting), now.waiting / fall)

    def _pace(self, place: int) -> float:
        """By how much a number of the samples grows in a second."""
        (then, before), (now, last) = self._samples[0], self._samples[-1]
        return (last[place] - before[place]) / (now - then) if now > then else 0.0
