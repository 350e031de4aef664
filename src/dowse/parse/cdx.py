"""Answers of CDX servers, the indexes of web archives: pywb, Common Crawl, the Wayback Machine.

    query --cdx_query--> URL --server--> lines --CdxReader--> URLs of pages

Servers differ in the form of their rows (an object each, or an array each after one with the names), in the names of
fields, and in whether they answer in pages. One that does says how many there are when it is asked. pywb over a plain
index answers that question with all rows, without regard to filters, and every page is the whole answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import msgspec

_ALWAYS = (("output", "json"),)
# Every server knows these names of fields and ignores what else it does not know.
_USUAL = {"filter": ("statuscode:200", "mimetype:text/html"), "collapse": ("urlkey",)}
_URL, _STATUS, _MEDIA = ("url", "original"), ("status", "statuscode"), ("mime", "mimetype")
_HTML = ("text/html", "application/xhtml+xml")
_LONGEST_LINE = 1_000_000

_decode = msgspec.json.Decoder().decode


def cdx_query(url: str, **more: str) -> str:
    """The address to ask a server at, given the query of a user: for HTML pages that were there, unless it has filters
    of its own, each URL once."""
    parts = urlsplit(url)
    words = [word for word in parse_qsl(parts.query, keep_blank_values=True) if word[0] not in ("output", "limit")]
    named = {name for name, _ in words}
    words += [(name, value) for name, values in _USUAL.items() if name not in named for value in values]
    words += [*_ALWAYS, *more.items()]
    return urlunsplit(parts._replace(query=urlencode(words)))


def cdx_words(url: str) -> dict[str, str]:
    """The words of a query. Its `limit` is ours to keep, for servers count the rows of one page."""
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))


class CdxReader:
    """Reads one answer, fed piece by piece. `pages` is the number of its pages, if that is what it says.

    `lines` counts those that have something, `understood` those that are as a CDX server writes them. A server may not
    know the usual filters, so they are applied here too; those of the user are not: `has_filters`.
    """

    def __init__(self, *, has_filters: bool = False) -> None:
        self.pages: int | None = None
        self.lines = 0
        self.understood = 0
        self._has_filters = has_filters
        self._last_key = ""
        self._rest = b""
        self._names: list[str] | None = None

    def feed(self, chunk: bytes) -> list[str]:
        """Take the next bytes and give the URLs of the lines they complete."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            self._rest = b""
        return [url for line in lines if (url := self._line(line))]

    def close(self) -> list[str]:
        """Say that nothing more will come, and get what was left."""
        rest, self._rest = self._rest, b""
        return [url for url in [self._line(rest)] if url]

    def _line(self, line: bytes) -> str:
        text = line.strip().rstrip(b",")
        if text in (b"", b"[", b"]", b"[]"):
            return ""
        self.lines += 1
        # The first row stands behind the bracket that opens them all, and the last before the one that closes them.
        text = re.sub(rb"^\[\s*(?=\[)|(?<=\])\s*\]$", b"", text)
        try:
            row = _decode(text)
        except msgspec.DecodeError:
            return ""
        return self._row(row)

    def _row(self, row: Any) -> str:
        if isinstance(row, dict) and isinstance(row.get("pages"), int):
            row = row["pages"]
        if isinstance(row, int):
            self.understood += 1
            self.pages = row
            return ""
        if isinstance(row, list):
            if self._names is None:
                self._names = [str(name) for name in row]
                self.understood += 1
                return ""
            row = dict(zip(self._names, row, strict=False))
        if not isinstance(row, dict) or not (url := _first(row, _URL)):
            return ""
        self.understood += 1
        if not self._has_filters and not _is_page(row):
            return ""
        before, self._last_key = self._last_key, str(row.get("urlkey", ""))
        return "" if before and before == self._last_key else url


def _is_page(row: Mapping[str, Any]) -> bool:
    """Whether a row is of an HTML page that was there. What it does not say counts for it: users choose the fields."""
    status, media = _first(row, _STATUS), _first(row, _MEDIA)
    return status in ("", "200") and (not media or media.startswith(_HTML))


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((str(row[name]) for name in names if row.get(name)), "")
