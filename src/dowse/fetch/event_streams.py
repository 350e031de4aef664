"""Streams of a page, by which servers send events: they stay open as long as the page does, so nobody waits for their
end. But a page that is being filled by one is not ready: its first message is waited for, for a moment, and each that
comes begins the quiet moments anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dowse.fetch.page_traffic import Visit

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

GREETING = 1.0
"""Seconds to wait for the first message of a stream."""


class Streams:
    """Watches the streams of one tab. `visit` gives the page that is in it, if there is one."""

    def __init__(self, session: CDPSession, visit: Callable[[], Visit | None]) -> None:
        self._session = session
        self._visit = visit

    def open(self) -> None:
        for event, take in (
            ("Network.requestWillBeSent", self._on_request),
            ("Network.webSocketCreated", self._on_stream),
            ("Network.eventSourceMessageReceived", self._on_message),
            ("Network.webSocketFrameReceived", self._on_message),
            ("Network.webSocketClosed", self._on_message),
        ):
            self._session.on(event, take)

    def _on_request(self, event: dict[str, Any]) -> None:
        if event.get("type") == "EventSource":
            self._on_stream(event)

    def _on_stream(self, event: dict[str, Any]) -> None:
        visit = self._visit()
        if visit is not None:
            name = _name(event)
            visit.under_way.add(name)
            visit.settle()
            asyncio.get_running_loop().call_later(GREETING, self._end, visit, name)

    def _on_message(self, event: dict[str, Any]) -> None:
        visit = self._visit()
        if visit is not None:
            visit.under_way.discard(_name(event))
            visit.settle()

    def _end(self, visit: Visit, name: str) -> None:
        if name in visit.under_way:
            visit.under_way.discard(name)
            visit.settle()


def _name(event: dict[str, Any]) -> str:
    return f"stream {event['requestId']}"
