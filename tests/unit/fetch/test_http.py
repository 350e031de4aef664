"""The HTTP fetcher against real servers, well-behaved and hostile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from dowse.core.job import FetchOptions
from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.urls import host_of
from dowse.fetch.http import HttpFetcher
from tests import hostile, manners
from tests.conftest import Certificates
from tests.servers import Reply, Site

Serve = Callable[..., Site]


def request(url: str, **details: Any) -> Request:
    return Request(url, 0, host_of(url), **details)


def fetch(*requests: Request, wanted: Any = None, **options: Any) -> list[Response | Failure]:
    """Fetch one after the other with one fetcher; the first request's host is the one the user named."""

    async def main() -> list[Response | Failure]:
        details = {} if wanted is None else {"wanted": wanted}
        fetcher = HttpFetcher(FetchOptions(user_agent="dowse/test", **options), requests[:1], **details)
        try:
            return [await fetcher.fetch(each) for each in requests]
        finally:
            await fetcher.close()

    return asyncio.run(main())


def page(answer: Response | Failure) -> Response:
    assert isinstance(answer, Response), answer
    return answer


def failure(answer: Response | Failure) -> Failure:
    assert isinstance(answer, Failure), answer
    return answer


def test_a_page_with_its_status_headers_and_body(site: Site) -> None:
    site.pages["/"] = Reply("<p>héllo", headers=[("X-One", "1"), ("X-One", "2"), ("Content-Type", "text/html")])
    answer = page(fetch(request(site.url))[0])
    assert (answer.status, answer.body.decode(), answer.address) == (200, "<p>héllo", "127.0.0.1")
    assert answer.headers["x-one"] == "1, 2"
    assert answer.size == len("<p>héllo".encode())
    assert 0 < answer.elapsed < 5
    assert abs(answer.fetched_at - time.time()) < 5


def test_connections_are_kept_alive_and_headers_sent(site: Site) -> None:
    site.pages["/*"] = "ok"
    fetch(*(request(site.url + str(number)) for number in range(5)), header=("X-Mine: yes",))
    assert {hit.request.headers["user-agent"] for hit in site.log} == {"dowse/test"}
    assert {hit.request.headers["x-mine"] for hit in site.log} == {"yes"}
    assert all("gzip" in hit.request.headers["accept-encoding"] for hit in site.log)


def test_methods_do_not_leak_into_the_next_request(site: Site) -> None:
    site.pages["/*"] = lambda asked: f"{asked.method} {asked.body.decode()}"
    answers = fetch(
        request(site.url + "a", method="POST", body=b"q=1"),
        request(site.url + "b"),
        request(site.url + "c", method="HEAD"),
        request(site.url + "d"),
    )
    assert [page(answer).body for answer in answers] == [b"POST q=1", b"GET ", b"", b"GET "]


def test_a_request_is_sent_with_its_body_and_its_own_headers(site: Site) -> None:
    site.pages["/*"] = "ok"
    fetch(
        request(site.url + "form", method="POST", body=b"q=1"),
        request(site.url + "json", method="POST", body=b"{}", headers=(("content-type", "application/json"),)),
        request(site.url + "get", body=b"q=2", headers=(("Accept", "text/plain"),)),
        request(site.url + "plain"),
    )
    asked = [hit.request for hit in site.log]
    assert [(each.method, each.body) for each in asked] == [
        ("POST", b"q=1"), ("POST", b"{}"), ("GET", b"q=2"), ("GET", b"")
    ]  # fmt: skip
    types = [each.headers.get("content-type") for each in asked]
    assert types[:2] == ["application/x-www-form-urlencoded", "application/json"]
    assert (asked[2].headers["accept"], types[3]) == ("text/plain", None)
    assert "text/html" in asked[3].headers["accept"]


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate"])
def test_compressed_bodies_are_unpacked(site: Site, coding: str) -> None:
    site.pages["/"] = hostile.compressed(b"hello " * 1000, coding)
    answer = page(fetch(request(site.url))[0])
    assert answer.body == b"hello " * 1000


def test_redirects_are_answers(site: Site) -> None:
    site.pages["/"] = hostile.redirect("/next")
    answer = page(fetch(request(site.url))[0])
    assert (answer.status, answer.headers["location"]) == (302, "/next")
    assert site.paths() == ["/"]


def test_an_endless_body_is_cut_at_the_limit(site: Site) -> None:
    site.pages["/"] = hostile.Endless()
    answer = failure(fetch(request(site.url), max_body=200_000)[0])
    assert answer.kind is FailureKind.TOO_LARGE


def test_a_declared_length_over_the_limit_is_not_downloaded(site: Site) -> None:
    site.pages["/"] = "x" * 100_000
    assert failure(fetch(request(site.url), max_body=50_000)[0]).kind is FailureKind.TOO_LARGE
    assert page(fetch(request(site.url), max_body=100_000)[0]).size == 100_000


def test_a_gzip_bomb_is_cut_after_unpacking(site: Site) -> None:
    site.pages["/"] = hostile.gzip_bomb(megabytes=200)
    assert failure(fetch(request(site.url), max_body=1_000_000)[0]).kind is FailureKind.TOO_LARGE


@pytest.mark.parametrize(
    ("name", "trouble", "kind"),
    [
        ("silent", hostile.silent(), FailureKind.TIMEOUT),
        ("drip", hostile.drip(b"x" * 10_000, 0.05), FailureKind.TIMEOUT),
        ("hang up", hostile.hang_up(), FailureKind.PROTOCOL),
        ("cut off", hostile.cut_off(b"x" * 5000, 100), FailureKind.PROTOCOL),
        ("not http", hostile.not_http(), FailureKind.PROTOCOL),
        ("bad chunks", hostile.bad_chunks(), FailureKind.PROTOCOL),
        ("false coding", hostile.false_coding(b"plain"), FailureKind.PROTOCOL),
        ("endless headers", hostile.endless_headers(), FailureKind.TOO_LARGE),
        ("header flood", hostile.header_flood(10_000, 1000), FailureKind.TOO_LARGE),
    ],
)
def test_hostile_servers_cost_a_bounded_time(site: Site, name: str, trouble: Any, kind: FailureKind) -> None:
    site.pages["/"] = trouble
    site.pages["/fine"] = "fine"
    started = time.monotonic()
    first, second = fetch(request(site.url), request(site.at("127.0.0.1", "/fine")), timeout=1.0)
    assert failure(first).kind is kind, name
    assert page(second).body == b"fine", "the next request is not harmed"
    assert time.monotonic() - started < 20


def test_what_a_server_sent_too_much_is_not_the_answer_to_the_next_request(site: Site) -> None:
    site.pages["/long"] = lambda _: Reply([b"<p>", 0.05, b"too much"], headers={"Content-Length": "3"})
    site.pages["/fine"] = "fine"
    addresses = ["/long", "/fine"] * 5
    answers = fetch(*(request(site.at("127.0.0.1", path)) for path in addresses))
    assert [page(answer).body for answer in answers] == [b"<p>", b"fine"] * 5


def test_no_server_and_no_such_host() -> None:
    answers = fetch(request("http://127.0.0.1:1/"), request("http://no-such-host.invalid/"), connect_timeout=30.0)
    assert [failure(answer).kind for answer in answers] == [FailureKind.CONNECT, FailureKind.DNS]


def test_unwanted_media_types_are_not_downloaded(site: Site) -> None:
    site.pages["/"] = Reply(b"x" * 5_000_000, headers={"Content-Type": "video/mp4"})
    answer = failure(fetch(request(site.url), wanted=lambda media_type: media_type == "text/html")[0])
    assert (answer.kind, answer.detail) == (FailureKind.MEDIA_TYPE, "video/mp4")


def test_a_private_address_that_was_not_named_is_refused(serve: Serve) -> None:
    site = serve({"/": "secret"}, addresses=("127.0.0.1", "127.0.0.2"))
    other = request(site.at("127.0.0.2"))
    assert failure(fetch(request(site.url), other)[1]).kind is FailureKind.BLOCKED_ADDRESS
    assert failure(fetch(request(site.url), request(site.at("localhost")))[1]).kind is FailureKind.BLOCKED_ADDRESS
    assert page(fetch(request(site.url), other, allow_private=True)[1]).body == b"secret"
    assert {hit.address for hit in site.log} <= {"127.0.0.1", "127.0.0.2"}


def test_a_private_address_is_refused_though_it_was_named_where_only_public_ones_are_wanted(site: Site) -> None:
    site.pages["/"] = "secret"
    answer = failure(fetch(request(site.url), public_only=True)[0])
    assert answer.kind is FailureKind.BLOCKED_ADDRESS
    assert "--public-only" in answer.detail
    assert site.log == []


def test_secrets_go_to_named_hosts_only(serve: Serve) -> None:
    site = serve({"/": lambda asked: asked.headers.get("authorization", "none")}, addresses=("127.0.0.1", "127.0.0.2"))
    options: dict[str, Any] = {"allow_private": True}
    for secret in ({"auth": "me:word"}, {"header": ("Authorization: Basic bWU6d29yZA==", "Accept-Language: de")}):
        answers = fetch(request(site.url), request(site.at("127.0.0.2")), request(site.url), **options, **secret)
        assert [page(answer).body for answer in answers] == [b"Basic bWU6d29yZA==", b"none", b"Basic bWU6d29yZA=="]
    assert [hit.request.headers.get("accept-language") for hit in site.log[-3:]] == ["de", "de", "de"]


def test_cookies_are_kept_unless_not_wanted(site: Site) -> None:
    site.pages["/"] = manners.cookie_wall("inside")
    twice = (request(site.url), request(site.url))
    assert page(fetch(*twice)[1]).body == b"inside"
    assert page(fetch(*twice, cookies=False)[1]).body != b"inside"


def test_certificates_are_verified(serve: Serve, certificates: Certificates) -> None:
    site = serve({"/": "private"}, tls=certificates.server("127.0.0.1"))
    answer = failure(fetch(request(site.url))[0])
    assert answer.kind is FailureKind.TLS
    assert page(fetch(request(site.url), verify_tls=False)[0]).body == b"private"


def test_a_sink_gets_the_body_piece_by_piece(site: Site) -> None:
    site.pages["/"] = "x" * 3_000_000
    site.pages["/missing"] = Reply("not here", status=404)
    pieces: list[bytes] = []

    async def main() -> list[Response | Failure]:
        fetcher = HttpFetcher(FetchOptions(user_agent="dowse/test", max_body=1000), [request(site.url)])
        try:
            return [await fetcher.fetch(request(site.url + path), pieces.append) for path in ("", "missing")]
        finally:
            await fetcher.close()

    whole, missing = asyncio.run(main())
    assert page(whole).body == b""
    assert sum(map(len, pieces)) == page(whole).size == 3_000_000
    assert page(missing).body == b"not here", "an error page is not fed to the sink"


def test_a_proxy_is_used_and_cannot_be_asked_for_private_addresses(serve: Serve) -> None:
    proxy = serve({"*": lambda asked: f"through the proxy: {asked.target}"})
    options = {"proxy": proxy.url.rstrip("/")}
    public, private = fetch(request("http://example.test/a"), request("http://10.0.0.1/"), **options)
    assert page(public).body == b"through the proxy: http://example.test/a"
    assert failure(private).kind is FailureKind.BLOCKED_ADDRESS
