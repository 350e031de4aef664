"""The watch itself: whichever crawl is due is run, one after the other, and who wants to know is told. Until stopped.

    1  send what is to be sent
    2  run the crawl that has been due for longest; what it found is sent in step 1
    3  nothing is due: sleep until something is, but look at the clock every half minute. A clock that was put forward,
       or a machine that slept, is noticed then, and dates that passed are caught up once

A wish to stop is looked at before each crawl, each message and each piece of a sleep. A message that is on its way is
sent to its end. The second signal ends the watch at once.

Runs never overlap: neither two of one crawl, nor those of two crawls, which would share the machine and perhaps a site.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from dowse.core.errors import CrawlLocked, DowseError
from dowse.core.phrasing import span_text
from dowse.pools.event_loop import StopRequest, stopping_on_signals
from dowse.workflows.watch.watched_crawl import Run, WatchedCrawl, Watching

_LOOK = 30.0
_PIECE = 0.5
"""Seconds of sleep between two looks at whether somebody has asked for a stop."""
_JUMP = 60.0
"""Seconds between what the clock says and what has passed; below, it was only set right."""
_BUSY = 60.0
"""Seconds after which a crawl that another process runs is looked at again."""


class Report(NamedTuple):
    """What is told of one crawl: a run, the trouble that kept it from running, or only when it runs next (`due`)."""

    at: float
    crawl: str
    run: Run | None
    trouble: str
    due: float | None


class Clock(NamedTuple):
    """Time as a watch needs it; tests have their own."""

    now: Callable[[], float] = time.time
    passed: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


REAL = Clock()


class Watch:
    """Runs crawls by their schedules. `report` hears of runs, `tell` of all else."""

    def __init__(
        self,
        crawls: Sequence[WatchedCrawl],
        report: Callable[[Report], None],
        tell: Callable[[str], None],
        watching: Watching,
        clock: Clock = REAL,
    ) -> None:
        self._crawls = crawls
        self._report = report
        self._tell = tell
        self._watching = watching
        self._clock = clock
        self._stop = StopRequest()
        self._put_off: dict[str, float] = {}
        self._send_after = 0.0
        self._last = clock.now(), clock.passed()

    def run(self) -> None:
        """Until somebody stops it, which is raised as KeyboardInterrupt."""
        with stopping_on_signals(self._stop):
            for crawl in self._crawls:
                self._stop.heed()
                now = self._now()
                crawl.catch_up(now)
                if (due := crawl.due(now)) > now:
                    self._report(Report(now, crawl.name, None, "", due))
            while True:
                self._stop.heed()
                self._step()

    def run_once(self, jitter: float = 0.0) -> list[str]:
        """Run each crawl once, now; somebody else has the schedule. The answer is what went wrong."""
        troubles = []
        with stopping_on_signals(self._stop):
            self._sleep(Random().random() * jitter)
            for crawl in self._crawls:
                self._stop.heed()
                troubles += self._once(crawl)
            self._stop.heed()
        return troubles

    def _once(self, crawl: WatchedCrawl) -> list[str]:
        now = self._now()
        troubles, run = [], None
        try:
            crawl.catch_up(now)
            run = crawl.run_once(now, self._watching)
            crawl.deliveries.make(self._now())
        except (DowseError, OSError) as error:
            troubles.append(str(error))
        self._report(Report(now, crawl.name, run, "".join(troubles), None))
        crawl.deliveries.send(self._now(), self._stop)
        return [f"{crawl.name}: {trouble}" for trouble in troubles]

    def _step(self) -> None:
        self._send()
        now = self._now()
        due = {crawl.name: self._due(crawl, now) for crawl in self._crawls}
        first = min(self._crawls, key=lambda crawl: due[crawl.name])
        if due[first.name] <= now:
            self._run(first, now)
            return
        sends = [date for crawl in self._crawls if (date := crawl.deliveries.due(now)) is not None]
        wake = min(due[first.name], max(min(sends, default=math.inf), self._send_after))
        self._sleep(min(_LOOK, max(0.0, wake - now)))

    def _sleep(self, seconds: float) -> None:
        while seconds > 0 and not self._stop.asked:
            self._clock.sleep(min(_PIECE, seconds))
            seconds -= _PIECE

    def _send(self) -> None:
        """Send what is due. What cannot be written down, because the disk is full, is not sent either."""
        try:
            for crawl in self._crawls:
                if (now := self._now()) >= self._send_after:
                    crawl.deliveries.send(now, self._stop)
        except DowseError as error:
            self._send_after = self._now() + _BUSY
            self._tell(str(error))

    def _due(self, crawl: WatchedCrawl, now: float) -> float:
        return max(crawl.due(now), self._put_off.get(crawl.name, 0.0))

    def _run(self, crawl: WatchedCrawl, now: float) -> None:
        trouble, run = "", None
        self._put_off.pop(crawl.name, None)
        try:
            run = crawl.run(now, self._watching)
            crawl.deliveries.make(self._now())
        except CrawlLocked as error:
            trouble = str(error)
            self._put_off[crawl.name] = now + _BUSY
        except (DowseError, OSError) as error:
            trouble = str(error)
            self._put_off[crawl.name] = crawl.skip(self._now())
        self._report(Report(now, crawl.name, run, trouble, self._due(crawl, self._now())))

    def _now(self) -> float:
        """What the clock says. It is told if it jumped."""
        now, passed = self._clock.now(), self._clock.passed()
        jump = (now - self._last[0]) - (passed - self._last[1])
        self._last = now, passed
        if jump < -_JUMP:
            self._put_off.clear()
            self._send_after = 0.0
            self._tell(f"the clock was put back by {span_text(-jump)}; dates are counted from what it says now")
        elif jump > _JUMP:
            self._tell(
                f"the clock went forward by {span_text(jump)}, or the machine slept; missed runs are caught up once"
            )
        return now
