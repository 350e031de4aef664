"""Points in time as users write them: a date, a date with a time, an age."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from dowse.core.errors import JobError

Moment = str | float | date | datetime
"""What is taken for a point in time. A number is seconds since 1970."""

_AGE = re.compile(r"(\d{1,6}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)(?: ago)?")
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def seconds_of(moment: Moment, name: str, now: float, *, at_end: bool = False) -> float:
    """A point in time as seconds since 1970. A day is its beginning, or with `at_end` its end.

    Without a time zone it is on the clock of this machine, as the commands print it.

    >>> seconds_of("1970-01-02T00:00Z", "since", now=0.0), seconds_of("3 days", "since", now=1_000_000.0)
    (86400.0, 740800.0)
    """
    if isinstance(moment, str):
        age = _AGE.fullmatch(moment.strip().lower())
        if age is not None:
            return now - int(age[1]) * _SECONDS[age[2][0]]
        moment = _read(moment.strip(), name)
    if isinstance(moment, date) and not isinstance(moment, datetime):
        moment = datetime.combine(moment + timedelta(days=at_end), time())
    if not isinstance(moment, datetime):
        return float(moment)
    try:
        return moment.timestamp()
    except (OverflowError, OSError, ValueError):
        return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()


def _read(text: str, name: str) -> date | datetime:
    for kind in (date, datetime):
        try:
            return kind.fromisoformat(text)
        except ValueError:
            continue
    raise JobError(f"{name}: {text!r} is no point in time; write 2026-11-01, 2026-11-01 14:30 or 3 days")
