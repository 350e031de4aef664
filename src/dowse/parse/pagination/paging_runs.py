"""Anchors that stand together: the runs of paging links of a page, with what their numbers and URLs have in common."""

from __future__ import annotations

import re
from itertools import pairwise

from dowse.core.urls import Base
from dowse.parse.lazy_properties import lazy
from dowse.parse.pagination.paging_candidates import Candidate, text_after
from dowse.parse.pagination.url_counters import UrlCounter, change, find_counter, parted

LONGEST_GAP_TEXT = 30
ASKED = 3
"""Links of a run that are compared with the page."""

_LONE_NUMBER = re.compile(r"\d{1,6}")
_FIRST_NUMBER = re.compile(r"\D{0,6}?(\d{1,6})(?!\d)")
_LAST_NUMBER = re.compile(r"(?<!\d)(\d{1,6})\D{0,6}$")
_WAYS = frozenset({"next", "previous", "first", "last", "older", "newer", "more"})
_CURRENT = ("current", "active", "selected", "highlight", "thisclass")


class Run:
    """Candidates one after another, with hardly anything between them."""

    def __init__(self, body: bytes, candidates: list[Candidate], urls: list[str], page_url: str) -> None:
        self._body = body
        self.candidates = candidates
        self.page_url = page_url
        self.urls = urls
        self.numbers = [each.said.number for each in candidates]

    @lazy
    def numbered(self) -> list[tuple[int, str]]:
        """The links that are numbers."""
        return [(n, url) for n, url in zip(self.numbers, self.urls, strict=True) if n is not None and url]

    @property
    def is_trifle(self) -> bool:
        """Whether it is one link that is surely not about paging: a count of comments, or a text with an arrow."""
        if len(self.candidates) > 1:
            return False
        candidate, url = self.candidates[0], self.urls[0]
        if candidate.said.number is not None:
            return change(self.page_url, url).relation not in _NEAR if url else True
        is_plain = not candidate.rel and candidate.label.is_silent and _WAYS.isdisjoint(candidate.said.concepts)
        return is_plain and not any(word in f"{candidate.names} {candidate.around}" for word in ("next", "prev", "pag"))

    @lazy
    def is_rising(self) -> bool:
        """Whether the numbers grow from link to link."""
        numbers = [number for number in self.numbers if number is not None]
        return len(numbers) > 1 and all(one < two for one, two in pairwise(numbers))

    @lazy
    def counter(self) -> UrlCounter | None:
        """The counter in the URLs of the numbered links."""
        return find_counter(tuple(self.numbered)) if len(self.numbered) > 1 else None

    @lazy
    def unlinked(self) -> int | None:
        """The number that stands among the links and is none: that of the page itself."""
        known = {number for number in self.numbers if number is not None}
        inner = [each.gap or "" for each in self.candidates[1:]]
        found = [int(match[0]) for gap in inner if (match := _LONE_NUMBER.search(gap))]
        for number in found:
            if number not in known:
                return number
        if not known:
            return None
        after = _FIRST_NUMBER.match(text_after(self._body, self.candidates[-1]))
        before = _LAST_NUMBER.search((self.candidates[0].gap or "")[-20:])
        sides = ((before, min(known) - 1), (after, max(known) + 1))
        return next((number for match, number in sides if match and int(match[1]) == number), None)

    @lazy
    def current(self) -> int | None:
        """The number of the page itself, as far as the run tells it."""
        if self.unlinked is not None:
            return self.unlinked
        for number, url in self.numbered:
            if url == self.page_url:
                return number
        for candidate in self.candidates:
            if candidate.said.number is not None and any(word in candidate.names for word in _CURRENT):
                return candidate.said.number
        if self.counter is not None:
            return self.counter.page_of(self.page_url)
        return None

    @lazy
    def is_own(self) -> bool:
        """Whether it is about the page itself, and not about another that the page lists."""
        if self.counter is not None and self.counter.page_of(self.page_url) is not None:
            return True
        return any(change(self.page_url, url).relation in _NEAR for url in self.urls[:ASKED] if url)

    def adopt(self) -> None:
        """Take it for one about the page itself."""
        self.__dict__["is_own"] = True

    def page_of(self, url: str) -> int | None:
        """The number of the page that a URL leads to, as far as the run tells it."""
        for number, known in self.numbered:
            if known == url:
                return number
        return self.counter.page_of(url) if self.counter is not None else None


_NEAR = frozenset({"same", "step", "longer", "shorter", "query"})


def runs(body: bytes, candidates: list[Candidate], base: Base, page_url: str) -> list[Run]:
    """The candidates of a page, parted where something else stands between them or where another count begins."""
    parts: list[list[tuple[Candidate, str]]] = []
    for candidate in candidates:
        url = base.join(candidate.href) or "" if candidate.href is not None else ""
        gap = candidate.gap
        is_near = parts and candidate.place == parts[-1][-1][0].place + 1
        if is_near and gap is not None and len(gap) <= LONGEST_GAP_TEXT:
            if candidate.said.number is not None and _is_other_count(parts[-1], candidate, url):
                begin = _beginning(parts[-1])
                parts.append(parts[-1][begin:])
                del parts[-2][begin:]
            parts[-1].append((candidate, url))
        else:
            parts.append([(candidate, url)])
    return [Run(body, [each for each, _ in part], [url for _, url in part], page_url) for part in parts]


def _beginning(run: list[tuple[Candidate, str]]) -> int:
    """Where in a run a new one begins, given that another count follows: with its links to the pages before."""
    begin = len(run)
    while begin and _is_backward(run[begin - 1][0]):
        begin -= 1
    return begin


def _is_other_count(run: list[tuple[Candidate, str]], candidate: Candidate, url: str) -> bool:
    number = candidate.said.number
    last = next(((each.said.number, known) for each, known in reversed(run) if each.said.number is not None), None)
    if last is None or number is None:
        return False
    before, known = last
    if number <= before:
        return True
    return before != 1 and bool(url and known) and parted(url)[0] != parted(known)[0]


def _is_backward(candidate: Candidate) -> bool:
    about = candidate.said.concepts | candidate.label.concepts
    arrow = candidate.said.arrow or candidate.label.arrow
    return candidate.said.number is None and (arrow.startswith("<") or not about.isdisjoint(("previous", "first")))
