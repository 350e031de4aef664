"""Pages with rules of their own keep to them."""

from __future__ import annotations

import pytest

from tests import manners
from tests.client import ask
from tests.servers import Reply, Site


def test_basic_auth(site: Site) -> None:
    site.pages["/"] = manners.basic_auth("ann", "s3cret", "welcome")
    status, headers, _ = ask(site.url)
    assert status == 401
    assert headers["www-authenticate"].startswith("Basic ")
    assert ask(site.url, headers={"Authorization": "Basic YW5uOndyb25n"})[0] == 401
    assert ask(site.url, headers={"Authorization": "Basic YW5uOnMzY3JldA=="})[2] == b"welcome"


def test_cookie_wall(site: Site) -> None:
    site.pages["/"] = manners.cookie_wall("welcome")
    status, headers, _ = ask(site.url)
    assert (status, headers["location"], headers["set-cookie"]) == (302, "/", "pass=42; Path=/")
    assert ask(site.url, headers={"Cookie": "a=b; pass=42"})[2] == b"welcome"
    assert ask(site.url, headers={"Cookie": "pass=421"})[0] == 302


DATE = "Tue, 02 Jun 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 200),
        ({"If-None-Match": '"v1"'}, 304),
        ({"If-None-Match": '"v0"'}, 200),
        ({"If-Modified-Since": DATE}, 304),
        ({"If-Modified-Since": "Mon, 01 Jun 2026 10:00:00 GMT"}, 200),
        ({"If-None-Match": '"v0"', "If-Modified-Since": DATE}, 200),
    ],
)
def test_revalidation(site: Site, sent: dict[str, str], status: int) -> None:
    site.pages["/"] = manners.revalidated("body", etag='"v1"', last_modified=DATE)
    answer, headers, body = ask(site.url, headers=sent)
    assert (answer, headers["etag"], headers["last-modified"]) == (status, '"v1"', DATE)
    assert body == (b"body" if status == 200 else b"")
    assert ("content-length" in headers) == (status == 200)


def test_refusals_come_first(site: Site) -> None:
    site.pages |= {
        "/a": manners.refused_at_first(2, "at last", retry_after="3"),
        "/b": manners.refused_at_first(1, "at last", status=503),
        "/c": manners.in_turn("first", Reply(status=500), "third"),
    }
    answers = [ask(site.url, "/a") for _ in range(3)]
    assert [(status, headers.get("retry-after")) for status, headers, _ in answers] == [
        (429, "3"),
        (429, "3"),
        (200, None),
    ]
    assert [ask(site.url, "/b")[0] for _ in range(2)] == [503, 200]
    assert [ask(site.url, "/c")[0] for _ in range(4)] == [200, 500, 200, 200]


def test_robots_variants_are_what_they_are_called(site: Site) -> None:
    for name, reply in manners.ROBOTS.items():
        site.pages["/robots.txt"] = reply
        status, _, body = ask(site.url, "/robots.txt")
        assert status == {"missing": 404, "forbidden": 403, "broken server": 500, "overloaded": 503}.get(name, 200)
        assert (b"/private/" in body) == (
            name in {"private area", "for one robot", "byte order mark", "not text", "too large"}
        )
    assert site.paths() == [], "robots.txt is not counted among the pages"
