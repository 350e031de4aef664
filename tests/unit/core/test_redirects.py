"""What is asked for after a redirect."""

from __future__ import annotations

import pytest

from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.redirects import after_redirect, redirect_target

HERE = "https://e.org/form"
HEADERS = (("Content-Type", "text/plain"), ("Authorization", "x"), ("X-Mine", "1"))


@pytest.mark.parametrize(
    ("method", "status", "after"),
    [
        *(("POST", status, "GET") for status in (301, 302, 303)),
        *((method, status, method) for method in ("POST", "PUT") for status in (307, 308)),
        ("PUT", 301, "PUT"),
        ("PUT", 302, "PUT"),
        ("PUT", 303, "GET"),
        ("HEAD", 303, "HEAD"),
        ("GET", 303, "GET"),
    ],
)
def test_methods_and_bodies(method: str, status: int, after: str) -> None:
    body = b"" if method in ("GET", "HEAD") else b"q=1"
    told, sent, headers = after_redirect(Request(HERE, 0, "e.org", "", method, body, HEADERS), HERE + "2", status)
    assert (told, sent) == (after, body if method == after else b"")
    assert headers == (HEADERS if method == after else HEADERS[1:])


@pytest.mark.parametrize("url", ["https://other.org/", "http://e.org/form"])
def test_another_origin_is_not_told_what_was_meant_for_one(url: str) -> None:
    request = Request(HERE, 0, "e.org", "", "POST", b"q=1", HEADERS)
    assert after_redirect(request, url, 307) == ("POST", b"q=1", (HEADERS[0], HEADERS[2]))


def answer_of(location: str) -> Response:
    return Response(Request("http://a.example/b/c", 1, "a.example"), 302, {"location": location}, b"", 0.0, 0.0)


@pytest.mark.parametrize(
    ("location", "before", "expected"),
    [
        ("d", 0, "http://a.example/b/d"),
        ("https://b.example/#x", 9, "https://b.example/"),
        ("d", 10, "more than 10 redirects"),
        ("", 0, "status 302 without a usable address: ''"),
        ("mailto:a@b.example", 0, "status 302 without a usable address: 'mailto:a@b.example'"),
    ],
)
def test_where_a_redirect_leads_and_how_many_are_taken(location: str, before: int, expected: str) -> None:
    target = redirect_target(answer_of(location), before, 10)
    if isinstance(target, Failure):
        assert (target.kind, target.status) == (FailureKind.REDIRECT, 302)
        target = target.detail
    assert target == expected
