"""The only way of a browser to the network: a SOCKS proxy on loopback that asks the address guard before it connects.

The browser hands over names, not addresses. They are looked up here, the guard is asked about the address, and that
very address is connected to, so a name that resolves differently a second time (DNS rebinding) does not pass.

What a server sends before the browser speaks again is one answer, because there is one request at a time on each
connection. One that is larger than a body may be is cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket

from dowse.fetch.guard import AddressGuard

_CONNECT = 1
_GRANTED, _FAILED, _NOT_ALLOWED, _UNREACHABLE = 0, 1, 2, 4
_PATIENCE = 10.0
_CHUNK = 1 << 16
_DEFAULT_PORTS = (80, 443)
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class GuardedProxy:
    """SOCKS 5 without passwords, for connections out (RFC 1928)."""

    def __init__(self, guard: AddressGuard, longest_answer: int) -> None:
        self._guard = guard
        self._longest_answer = longest_answer
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
        except (OSError, EOFError, ValueError, TimeoutError, asyncio.CancelledError):
            pass  # the browser went, or spoke something else, or the proxy is closed
        finally:
            self._under_way.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_PATIENCE):
            host, port = await _read_target(reader, writer)
            answer = await self._connect(host, port)
        if isinstance(answer, int):
            writer.write(_reply(answer))
            return
        inner_reader, inner_writer = answer
        writer.write(_reply(_GRANTED))
        try:
            await self._pass_on((reader, writer), (inner_reader, inner_writer))
        finally:
            inner_writer.close()

    async def _pass_on(self, browser: Streams, server: Streams) -> None:
        received = 0

        async def questions() -> None:
            nonlocal received
            while data := await browser[0].read(_CHUNK):
                received = 0
                server[1].write(data)
                await server[1].drain()
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

    async def _connect(self, host: str, port: int) -> Streams | int:
        """The first address that is allowed and answers, else why there is none."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            return _UNREACHABLE
        name = f"[{host}]" if ":" in host else host
        place = name if port in _DEFAULT_PORTS else f"{name}:{port}"
        allowed = [address for *_, address in found if self._guard.allows(place, str(address[0]))]
        for address in allowed:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(str(address[0]), port)
        return _FAILED if allowed else _NOT_ALLOWED


async def _read_target(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    _version, methods = await reader.readexactly(2)
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
