"""What a page says about paging, as a value."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from msgspec import Struct

from dowse.parse.pagination.url_counters import UrlCounter

Kind = Literal["page", "next", "prev", "first", "last"]


class PagingLink(Struct, frozen=True):
    """A link to another page of a list, article or thread.

    `number` is that of the page it leads to, where it is known. `is_own` says that it leads to a page of the same list
    as the page it stands on; the small pagers that a forum has beside each of its threads are about something else.
    `place` counts the anchors of the page; 0 is a link element of its head. `url` is "" where only a script knows it.
    """

    kind: Kind
    url: str
    text: str
    number: int | None
    probability: float
    place: int
    is_own: bool


class Pagination(Struct, frozen=True, dict=True):
    """The paging links of a page, in the order of the page; `current` is its own number, `counter` what counts in URLs.

    `load_more` are the texts of buttons that let a script load more of the same page.
    """

    links: tuple[PagingLink, ...] = ()
    current: int | None = None
    counter: UrlCounter | None = None
    load_more: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.links or self.load_more)

    @cached_property
    def next(self) -> PagingLink | None:
        """The link to the page after this one; where there are numbers only, the one with the next number."""
        return self._neighbour("next", 1)

    @cached_property
    def previous(self) -> PagingLink | None:
        """The link to the page before this one; where there are numbers only, the one with the number before."""
        return self._neighbour("prev", -1)

    @cached_property
    def first(self) -> PagingLink | None:
        """The link to the first page."""
        return self._best("first")

    @cached_property
    def last(self) -> PagingLink | None:
        """The link to the last page."""
        return self._best("last")

    @cached_property
    def pages(self) -> list[PagingLink]:
        """The numbered links to pages of the same list, one for each URL."""
        return _distinct(each for each in self.links if each.kind == "page" and each.is_own)

    @cached_property
    def own(self) -> list[PagingLink]:
        """All links to pages of the same list, one for each URL."""
        return _distinct(each for each in self.links if each.is_own)

    @cached_property
    def elsewhere(self) -> list[PagingLink]:
        """The links to pages of other lists or threads."""
        return _distinct(each for each in self.links if not each.is_own)

    @cached_property
    def last_number(self) -> int | None:
        """The greatest number of a page that is linked, or that of the page itself."""
        numbers = [each.number for each in self.links if each.number is not None and each.is_own]
        return max([*numbers, self.current] if self.current is not None else numbers, default=None)

    def _best(self, kind: Kind) -> PagingLink | None:
        links = [each for each in self.links if each.kind == kind]
        return max(links, key=lambda each: (each.is_own, each.probability), default=None)

    def _neighbour(self, kind: Kind, step: int) -> PagingLink | None:
        stated = self._best(kind)
        if self.current is None or (stated is not None and stated.is_own and stated.url):
            return stated
        return next((each for each in self.pages if each.number == self.current + step), stated)


NO_PAGING = Pagination()


def _distinct(links: Iterable[PagingLink]) -> list[PagingLink]:
    found: dict[str, PagingLink] = {}
    for link in links:
        if link.url:
            found.setdefault(link.url, link)
    return list(found.values())
