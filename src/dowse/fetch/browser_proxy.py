"""The only way of a browser to the network: a SOCKS proxy on loopback that asks the address guard before it connects.

The browser hands over names, not addresses. They are looked up here, the guard is asked about the address, and that
very address is connected to, so a name that resolves differently a second time (DNS rebinding) does not pass.

Where the user has a proxy of their own, the connection is asked of that one (fetch/upstream_proxy.py). A proxy for HTTP
gets requests over plain HTTP whole, one on each connection, because many such proxies refuse a tunnel to port 80.

What a server sends before the browser speaks again is one answer, because there is one request at a time on each
connection. One that is larger than a body may be is cut off.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

from dowse.fetch.guard import AddressGuard
from dowse.fetch.upstream_proxy import Streams, Upstream

_CONNECT = 1
_GRANTED, _FAILED, _NOT_ALLOWED, _UNREACHABLE = 0, 1, 2, 4
_PATIENCE = 10.0
_CHUNK = 1 << 16
_DEFAULT_PORTS = (80, 443)
_SOCKS_4, _SOCKS_5 = b"\4", b"\5"
# Headers between two ends of one connection.
_OF_THE_CONNECTION = (b"proxy-", b"connection:", b"keep-alive:")

Wants = Callable[[str, int], bool]
"""Whether anybody has let a request to this host and port through."""


class GuardedProxy:
    """SOCKS 5 without passwords, for connections out (RFC 1928), and HTTP to be passed on to the user's own proxy.

    SOCKS 4 is refused: it is the way of what is to have none (fetch/chromium_flags.py).
    """

    def __init__(
        self,
        guard: AddressGuard,
        longest_answer: int,
        upstream: Upstream | None = None,
        wants: Wants = lambda _host, _port: True,
    ) -> None:
        self._guard = guard
        self._longest_answer = longest_answer
        self._upstream = upstream
        self._wants = wants
        self._server: asyncio.Server | None = None
        self._under_way: set[asyncio.Task[None]] = set()

    async def open(self) -> int:
        """Begin to listen; the answer is the port."""
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for connection in self._under_way:
            connection.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, EOFError, ValueError, LookupError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass  # the browser went, or spoke something else, or the proxy is closed
        finally:
            self._under_way.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_PATIENCE):
            first = await reader.readexactly(1)
            if first == _SOCKS_5:
                host, port = await _read_target(reader, writer)
                answer = await self._connect(host, port)
                writer.write(_reply(answer if isinstance(answer, int) else _GRANTED))
                length = None
            elif first != _SOCKS_4 and self._upstream is not None and self._upstream.speaks_http:
                answer, length = await self._hand_on(self._upstream, first + await reader.readuntil(b"\r\n\r\n"))
            else:
                return
        if isinstance(answer, int):
            return
        try:
            await self._pass_on((reader, writer), answer, length)
        finally:
            answer[1].close()

    async def _pass_on(self, browser: Streams, server: Streams, length: int | None) -> None:
        """Let both ends speak; the browser no more than `length` bytes, if that is said."""
        received = 0

        async def questions() -> None:
            nonlocal received, length
            while length != 0 and (data := await browser[0].read(min(_CHUNK, length or _CHUNK))):
                received = 0
                length = length and length - len(data)
                server[1].write(data)
                await server[1].drain()
            if length != 0:
                server[1].close()

        async def answers() -> None:
            nonlocal received
            while received <= self._longest_answer and (data := await server[0].read(_CHUNK)):
                received += len(data)
                browser[1].write(data)
                await browser[1].drain()
            browser[1].close()
            server[1].close()

        await asyncio.gather(questions(), answers(), return_exceptions=True)

    async def _hand_on(self, upstream: Upstream, head: bytes) -> tuple[Streams | int, int]:
        """Send a request as it is to a proxy for HTTP; the answer has the length of the body that belongs to it."""
        request, *lines = head[:-4].split(b"\r\n")
        target = urlsplit(request.split(b" ")[1].decode("ascii"))
        port = target.port or 80
        if target.scheme != "http" or not target.hostname or not self._allows_name(target.hostname, port):
            return _NOT_ALLOWED, 0
        kept = [line for line in lines if not line.lower().startswith(_OF_THE_CONNECTION)]
        length = next((int(line[15:]) for line in kept if line.lower().startswith(b"content-length:")), 0)
        try:
            streams = await upstream.open()
        except OSError:
            return _FAILED, 0
        # The next request may be for another host, so it comes on another connection, where it is looked at.
        streams[1].write(b"\r\n".join((request, *kept, b"Connection: close", upstream.authorization())) + b"\r\n")
        return streams, length

    async def _connect(self, host: str, port: int) -> Streams | int:
        """The first address that is allowed and answers, else why there is none."""
        if not self._wants(host, port):
            return _NOT_ALLOWED
        if self._upstream is not None and self._upstream.takes_names:
            return await self._reach(host, port) if self._allows_name(host, port) else _NOT_ALLOWED
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            return _UNREACHABLE
        place = _place(host, port)
        allowed = [str(address[0]) for *_, address in found if self._guard.allows(place, str(address[0]))]
        for address in allowed:
            if not isinstance(answer := await self._reach(address, port), int):
                return answer
        return _FAILED if allowed else _NOT_ALLOWED

    def _allows_name(self, host: str, port: int) -> bool:
        """Whether a name may be asked of the user's proxy, which alone knows its address."""
        return self._wants(host, port) and self._guard.allows_literal(_place(host, port))

    async def _reach(self, host: str, port: int) -> Streams | int:
        try:
            if self._upstream is not None:
                return await self._upstream.connect(host, port)
            return await asyncio.open_connection(host, port)
        except (OSError, EOFError):
            return _FAILED


def _place(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port in _DEFAULT_PORTS else f"{name}:{port}"


async def _read_target(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    (methods,) = await reader.readexactly(1)
    await reader.readexactly(methods)
    writer.write(b"\5\0")
    _version, command, _reserved, kind = await reader.readexactly(4)
    if kind == 3:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode("ascii")
    elif kind in (1, 4):
        host = str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))
    else:
        raise ValueError("an address of an unknown kind")
    port = int.from_bytes(await reader.readexactly(2), "big")
    if command != _CONNECT:
        raise ValueError("only connections out can be had")
    return host, port


def _reply(code: int) -> bytes:
    return bytes((5, code, 0, 1, 0, 0, 0, 0, 0, 0))
