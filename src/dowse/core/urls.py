"""URLs: resolving what a page wrote, and telling which two of them are the same.

    href --Base.join--> url (WHATWG, http or https, no fragment) --UrlKeys.request--> Request(url, key, host)

The url is what is asked for, the key is its normal form. Rejected: requesting the normal form. Some servers
answer `?sid=` links only with the parameter, so the link as found is sent and only the seen test is loose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, unquote_plus

import ada_url
import url as rust_url
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest, xxh3_128_hexdigest

from dowse.core.job import UrlOptions
from dowse.core.model import Request
from dowse.core.option_checks import IF_SESSION
from dowse.core.traps import is_session_id

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

# Stored with a crawl: keys of different versions must not be compared. A change of the built-in list of parameters is
# none of the version: a crawl has the list it was begun with in its job.
KEY_VERSION = 1

# Requests remembered by one `UrlKeys`, about 300 bytes each.
CACHED_REQUESTS = 50_000

# Resolving costs 10 ns a character; an image written into the page as a data: URL is not worth a millisecond.
LONG_HREF = 1_000
_OTHER_SCHEME = re.compile(r"[\0-\x20]*(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_HEX = "0123456789abcdefABCDEF"
_TIDY_ESCAPES = {
    f"%{high}{low}": chr(int(high + low, 16)) if chr(int(high + low, 16)) in _UNRESERVED else f"%{high}{low}".upper()
    for high in _HEX
    for low in _HEX
}
# After a stray % an escape is left alone: decoding it could make up a new escape ("%%341" is not "%41").
_ESCAPE = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])%[0-9A-Fa-f]{2}")
# `/page;jsessionid=1`; not after a dot segment, which would come to life (`/..;sid=1/`).
_PATH_PARAMETER = re.compile(r"(?<!/\.)(?<!/\.\.);([^;/=]+)=([^;/]*)")
# `/(S(session))/`, which ASP.NET may mix with other tickets: `/(X(1)S(session)F(login))/`.
_SESSION_SEGMENT = re.compile(r"/\((?=(?:[A-Z]\([^()/]*+\))*?S\([^()/]++\))(?:[A-Z]\([^()/]*+\))++\)(?=/)")
_SESSION_SEGMENT_NAME = "aspsessionid"


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


class UrlKeys:
    """Makes requests. Pages of a site repeat the same links, so requests are remembered."""

    def __init__(self, options: UrlOptions) -> None:
        self._plain = _PlainRequests(key_rules(options))

    def request(
        self, url: str, method: str = "GET", body: bytes = b"", headers: tuple[tuple[str, str], ...] = ()
    ) -> Request:
        """The request for a URL that `Base.join` gave."""
        plain = self._plain[url]
        if method == "GET" and not body:
            return replace(plain, headers=headers) if headers else plain
        # No URL here has a fragment, so one can hold what else makes this request different.
        key = f"{plain.normal_form}#{method}:{xxh3_128_hexdigest(body)}"
        return replace(plain, key_hash=key_of(key), key=key, method=method, body=body, headers=headers)


def have_same_keys(one: UrlOptions, other: UrlOptions) -> bool:
    """Whether two sets of options give every URL the same normal form; keeping what nobody drops changes nothing."""
    drop = _Names(name.removesuffix(IF_SESSION) for name in one.drop_parameters)
    changed = set(one.keep_parameters) ^ set(other.keep_parameters)
    if any("*" in name or name.lower() in drop for name in changed):
        return False
    return replace(one, keep_parameters=()) == replace(other, keep_parameters=())


def normal_form(url: str, options: UrlOptions) -> str:
    """The text two serialised URLs have in common when they count as the same."""
    return key_rules(options).apply(url)


class _PlainRequests(dict[str, Request]):
    """Requests by URL, as many as `CACHED_REQUESTS`; a known one costs a dict lookup."""

    def __init__(self, rules: KeyRules) -> None:
        super().__init__()
        self._rules = rules
        self._hosts: dict[str, str] = {}

    def __missing__(self, found: str) -> Request:
        if len(self) >= CACHED_REQUESTS:
            self.clear()
            self._hosts.clear()
        url = split_credentials(found)[0] if "@" in found else found
        normal = self._rules.apply(url)
        host = host_of(url)
        host = self._hosts.setdefault(host, host)  # one string for all requests of a host
        request = Request(url=url, key_hash=key_of(normal), host=host, key="" if normal == url else normal)
        self[found] = request
        return request


class KeyRules:
    """How a job's options turn a URL into its normal form. Applying them twice changes nothing more."""

    def __init__(self, options: UrlOptions) -> None:
        self._drop = _Names(name for name in options.drop_parameters if not name.endswith(IF_SESSION))
        self._drop_sessions = _Names(
            name.removesuffix(IF_SESSION) for name in options.drop_parameters if name.endswith(IF_SESSION)
        )
        self._keep = _Names(options.keep_parameters)
        self._options = options
        self._aliases = options.alias_www or options.alias_scheme
        self._drops_session_segments = self._is_dropped(_SESSION_SEGMENT_NAME)

    def apply(self, url: str) -> str:
        if not (self._aliases or "%" in url or "?" in url or ";" in url or "(" in url or "@" in url):
            return url
        start = url.index("/", 8)
        origin, rest = url[:start], url[start:]
        path, _, query = _tidied(rest).partition("?")
        if ";" in path:
            path = _PATH_PARAMETER.sub(lambda match: "" if self._is_dropped(match[1], match[2]) else match[0], path)
        if "/(" in path and self._drops_session_segments:
            path = _SESSION_SEGMENT.sub("", path)
        query = self._query(query) if query else ""
        return f"{self._origin(origin)}{path}?{query}" if query else f"{self._origin(origin)}{path}"

    def _origin(self, origin: str) -> str:
        scheme, _, authority = origin.partition("://")
        host = authority.rpartition("@")[2]
        if self._options.alias_www:
            while host.startswith("www.") and "." in host[4:]:
                host = host[4:]
        # One port cannot speak both, so only the default ports are aliases of each other.
        if self._options.alias_scheme and ":" not in host.rpartition("]")[2]:
            scheme = "http"
        return f"{scheme}://{host}"

    def _query(self, query: str) -> str:
        parameters = [text for text in query.split("&") if not self._is_dropped(*_parted(text))]
        if self._options.sort_query:
            # By name alone and stable, as URLSearchParams.sort(): the order of `a=1&a=2` may mean something.
            parameters.sort(key=_name)
        return "&".join(parameters)

    def dropped(self, url: str) -> list[str]:
        """The names of what the normal form leaves out, sorted, each once; for the few URLs that have any."""
        if "?" not in url and ";" not in url and "(" not in url:
            return []
        path, _, query = _tidied(url[url.index("/", 8) :]).partition("?")
        written = [(match[1], match[2]) for match in _PATH_PARAMETER.finditer(path)]
        written += [_parted(text) for text in query.split("&")]
        names = {_plain(name) for name, value in written if self._is_dropped(name, value)}
        if "/(" in path and self._drops_session_segments and _SESSION_SEGMENT.search(path):
            names.add(_SESSION_SEGMENT_NAME)
        return sorted(names)

    def _is_dropped(self, name: str, value: str = "") -> bool:
        name = _plain(name)
        dropped = name in self._drop or (name in self._drop_sessions and is_session_id(unquote(value)))
        return dropped and name not in self._keep


class _Names:
    """Lower-case parameter names; a trailing * stands for any ending."""

    def __init__(self, patterns: Iterable[str]) -> None:
        lowered = [pattern.lower() for pattern in patterns]
        self._exact = frozenset(pattern for pattern in lowered if not pattern.endswith("*"))
        self._beginnings = tuple(pattern[:-1] for pattern in lowered if pattern.endswith("*"))

    def __contains__(self, name: str) -> bool:
        return name in self._exact or name.startswith(self._beginnings)


@lru_cache(maxsize=64)
def key_rules(options: UrlOptions) -> KeyRules:
    """How these options compare URLs."""
    return KeyRules(options)


@cache
def _public_suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # 80 ms that only scope = "domain" has to pay

    return PublicSuffixList()


def _tidied(rest: str) -> str:
    """A path and query with each escape written in one way."""
    return _ESCAPE.sub(lambda match: _TIDY_ESCAPES[match[0]], rest) if "%" in rest else rest


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]


def _parted(parameter: str) -> tuple[str, str]:
    name, _, value = parameter.partition("=")
    return name, value


def _plain(name: str) -> str:
    return (unquote_plus(name) if "%" in name or "+" in name else name).lower()


def key_of(key: str) -> int:
    """The number of a normal form, 64 bits as SQLite stores them: signed."""
    digest = xxh3_64_intdigest(key.encode())
    return digest - ((digest >> 63) << 64)


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
