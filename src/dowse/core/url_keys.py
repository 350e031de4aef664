"""Which URLs are the same: the normal form of a URL, and the number of that form by which a crawl knows it.

    url --KeyRules.apply--> normal form --key_of--> 64-bit number        UrlKeys.request: all three as a Request

The url is what is asked for, the normal form is only compared. Rejected: requesting the normal form. Some servers
answer `?sid=` links only with the parameter, so the link as found is sent and only the seen test is loose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote, unquote_plus

from msgspec.structs import replace
from xxhash import xxh3_64_intdigest, xxh3_128_hexdigest

from dowse.core.job import UrlOptions
from dowse.core.model import Request
from dowse.core.options.option_checks import IF_SESSION
from dowse.core.traps import is_session_id
from dowse.core.urls import host_of, split_credentials

# Stored with a crawl: keys of different versions must not be compared. A change of the built-in list of parameters is
# none of the version: a crawl has the list it was begun with in its job.
KEY_VERSION = 1

# Requests remembered by one `UrlKeys`, about 300 bytes each.
CACHED_REQUESTS = 50_000

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


def anew(request: Request, mark: bytes) -> Request:
    """The same request as one that is told from it by a mark, for what must be asked for once more."""
    key = f"{request.normal_form}#again:{xxh3_128_hexdigest(mark)}"
    return replace(request, key_hash=key_of(key), key=key)


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
        self._touches_all = options.alias_www or options.alias_scheme or options.ignore_case
        self._drops_session_segments = self._is_dropped(_SESSION_SEGMENT_NAME)

    def apply(self, url: str) -> str:
        if not (self._touches_all or "%" in url or "?" in url or ";" in url or "(" in url or "@" in url):
            return url
        start = url.index("/", 8)
        origin, rest = url[:start], url[start:]
        path, _, query = _tidied(rest).partition("?")
        if self._options.ignore_case:
            path = self._in_small_letters(path)
        if ";" in path:
            path = _PATH_PARAMETER.sub(lambda match: "" if self._is_dropped(match[1], match[2]) else match[0], path)
        if "/(" in path and self._drops_session_segments:
            path = _SESSION_SEGMENT.sub("", path)
        query = self._query(query) if query else ""
        return f"{self._origin(origin)}{path}?{query}" if query else f"{self._origin(origin)}{path}"

    def _in_small_letters(self, path: str) -> str:
        """With the escapes in capital letters, as they are in every normal form."""
        path = _SESSION_SEGMENT.sub("", path) if self._drops_session_segments else path
        return _tidied(path.lower())

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
