"""The fetcher that obeys robots.txt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from dowse.core.job import FetchOptions
from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.protocols import Sink
from dowse.fetch import robots
from dowse.fetch.http import HttpFetcher
from dowse.fetch.robots import RobotsFetcher
from tests.manners import ROBOTS
from tests.servers import Reply, Site

Answer = Failure | tuple[int, dict[str, str], str]

PRIVATE = "User-agent: *\nDisallow: /private/\n"


class Web:
    """A fetcher with a made-up web behind it: answers by URL, 404 for the rest. It writes down what it was asked."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.open = True

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        self.asked.append(request.url)
        await asyncio.sleep(0)
        answer = self.answers.get(request.url, (404, {}, ""))
        if isinstance(answer, Failure):
            return answer
        status, headers, text = answer
        body = text.encode()
        if sink is not None and status < 300:
            for start in range(0, len(body), 100_000):
                sink(body[start : start + 100_000])
            body = b""
        return Response(request=request, status=status, headers=headers, body=body, fetched_at=1e9, elapsed=0.1)

    async def close(self) -> None:
        self.open = False

    def robots_asked(self) -> int:
        return sum(url.endswith("/robots.txt") for url in self.asked)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def get(url: str) -> Request:
    return Request(url=url, key_hash=1, host="a")


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 30))


def ok(text: str, **headers: str) -> Answer:
    return 200, headers, text


def test_a_forbidden_page_is_not_asked_for_and_the_rule_is_named() -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": ok(PRIVATE), "http://a/x": ok("page")})
        fetcher = RobotsFetcher(web, "dowse/1.0")
        refused = await fetcher.fetch(get("http://a/private/x"))
        assert refused == Failure(FailureKind.ROBOTS, "Disallow: /private/")
        page = await fetcher.fetch(get("http://a/x"))
        assert isinstance(page, Response)
        assert page.body == b"page"
        assert web.asked == ["http://a/robots.txt", "http://a/x"]
        await fetcher.close()
        assert not web.open

    run(story())


def test_rules_for_our_name_are_found_by_our_user_agent() -> None:
    async def story() -> None:
        text = "User-agent: *\nDisallow: /\nUser-agent: dowse\nDisallow: /private/"
        web = Web({"http://a/robots.txt": ok(text), "http://a/x": ok("page")})
        assert isinstance(await RobotsFetcher(web, "Dowse/1.0 (+http://b/)").fetch(get("http://a/x")), Response)
        assert isinstance(await RobotsFetcher(web, "Other/1.0").fetch(get("http://a/x")), Failure)

    run(story())


def test_callers_at_the_same_time_share_one_question() -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": ok(PRIVATE)})
        fetcher = RobotsFetcher(web, "dowse")
        await asyncio.gather(*(fetcher.fetch(get(f"http://a/{number}")) for number in range(20)))
        assert web.robots_asked() == 1
        assert len(web.asked) == 21

    run(story())


def test_a_caller_that_goes_away_does_not_take_the_answer_along() -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": ok(PRIVATE), "http://a/2": ok("page")})
        fetcher = RobotsFetcher(web, "dowse")
        first = asyncio.create_task(fetcher.fetch(get("http://a/1")))
        second = asyncio.create_task(fetcher.fetch(get("http://a/2")))
        await asyncio.sleep(0)
        first.cancel()
        assert isinstance(await second, Response)
        assert web.robots_asked() == 1

    run(story())


def test_each_origin_has_rules_of_its_own() -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": ok(PRIVATE)})
        fetcher = RobotsFetcher(web, "dowse")
        for origin in ("http://a", "https://a", "http://a:8080", "http://b"):
            await fetcher.fetch(get(f"{origin}/private/"))
        assert [url for url in web.asked if not url.endswith("robots.txt")] == [
            "https://a/private/",
            "http://a:8080/private/",
            "http://b/private/",
        ]

    run(story())


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 300, 304])
def test_without_a_robots_txt_all_is_allowed(status: int) -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": (status, {}, "User-agent: *\nDisallow: /"), "http://a/x": ok("page")})
        assert isinstance(await RobotsFetcher(web, "dowse").fetch(get("http://a/x")), Response)

    run(story())


@pytest.mark.parametrize(
    ("headers", "retry_after"),
    [
        ({}, None),
        ({"retry-after": "120"}, 120.0),
        ({"retry-after": "9" * 400}, 86_400.0),
        ({"retry-after": "Sun, 09 Sep 2001 01:48:40 GMT"}, 120.0),
        ({"retry-after": "Sun, 09 Sep 2001 01:00:00 GMT"}, 0.0),
        ({"retry-after": "later"}, None),
    ],
)
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_left_alone(status: int, headers: dict[str, str], retry_after: float | None) -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": (status, headers, ""), "http://a/x": ok("page")})
        answer = await RobotsFetcher(web, "dowse").fetch(get("http://a/x"))
        assert answer == Failure(FailureKind.HTTP, f"robots.txt answered {status}", retry_after, status)
        assert web.asked == ["http://a/robots.txt"]

    run(story())


@pytest.mark.parametrize("kind", [FailureKind.DNS, FailureKind.CONNECT, FailureKind.TLS, FailureKind.TIMEOUT])
def test_a_failure_to_get_robots_txt_is_passed_on(kind: FailureKind) -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": Failure(kind, "no luck", 7.0), "http://a/x": ok("page")})
        assert await RobotsFetcher(web, "dowse").fetch(get("http://a/x")) == Failure(kind, "robots.txt: no luck", 7.0)
        assert web.asked == ["http://a/robots.txt"]

    run(story())


def test_a_dead_host_is_asked_at_each_retry_and_then_once_a_minute() -> None:
    async def story() -> None:
        clock = Clock()
        web = Web({"http://a/robots.txt": Failure(FailureKind.CONNECT), "http://a/x": ok("page")})
        fetcher = RobotsFetcher(web, "dowse", clock)
        for second in range(0, 125, 5):
            clock.now = float(second)
            assert isinstance(await fetcher.fetch(get("http://a/x")), Failure)
        assert web.asked == ["http://a/robots.txt"] * 5, "at 0, 5, 10, 65 and 120 seconds"
        web.answers["http://a/robots.txt"] = ok(PRIVATE)
        clock.now = 180.0
        assert isinstance(await fetcher.fetch(get("http://a/x")), Response)

    run(story())


def test_retry_after_is_waited_for() -> None:
    async def story() -> None:
        clock = Clock()
        web = Web({"http://a/robots.txt": (503, {"retry-after": "300"}, "")})
        fetcher = RobotsFetcher(web, "dowse", clock)
        for clock.now in (0.0, 61.0, 299.0, 301.0):
            await fetcher.fetch(get("http://a/x"))
        assert web.robots_asked() == 2

    run(story())


def test_rules_last_a_day_and_longer_while_they_cannot_be_had_again() -> None:
    async def story() -> None:
        clock, day = Clock(), 86_400.0
        web = Web({"http://a/robots.txt": ok(PRIVATE), "http://a/x": ok("page")})
        fetcher = RobotsFetcher(web, "dowse", clock)
        await fetcher.fetch(get("http://a/x"))
        web.answers["http://a/robots.txt"] = (503, {}, "")
        clock.now = day - 1
        await fetcher.fetch(get("http://a/x"))
        assert web.robots_asked() == 1
        clock.now = day
        assert isinstance(await fetcher.fetch(get("http://a/x")), Response)
        refused = await fetcher.fetch(get("http://a/private/"))
        assert isinstance(refused, Failure)
        assert refused.kind is FailureKind.ROBOTS
        assert web.robots_asked() == 2
        web.answers["http://a/robots.txt"] = ok("User-agent: *\nDisallow: /x")
        clock.now = day + 60
        assert isinstance(await fetcher.fetch(get("http://a/x")), Failure)

    run(story())


def redirects(hops: int) -> dict[str, Answer]:
    answers: dict[str, Answer] = {f"http://a/{hop}": (302, {"location": str(hop + 1)}, "") for hop in range(1, hops)}
    answers["http://a/robots.txt"] = (301, {"location": "//user:secret@a/1"}, "")
    answers[f"http://a/{hops}"] = ok(PRIVATE)
    return answers


@pytest.mark.parametrize(("hops", "obeyed"), [(1, True), (5, True), (6, False)])
def test_redirects_of_robots_txt(hops: int, obeyed: bool) -> None:
    async def story() -> None:
        web = Web(redirects(hops))
        answer = await RobotsFetcher(web, "dowse").fetch(get("http://a/private/"))
        assert isinstance(answer, Failure) is obeyed

    run(story())


@pytest.mark.parametrize("location", ["/robots.txt", "ftp://a/robots.txt", "", "http://[", "mailto:a@b"])
def test_a_redirect_to_nowhere_is_no_robots_txt(location: str) -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": (302, {"location": location}, ""), "http://a/x": ok("page")})
        assert isinstance(await RobotsFetcher(web, "dowse").fetch(get("http://a/x")), Response)
        assert web.asked == ["http://a/robots.txt", "http://a/x"]

    run(story())


def test_responses_carry_the_crawl_delay_and_the_first_page_the_sitemaps() -> None:
    async def story() -> None:
        text = "User-agent: *\nCrawl-delay: 3\nSitemap: /s.xml\nSitemap: http://b/s.xml\nSitemap: mailto:x"
        web = Web({"http://a/robots.txt": ok(text), "http://a/x": ok("page"), "http://a/moved": (301, {}, "")})
        fetcher = RobotsFetcher(web, "dowse")
        answers = [
            await fetcher.fetch(get("http://a/moved")),
            await fetcher.fetch(get("http://a/x"), lambda _chunk: None),
            await fetcher.fetch(get("http://a/x")),
            await fetcher.fetch(get("http://a/x")),
        ]
        assert [answer.crawl_delay for answer in answers if isinstance(answer, Response)] == [3.0] * 4
        assert [answer.sitemaps for answer in answers if isinstance(answer, Response)] == [
            None,
            None,
            ("http://a/s.xml", "http://b/s.xml"),
            None,
        ]

    run(story())


def test_a_body_goes_to_the_sink_it_was_meant_for() -> None:
    async def story() -> None:
        web = Web({"http://a/robots.txt": ok(PRIVATE), "http://a/x": ok("page")})
        chunks: list[bytes] = []
        await RobotsFetcher(web, "dowse").fetch(get("http://a/x"), chunks.append)
        assert chunks == [b"page"]

    run(story())


def test_links_are_refused_by_rules_that_are_known() -> None:
    async def story() -> None:
        fetcher = RobotsFetcher(Web({"http://a/robots.txt": ok(PRIVATE)}), "dowse")
        assert not fetcher.refuses("http://a/private/")
        await fetcher.fetch(get("http://a/"))
        assert fetcher.refuses("http://a/private/")
        assert not fetcher.refuses("http://a/x")
        assert not fetcher.refuses("http://b/private/")
        await fetcher.fetch(get("http://b/"))
        assert not fetcher.refuses("http://b/private/")

    run(story())


def test_a_file_without_end_is_read_up_to_the_limit() -> None:
    """The fetcher gave up on it, but what counts had come by then."""

    class Endless(Web):
        async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
            if request.url.endswith("robots.txt") and sink:
                sink(PRIVATE.encode())
                for _ in range(10):
                    sink(b"# more\n" * 10_000)
                return Failure(FailureKind.TOO_LARGE)
            return await super().fetch(request, sink)

    async def story() -> None:
        refused = await RobotsFetcher(Endless({}), "dowse").fetch(get("http://a/private/"))
        assert refused == Failure(FailureKind.ROBOTS, "Disallow: /private/")

    run(story())


def test_the_number_of_origins_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "ORIGINS", 2)

    async def story() -> None:
        web = Web({f"http://{name}/robots.txt": ok(PRIVATE) for name in "abc"})
        fetcher = RobotsFetcher(web, "dowse")
        for name in "abac":
            await fetcher.fetch(get(f"http://{name}/"))
        assert [fetcher.refuses(f"http://{name}/private/") for name in "abc"] == [True, False, True]

    run(story())


def test_the_memory_for_rules_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "User-agent: *\n" + "".join(f"Disallow: /private/{number}\n" for number in range(1_000))
    monkeypatch.setattr(robots, "MOST_BYTES", 1_200_000)

    async def story() -> None:
        web = Web({f"http://{name}/robots.txt": ok(long) for name in "abcde"})
        fetcher = RobotsFetcher(web, "dowse")
        for name in "abcde":
            await fetcher.fetch(get(f"http://{name}/"))
        assert [fetcher.refuses(f"http://{name}/private/1") for name in "abcde"] == [False, False, False, True, True]

    run(story())


OVER_HTTP = {
    "allow all": ("", ""),
    "empty": ("", ""),
    "disallow all": ("Disallow: /", "Disallow: /"),
    "private area": ("", "Disallow: /private/"),
    "wildcards": ("", ""),
    "for one robot": ("", "Disallow: /private/"),
    "crawl delay": ("", ""),
    "byte order mark": ("", "Disallow: /private/"),
    "not text": ("", "Disallow: /private/"),
    "a web page": ("", ""),
    "too large": ("", "Disallow: /private/"),
    "missing": ("", ""),
    "forbidden": ("", ""),
    "broken server": ("robots.txt answered 500", "robots.txt answered 500"),
    "overloaded": ("robots.txt answered 503", "robots.txt answered 503"),
}
"""What becomes of a page and of a private page for each kind of robots.txt; empty: it is fetched."""


@pytest.mark.parametrize("name", ROBOTS)
def test_over_http(name: str, serve: Callable[..., Site]) -> None:
    site = serve({"/robots.txt": ROBOTS[name], "/open": Reply("page"), "/private/x": Reply("secret")})
    host = f"127.0.0.1:{site.port}"

    async def story() -> None:
        # Pages of any type but text: what a site says to robots is read whatever the type it is sent as.
        http = HttpFetcher(
            FetchOptions(user_agent="dowse/1.0"),
            [Request(f"http://{host}/", 0, host)],
            lambda media_type: media_type != "text/plain",
        )
        fetcher = RobotsFetcher(http, "dowse/1.0")
        answers = [
            await fetcher.fetch(Request(url=site.url + path, key_hash=1, host=host)) for path in ("open", "private/x")
        ]
        await fetcher.close()
        assert tuple(answer.detail if isinstance(answer, Failure) else "" for answer in answers) == OVER_HTTP[name]

    run(story())
    assert sum(hit.request.path == "/robots.txt" for hit in site.log) == 1
