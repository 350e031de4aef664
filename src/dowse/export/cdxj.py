"""The index of an archive: one CDXJ line an answer, sorted by the URL's key, packed so that a look-up reads one block.

    org,example)/shop?page=2 20261115090000 {"url": "https://www.example.org/shop?page=2", "mime": "text/html", ...}

The key is the URL turned round, so that a site and its parts stand together, and rid of what seldom matters. Replay
software makes the same key of the address it is asked for, so the rules here are those of the Internet Archive, quirks
included (`surt` is their program; it is not used because it resolves names and brings an HTTP client with it).
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

from msgspec import json

from dowse.core.archive import Stored

BLOCK = 1024
"""Lines that are packed together; as many as the software that reads these files writes."""

_PORTS = {"http": 80, "https": 443}
_WWW = re.compile(r"^www\d*\.")
_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
# The last session of a path counts, so there is none behind it: that it says so keeps the search linear.
_PATH_SESSIONS = tuple(
    re.compile(rf"^(.*/){session}/((?:(?!/{session}/)[^?])+?\.aspx.*)$")
    for session in (r"\((?:[a-z]\([0-9a-z]{24}\))++\)", r"\([0-9a-z]{24}\)")
)
_QUERY_SESSIONS = tuple(
    re.compile(rf"^(.*)(?:{session})(?:&(.*))?$", re.IGNORECASE)
    for session in (
        "jsessionid=[0-9a-z]{32}",
        "phpsessid=[0-9a-z]{32}",
        "sid=[0-9a-z]{32}",
        "aspsessionid[a-z]{8}=[a-z]{24}",
        "cfid=(?:(?!cfid=)[^&])++&cftoken=[^&]+",
    )
)


class Block(NamedTuple):
    """A part of the index: what its first line begins with, and the lines, compressed."""

    first: str
    data: bytes


class CdxjIndex:
    """Gathers lines and gives them back in order. They are sorted on disk, so memory does not grow with them."""

    def __init__(self) -> None:
        self._lines = sqlite3.connect("", isolation_level=None)  # a file of its own, gone when it is closed
        self._lines.execute("CREATE TABLE line (text TEXT)")
        self._lines.execute("BEGIN")

    def add(self, record: Stored, file: str, offset: int) -> None:
        facts = {
            "url": record.url,
            "mime": "warc/revisit" if record.is_revisit else record.media_type or "unk",
            "status": str(record.status),
            "digest": record.digest,
            "length": str(len(record.answer)),
            "offset": str(offset),
            "filename": file,
        }
        stamp = re.sub(r"\D", "", record.date)
        line = f"{url_key(record.url)} {stamp} {json.encode(facts).decode()}\n"
        self._lines.execute("INSERT INTO line VALUES (?)", (line,))

    def blocks(self) -> Iterator[Block]:
        lines = (text for (text,) in self._lines.execute("SELECT text FROM line ORDER BY text"))
        while block := list(islice(lines, BLOCK)):
            yield Block(block[0].partition(" {")[0], zlib.compress("".join(block).encode(), wbits=31))

    def close(self) -> None:
        self._lines.close()


def url_key(url: str) -> str:
    """The key a URL is looked up by.

    >>> url_key("https://www.Example.org:443/Shop//a/?b=2&a=1#top")
    'org,example)/shop/a?a=1&b=2'
    """
    parts = urlsplit(url)
    host = _WWW.sub("", (parts.hostname or "").strip("."))
    port = parts.port if parts.port != _PORTS.get(parts.scheme) else None
    place = ",".join(reversed(host.split("."))) + (f":{port}" if port else "")
    query = _query(parts.query)
    return f"{place}){_path(parts.path)}" + (f"?{query}" if query else "")


def _path(path: str) -> str:
    kept: list[bytes] = []
    for segment in _unescaped(path).split(b"/")[1:]:
        if segment == b".." and kept:
            kept.pop()
        elif segment != b".":
            kept.append(segment)
    *inner, last = kept or [b""]
    joined = b"/" + b"".join(segment + b"/" for segment in inner if segment) + last
    text = quote_from_bytes(joined, safe=_SAFE).lower()
    for session in _PATH_SESSIONS:
        text = session.sub(r"\1\2", text)
    return text[:-1] if text.endswith("/") and len(text) > 1 else text


def _query(query: str) -> str:
    text = quote_from_bytes(_unescaped(query), safe=_SAFE)
    for session in _QUERY_SESSIONS:
        text = session.sub(lambda match: match[1] + (match[2] or ""), text)
    return "&".join("=".join(pair) for pair in sorted(tuple(part.split("=", 1)) for part in text.lower().split("&")))


def _unescaped(text: str) -> bytes:
    """Without percent-encoding, however often it was encoded."""
    before, after = text.encode(), unquote_to_bytes(text)
    while before != after:
        before, after = after, unquote_to_bytes(after)
    return after
