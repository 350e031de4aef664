"""A web of several hundred hosts that take their time: python -m benchmarks.cluster_web PORT HOSTS LATENCY

Every address of 127.0.0.0/8 is this machine, so 127.1.0.1, 127.1.0.2 ... are hosts of their own, and one process
answers for all. Each answer takes as long as it is told to, and no processor time meanwhile.
"""

from __future__ import annotations

import asyncio
import sys

import uvloop

PAGES = 4000
"""Pages of a host."""

LINKS = 40
_FILLER = b"<p>" + b"words that fill a page as large as most are " * 180


def host_names(number: int) -> list[str]:
    return [f"127.1.{each // 250}.{each % 250 + 1}" for each in range(number)]


class Host(asyncio.Protocol):
    """One connection. Requests on it come one after the other, as crawlers send them."""

    latency = 0.2

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._data = b""

    def data_received(self, data: bytes) -> None:
        self._data += data
        while (end := self._data.find(b"\r\n\r\n")) >= 0:
            request, self._data = self._data[:end], self._data[end + 4 :]
            path = request.split(b" ", 2)[1]
            asyncio.get_running_loop().call_later(self.latency, self._answer, path)

    def _answer(self, path: bytes) -> None:
        if self._transport.is_closing():
            return
        name = path.strip(b"/")
        number = int(name or 0) if name.isdigit() or not name else -1
        status, body = (b"200 OK", _page(number)) if 0 <= number < PAGES else (b"404 Not Found", b"")
        head = b"HTTP/1.1 %b\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % (status, len(body))
        self._transport.write(head + body)  # type: ignore[attr-defined]


def _page(number: int) -> bytes:
    links = b"".join(b'<a href="/%d">page</a> ' % each for each in range(number * LINKS + 1, (number + 1) * LINKS + 1))
    return b"<title>%d</title>%b%b" % (number, links, _FILLER)


async def _serve(port: int, hosts: int) -> None:
    server = await asyncio.get_running_loop().create_server(Host, host_names(hosts), port)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    Host.latency = float(sys.argv[3])
    uvloop.run(_serve(int(sys.argv[1]), int(sys.argv[2])))
