"""One set of cookies for two clients: what libcurl was given the browser has too, and the other way round.

libcurl tells its cookies as lines of seven fields with tabs between them, as Netscape's cookie file had them:

    #HttpOnly_.example.org  TRUE  /  FALSE  1767225600  session  f3a9
    domain                  subdomains too, path, only over https, expires (0: with the session), name, value
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_HTTP_ONLY = "#HttpOnly_"


class CookieStore(Protocol):
    """Who keeps the cookies of the crawl."""

    @property
    def cookie_version(self) -> int:
        """A number that grows when a server has set a cookie."""
        ...

    def cookie_lines(self) -> list[str]: ...

    def add_cookie_lines(self, lines: Iterable[str]) -> None: ...


class CookieExchange:
    """Keeps one browser's cookies and those of the crawl the same."""

    def __init__(self, store: CookieStore, context: BrowserContext) -> None:
        self._store = store
        self._context = context
        self._version = -1
        self._known: set[str] = set()

    async def hand_over(self) -> None:
        """Give the browser what servers have set since the last time."""
        if self._version == self._store.cookie_version:
            return
        self._version = self._store.cookie_version
        fresh = [line for line in self._store.cookie_lines() if line not in self._known]
        if fresh:
            self._known.update(fresh)
            await self._context.add_cookies([to_browser(line) for line in fresh])  # type: ignore[misc]

    async def take_back(self, url: str) -> None:
        """Take what a page's scripts and requests have set."""
        lines = [to_line(cookie) for cookie in await self._context.cookies(url)]
        fresh = [line for line in lines if line not in self._known]
        if fresh:
            self._known.update(fresh)
            self._store.add_cookie_lines(fresh)


def to_browser(line: str) -> dict[str, Any]:
    """
    >>> to_browser("#HttpOnly_.example.org\\tTRUE\\t/\\tFALSE\\t0\\tsid\\tf3")["domain"]
    '.example.org'
    """
    domain, subdomains, path, secure, expires, name, value = line.split("\t", 6)
    host = domain.removeprefix(_HTTP_ONLY).lstrip(".")
    return {
        "name": name,
        "value": value,
        "domain": f".{host}" if subdomains == "TRUE" else host,
        "path": path,
        "secure": secure == "TRUE",
        "httpOnly": domain.startswith(_HTTP_ONLY),
        "expires": float(expires) if expires != "0" else -1.0,
    }


def to_line(cookie: Any) -> str:
    """A cookie of the browser as libcurl reads it."""
    domain = cookie["domain"]
    fields = (
        (_HTTP_ONLY if cookie["httpOnly"] else "") + domain,
        "TRUE" if domain.startswith(".") else "FALSE",
        cookie["path"],
        "TRUE" if cookie["secure"] else "FALSE",
        str(max(0, int(cookie["expires"]))),
        cookie["name"],
        cookie["value"],
    )
    return "\t".join(fields)
