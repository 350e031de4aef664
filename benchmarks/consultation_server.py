"""Serves the consultation site on a dozen loopback addresses, and keeps a log of what was asked for.

python -m benchmarks.consultation_server PORT LOG

Two things are made up while they are asked for, because there is no end of them: the months of the departments'
calendars, and the facets of the list, which come in any combination.
"""

from __future__ import annotations

import asyncio
import re
import sys
from functools import partial
from pathlib import Path
from typing import TextIO, cast
from urllib.parse import parse_qsl

from benchmarks.consultation_site import ABROAD, BASE_PATH, DEPARTMENTS, LIST, TOPICS, build, listing, page

_HOST = re.compile(rb"\r\nhost: *([^\r]+)", re.IGNORECASE)
_MONTH = re.compile(r"/calendar/(\d{4})/(\d\d)\.htm")
_SHOWN = 20


class Responder:
    """From an address to an answer."""

    def __init__(self, port: int) -> None:
        self._world = build(port)
        self._list_url = f"http://127.0.0.{LIST}:{port}"

    def answer(self, url: str) -> tuple[int, bytes, str]:
        """Status, body and where to go instead."""
        if body := self._world.pages.get(url):
            return 200, body, ""
        if target := self._world.redirects.get(url):
            return 301, b"", target
        path, _, query = url[url.index("/", 8) :].partition("?")
        if path == BASE_PATH and url.startswith(self._list_url):
            return 200, self._facet(query), ""
        if (month := _MONTH.fullmatch(path)) and not url.startswith(self._list_url):
            return 200, self._month(int(month[1]), int(month[2])), ""
        return 404, b"<title>Not found</title>", ""

    def _facet(self, query: str) -> bytes:
        subject = dict(parse_qsl(query)).get("subject", "")
        fitting = [(url, name) for url, name in self._world.consultations if f"({subject})" in name or not subject]
        items = [f'<li><a href="{url}">{name}</a>' for url, name in fitting[:_SHOWN]]
        further = "".join(
            f'<li><a href="{BASE_PATH}?subject={topic}&sort={sort}">{topic} by {sort}</a>'
            for topic in TOPICS
            for sort in ("date", "title", "status")
        )
        return page(f"Consultations: {query}", listing(items) + f"<ul>{further}</ul>", self._list_url)

    def _month(self, year: int, month: int) -> bytes:
        follows = (year, month + 1) if month < 12 else (year + 1, 1)
        main = f'<p>No events.<p><a href="/calendar/{follows[0]:04}/{follows[1]:02}.htm">next month</a>'
        return page(f"Events {year}-{month:02}", main, self._list_url, host=DEPARTMENTS[0])


class Connection(asyncio.Protocol):
    """Answers the requests of one client, one after the other."""

    def __init__(self, responder: Responder, log: TextIO) -> None:
        self._responder, self._log = responder, log
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head, self._received = self._received[:end], self._received[end + 4 :]
            host = _HOST.search(head)
            url = f"http://{host[1].decode() if host else ''}{head.split(b' ', 2)[1].decode('latin-1')}"
            status, body, location = self._responder.answer(url)
            self._log.write(f"{status} {url}\n")
            moved = f"Location: {location}\r\n" if location else ""
            start = f"HTTP/1.1 {status} .\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n{moved}\r\n"
            self._transport.write(start.encode() + body)


async def serve(port: int, log: Path) -> None:
    responder = Responder(port)
    with log.open("w", buffering=1) as stream:
        for host in (LIST, *DEPARTMENTS, ABROAD):
            made = partial(Connection, responder, stream)
            await asyncio.get_running_loop().create_server(made, f"127.0.0.{host}", port, backlog=512)
        await asyncio.Event().wait()


if __name__ == "__main__":
    import uvloop

    uvloop.run(serve(int(sys.argv[1]), Path(sys.argv[2])))
