"""The user's own proxy, and how it is asked for a connection: as a tunnel (RFC 9110, CONNECT), or by SOCKS 4 and 5.

Who looks a name up depends on the scheme, as it does in libcurl: socks4 and socks5 are told an address, which is
looked up here, so the guard can be asked about it; socks4a, socks5h, http and https are told the name.
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from base64 import b64encode
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

# as libcurl has them
_DEFAULT_PORT, _DEFAULT_TLS_PORT = 1080, 443
_TOLD_ADDRESSES = ("socks4", "socks5")


class Upstream(NamedTuple):
    """A proxy to go through."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    verify_tls: bool = True

    @property
    def takes_names(self) -> bool:
        """Whether names are looked up there."""
        return self.scheme not in _TOLD_ADDRESSES

    @property
    def speaks_http(self) -> bool:
        return self.scheme in ("http", "https")

    async def connect(self, host: str, port: int) -> Streams:
        """A connection to there through the proxy. OSError says that the proxy refused."""
        streams = await self.open()
        try:
            if self.speaks_http:
                await self._ask_http(streams, host, port)
            elif self.scheme.startswith("socks5"):
                await self._ask_socks5(streams, host, port)
            else:
                await self._ask_socks4(streams, host, port)
        except BaseException:
            streams[1].close()
            raise
        return streams

    async def open(self) -> Streams:
        """A connection to the proxy itself."""
        return await asyncio.open_connection(self.host, self.port, ssl=self._tls() if self.scheme == "https" else None)

    def authorization(self) -> bytes:
        """The header line that names the user; nothing where there is none."""
        if not self.user:
            return b""
        return b"Proxy-Authorization: Basic " + b64encode(f"{self.user}:{self.password}".encode()) + b"\r\n"

    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if not self.verify_tls:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    async def _ask_http(self, streams: Streams, host: str, port: int) -> None:
        reader, writer = streams
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        writer.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n".encode() + self.authorization() + b"\r\n")
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.LimitOverrunError, EOFError):
            raise OSError("the proxy does not speak HTTP") from None
        if head.split(None, 2)[1:2] != [b"200"]:
            raise OSError(head.split(b"\r\n", 1)[0].decode("latin-1"))

    async def _ask_socks5(self, streams: Streams, host: str, port: int) -> None:
        reader, writer = streams
        writer.write(b"\5\2\0\2" if self.user else b"\5\1\0")
        _version, method = await reader.readexactly(2)
        if method == 2 and self.user:
            user, password = self.user.encode(), self.password.encode()
            writer.write(bytes((1, len(user))) + user + bytes((len(password),)) + password)
            if (await reader.readexactly(2))[1]:
                raise OSError("the proxy refused the password")
        elif method:
            raise OSError("the proxy wants another proof of who asks")
        writer.write(b"\5\1\0" + _socks5_address(host) + port.to_bytes(2, "big"))
        _version, code, _reserved, kind = await reader.readexactly(4)
        if code:
            raise OSError(f"the proxy answered {code}")
        length = {1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0]
        await reader.readexactly(length + 2)

    async def _ask_socks4(self, streams: Streams, host: str, port: int) -> None:
        reader, writer = streams
        name = b""
        try:
            address = ipaddress.IPv4Address(host).packed
        except ValueError:
            if not self.takes_names:
                raise OSError("SOCKS 4 has no IPv6") from None
            address, name = b"\0\0\0\1", host.encode("ascii") + b"\0"
        writer.write(b"\4\1" + port.to_bytes(2, "big") + address + self.user.encode() + b"\0" + name)
        answer = await reader.readexactly(8)
        if answer[1] != 90:
            raise OSError(f"the proxy answered {answer[1]}")


def read_upstream(url: str, *, verify_tls: bool = True) -> Upstream | None:
    """The proxy of an address as the user writes it; None for none.

    >>> read_upstream("socks5h://me:it%27s@proxy.example")
    Upstream(scheme='socks5h', host='proxy.example', port=1080, user='me', password="it's", verify_tls=True)
    """
    if not url:
        return None
    parts = urlsplit(url)
    port = parts.port or (_DEFAULT_TLS_PORT if parts.scheme == "https" else _DEFAULT_PORT)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Upstream(parts.scheme, parts.hostname or "", port, user, password, verify_tls)


def _socks5_address(host: str) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.encode("ascii")
        return bytes((3, len(name))) + name
    return bytes((1 if address.version == 4 else 4,)) + address.packed
