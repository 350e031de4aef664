"""The benchmark of focused crawlers: what its proxy answers and writes down, and what a log comes to."""

from __future__ import annotations

from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from benchmarks.focus_harvest import BUDGET, EARLY, counted, identity
from benchmarks.web_proxy import Asked, WebProxy
from dowse.fetch.replay import Replayed

HTML = {"content-type": "text/html"}
PAGES = {
    "http://one.example/": Replayed(200, HTML, b"first"),
    "http://two.example/a": Replayed(200, HTML, b"second"),
    "http://two.example/a.txt": Replayed(200, {"content-type": "text/plain"}, b"third"),
}


def _fetch(proxy: WebProxy, url: str, agent: str = "crawler", method: str = "GET") -> tuple[int, bytes]:
    opener = build_opener(ProxyHandler({"http": proxy.url}))
    try:
        with opener.open(Request(url, headers={"User-Agent": agent}, method=method), timeout=20) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        return error.code, b""


def test_one_proxy_answers_for_all_hosts_and_writes_down_what_was_asked_for() -> None:
    with WebProxy(PAGES.get) as proxy:
        answers = [_fetch(proxy, url) for url in (*PAGES, "http://three.example/")]
    assert answers == [(200, b"first"), (200, b"second"), (200, b"third"), (404, b"")]
    assert [(asked.url, asked.is_page) for asked in proxy.log] == [
        ("http://one.example/", True),
        ("http://two.example/a", True),
        ("http://two.example/a.txt", False),
        ("http://three.example/", False),
    ]
    assert proxy.pages == 2


def test_what_is_only_looked_at_is_no_page() -> None:
    with WebProxy(PAGES.get, agent="page") as proxy:
        for agent, method in (("preview", "GET"), ("my-page/1", "HEAD"), ("my-page/1", "GET")):
            _fetch(proxy, "http://one.example/", agent, method)
    assert [asked.is_page for asked in proxy.log] == [False, False, True]


@pytest.mark.parametrize(
    "url", ["http://a.example/x%28y%29/", "http://a.example/x(y)/index.html", "http://a.example/x(y)#part"]
)
def test_a_page_is_the_same_however_its_url_is_written(url: str) -> None:
    assert identity(url) == "http://a.example/x(y)"


def test_a_page_counts_once_and_a_dead_link_costs_a_request() -> None:
    truth = frozenset(f"http://a.example/{number}" for number in range(BUDGET))
    log = [Asked("http://a.example/dead", False, ""), Asked("http://a.example/0", True, "")]
    log += [Asked(f"http://a.example/{number}", True, "") for number in range(BUDGET + 50)]
    ran = counted(log, truth, 1.0, 0.5)
    assert ran.by_pages == (EARLY - 1, BUDGET - 1)
    assert ran.by_requests == (EARLY - 2, BUDGET - 2)
    assert (ran.pages, ran.requests) == (BUDGET, len(log))


def test_what_was_not_a_page_is_not_relevant() -> None:
    ran = counted([Asked("http://a.example/0", False, "")], frozenset(["http://a.example/0"]), 1.0, 0.5)
    assert (ran.by_pages, ran.by_requests) == ((0, 0), (0, 0))
