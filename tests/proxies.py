"""A proxy as users have them, for tests: HTTP (tunnels and whole requests) and SOCKS 4 and 5, on one port.

    with UserProxy() as proxy:
        crawl(..., proxy=f"socks5h://127.0.0.1:{proxy.port}")
    assert proxy.asked == ["CONNECT example.test:80"]

Every name leads to loopback, so that a site of a test can have any name that only the proxy knows.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import threading
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class UserProxy:
    """Runs in a thread of its own. `tunnels` is whether it gives any."""

    tunnels: bool = True
    password: str = ""
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    port: int = 0

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stopping = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="test proxy", daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_details: object) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(10)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        server.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, EOFError, ValueError):
            first = (await reader.readexactly(1))[0]
            if first == 5:
                await self._take_socks5((reader, writer))
            elif first == 4:
                await self._take_socks4((reader, writer))
            else:
                await self._take_http(bytes((first,)), (reader, writer))
        writer.close()

    async def _take_http(self, first: bytes, browser: Streams) -> None:
        head = first + await browser[0].readuntil(b"\r\n\r\n")
        self.heads.append(head.decode("latin-1"))
        method, target, _version = head.split(b"\r\n", 1)[0].decode().split(" ")
        if self.password and f"Proxy-Authorization: Basic {self.password}".encode() not in head:
            browser[1].write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        elif method != "CONNECT":
            self.asked.append(f"{method} {target}")
            parts = urlsplit(target)
            server = await asyncio.open_connection("127.0.0.1", parts.port or 80)
            path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            lines = head.replace(target.encode(), path.encode(), 1).removesuffix(b"\r\n").split(b"\r\n")
            kept = [line for line in lines if not line.lower().startswith((b"connection:", b"proxy-"))]
            server[1].write(b"\r\n".join(kept) + b"Connection: close\r\n\r\n")
            await _join(browser, server)
        else:
            self.asked.append(f"CONNECT {target}")
            if not self.tunnels:
                browser[1].write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                return
            server = await asyncio.open_connection("127.0.0.1", int(target.rpartition(":")[2]))
            browser[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await _join(browser, server)

    async def _take_socks5(self, browser: Streams) -> None:
        reader, writer = browser
        methods = await reader.readexactly((await reader.readexactly(1))[0])
        writer.write(b"\5\2" if self.password and 2 in methods else b"\5\0")
        if self.password:
            await reader.readexactly(1)
            user = await reader.readexactly((await reader.readexactly(1))[0])
            word = await reader.readexactly((await reader.readexactly(1))[0])
            writer.write(b"\1\0" if f"{user.decode()}:{word.decode()}" == self.password else b"\1\1")
        kind = (await reader.readexactly(4))[3]
        length = {1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0]
        name = await reader.readexactly(length)
        host = name.decode() if kind == 3 else str(ipaddress.ip_address(name))
        await self._connect(browser, host, await reader.readexactly(2), b"\5\0\0\1\0\0\0\0\0\0")

    async def _take_socks4(self, browser: Streams) -> None:
        reader, _writer = browser
        await reader.readexactly(1)
        port, address = await reader.readexactly(2), await reader.readexactly(4)
        await reader.readuntil(b"\0")
        is_named = address[:3] == b"\0\0\0"
        host = (await reader.readuntil(b"\0"))[:-1].decode() if is_named else str(ipaddress.ip_address(address))
        await self._connect(browser, host, port, b"\0\x5a\0\0\0\0\0\0")

    async def _connect(self, browser: Streams, host: str, port: bytes, granted: bytes) -> None:
        number = int.from_bytes(port, "big")
        self.asked.append(f"SOCKS {host}:{number}")
        server = await asyncio.open_connection("127.0.0.1", number)
        browser[1].write(granted)
        await _join(browser, server)


async def _join(one: Streams, other: Streams) -> None:
    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(1 << 16):
                target.write(data)
                await target.drain()
        target.close()

    await asyncio.gather(pump(one[0], other[1]), pump(other[0], one[1]))
