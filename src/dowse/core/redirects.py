"""Redirects: where a server sends us, how many in a row are taken, and what is asked for there (Fetch standard)."""

from __future__ import annotations

from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.phrasing import counted
from dowse.core.urls import resolve

_ABOUT_BODY = frozenset({"content-encoding", "content-language", "content-length", "content-location", "content-type"})
_FOR_ORIGIN = frozenset({"authorization", "cookie"})


def redirect_target(response: Response, before: int, most: int) -> str | Failure:
    """Where a server sends us, after so many redirects `before` this one; a failure if it is one too many."""
    location = response.headers.get("location", "")
    target = resolve(response.request.url, location) if location else None
    if target is None:
        trouble = f"status {response.status} without a usable address: {location!r}"
    elif before >= most:
        trouble = f"more than {counted(most, 'redirect')}"
    else:
        return target
    return Failure(FailureKind.REDIRECT, trouble, status=response.status)


def after_redirect(request: Request, url: str, status: int) -> tuple[str, bytes, tuple[tuple[str, str], ...]]:
    """Method, body and headers. After 301 and 302 a POST is a GET, after 303 all but HEAD is; 307 and 308 change
    nothing. What was meant for one origin is not told to another."""
    method, body, headers = request.method, request.body, request.headers
    if (status in (301, 302) and method == "POST") or (status == 303 and method not in ("GET", "HEAD")):
        method, body = "GET", b""
        headers = tuple(pair for pair in headers if pair[0].lower() not in _ABOUT_BODY)
    if headers and _origin(url) != _origin(request.url):
        headers = tuple(pair for pair in headers if pair[0].lower() not in _FOR_ORIGIN)
    return method, body, headers


def _origin(url: str) -> str:
    return url[: url.index("/", 8)]
