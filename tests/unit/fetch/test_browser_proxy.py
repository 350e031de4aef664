"""The browser's way out: what the guard forbids is not connected to, and answers have a limit."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable

import pytest

from dowse.fetch.browser_proxy import GuardedProxy
from dowse.fetch.guard import AddressGuard
from dowse.fetch.upstream_proxy import read_upstream
from tests.proxies import UserProxy

GRANTED, FAILED, NOT_ALLOWED, UNREACHABLE = 0, 1, 2, 4


def target(host: str, port: int) -> bytes:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bytes((3, len(host))) + host.encode() + port.to_bytes(2, "big")
    return bytes((1 if address.version == 4 else 4,)) + address.packed + port.to_bytes(2, "big")


async def through(proxy: GuardedProxy, host: str, port: int, question: bytes = b"hello") -> tuple[int, bytes]:
    """What the proxy answers, and then what the server does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", await proxy.open())
    writer.write(b"\5\1\0")
    assert await reader.readexactly(2) == b"\5\0"
    writer.write(b"\5\1\0" + target(host, port))
    code = (await reader.readexactly(10))[1]
    answer = b""
    if code == GRANTED:
        writer.write(question)
        answer = await reader.read(-1)
    writer.close()
    await proxy.close()
    return code, answer


def run(guard: Callable[[int], AddressGuard], host: str, limit: int = 1_000_000, size: int = 10) -> tuple[int, bytes]:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"x" * size)
        writer.close()

    async def main() -> tuple[int, bytes]:
        server = await asyncio.start_server(respond, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        work: Awaitable[tuple[int, bytes]] = through(GuardedProxy(guard(port), limit), host, port)
        answer = await asyncio.wait_for(work, 10)
        server.close()
        return answer

    return asyncio.run(main())


def through_a_proxy(scheme: str, host: str, guard: AddressGuard) -> tuple[int, list[str]]:
    """What comes of a connection that the user's own proxy is to make, and what that was asked."""
    with UserProxy() as theirs:

        async def main() -> int:
            upstream = read_upstream(f"{scheme}://127.0.0.1:{theirs.port}")
            code, _answer = await asyncio.wait_for(through(GuardedProxy(guard, 1000, upstream), host, 9), 10)
            return code

        return asyncio.run(main()), theirs.asked


@pytest.mark.parametrize("scheme", ["http", "socks4", "socks4a", "socks5", "socks5h"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.1.2.3", "::1"])
def test_private_addresses_are_refused_through_the_proxy_of_the_user_too(scheme: str, host: str) -> None:
    assert through_a_proxy(scheme, host, AddressGuard([])) == (NOT_ALLOWED, [])


def test_a_connection_that_nobody_wants_is_refused() -> None:
    async def main() -> int:
        proxy = GuardedProxy(AddressGuard([], allow_private=True), 1000, wants=lambda host, port: port == 1)
        return (await asyncio.wait_for(through(proxy, "127.0.0.1", 2), 10))[0]

    assert asyncio.run(main()) == NOT_ALLOWED


@pytest.mark.parametrize("head", [b"\4\1\0\x50\x7f\0\0\1\0", b"GET http://127.0.0.1/ HTTP/1.1\r\n\r\n", b"\x16\3\1"])
def test_what_is_not_socks_5_gets_no_answer(head: bytes) -> None:
    async def main() -> bytes:
        proxy = GuardedProxy(AddressGuard([], allow_private=True), 1000)
        reader, writer = await asyncio.open_connection("127.0.0.1", await proxy.open())
        writer.write(head)
        answer = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        await proxy.close()
        return answer

    assert asyncio.run(main()) == b""


def strict(_port: int) -> AddressGuard:
    return AddressGuard([])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::ffff:127.0.0.1"])
def test_private_addresses_are_refused_under_every_name(host: str) -> None:
    assert run(strict, host) == (NOT_ALLOWED, b"")


def test_a_name_that_nobody_knows_is_not_reached() -> None:
    assert run(strict, "no-such-host.invalid") == (UNREACHABLE, b"")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_named_host_is_reached_on_its_own_port(host: str) -> None:
    assert run(lambda port: AddressGuard([f"{host}:{port}"]), host) == (GRANTED, b"x" * 10)
    assert run(lambda port: AddressGuard([f"{host}:{port + 1}"]), host) == (NOT_ALLOWED, b"")


def test_an_answer_that_is_too_long_is_cut_off() -> None:
    code, answer = run(lambda _port: AddressGuard([], allow_private=True), "127.0.0.1", limit=100_000, size=10_000_000)
    assert code == GRANTED
    assert 100_000 <= len(answer) < 1_000_000
