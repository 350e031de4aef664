"""URLs: resolving what a page wrote, and the parts of a URL: its host, its domain, its credentials.

    href --Base.join--> url (WHATWG, http or https, no fragment)

Which two URLs are the same is told in core/url_keys.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

import ada_url
import url as rust_url

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

# Resolving costs 10 ns a character; an image written into the page as a data: URL is not worth a millisecond.
LONG_HREF = 1_000
_OTHER_SCHEME = re.compile(r"[\0-\x20]*(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Base:
    """What the links of one page are relative to, parsed once. Without a valid URL only absolute links resolve."""

    __slots__ = ("_itself", "_join", "url")

    def __init__(self, url: str = "") -> None:
        self.url = _resolve_exactly("", url).partition("#")[0]
        self._itself = self.url if self.url.startswith(("https:", "http:")) else None
        self._join: Callable[[str], rust_url.URL]
        try:
            self._join = rust_url.URL.parse(self.url).join if self.url else rust_url.URL.parse
        except rust_url.URLError:
            self._join = _refuse

    def join(self, href: str) -> str | None:
        """The http or https URL that href leads to, without its fragment; None when there is no such URL."""
        if not href or href[0] == "#":  # up to half of the links of manuals
            return self._itself
        if len(href) > LONG_HREF and _OTHER_SCHEME.match(href):
            return None
        try:
            url = str(self._join(href))
            if "^" in url:  # escaped in paths by the standard since 2024, but not yet by url-py
                url = _resolve_exactly(self.url, href)
        except (rust_url.URLError, UnicodeEncodeError):
            url = _resolve_exactly(self.url, href)
        if not url.startswith(("https:", "http:")):
            return None
        return url.partition("#")[0] if "#" in url else url


def resolve(base: str, href: str) -> str | None:
    """`Base.join` for one link; an empty base resolves absolute URLs."""
    return Base(base).join(href)


def host_of(url: str) -> str:
    """The host of a serialised http(s) URL, with its port unless that is the scheme's own."""
    start = 8 if url[4] == "s" else 7
    authority = url[start : url.index("/", start)]
    return authority.rpartition("@")[2] if "@" in authority else authority


def origin_of(url: str) -> str:
    """The scheme, host and port of a serialised http(s) URL, up to the slash after them."""
    return url[: url.find("/", 8) + 1]


def split_credentials(url: str) -> tuple[str, str]:
    """A serialised URL without its credentials, and those as `user:password` ("" when there are none).

    No request carries them in its URL: links of the same host without them would be the same page with and
    without access, and they would end up in every export. A seed's belong into the job's `auth`.
    """
    scheme, _, rest = url.partition("://")
    authority, _, path = rest.partition("/")
    userinfo, at, host = authority.rpartition("@")
    if not at:
        return url, ""
    user, _, password = userinfo.partition(":")
    return f"{scheme}://{host}/{path}", f"{unquote(user)}:{unquote(password)}"


@lru_cache(maxsize=10_000)
def registered_domain(host: str) -> str:
    """What somebody registered below a public suffix; addresses, single labels and suffixes are their own."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    name = host.partition(":")[0].rstrip(".")
    if name.rpartition(".")[2].isdecimal():
        return name
    return _public_suffixes().privatesuffix(name) or name


@cache
def _public_suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # 80 ms that only scope = "domain" has to pay

    return PublicSuffixList()


def _resolve_exactly(base: str, href: str) -> str:
    """Resolution by ada-url, which passes every test of the standard at a fifth of url-py's speed; "" if invalid.

    Lone surrogates, which broken pages contain, count as U+FFFD.
    """
    href = href.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    try:
        return ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        return ""


def _refuse(href: str) -> rust_url.URL:
    """The join of a base that url-py does not take, so that each link goes the exact way."""
    raise rust_url.URLError(href)
