"""The last door of a browser: what no tab let through does not get out, whoever in the browser asks for it.

A tab decides about the requests of its page (page_traffic.py). Some are made where a tab does not look: by a worker
that belongs to no page, by a window that a script opened, by the browser for itself. All of them come by here once
more, on their way from the tab to the network, and only those that a tab has let through before go on:

    page -> Fetch of its tab: Traffic.let_through -> Fetch of the browser: Gate -> proxy: Gate.wants -> network

What does not even come by here (a connection that is made ahead of any request, a certificate that is looked for) has
no more than the connections to places where a request was let through a short while ago.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

OPEN = 120.0
"""Seconds that a place stays open for connections after a request to it was let through. A page may have hundreds of
requests, six of them at a time, so the last of them can be late."""

_MOST = 10_000
"""Requests that wait between the two doors, and places that are open. More than that is never needed."""

_PORTS = {"http": 80, "https": 443}
Key = TypeVar("Key")
Value = TypeVar("Value")


class Gate:
    """Knows what was let through. It is wide open until it is closed: a log-in is the user's own doing."""

    def __init__(self) -> None:
        self._is_closed = False
        self._session: CDPSession | None = None
        self._awaited: dict[tuple[str, str], None] = {}
        self._places: dict[tuple[str, int], float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self, session: CDPSession) -> None:
        """From here on only what is let through gets out. `session` is one with the browser itself."""
        self._is_closed = True
        self._session = session
        session.on("Fetch.requestPaused", self._on_paused)
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    def let_through(self, event: dict[str, Any]) -> None:
        """A request, as the interception told of it, may go out."""
        url = event["request"]["url"]
        parts = urlsplit(url)
        if parts.scheme in _PORTS:
            _remember(self._places, (parts.hostname or "", parts.port or _PORTS[parts.scheme]), time.monotonic() + OPEN)
        _remember(self._awaited, (event.get("networkId", ""), url), None)

    def wants(self, host: str, port: int) -> bool:
        """Whether a connection to there can be for something that was let through."""
        return not self._is_closed or self._places.get((host.lower(), port), 0.0) > time.monotonic()

    def _on_paused(self, event: dict[str, Any]) -> None:
        request: dict[str, Any] = {"requestId": event["requestId"]}
        key = (event.get("networkId", ""), event["request"]["url"])
        if key in self._awaited:
            del self._awaited[key]
            answer = self._send("Fetch.continueRequest", request)
        else:
            answer = self._send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
        task = asyncio.ensure_future(answer)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, method: str, parameters: dict[str, Any]) -> None:
        """Tell the browser; what it is told of may have gone in the meantime."""
        from playwright.async_api import Error

        assert self._session is not None
        try:
            await self._session.send(method, parameters)
        except Error:
            return


def _remember(known: dict[Key, Value], key: Key, value: Value) -> None:
    """Put it at the end, and forget the oldest where there are too many."""
    known.pop(key, None)
    known[key] = value
    if len(known) > _MOST:
        del known[next(iter(known))]
