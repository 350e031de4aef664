"""Where the hrefs of a page lead.

Resolving took a quarter of the time that the links of a page take, measured on 6,841 pages of documentation, until
pages of one folder shared their answers (`_FolderTargets`, right four times out of five).
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote_from_bytes

from dowse.core.urls import Base

LONGEST_HREF = 8_192

# Hrefs whose target depends on the page itself and not only on its folder: `?page=2`, an empty one, `http:?page=2`.
_UNSEEN = re.compile(r"[\t\n\r]")
_OF_THE_PAGE = re.compile(r"[\0-\x20]*+(?:https?:)?+[\0-\x20]*+(?:[?#]|$)", re.IGNORECASE)
_DOUBTFUL = frozenset(["", "?", "#", "h", "H", *map(chr, range(33))])  # how such an href may begin
_FOLDERS_KEPT = 64
_TARGETS_KEPT = 1_000
_LONG_TARGET = 500

_NON_ASCII = re.compile(r"[^\x00-\x7f]+")
# Second bytes of legacy characters that the standard leaves as they are in a query.
_PLAIN_IN_QUERY = "@[\\]^_`{|}~"


class PageTargets:
    """What the hrefs of one page lead to. The page itself is no target."""

    __slots__ = ("_base", "_base_url", "_folder", "_legacy", "_url")

    def __init__(self, url: str, base: str, charset: str) -> None:
        """`base` is what the links of the page are relative to."""
        self._url = url
        self._base_url = base
        self._base: Base | None = None
        self._folder = _targets_in(base.partition("?")[0].rpartition("/")[0] + "/")
        self._legacy = "" if charset.startswith(("UTF-", "replacement")) else charset

    def target(self, href: str) -> str:
        """Where an href of the page leads; "" if nowhere. The hot loops call this for each link."""
        if "#" in href and (before := href.partition("#")[0])[-1:] > " ":  # white space at an end would be lost
            href = before
        if self._legacy and not href.isascii():
            href = _in_charset(href, self._legacy)
        url = self._folder[href]
        return self._join(href) if url is None else url

    def _join(self, href: str) -> str:
        """The target of an href that depends on the page."""
        if self._base is None:
            self._base = Base(self._base_url)
        url = self._base.join(href)
        return url if url and url != self._url else ""


class _FolderTargets(dict[str, str | None]):
    """What the hrefs of pages in one folder lead to: "" is nowhere, None depends on the page. Grows up to a limit."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._base = Base(folder)

    def __missing__(self, href: str) -> str | None:
        if len(href) > LONGEST_HREF:
            return ""
        if href[:1] in _DOUBTFUL and _OF_THE_PAGE.match(href if href.isprintable() else _UNSEEN.sub("", href)):
            return None
        url = self._base.join(href) or ""
        if len(href) <= _LONG_TARGET:
            if len(self) >= _TARGETS_KEPT:
                self.clear()
            self[href] = url
        return url


@lru_cache(maxsize=_FOLDERS_KEPT)
def _targets_in(folder: str) -> _FolderTargets:
    return _FolderTargets(folder)


def _in_charset(href: str, charset: str) -> str:
    """A query is sent in the charset of its page, as browsers do; everything else in UTF-8.

    >>> _in_charset("/find?q=\u0436", "windows-1251")
    '/find?q=%E6'
    """
    path, mark, query = href.partition("?")
    try:
        return path + mark + _NON_ASCII.sub(lambda run: _escape(run[0], charset), query)
    except (LookupError, UnicodeError):
        return href


def _escape(text: str, charset: str) -> str:
    return quote_from_bytes(text.encode(charset, "xmlcharrefreplace"), safe=_PLAIN_IN_QUERY)
