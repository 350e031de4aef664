"""When a crawl is to be visited again: pure arithmetic on dates. Nothing here looks at a clock.

    every    dates at the same distance, counted from the first run; clocks that are put forward or back mean nothing
    cron     dates on the clock of a time zone, as Debian's cron has them:
             a time that does not exist (02:30 in the night when clocks go forward)   runs once, right after the gap
             a time that comes twice (02:30 in the night when they go back)           runs once, the first time
             an expression that begins with * in its minutes or hours                 runs by real time, through both

A run stands for every date up to its beginning: dates that were missed are caught up by one run. Each date is put off
by a chance that only the date and the crawl decide, so it is the same after a restart.
"""

from __future__ import annotations

import math
from datetime import datetime
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from dowse.core.errors import JobError
from dowse.core.options.watch_options import WatchOptions, seconds_of

_MOST_STEPS = 10_000
"""Dates that are looked at for one that lies behind a moment; an hour that comes twice has 3,600 at most."""

_PROBE = 1_767_225_600.0
"""Some moment, to try an expression with."""


class Schedule(NamedTuple):
    """The dates of one crawl. `anchor` is where intervals are counted from, `seed` decides by chance."""

    every: int = 0
    cron: str = ""
    zone: ZoneInfo | None = None
    jitter: int = 0
    seed: str = ""
    anchor: float = 0.0

    def after(self, moment: float) -> float:
        """The first date after a moment."""
        if self.every:
            return self._interval_after(moment)
        if self.zone is None:
            raise ValueError("a cron expression needs a time zone")
        whole = math.floor(moment)
        dates = CronSim(self.cron, datetime.fromtimestamp(whole, self.zone))
        for _ in range(_MOST_STEPS):
            if (date := next(dates).timestamp()) > moment:
                return date
        raise JobError(f"cron: {self.cron!r} has no date that lies ahead")

    def _interval_after(self, moment: float) -> float:
        steps = math.floor((moment - self.anchor) / self.every) + 1
        date = self.anchor + steps * self.every
        return date if date > moment else date + self.every  # by rounding

    def begins(self, date: float) -> float:
        """When the run of a date begins."""
        return date + Random(f"{self.seed} {date}").random() * self.jitter if self.jitter else date


def covered_until(schedule: Schedule, covered: float, now: float) -> float:
    """Up to where dates are dealt with by what the clock says now, where it said `covered` before.

    A clock that was put back by more than the time between two dates is taken as it is now, and this is to be written
    down: nobody waits for more than twice that time. If it was put back by less, no date is run again.
    """
    return now if covered - now > schedule.after(covered) - covered else covered


def covered_by(schedule: Schedule, date: float, now: float) -> float:
    """Up to where dates are dealt with by a run that begins now, and is that of a date."""
    covered = max(date, now - schedule.jitter)
    for _ in range(_MOST_STEPS):
        later = schedule.after(covered)
        if schedule.begins(later) > now:
            break
        covered = later
    return covered


def make_schedule(options: WatchOptions, seed: str) -> Schedule:
    """The schedule that options ask for. A JobError says what is wrong with them."""
    if bool(options.every) == bool(options.cron):
        lack = "give every = '6h', or cron = '0 6 * * *'" if not options.every else "only one of them can be had"
        raise JobError(f"every and cron: {lack}")
    if options.every and options.timezone:
        raise JobError("timezone: only for cron expressions; an interval is the same everywhere")
    jitter = seconds_of(options.jitter)
    if options.every:
        every = seconds_of(options.every)
        if jitter >= every:
            raise JobError(f"jitter: must be shorter than every = {options.every!r}, got {options.jitter!r}")
        return Schedule(every=every, jitter=jitter, seed=seed)
    schedule = Schedule(cron=options.cron, zone=_zone(options.timezone), jitter=jitter, seed=seed)
    try:
        first = schedule.after(_PROBE)
        second = schedule.after(first)
    except CronSimError as error:
        raise JobError(
            f"cron: {options.cron!r} is no cron expression ({str(error).lower()}); write it like '0 6 * * *'"
        ) from None
    except (RuntimeError, StopIteration, OverflowError):
        raise JobError(f"cron: {options.cron!r} has no date in the next 50 years") from None
    if jitter >= second - first:
        raise JobError(f"jitter: must be shorter than the time between two dates, got {options.jitter!r}")
    return schedule


def _zone(name: str) -> ZoneInfo:
    """A time zone by its name, or that of this machine."""
    if not name:
        import tzlocal

        try:
            return tzlocal.reload_localzone()
        except (ZoneInfoNotFoundError, ValueError, LookupError, OSError):
            return ZoneInfo("UTC")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise JobError(
            f"timezone: {name!r} is none that this machine knows; write it like Europe/Berlin, and install the package"
            " tzdata if it knows none"
        ) from None
