"""The test server itself, asked with the standard library's client: what it says it did, it must have done."""

from __future__ import annotations

import http.client
import ssl
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from tests.client import ask
from tests.conftest import Certificates
from tests.servers import Reply, Request, Site

Serve = Callable[..., Site]


def test_a_page_is_a_text_bytes_a_reply_or_a_function(site: Site) -> None:
    site.pages |= {
        "/text": "grün",
        "/bytes": b"\xff",
        "/reply": Reply("gone", status=410, headers={"X-Why": "sold"}),
        "/function": lambda request: f"{request.method} {request.query}",
    }
    assert ask(site.url, "/text")[2].decode() == "grün"
    assert ask(site.url, "/bytes")[2] == b"\xff"
    status, headers, body = ask(site.url, "/reply")
    assert (status, headers["x-why"], body) == (410, "sold", b"gone")
    assert ask(site.url, "/function?a=1&b=")[2] == b"GET {'a': '1', 'b': ''}"
    assert ask(site.url, "/nowhere")[0] == 404


def test_the_most_particular_page_wins(serve: Serve) -> None:
    site = serve(
        {
            "/p": "path",
            "/p?x=1": "query",
            "//localhost/p": "host",
            "//localhost/p?x=1": "both",
            "/*": "rest",
            "/p/*": "below",
        }
    )
    local = {"Host": f"localhost:{site.port}"}
    assert ask(site.url, "/p")[2] == b"path"
    assert ask(site.url, "/p?y=1")[2] == b"path"
    assert ask(site.url, "/p?x=1")[2] == b"query"
    assert ask(site.url, "/p", local)[2] == b"host"
    assert ask(site.url, "/p?x=1", local)[2] == b"both"
    assert ask(site.url, "/p/q")[2] == b"below"
    assert ask(site.url, "/q")[2] == b"rest"


def test_one_connection_serves_many_requests_and_all_are_logged(site: Site) -> None:
    site.pages["/*"] = lambda request: f"visit {request.visit} to {request.target}"
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=5)
    connection.connect()
    first = connection.sock
    bodies = []
    for path in ("/a", "/b", "/a"):
        connection.request("GET", path, headers={"X-Test": "yes"})
        bodies.append(connection.getresponse().read())
    assert connection.sock is first
    connection.close()
    assert bodies == [b"visit 0 to /a", b"visit 0 to /b", b"visit 1 to /a"]
    assert site.paths() == ["/a", "/b", "/a"]
    assert [hit.request.headers["x-test"] for hit in site.log] == ["yes"] * 3
    assert site.log[0].time <= site.log[-1].time


def test_head_has_the_length_and_no_body(site: Site) -> None:
    site.pages["/"] = "twelve bytes"
    status, headers, body = ask(site.url, method="HEAD")
    assert (status, headers["content-length"], body) == (200, "12", b"")


def test_a_request_body_is_read(site: Site) -> None:
    site.pages["/"] = lambda request: request.body[::-1]
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=5)
    connection.request("POST", "/", body=b"abc")
    assert connection.getresponse().read() == b"cba"
    connection.close()


def test_concurrent_requests_are_counted(serve: Serve) -> None:
    site = serve({"/": "slow"}, latency=0.3)
    threads = [threading.Thread(target=ask, args=(site.url,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert site.peak == 5
    assert sorted(hit.busy for hit in site.log) == [1, 2, 3, 4, 5]


def test_several_addresses_share_a_port(serve: Serve) -> None:
    site = serve({"//127.0.0.1/": "one", "//127.0.0.2/": "two"}, addresses=("127.0.0.1", "127.0.0.2"))
    for address, body in (("127.0.0.1", b"one"), ("127.0.0.2", b"two")):
        connection = http.client.HTTPConnection(address, site.port, timeout=5)
        connection.request("GET", "/")
        assert connection.getresponse().read() == body
        connection.close()
    assert [hit.address for hit in site.log] == ["127.0.0.1", "127.0.0.2"]


def test_a_broken_page_function_fails_the_test() -> None:
    def broken(_: Request) -> str:
        raise LookupError("oh")

    with pytest.raises(LookupError, match="oh"), Site({"/": broken}) as site:
        assert ask(site.url)[0] == 500


def test_tls_is_verified_by_name_and_date(serve: Serve, certificates: Certificates) -> None:
    def get(context: ssl.SSLContext) -> bytes:
        site = serve({"/": "secret"}, tls=context)
        assert site.url.startswith("https://")
        connection = http.client.HTTPSConnection("127.0.0.1", site.port, timeout=5, context=certificates.client())
        try:
            connection.request("GET", "/")
            return connection.getresponse().read()
        finally:
            connection.close()

    assert get(certificates.server()) == b"secret"
    with pytest.raises(ssl.SSLCertVerificationError, match=r"mismatch|doesn't match|not valid for"):
        get(certificates.server("elsewhere.example"))
    with pytest.raises(ssl.SSLCertVerificationError, match="expired"):
        get(certificates.server(expires=datetime.now(UTC) - timedelta(days=1)))


def test_head_and_body_do_not_wait_for_each_other(site: Site) -> None:
    site.pages["/"] = "x" * 10_000
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=5)
    spent = []
    for _ in range(50):
        start = time.monotonic()
        connection.request("GET", "/")
        connection.getresponse().read()
        spent.append(time.monotonic() - start)
    connection.close()
    assert min(spent[10:]) < 0.02, "with Nagle's algorithm on, every page takes 40 ms"
