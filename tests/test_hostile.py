"""The hostile pages do what they are called after: a fault must be there to be survived."""

from __future__ import annotations

import gzip
import http.client
import socket
import threading
import time
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard

from tests import hostile
from tests.client import ask, raw
from tests.servers import Site


def test_silence(site: Site) -> None:
    site.pages["/"] = hostile.silent()
    with socket.create_connection(("127.0.0.1", site.port), timeout=0.3) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        with pytest.raises(TimeoutError):
            connection.recv(1)


def test_hanging_up(site: Site) -> None:
    site.pages["/"] = hostile.hang_up()
    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        ask(site.url)


def test_cut_off_in_the_middle(site: Site) -> None:
    site.pages["/"] = hostile.cut_off(b"0123456789", after=4)
    received = raw(site.url, "/")
    assert received.endswith(b"0123<reset>")
    assert b"Content-Length: 10\r\n" in received


@pytest.mark.parametrize(("declared", "error"), [(20, True), (4, False)])
def test_wrong_length(site: Site, declared: int, error: bool) -> None:
    site.pages["/"] = hostile.wrong_length(b"0123456789", declared)
    assert raw(site.url, "/").endswith(b"\r\n\r\n0123456789"), "all bytes are sent and the connection is closed"
    if error:
        with pytest.raises(http.client.IncompleteRead):
            ask(site.url)
    else:
        assert ask(site.url)[2] == b"0123"


def test_not_http(site: Site) -> None:
    site.pages["/"] = hostile.not_http()
    assert raw(site.url, "/") == b"SSH-2.0-OpenSSH_9.6\r\n"
    with pytest.raises(http.client.BadStatusLine):
        ask(site.url)


def test_bad_chunks(site: Site) -> None:
    site.pages["/"] = hostile.bad_chunks()
    with pytest.raises(http.client.IncompleteRead):
        ask(site.url)


def test_dripping(site: Site) -> None:
    site.pages["/"] = hostile.drip(b"abcdef", pause=0.05)
    start = time.monotonic()
    assert ask(site.url)[2] == b"abcdef"
    assert time.monotonic() - start >= 0.25


def test_endless_body_stops_with_its_reader(site: Site) -> None:
    endless = hostile.Endless()
    site.pages |= {"/": endless, "/other": "still here"}
    assert len(raw(site.url, "/", limit=3_000_000)) >= 3_000_000
    time.sleep(0.2)
    sent = endless.sent
    time.sleep(0.2)
    assert endless.sent == sent >= 3_000_000
    assert ask(site.url, "/other")[2] == b"still here"


def test_other_pages_are_served_beside_an_endless_one(site: Site) -> None:
    site.pages |= {"/": hostile.Endless(b"on "), "/other": "still here"}
    done = threading.Event()

    def read_until_done() -> None:
        with socket.create_connection(("127.0.0.1", site.port), timeout=5) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            while not done.is_set():
                connection.recv(1 << 16)

    reader = threading.Thread(target=read_until_done)
    reader.start()
    try:
        time.sleep(0.1)
        assert ask(site.url, "/other")[2] == b"still here"
    finally:
        done.set()
        reader.join()


def test_header_floods(site: Site) -> None:
    site.pages |= {"/many": hostile.header_flood(200, 10), "/endless": hostile.endless_headers()}
    with pytest.raises(http.client.HTTPException, match="got more than 100 headers"):
        ask(site.url, "/many")
    received = raw(site.url, "/endless", limit=500_000)
    assert len(received) >= 500_000
    assert b"\r\n\r\n" not in received


def walk(site: Site, path: str, limit: int) -> list[str]:
    """The paths that redirects lead to."""
    seen = [path]
    while len(seen) <= limit:
        status, headers, _ = ask(site.url, seen[-1])
        if status not in (301, 302, 303, 307, 308):
            break
        seen.append(headers["location"])
    return seen


def test_redirects(site: Site) -> None:
    site.pages |= hostile.redirect_loop(3) | hostile.redirect_chain(3, "/end") | hostile.endless_redirects()
    site.pages["/end"] = "here"
    assert walk(site, "/loop/0", limit=4) == ["/loop/0", "/loop/1", "/loop/2", "/loop/0", "/loop/1"]
    assert walk(site, "/chain/0", limit=9) == ["/chain/0", "/chain/1", "/chain/2", "/end"]
    assert len(set(walk(site, "/further/0", limit=30))) == 31


@pytest.mark.parametrize(
    ("coding", "unpack"),
    [
        ("gzip", gzip.decompress),
        ("deflate", zlib.decompress),
        ("br", brotli.decompress),
        ("zstd", zstandard.decompress),
    ],
)
def test_compressed(site: Site, coding: str, unpack: Callable[[bytes], bytes]) -> None:
    text = b"over and over and over " * 50
    site.pages["/"] = hostile.compressed(text, coding)
    _, headers, body = ask(site.url)
    assert headers["content-encoding"] == coding
    assert len(body) < len(text) / 2
    assert unpack(body) == text


def test_false_coding(site: Site) -> None:
    site.pages["/"] = hostile.false_coding(b"plain")
    _, headers, body = ask(site.url)
    assert (headers["content-encoding"], body) == ("gzip", b"plain")


def test_a_gzip_bomb_is_a_valid_stream(site: Site) -> None:
    site.pages["/"] = hostile.gzip_bomb(20)
    _, headers, body = ask(site.url)
    assert headers["content-encoding"] == "gzip"
    assert len(body) < 30_000
    assert len(gzip.decompress(body)) == 20 * hostile.MEGABYTE
