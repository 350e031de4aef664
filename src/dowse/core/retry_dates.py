"""Retries: the date at which a failed URL is tried again, by what went wrong."""

from __future__ import annotations

from calendar import timegm
from email.utils import parsedate_to_datetime

from dowse.core.model import Failure, FailureKind

# Seconds to wait after the first, second, third ... failure; the last number goes on. Nothing: the failure is final.
FINAL: tuple[float, ...] = ()
WAITS: dict[FailureKind, tuple[float, ...]] = {
    # the way to the host, or the host itself, may come back
    FailureKind.DNS: (1.0, 5.0, 60.0),
    FailureKind.CONNECT: (1.0, 5.0, 60.0),
    FailureKind.TIMEOUT: (2.0, 15.0, 60.0),
    FailureKind.PROTOCOL: (1.0, 5.0, 60.0),
    # the page may have had no part in the end of the process that read it
    FailureKind.CRASH: (1.0, 5.0, 60.0),
    # this machine could not even ask, or the one that did is gone; no page is to blame, so see UNCOUNTED
    FailureKind.MACHINE: (2.0,),
    FailureKind.NODE: (1.0,),
    # asking again would get the same answer
    FailureKind.HTTP: FINAL,  # but see STATUS_WAITS
    FailureKind.TLS: FINAL,
    FailureKind.TOO_LARGE: FINAL,
    FailureKind.ROBOTS: FINAL,
    FailureKind.SCOPE: FINAL,
    FailureKind.BLOCKED_ADDRESS: FINAL,
    FailureKind.REDIRECT: FINAL,
    FailureKind.MEDIA_TYPE: FINAL,
    FailureKind.USAGE: FINAL,
    FailureKind.PARSE: FINAL,
    FailureKind.LOGIN: FINAL,  # until somebody has logged in again
    FailureKind.CALLBACK: FINAL,  # until somebody has mended their code
    FailureKind.INTERNAL: FINAL,
}

UNCOUNTED = frozenset({FailureKind.MACHINE, FailureKind.NODE})
"""Failures that cost a URL none of its attempts: it is tried until it could be."""

STATUS_WAITS: dict[int, tuple[float, ...]] = {
    # the server was too slow to read or to think
    408: (5.0, 30.0, 120.0),
    504: (10.0, 60.0, 300.0),
    # it asks for patience; it may also say how much
    429: (5.0, 60.0, 300.0),
    503: (5.0, 60.0, 300.0),
    # something behind it broke; more often than not for good, so not at once
    500: (10.0, 60.0, 300.0),
    502: (10.0, 60.0, 300.0),
}

# What a server may ask for at most.
LONGEST_RETRY_AFTER = 3600.0
ONE_DAY = 24 * 3600.0
# Up to this share of the wait is added, so that what failed together does not come back together.
JITTER = 0.25


def next_attempt(failure: Failure, attempt: int, now: float, retries: int, salt: int = 0) -> float | None:
    """When to try again after the failure of this attempt (the first is 0), or None when it was the last.

    `salt` is any number of the URL's own, such as its task's: the jitter is made from it and not drawn, so the same
    outcomes give the same dates when a crawl is replayed, and a date can be worked out again.
    """
    waits = WAITS[failure.kind]
    if failure.kind is FailureKind.HTTP:
        waits = STATUS_WAITS.get(failure.status, FINAL)
    if not waits or (attempt >= retries and failure.kind not in UNCOUNTED):
        return None
    wait = waits[min(attempt, len(waits) - 1)]
    if failure.retry_after is not None:
        wait = max(wait, min(failure.retry_after, LONGEST_RETRY_AFTER))
    return now + wait * (1.0 + JITTER * _fraction(salt + attempt))


def _fraction(number: int) -> float:
    """Numbers that follow each other are spread evenly over 0 to 1 (Fibonacci hashing)."""
    return (number * 0x9E3779B97F4A7C15 % 2**64) / 2**64


def retry_after(header: str, now: float) -> float | None:
    """Seconds from a Retry-After header, which holds a number or a date.

    >>> retry_after("120", now=0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=0.0), retry_after("soon", now=0.0)
    (120.0, 60.0, None)
    """
    value = header.strip()
    if not value.isascii():
        return None
    if value.isdecimal():
        return min(float(value), ONE_DAY)
    try:
        # The form of asctime() names no zone. All dates of HTTP are in GMT.
        date = timegm(parsedate_to_datetime(value).utctimetuple())
        return min(max(date - now, 0.0), ONE_DAY)
    except (ValueError, OverflowError):
        return None
