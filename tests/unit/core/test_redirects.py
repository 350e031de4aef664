"""What is asked for after a redirect."""

from __future__ import annotations

import pytest

from dowse.core.model import Request
from dowse.core.redirects import after_redirect

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
