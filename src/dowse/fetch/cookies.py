"""One set of cookies for two clients: what libcurl was given the browser has too, and the other way round.

libcurl tells its cookies as lines of seven fields with tabs between them, as Netscape's cookie file had them:

    #HttpOnly_.example.org  TRUE  /  FALSE  1767225600  session  f3a9
    domain                  subdomains too, path, only over https, expires (0: with the session), name, value
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_HTTP_ONLY = "#HttpOnly_"
_FIELDS = 7
_LAST_DATE = 253_402_300_799.0
"""The end of the year 9999, after which the browser knows no dates."""


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
        self._handing = asyncio.Lock()

    async def hand_over(self) -> None:
        """Give the browser what servers have set since the last time."""
        async with self._handing:  # a page is not shown before all that it needs is there
            if self._version != self._store.cookie_version:
                await self._hand_over()

    async def _hand_over(self) -> None:
        self._version = self._store.cookie_version
        fresh = [line for line in self._store.cookie_lines() if line not in self._known]
        self._known.update(fresh)
        cookies = [to_browser(line) for line in fresh if line.count("\t") >= _FIELDS - 1]
        await add_cookies(self._context, cookies)

    async def take_back(self, url: str) -> None:
        """Take what a page's scripts and requests have set."""
        lines = [to_line(cookie) for cookie in await self._context.cookies(url) if not _has_tabs(cookie)]
        fresh = [line for line in lines if line not in self._known]
        if fresh:
            self._known.update(fresh)
            self._store.add_cookie_lines(fresh)


async def add_cookies(context: BrowserContext, cookies: list[Any]) -> None:
    """Give cookies to a browser, which keeps what it takes: two clients do not agree on all (`__Secure-a=1` over http).

    Of several it takes all or none, so they are given one by one where it refuses.
    """
    from playwright.async_api import Error

    try:
        await context.add_cookies(cookies)
    except Error:
        for cookie in cookies if len(cookies) > 1 else ():
            await add_cookies(context, [cookie])


def to_browser(line: str) -> dict[str, Any]:
    """
    >>> to_browser("#HttpOnly_.example.org\\tTRUE\\t/\\tFALSE\\t0\\tsid\\tf3")["domain"]
    '.example.org'
    """
    domain, subdomains, path, secure, expires, name, value = line.split("\t", _FIELDS - 1)
    host = domain.removeprefix(_HTTP_ONLY).lstrip(".")
    return {
        "name": name,
        "value": value,
        "domain": f".{host}" if subdomains == "TRUE" else host,
        "path": path,
        "secure": secure == "TRUE",
        "httpOnly": domain.startswith(_HTTP_ONLY),
        "expires": min(float(expires), _LAST_DATE) if expires != "0" else -1.0,
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


def _has_tabs(cookie: Any) -> bool:
    """Whether a cookie would be read as another one, because a line is parted by tabs."""
    return any("\t" in cookie[field] for field in ("domain", "path", "name"))
