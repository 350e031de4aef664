"""A fetcher that asks no server: it answers from stored pages.

Other URLs are not found (404). Nothing is waited for, so a crawl runs at the speed of the processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.protocols import Sink

_ELAPSED = 1e-6
"""Seconds that an answer takes; a host that took none counts as one that has not answered, and gets one request at a
time."""


class Replayed(NamedTuple):
    """What was once answered to a request."""

    status: int
    headers: dict[str, str]
    body: bytes


class ReplayFetcher:
    """Answers by `find`, which knows the answer to a request or None.

    A request is named by its URL; one that has a method or a body besides, by its key.
    """

    def __init__(self, find: Callable[[str], Replayed | None]) -> None:
        self._find = find

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        answer = self._find(request.url if request.is_plain else request.key)
        if answer is None:
            return Failure(FailureKind.HTTP, "not among the pages replayed", status=404)
        body = answer.body
        if sink is not None and answer.status < 300:
            sink(body)
            body = b""
        return Response(
            request=request,
            status=answer.status,
            headers=answer.headers,
            body=body,
            fetched_at=time.time(),
            elapsed=_ELAPSED,
            size=len(answer.body),
        )

    async def close(self) -> None:
        """There is nothing open."""
