"""What is remembered of explored pages: their links, the elements around each, and the shortest ways between pages.

Sets of URLs are whole numbers, a bit a URL: a thousand combinations of pattern and scope are tried on them, and that
takes no longer than trying them on one page.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from turbohtml import Element

from dowse.core.rules import NO_LIMIT
from dowse.parse.page import Page

_NAME = re.compile(r"[^\s.#\x00-\x1f\x7f\ud800-\udfff][^\s\x00-\x1f\x7f\ud800-\udfff]*")
_TAG = re.compile(r"[a-z][a-z0-9-]*")
_EVERYWHERE = ("html", "body")


class Scope(NamedTuple):
    """An element that links can be inside of: by its id, some of its classes, or its tag."""

    kind: str
    name: str


NO_SCOPE = Scope("", "")


class SeenAnchor(NamedTuple):
    """A link and every scope it is in."""

    url: str
    scopes: frozenset[Scope]


class SeenPage(NamedTuple):
    """An explored page."""

    url: str
    anchors: list[SeenAnchor]


def see(page: Page) -> SeenPage:
    """What is to be remembered of a page."""
    known: dict[Element, frozenset[Scope]] = {}
    anchors = [SeenAnchor(anchor.url, _scopes(anchor.element, known)) for anchor in page.anchors]
    return SeenPage(page.url, anchors)


def _scopes(element: Element | None, known: dict[Element, frozenset[Scope]]) -> frozenset[Scope]:
    """The scopes of an element and all above it. A deep tree must not end in a deep recursion."""
    above: list[Element] = []
    while isinstance(element, Element) and element not in known:
        above.append(element)
        parent = element.parent
        element = parent if isinstance(parent, Element) else None
    found = known[element] if element is not None else frozenset()
    for each in reversed(above):
        found = known[each] = found | _own_scopes(each)
    return found


def _own_scopes(element: Element) -> set[Scope]:
    tag, identifier = element.tag.lower(), (element.attr("id") or "").strip()
    classes = [name for name in (element.attr("class") or "").split() if _is_name(name)]
    scopes = {Scope("class", name) for name in classes}
    if len(classes) > 1:
        scopes.add(Scope("class", " ".join(dict.fromkeys(classes))))
    if _is_name(identifier):
        scopes.add(Scope("id", identifier))
    if tag not in _EVERYWHERE and _TAG.fullmatch(tag):
        scopes.add(Scope("tag", tag))
    return scopes


@lru_cache(maxsize=10_000)
def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name.lower() != NO_LIMIT


class Explored:
    """The pages of an exploring crawl that can be reached from its start.

    `moved` says where redirects ended, `may_visit` which URLs a crawl would visit if rules lead there.
    """

    def __init__(
        self,
        pages: Sequence[SeenPage],
        start: str,
        moved: Mapping[str, str] = MappingProxyType({}),
        may_visit: Callable[[str], bool] = lambda _url: True,
    ) -> None:
        self.urls: list[str] = []
        self.number: dict[str, int] = {}
        for page in pages:
            for url in (page.url, *(anchor.url for anchor in page.anchors)):
                if url not in self.number:
                    self.number[url] = len(self.urls)
                    self.urls.append(url)
        places = {page.url: place for place, page in enumerate(pages)}
        self._pages = pages
        self.page_of: dict[int, int] = {}
        for url, number in self.number.items():
            place = places.get(url, places.get(moved.get(url, "")))
            if place is not None:
                self.page_of[number] = place
        self.links = [self.mask(self.number[anchor.url] for anchor in page.anchors) for page in pages]
        self.visitable = self.mask(number for number, url in enumerate(self.urls) if may_visit(url))
        self._scoped: dict[tuple[int, Scope], int] = {}
        self._together: dict[int, dict[frozenset[Scope], int]] = {}
        self._matched: dict[str, int] = {}
        begun = places.get(start, places.get(moved.get(start, "")))
        self._before: dict[int, list[int]] = {}
        self.depths: dict[int, int] = {}
        self.start = -1 if begun is None else begun
        if begun is not None:
            self._walk(begun)

    def _walk(self, begun: int) -> None:
        self.depths[begun] = 0
        waiting = deque([begun])
        while waiting:
            place = waiting.popleft()
            for number in members(self.links[place]):
                target = self.page_of.get(number)
                if target is None:
                    continue
                if target not in self.depths:
                    self.depths[target] = self.depths[place] + 1
                    waiting.append(target)
                if self.depths[target] > self.depths[place]:
                    self._before.setdefault(target, []).append(place)

    @property
    def reached(self) -> list[int]:
        """The pages that some way leads to, nearest first."""
        return list(self.depths)

    def url(self, page: int) -> str:
        return self._pages[page].url

    def way(self, page: int, liking: Callable[[int], int] = lambda _page: 0) -> list[int]:
        """The pages of a shortest way from the start to a page, both included; at each step those liked most."""
        way = [page]
        while way[-1] in self._before:
            way.append(max(self._before[way[-1]], key=liking))
        return way[::-1]

    def scopes(self, page: int, number: int) -> frozenset[Scope]:
        """Every scope that some link to a URL is in on a page."""
        url = self.urls[number]
        return frozenset().union(*(anchor.scopes for anchor in self._pages[page].anchors if anchor.url == url))

    def scoped(self, page: int, scope: Scope) -> int:
        """The URLs that a page links to within a scope."""
        if scope == NO_SCOPE:
            return self.links[page]
        found = self._scoped.get((page, scope))
        if found is None:
            found = 0
            for scopes, inside in self._neighbours(page).items():
                if scope in scopes:
                    found |= inside
            self._scoped[page, scope] = found
        return found

    def _neighbours(self, page: int) -> dict[frozenset[Scope], int]:
        """The URLs that a page links to within the same scopes; most links of a list are."""
        found = self._together.get(page)
        if found is None:
            together: dict[frozenset[Scope], list[int]] = {}
            for anchor in self._pages[page].anchors:
                together.setdefault(anchor.scopes, []).append(self.number[anchor.url])
            found = self._together[page] = {scopes: self.mask(numbers) for scopes, numbers in together.items()}
        return found

    def matched(self, pattern: str) -> int:
        """The URLs in which a pattern is found."""
        found = self._matched.get(pattern)
        if found is None:
            search = re.compile(pattern).search
            found = self.mask(number for number, url in enumerate(self.urls) if not pattern or search(url))
            self._matched[pattern] = found
        return found

    def mask(self, numbers: Iterable[int]) -> int:
        bits = bytearray(len(self.urls) // 8 + 1)
        for number in numbers:
            bits[number >> 3] |= 1 << (number & 7)
        return int.from_bytes(bits, "little")


def members(mask: int) -> Iterator[int]:
    """The numbers in a set."""
    for place, byte in enumerate(mask.to_bytes(mask.bit_length() // 8 + 1, "little")):
        if byte:
            for bit in range(8):
                if byte >> bit & 1:
                    yield place * 8 + bit
