"""How the ends of a visit are told: a page, a failure, a bad status."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import Any

from dowse.core.model import Failure, FailureKind, Outcome, Response, Task


def told(task: Task, response: Response, **facts: Any) -> Outcome:
    """The server answered; `facts` are what was made of the answer."""
    return Outcome(
        task=task,
        fetched_at=response.fetched_at,
        elapsed=response.elapsed,
        status=response.status,
        size=response.size,
        etag=response.headers.get("etag", ""),
        last_modified=response.headers.get("last-modified", ""),
        crawl_delay=response.crawl_delay,
        **facts,
    )


def failed(task: Task, failure: Failure) -> Outcome:
    """No usable answer came, or none was asked for."""
    return Outcome(
        task=task,
        fetched_at=time.time(),
        status=failure.status,
        failure=failure,
        requested=failure.kind is not FailureKind.ROBOTS,
    )


def refused(task: Task, response: Response) -> Outcome:
    """A status of 400 or more."""
    failure = Failure(
        FailureKind.HTTP,
        f"status {response.status}",
        retry_after=retry_after(response.headers.get("retry-after", ""), response.fetched_at),
        status=response.status,
    )
    return told(task, response, failure=failure)


def retry_after(header: str, now: float) -> float | None:
    """Seconds from a Retry-After header, which holds a number or a date.

    >>> retry_after("120", now=0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=0.0), retry_after("soon", now=0.0)
    (120.0, 60.0, None)
    """
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(parsedate_to_datetime(header).timestamp() - now, 0.0)
    except (ValueError, TypeError):
        return None
