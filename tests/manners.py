"""Pages with rules of their own: passwords, cookies, validators, rate limits; and ways to have a robots.txt."""

from __future__ import annotations

import base64

from tests.servers import Answer, Page, Reply, Request


def _answer(page: Page, request: Request) -> Answer:
    return page(request) if callable(page) else page


def basic_auth(user: str, password: str, page: Page) -> Page:
    """The page, for those who know the password."""
    expected = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def guarded(request: Request) -> Answer:
        if request.headers.get("authorization") != expected:
            return Reply("who are you?", status=401, headers={"WWW-Authenticate": 'Basic realm="test"'})
        return _answer(page, request)

    return guarded


def cookie_wall(page: Page, cookie: str = "pass=42") -> Page:
    """Sets a cookie and sends the client to the same place again; the page is for those who bring it back."""

    def walled(request: Request) -> Answer:
        if cookie in request.headers.get("cookie", "").split("; "):
            return _answer(page, request)
        return Reply(status=302, headers={"Location": request.target, "Set-Cookie": f"{cookie}; Path=/"})

    return walled


def revalidated(body: str, *, etag: str = "", last_modified: str = "") -> Page:
    """A page with validators: 304 to the client that has it already."""
    headers = {name: value for name, value in (("ETag", etag), ("Last-Modified", last_modified)) if value}

    def conditional(request: Request) -> Reply:
        known = request.headers.get("if-none-match"), request.headers.get("if-modified-since")
        # RFC 9110: the date does not count where an entity tag is given
        same = known[0] == etag if etag and known[0] is not None else bool(last_modified) and known[1] == last_modified
        return Reply(status=304, headers=headers) if same else Reply(body, headers=headers)

    return conditional


def refused_at_first(times: int, page: Page, *, status: int = 429, retry_after: str = "") -> Page:
    """That many refusals, whatever the address, then the page. With status=503 it is a server that is starting up."""
    left = times

    def busy(request: Request) -> Answer:
        nonlocal left
        if left == 0:
            return _answer(page, request)
        left -= 1
        return Reply("later", status=status, headers={"Retry-After": retry_after} if retry_after else {})

    return busy


def in_turn(*pages: Page) -> Page:
    """The first page on the first visit to an address, the second on the second; the last one stays."""
    return lambda request: _answer(pages[min(request.visit, len(pages) - 1)], request)


def _text(body: str) -> Reply:
    return Reply(body, headers={"Content-Type": "text/plain"})


ROBOTS: dict[str, Reply] = {
    "allow all": _text("User-agent: *\nAllow: /\n"),
    "empty": _text(""),
    "disallow all": _text("User-agent: *\nDisallow: /\n"),
    "private area": _text("User-agent: *\nDisallow: /private/\nAllow: /private/open\n"),
    "wildcards": _text("User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?sort=\n"),
    "for one robot": _text("User-agent: dowse\nDisallow: /private/\n\nUser-agent: *\nDisallow: /\n"),
    "crawl delay": _text("User-agent: *\nCrawl-delay: 1\n"),
    "byte order mark": _text("\ufeffUser-agent: *\r\nDisallow: /private/\r\n"),
    "not text": Reply(bytes(range(256)) + b"\nUser-agent: *\nDisallow: /private/\n"),
    "a web page": Reply("<!doctype html><title>not found</title><p>Sorry!"),
    "too large": _text("User-agent: *\nDisallow: /private/\n" + "# filler\n" * 100_000),
    "missing": Reply("no", status=404),
    "forbidden": Reply("no", status=403),
    "broken server": Reply("no", status=500),
    "overloaded": Reply("no", status=503),
}
"""By name, every kind of answer to /robots.txt. In those that disallow a part, it is /private/."""


def sitemap_line(url: str) -> Reply:
    return _text(f"User-agent: *\nDisallow:\nSitemap: {url}\n")
