"""A real web server for tests: it says what the test tells it to, faults included, and writes down what it was asked.

    with Site({"/": "<a href=/b>b</a>", "/b": Reply("gone", status=410), "/c": lambda request: ...}) as site:
        ...
    assert site.paths() == ["/", "/b"]

A page is a text, bytes, a `Reply`, or a function from `Request` to any of these. A body may be a sequence of
*steps*: bytes are sent, a number is a pause in seconds, `CUT` drops the connection there and then. Every fault
of `hostile.py` is written in steps.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from http import HTTPStatus
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl


class Cut(Enum):
    """The step that resets the connection."""

    CUT = auto()


CUT = Cut.CUT
BODILESS = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
HEAD_LIMIT = 1 << 20
Step = bytes | float | Cut


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it was read. Header names are lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    visit: int
    """How often this method and target had been asked for before."""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @property
    def host(self) -> str:
        """The host name that was asked for, without its port."""
        return self.headers.get("host", "").partition(":")[0]


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back. A body in steps is sent in chunks unless `headers` holds a Content-Length, true or not.

    `bare` sends the body alone, without status line and headers, for answers that are not HTTP.
    """

    body: str | bytes | Iterable[Step] = b""
    status: int = 200
    headers: Mapping[str, str] | Iterable[tuple[str, str]] = ()
    delay: float = 0.0
    bare: bool = False


Answer = str | bytes | Reply
Page = Answer | Callable[[Request], Answer]


@dataclass(frozen=True, slots=True)
class Hit:
    """A line of the access log. `busy` is how many requests were under way when this one came, itself included."""

    request: Request
    address: str
    time: float
    busy: int


@dataclass
class Site:
    """Serves `pages` on one port of the given loopback addresses, in a thread of its own.

    A page is looked up as "//host/path?query", "/path?query", "//host/path", "/path" and last by the longest
    key that ends in "*" and fits. The port is taken at once, so pages that need it can be added before the start.
    """

    pages: dict[str, Page] = field(default_factory=dict)
    addresses: tuple[str, ...] = ("127.0.0.1",)
    tls: ssl.SSLContext | None = None
    latency: float = 0.0
    log: list[Hit] = field(default_factory=list)
    busy: int = 0
    peak: int = 0
    failures: list[BaseException] = field(default_factory=list)
    """What a page function raised. Checked on exit, so that a broken page cannot pass for a quiet server."""

    def __post_init__(self) -> None:
        self._sockets = _listen(self.addresses)
        self.port: int = self._sockets[0].getsockname()[1]
        self._visits: dict[tuple[str, str], int] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="test site", daemon=True)
        self._ready = threading.Event()
        self._stopping = asyncio.Event()

    @property
    def url(self) -> str:
        return self.at(self.addresses[0])

    def at(self, host: str, path: str = "/") -> str:
        """The URL of a path under one of the site's addresses (or another name for it, such as localhost)."""
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    def asked(self) -> list[Request]:
        """What was asked for, in order, without robots.txt, and without a sitemap that is not there."""
        unasked = (
            ("/robots.txt",) if any("sitemap.xml" in page for page in self.pages) else ("/robots.txt", "/sitemap.xml")
        )
        return [hit.request for hit in list(self.log) if hit.request.path not in unasked]

    def paths(self) -> list[str]:
        return [request.target for request in self.asked()]

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(10):
            raise RuntimeError("the test site did not start")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(10)
        if self._thread.is_alive():
            raise RuntimeError("the test site did not stop")
        if self.failures and kind is None:
            raise self.failures[0]

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # cancels what is still being sent
            runner.run(self._serve())

    async def _serve(self) -> None:
        servers = [
            await asyncio.start_server(self._converse, sock=sock, ssl=self.tls, limit=HEAD_LIMIT)
            for sock in self._sockets
        ]
        self._ready.set()
        await self._stopping.wait()
        for server in servers:
            server.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request, until either side has had enough."""
        try:
            while (request := await self._read(reader)) is not None:
                self.busy += 1
                self.peak = max(self.peak, self.busy)
                self.log.append(Hit(request, writer.get_extra_info("sockname")[0], time.monotonic(), self.busy))
                try:
                    keep = await self._respond(request, writer)
                finally:
                    self.busy -= 1
                if not keep or request.headers.get("connection", "").lower() == "close":
                    break
        except (OSError, EOFError, asyncio.CancelledError):
            pass  # the client went, or the test is over
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Request | None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        first, *lines = head[:-4].decode("latin-1").split("\r\n")
        method, target, _version = first.split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        visit = self._visits.get((method, target), 0)
        self._visits[method, target] = visit + 1
        return Request(method, target, headers, body, visit)

    def _find(self, request: Request) -> Page | None:
        for target in (request.target, request.path):
            for key in (f"//{request.host}{target}", target):
                if (page := self.pages.get(key)) is not None:
                    return page
        prefixes = [key for key in self.pages if key.endswith("*") and request.target.startswith(key[:-1])]
        return self.pages[max(prefixes, key=len)] if prefixes else None

    async def _respond(self, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Send the answer; whether the connection may go on afterwards."""
        page = self._find(request)
        try:
            answer = page(request) if callable(page) else page
        except Exception as error:  # noqa: BLE001 - whatever it was, the test must hear of it
            self.failures.append(error)
            answer = Reply("the page function failed", status=500)
        if answer is None:
            answer = Reply("not found", status=404)
        reply = answer if isinstance(answer, Reply) else Reply(answer)
        if wait := reply.delay or self.latency:
            await asyncio.sleep(wait)
        return await _send(reply, writer, with_body=request.method != "HEAD")


def _listen(addresses: tuple[str, ...]) -> list[socket.socket]:
    """One port on every address. Taken from the system on the first; a clash on another means trying again."""
    for _ in range(20):
        sockets: list[socket.socket] = []
        try:
            for address in addresses:
                port = sockets[0].getsockname()[1] if sockets else 0
                sockets.append(socket.create_server((address, port), backlog=512))
                # asyncio sets this only where the socket names its protocol; without it a page takes 40 ms.
                sockets[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            for sock in sockets:
                sock.close()
        else:
            return sockets
    raise OSError(f"no port is free on all of {addresses}")


async def _send(reply: Reply, writer: asyncio.StreamWriter, *, with_body: bool) -> bool:
    body = reply.body.encode() if isinstance(reply.body, str) else reply.body
    pairs = list(reply.headers.items() if isinstance(reply.headers, Mapping) else reply.headers)
    names = {name.lower() for name, _ in pairs}
    chunked = not isinstance(body, bytes) and "content-length" not in names
    if "content-type" not in names:
        pairs.append(("Content-Type", "text/html; charset=utf-8"))
    if chunked:
        pairs.append(("Transfer-Encoding", "chunked"))
    elif isinstance(body, bytes) and "content-length" not in names and reply.status not in BODILESS:
        pairs.append(("Content-Length", str(len(body))))
    head = f"HTTP/1.1 {reply.status} {_reason(reply.status)}\r\n" + "".join(f"{n}: {v}\r\n" for n, v in pairs) + "\r\n"
    if not reply.bare:
        writer.write(head.encode("latin-1"))
    if not with_body:
        return True
    sent = await _play([body] if isinstance(body, bytes) else body, writer, chunked=chunked and not reply.bare)
    declared = next((value for name, value in pairs if name.lower() == "content-length"), str(sent))
    return sent is not None and not reply.bare and declared == str(sent)


async def _play(steps: Iterable[Step], writer: asyncio.StreamWriter, *, chunked: bool) -> int | None:
    """Act out the steps and count the bytes; None when one of them was CUT."""
    sent = 0
    for step in steps:
        if step is CUT:
            _reset(writer)
            return None
        if isinstance(step, bytes):
            sent += len(step)
            writer.write(b"%x\r\n%s\r\n" % (len(step), step) if chunked else step)
            await writer.drain()
            await asyncio.sleep(0)  # drain does not always give way, and an endless body must not starve the rest
        else:
            await asyncio.sleep(step)
    if chunked:
        writer.write(b"0\r\n\r\n")
    return sent


def _reset(writer: asyncio.StreamWriter) -> None:
    """Drop the connection as a crashed server would: no farewell, and what was sent may still be on its way."""
    with contextlib.suppress(OSError):
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unheard Of"
