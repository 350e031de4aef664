"""What the pages of one list have shown so far, to know where it ends.

A list ends where a page has nothing that earlier pages of it do not have: the last page that every further number shows
again, an empty page, a loop. Compared are the texts of a page without their digits, which count or tell the time, and
where its links lead, but for those that are about the page itself.

Kept in memory, within limits. A worker that does not know the earlier pages (another process, a crawl that goes on)
takes a page for the first of its list, so it asks for one page more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from dowse.parse.page import Page

MOST_PAGES = 5_000
"""Pages of one list; more are a trap, or a task for a mode that asks for less."""

MOST_SERIES = 1_000
MOST_PIECES = 300_000
"""What is remembered of all lists together, their URLs included."""

MOST_URLS = 2 * MOST_PAGES
"""URLs of pages of one list."""

_UNSEEN = re.compile(r"<!--.*?(?:-->|$)|<(script|style)\b.*?(?:</\1|$)", re.IGNORECASE | re.DOTALL)
_TEXT = re.compile(r">([^<>]{12,2000})<")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_FEWEST_LETTERS = 8


class Series:
    """The pages of one list."""

    def __init__(self) -> None:
        self.pages = 0
        self.has_first = False
        """Whether its first page is there, by a URL that does not count."""
        self.pieces: set[int] = set()
        self.urls: set[str] = set()

    def add(self, pieces: set[int]) -> bool:
        """Remember a page; whether it has anything new."""
        self.pages += 1
        has_news = not pieces <= self.pieces
        self.pieces |= pieces
        return has_news


class SeriesMemory:
    """The lists that were met lately, by the URLs of their pages."""

    def __init__(self) -> None:
        self._series: dict[int, Series] = {}
        self._by_url: dict[str, Series] = {}
        self._pieces = 0

    def series_of(self, url: str) -> Series | None:
        """The list that an earlier page said this URL to be of."""
        return self._by_url.get(url)

    def begin(self, url: str) -> Series:
        """A list whose first page this is."""
        while len(self._series) >= MOST_SERIES:
            self._forget(next(iter(self._series)))
        series = Series()
        self._series[id(series)] = series
        self.expect(series, [url])
        return series

    def note(self, series: Series, page: Page, paging: Iterable[str]) -> bool:
        """Remember what a page of a list shows; whether there is anything new."""
        before = len(series.pieces)
        has_news = series.add(pieces_of(page, paging))
        self._pieces += len(series.pieces) - before
        self._make_room(series)
        return has_news

    def expect(self, series: Series, urls: Iterable[str]) -> None:
        """These are pages of the list, too."""
        for url in urls:
            if url not in self._by_url and len(series.urls) < MOST_URLS:
                self._by_url[url] = series
                series.urls.add(url)
                self._pieces += 1
        self._make_room(series)

    def _make_room(self, series: Series) -> None:
        """Forget other lists, the oldest first; of a list that is too large alone, what it has shown."""
        while self._pieces > MOST_PIECES and len(self._series) > 1:
            self._forget(next(key for key, each in self._series.items() if each is not series))
        if self._pieces > MOST_PIECES:
            self._pieces -= len(series.pieces)
            series.pieces.clear()

    def _forget(self, key: int) -> None:
        series = self._series.pop(key)
        self._pieces -= len(series.pieces) + len(series.urls)
        for url in series.urls:
            self._by_url.pop(url, None)


def pieces_of(page: Page, paging: Iterable[str]) -> set[int]:
    """What a page shows that could be new, as numbers: its texts, and where its links lead."""
    source = page.source
    if "<s" in source or "<S" in source or "<!" in source:
        source = _UNSEEN.sub("", source)
    texts = (_NO_LETTERS.sub("", text) for text in _TEXT.findall(source))
    found = {hash(text) for text in texts if len(text) >= _FEWEST_LETTERS}
    known = set(paging)
    path, tail = page.url.partition("?")[0], unquote(page.url.partition("://")[2].partition("/")[2])
    for link in page.links:
        if link.url in known or link.url.partition("?")[0] == path or (tail and tail in unquote(link.url)):
            continue
        found.add(hash(link.url))
    return found
