"""Outcomes for the three ends of a visit: an answer, a failure, a bad status."""

from __future__ import annotations

import time
from typing import Any

from dowse.core.model import Failure, FailureKind, Outcome, Response, Task
from dowse.core.retry_dates import retry_after
from dowse.core.revisits.server_signs import fresh_until
from dowse.core.task_labels import HEAD
from dowse.parse.page import Page

NOT_STORED = "not stored (store_only)"
"""What a visit says of a page that is in no table but the ledger."""


def answered(task: Task, response: Response, **facts: Any) -> Outcome:
    """The server answered. `facts` are further fields of the outcome."""
    return Outcome(
        task=task,
        fetched_at=response.fetched_at,
        elapsed=response.elapsed,
        status=response.status,
        size=response.size,
        etag=response.headers.get("etag", ""),
        last_modified=response.headers.get("last-modified", ""),
        crawl_delay=response.crawl_delay,
        rendered=response.rendered,
        fresh_until=fresh_until(response.headers, response.fetched_at) if task.digest else 0.0,
        **facts,
    )


def failed(task: Task, failure: Failure, started: float) -> Outcome:
    """No usable answer came, or none was asked for."""
    return Outcome(
        task=task,
        fetched_at=started,
        elapsed=time.time() - started,
        status=failure.status,
        failure=failure,
        requested=failure.kind not in (FailureKind.ROBOTS, FailureKind.SCOPE, FailureKind.MACHINE),
    )


def bad_status(task: Task, response: Response, page: Page | None = None) -> Outcome:
    """A status of 400 or more. `page` is what came with it, if that is to be in the index."""
    failure = Failure(
        FailureKind.HTTP,
        f"status {response.status}",
        retry_after=retry_after(response.headers.get("retry-after", ""), response.fetched_at),
        status=response.status,
    )
    facts = {"media_type": page.media_type, "title": page.title} if page is not None else {}
    if page is not None and page.is_html:
        facts |= {"charset": page.charset, "declared": page.declared_charset}
    return answered(task, response, failure=failure, **facts)


def is_unwanted(outcome: Outcome) -> bool:
    """Whether the answer is not for the archive."""
    if outcome.task.label == HEAD:
        return True
    if outcome.unchanged:
        return not outcome.task.before
    return outcome.failure is not None and outcome.failure.kind in (FailureKind.MEDIA_TYPE, FailureKind.USAGE)


def remark(response: Response, is_kept: bool) -> str:
    """What is remarkable about how a page was taken; "" if nothing is."""
    if is_kept and not response.is_cut:
        return ""
    remarks = [f"only the first {len(response.body):,} bytes were read"] if response.is_cut else []
    return "; ".join(remarks if is_kept else [*remarks, NOT_STORED])
