"""Explored pages in memory: their links, the elements around each link, and the shortest paths between pages.

A set of URLs is a whole number with a bit for each URL. So a thousand combinations of pattern and scope are tried on
all pages in the time of one page.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from types import MappingProxyType

from dowse.core.url_names import is_index
from dowse.core.url_patterns import Address
from dowse.rule_learning.seen_pages import NO_SCOPE, Scope, SeenPage, is_menu_name

_SEVERAL = 2
_FEW_ELEMENTS = 6
"""A list is one element of its page, or at most so many of the same kind."""
COMMON = 0.3
"""A scope that this share of the pages has belongs to the layout of the site."""
_FEW_PAGES, _MOST_PAGES = 4, 0.8
"""Links that this share of the pages have are menus of the site; fewer pages than that tell nothing."""
_MOST_LINKS = 0.95
"""An element with a larger share of the links of its page is no menu, whatever its name."""


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
        self.looked_at = self.mask(self.page_of)
        counts = Counter(number for links in self.links for number in members(links))
        most = _MOST_PAGES * len(pages) if len(pages) >= _FEW_PAGES else inf
        self.everywhere = self.mask(number for number, count in counts.items() if count >= most)
        self.indexes = self.mask(number for number, url in enumerate(self.urls) if is_index(url))
        self.visitable = self.mask(number for number, url in enumerate(self.urls) if may_visit(url))
        self._scoped: dict[tuple[int, Scope], int] = {}
        self._around: dict[int, dict[str, frozenset[Scope]]] = {}
        self._frequency: Counter[Scope] = Counter()
        self._beyond: dict[frozenset[str], int] = {}
        self._together: dict[int, dict[frozenset[Scope], int]] = {}
        self._matched: dict[str, tuple[int, int]] = {}
        self._menus: dict[int, set[Scope]] = {}
        self._smallest: dict[tuple[int, int], int] = {}
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
        """The pages that can be reached from the start, nearest first."""
        return list(self.depths)

    def addresses(self, pages: Iterable[int]) -> int:
        """The URLs that lead to some pages."""
        wanted = set(pages)
        return self.mask(number for number, page in self.page_of.items() if page in wanted)

    def url(self, page: int) -> str:
        return self._pages[page].url

    def before(self, page: int) -> list[int]:
        """The pages before a page on its shortest paths."""
        return self._before.get(page, [])

    def name(self, before: int, page: int) -> int:
        """The URL by which a page is linked from another."""
        return next(number for number in members(self.links[before]) if self.page_of.get(number) == page)

    def scopes(self, page: int, number: int) -> frozenset[Scope]:
        """Every scope that some link to a URL is in on a page."""
        around = self._around.get(page)
        if around is None:
            around = self._around[page] = {}
            for anchor in self._pages[page].anchors:
                known = around.get(anchor.url)
                around[anchor.url] = anchor.scopes if known is None else known | anchor.scopes
        return around[self.urls[number]]

    def unknown_beyond(self, origins: set[str]) -> int:
        """The unexplored URLs of other origins than these."""
        key = frozenset(origins)
        if key not in self._beyond:
            unknown = ((number, url) for number, url in enumerate(self.urls) if number not in self.page_of)
            self._beyond[key] = self.mask(number for number, url in unknown if Address.parse(url).origin not in origins)
        return self._beyond[key]

    def is_list(self, page: int, scope: Scope) -> bool:
        """Whether the elements of a scope hold several links each on a page, so that it is no mark of single links."""
        return self.scoped(page, scope).bit_count() >= _SEVERAL * self._pages[page].elements.get(scope, 1)

    def is_own_list(self, page: int, scope: Scope, examples: int) -> bool:
        """Whether a scope is the smallest list of a page that has all of some links, and no menu that others repeat."""
        smallest = self._smallest.get((page, examples))
        if smallest is None:
            shared = frozenset.intersection(*(self.scopes(page, number) for number in members(examples)))
            counts = self._pages[page].elements
            few = (each for each in shared if counts.get(each, 1) <= _FEW_ELEMENTS and not self.is_menu(page, each))
            sizes = (self.scoped(page, each).bit_count() for each in few if self.is_list(page, each))
            smallest = self._smallest[page, examples] = min(sizes, default=0)
        is_smallest = bool(scope.kind) and self.scoped(page, scope).bit_count() == smallest
        return is_smallest and not self.is_menu(page, scope) and not self._is_repeated(page, scope)

    def _is_repeated(self, page: int, scope: Scope) -> bool:
        """Whether many other pages have most links of a scope in the same scope."""
        links = self.scoped(page, scope)
        others = (self.scoped(place, scope) & links for place in range(len(self.links)) if place != page)
        return sum(_SEVERAL * same.bit_count() > links.bit_count() for same in others) > COMMON * len(self.links)

    def is_menu(self, page: int, scope: Scope) -> bool:
        """Whether all links of a page within a scope are in a menu, header or footer, judged by names of elements."""
        menus = self._menus.get(page)
        if menus is None:
            anchors = self._pages[page].anchors
            named = Counter(each for anchor in anchors for each in anchor.scopes if is_menu_name(each))
            menus = self._menus[page] = {each for each, count in named.items() if count <= _MOST_LINKS * len(anchors)}
        return all(scopes & menus for scopes in self._neighbours(page) if scope in scopes or not scope.kind)

    def paging(self, page: int) -> list[str]:
        """The links of a page that lead to other pages of the same list, by their texts."""
        own = self._pages[page]
        return [each.url for each in own.anchors if each.is_paging and self.visitable >> self.number[each.url] & 1]

    def frequency(self, scope: Scope) -> float:
        """The share of the pages that have links within a scope."""
        if not self._frequency:
            for page in range(len(self._pages)):
                self._frequency.update(frozenset().union(*self._neighbours(page)))
        return self._frequency[scope] / len(self._pages)

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

    def matched(self, pattern: str, among: int) -> int:
        """The URLs, among some, that match a pattern."""
        if not pattern:
            return among
        asked, found = self._matched.get(pattern, (0, 0))
        if new := among & ~asked:
            search = re.compile(pattern).search
            found |= self.mask(number for number in members(new) if search(self.urls[number]))
            self._matched[pattern] = asked | new, found
        return found & among

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
