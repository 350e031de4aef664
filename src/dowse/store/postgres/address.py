"""Where a crawl is in PostgreSQL: the URL of a database and the name of a schema, and what to say when it is not there.

The password is in no file of a crawl. It is in the URL that a run is given, or where libpq looks for it: PGPASSWORD and
~/.pgpass. `env:NAME` in its place stands for an environment variable, and that is written down.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from dowse.core.errors import CrawlError, JobError, StoreAway

SCHEMES = ("postgresql://", "postgres://")
_LONGEST = 63
_SECRET = ("password", "passfile", "sslpassword", "oauth_client_secret")
"""Parameters of libpq that are passwords, or say where one is."""

_REFERENCE = re.compile(r"env:([A-Za-z_]\w*)")
_KEPT = "%:@!$&'()*+,;=~"
"""What stays as it is in the login of a URL."""


class Address(NamedTuple):
    """A schema of a database."""

    url: str
    schema: str

    @property
    def quoted_schema(self) -> str:
        return '"' + self.schema.replace('"', '""') + '"'

    @property
    def shown(self) -> str:
        """For messages."""
        return f"{self.schema} in {without_password(self.url)}"

    @property
    def key(self) -> int:
        """The number of the lock that the writer has."""
        digest = blake2b(f"dowse crawl {self.schema}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big", signed=False) >> 1

    def conninfo(self) -> str:
        return _filled(self.url)

    def unreachable(self, error: Exception) -> CrawlError:
        """The server did not let us in; words for what a user can do about it."""
        words = words_of(error)
        place = without_password(self.url)
        if "password" in words or "authentication" in words:
            cure = (
                "give the password in PGPASSWORD or ~/.pgpass, or give --store again with it"
                " (postgresql://USER:PASSWORD@HOST/DATABASE, or env:NAME in the place of PASSWORD)"
            )
            return CrawlError(f"{place} does not let you in: {words}; {cure}")
        if "does not exist" in words:
            kind = "role" if "role" in words else "database"
            cure = "name another user" if kind == "role" else "make it with createdb, or name another database"
            return CrawlError(f"{place} does not let you in: {words}; {cure}")
        return StoreAway(f"cannot reach {place}: {words}")

    def without_rights(self, error: Exception) -> CrawlError:
        return CrawlError(
            f"cannot make the schema {self.schema} in {without_password(self.url)}: {words_of(error)};"
            f" have it made for you (CREATE SCHEMA {self.quoted_schema} AUTHORIZATION USER), or get the right to"
            " (GRANT CREATE ON DATABASE)"
        )


def is_address(text: str) -> bool:
    return text.startswith(SCHEMES)


def schema_of(name: str) -> str:
    """The name of the schema for a crawl in a folder of this name. It is none that every database has: a crawl that is
    removed takes its schema along.

    >>> schema_of("example.org"), schema_of("public"), schema_of("pg_crawls")
    ('example.org', 'crawl_public', 'crawl_pg_crawls')
    """
    schema = re.sub(r"[^0-9A-Za-z_.-]+", "_", name) or "crawl"
    is_taken = schema in ("public", "information_schema") or schema.startswith("pg_")
    return (f"crawl_{schema}" if is_taken else schema)[:_LONGEST]


def _split(url: str) -> SplitResult:
    """The parts of a URL. A password may have ? and # in it as they are, as for libpq, though not for other URLs."""
    scheme, _, rest = url.partition("://")
    login = rest.partition("/")[0].rpartition("@")[0]
    return urlsplit(f"{scheme}://{quote(login, safe=_KEPT)}{rest[len(login) :]}")


def without_password(url: str) -> str:
    """A URL as it may be shown and written down; the name of an environment variable may."""
    parts = _split(url)
    login, at, place = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    if password and _REFERENCE.fullmatch(unquote(password)):
        user = login
    query = urlencode([each for each in parse_qsl(parts.query) if each[0] not in _SECRET], quote_via=quote)
    # Not urlunsplit, which leaves out the slashes of a URL without a host: postgresql:///DATABASE.
    return f"postgresql://{user}{at}{place}{parts.path}{'?' if query else ''}{query}"


def password_of(url: str) -> str:
    """The password in a URL, if it is one and not a reference."""
    parts = _split(url)
    found = unquote(parts.netloc.rpartition("@")[0].partition(":")[2]) or dict(parse_qsl(parts.query)).get(
        "password", ""
    )
    return "" if _REFERENCE.fullmatch(found) else found


def with_password(url: str, password: str) -> str:
    parts = _split(url)
    login, at, place = parts.netloc.rpartition("@")
    user = login.partition(":")[0]
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}{at or '@'}{place}"))


def _filled(url: str) -> str:
    """The URL with what a reference stands for."""
    parts = _split(url)
    query = parse_qsl(parts.query)
    login = unquote(parts.netloc.rpartition("@")[0].partition(":")[2])
    reference = _REFERENCE.fullmatch(login or dict(query).get("password", ""))
    if reference is None:
        return url
    if reference[1] not in os.environ:
        raise JobError(f"store: the environment variable {reference[1]}, for the password of the database, is not set")
    rest = urlencode([(name, value) for name, value in query if name != "password"], quote_via=quote)
    return with_password(urlunsplit(parts._replace(query=rest)), os.environ[reference[1]])


def words_of(error: BaseException) -> str:
    """What the server or the library says, in one line."""
    lines = [line.strip() for line in str(error).splitlines()]
    return (
        " ".join(line for line in lines if line and not line.startswith(("LINE ", "^", "CONTEXT:")))
        or type(error).__name__
    )
