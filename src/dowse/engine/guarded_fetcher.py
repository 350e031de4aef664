"""A fetcher of the user around ours. Its mistakes are failures of the URLs that they happen to."""

from __future__ import annotations

from collections.abc import Callable

from dowse.core.errors import CrawlError, JobError
from dowse.core.exception_line import MISTAKES, mistake_text
from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.protocols import Fetcher, Sink


class _Lent:
    """Our fetcher in the hands of the user: it can be closed by us alone."""

    def __init__(self, inner: Fetcher) -> None:
        self.fetch = inner.fetch

    async def close(self) -> None:
        pass


class GuardedFetcher:
    """Asks the fetcher that `wrap` made of ours."""

    def __init__(self, wrap: Callable[[Fetcher], Fetcher], inner: Fetcher) -> None:
        self._inner = inner
        try:
            self._own = wrap(_Lent(inner))
        except MISTAKES as error:
            raise JobError(f"wrap_fetcher: {mistake_text(error)}") from error
        if not callable(getattr(self._own, "fetch", None)):
            raise JobError(
                f"wrap_fetcher returned {self._own!r:.60}; it has to return an object with the method"
                " async fetch(request, sink=None)"
            )

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        try:
            answer: object = await self._own.fetch(request, sink)
        except MISTAKES as error:
            return Failure(FailureKind.CALLBACK, f"wrap_fetcher: {mistake_text(error)}")
        if isinstance(answer, Response | Failure):
            return answer
        detail = f"wrap_fetcher: fetch returned {answer!r:.60}; it has to return a Response or a Failure"
        return Failure(FailureKind.CALLBACK, detail)

    async def close(self) -> None:
        try:
            if hasattr(self._own, "close"):
                await self._own.close()
        except MISTAKES as error:
            raise CrawlError(f"wrap_fetcher: close: {mistake_text(error)}") from error
        finally:
            await self._inner.close()
