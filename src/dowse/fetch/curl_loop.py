"""libcurl on the event loop: hands over a prepared handle and answers when its transfer has ended.

Sockets and timers of one multi handle are watched by asyncio (or uvloop), so a thousand transfers share one
thread.
"""

from __future__ import annotations

import asyncio

import pycurl


class CurlLoop:
    """One multi handle: its connection pool, its DNS cache and the transfers under way."""

    def __init__(self, connections: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._watch)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._set_timer)
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: dict[pycurl.Curl, asyncio.Future[int]] = {}

    async def perform(self, curl: pycurl.Curl) -> int:
        """Run one transfer to its end; the answer is libcurl's error number, 0 for success."""
        ended: asyncio.Future[int] = self._loop.create_future()
        self._waiting[curl] = ended
        self._multi.add_handle(curl)
        try:
            return await ended
        finally:
            if self._waiting.pop(curl, None) is not None:
                self._multi.remove_handle(curl)

    def _watch(self, what: int, descriptor: int, _multi: pycurl.CurlMulti, _data: object) -> None:
        if what & pycurl.POLL_IN and what != pycurl.POLL_REMOVE:
            self._loop.add_reader(descriptor, self._act, descriptor, pycurl.CSELECT_IN)
        else:
            self._loop.remove_reader(descriptor)
        if what & pycurl.POLL_OUT and what != pycurl.POLL_REMOVE:
            self._loop.add_writer(descriptor, self._act, descriptor, pycurl.CSELECT_OUT)
        else:
            self._loop.remove_writer(descriptor)

    def _set_timer(self, milliseconds: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if milliseconds >= 0:
            self._timer = self._loop.call_later(milliseconds / 1000, self._act, pycurl.SOCKET_TIMEOUT, 0)

    def _act(self, descriptor: int, events: int) -> None:
        self._multi.socket_action(descriptor, events)
        queued = 1
        while queued:
            queued, succeeded, failed = self._multi.info_read()
            for curl in succeeded:
                self._end(curl, 0)
            for curl, number, _message in failed:
                self._end(curl, number)

    def _end(self, curl: pycurl.Curl, number: int) -> None:
        self._multi.remove_handle(curl)
        ended = self._waiting.pop(curl)
        if not ended.done():
            ended.set_result(number)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for curl, ended in self._waiting.items():
            self._multi.remove_handle(curl)
            ended.cancel()
        self._waiting.clear()
        self._multi.close()
