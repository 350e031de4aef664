"""The way to what is wanted: the fewest pages that hold it, what leads to them, and one rule for each kind of step.

Needed pages are put together by the shape of their URLs. Such a group becomes a page type, and one step leads to all of
it from whichever types its pages are linked. A listing of many pages, each linked from the one before, is a type that
leads to itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from itertools import combinations, pairwise
from math import log2
from typing import NamedTuple

from dowse.learning.ideas import SCOPE_BITS, Idea, let_in
from dowse.learning.seen import NO_SCOPE, Explored, Scope, members
from dowse.learning.shapes import Address, patterns

# In bits: a page visited for nothing, one that adds nothing new, one that nobody has seen, one of those on a host that
# nothing needed is on, a link kept by mistake.
_USELESS, _SPARE, _UNSEEN, _FOREIGN, _MISTAKE = 0.5, 0.3, 0.1, 2.0, 1.0
_WORTH_IT = 0.1
"""A page that gives less than this part of what needed pages give on average is left out, unless for an example."""
_MOST_MISTAKES = 20
_ROW_BITS = 8.0
_MOST_COUNTED = 8
_MOST_GROUPS = 10
_MOST_SCOPES = 25
_FEW = 3
"""As many pages of one shape may be alike by chance, so each has to show that it belongs to the others."""


class Step(NamedTuple):
    """A rule before it has names: links that match a pattern inside a scope."""

    pattern: str
    scope: Scope


class Row(NamedTuple):
    """A step between page types, which are numbers here, 0 for the base; without `to_type` what it finds is kept."""

    from_type: int
    to_type: int | None
    step: Step


class Group(NamedTuple):
    """Needed pages that one step leads to."""

    pages: tuple[int, ...]
    step: Step
    score: float


def plan_rows(explored: Explored, idea: Idea, examples: int) -> list[Row]:
    """Rows that keep the examples and what else an idea wants, where that is worth the pages it takes."""
    return _Routes(explored, idea, examples).rows()


class _Routes:
    """The groups of pages to visit for an idea, while they are worked out."""

    def __init__(self, explored: Explored, idea: Idea, examples: int) -> None:
        self._explored = explored
        self._idea = idea
        self._examples = examples
        self._held = {page: self._holds(page) for page in explored.reached}
        self._before = self._needed()
        self._kinds = self._kinds_of_pages()
        self._mistaken = explored.mask(number for number, page in explored.page_of.items() if self._mistakes(page))
        self._known: dict[tuple[int, ...], Group] = {}
        self._groups = self._merged(self._by_shape())

    def rows(self) -> list[Row]:
        """The follow rows of all groups, then the keep rows of the types that hold something wanted."""
        types = {page: number for number, group in enumerate(self._groups, 1) for page in group.pages}
        types[self._explored.start] = 0
        follow = {
            Row(types[self._before[page]], number, group.step): None
            for number, group in enumerate(self._groups, 1)
            for page in group.pages
        }
        keep = {
            Row(number, None, Step(concept.pattern.text, concept.scope)): None
            for page, number in sorted(types.items(), key=lambda item: item[1])
            for concept in self._idea.concepts
            if let_in(self._explored, concept, page) & self._held[page]
        }
        return [*follow, *keep]

    def _holds(self, page: int) -> int:
        """The wanted links of a page that some concept looks on."""
        explored, found = self._explored, 0
        number = explored.number[explored.url(page)]
        for concept in self._idea.concepts:
            if explored.matched(concept.pages.text) >> number & 1:
                found |= let_in(explored, concept, page)
        return found & self._idea.wanted

    def _needed(self) -> dict[int, int]:
        """Pages that together hold all that is wanted, those on the way to them, and the page before each.

        Always the next that gives the most for the pages it takes; those already needed take none.
        """
        explored = self._explored
        needed: dict[int, int] = {}

        def liking(page: int) -> int:
            return 2 if page in needed else int(self._held[page] > 0)

        ways = {page: explored.way(page, liking) for page, held in self._held.items() if held}
        missing = self._idea.wanted & ~self._held[explored.start]
        while missing:
            worth = {
                page: gain / sum(step not in needed for step in way[1:])
                for page, way in ways.items()
                if (gain := (self._held[page] & missing).bit_count())
            }
            best = max(worth, key=lambda page: worth[page], default=None)
            if best is None:
                break
            covered = (self._idea.wanted & ~missing).bit_count()
            if worth[best] < _WORTH_IT * covered / (len(needed) + 1):
                missing &= self._examples
                if not self._held[best] & missing:
                    continue
            way = explored.way(best, liking)
            for before, step in pairwise(way):
                needed.setdefault(step, before)
                missing &= ~self._held[step]
        return needed

    def _by_shape(self) -> list[Group]:
        shapes: dict[tuple[object, ...], list[int]] = {}
        for page in self._before:
            holds = bool(self._held[page])
            shapes.setdefault((holds, *Address.parse(self._explored.url(page)).shape), []).append(page)
        groups: list[Group] = []
        for pages in shapes.values():
            together = [pages] if len(pages) > _FEW else [[page] for page in pages]
            groups += [self._group(each) for each in together]
        return groups

    def _merged(self, groups: list[Group]) -> list[Group]:
        """Fewer groups, where one step for two of them is simpler than two and lets in little more."""
        while len(groups) > 1:
            found = []
            for one, other in combinations(groups[:_MOST_GROUPS], 2):
                both = self._group([*one.pages, *other.pages])
                found.append((both.score - one.score - other.score - _ROW_BITS, one, other, both))
            change, one, other, both = min(found, key=lambda item: item[0])
            if change >= 0:
                break
            groups = [both, *(group for group in groups if group not in (one, other))]
        return groups

    def _group(self, pages: list[int]) -> Group:
        """The best step to some pages from those before them."""
        explored, key = self._explored, tuple(sorted(pages))
        if key in self._known:
            return self._known[key]
        links = {(self._before[page], self._name(page)) for page in pages}
        sources = sorted({source for source, _ in links})
        scopes = self._scopes(links, sources)
        best: tuple[float, Step] | None = None
        for pattern in patterns([explored.urls[number] for _, number in sorted(links)]):
            matched = explored.matched(pattern.text)
            for scope, inside in scopes.items():
                bits = pattern.bits + SCOPE_BITS[scope.kind]
                if best is None or bits < best[0]:
                    score = bits + self._cost(matched & inside, len(links))
                    if best is None or score < best[0]:
                        best = score, Step(pattern.text, scope)
        assert best is not None  # no limit at all lets everything through
        self._known[key] = Group(key, best[1], best[0])
        return self._known[key]

    def _name(self, page: int) -> int:
        """The URL by which a page is linked from the one before it."""
        explored, before = self._explored, self._before[page]
        return next(number for number in members(explored.links[before]) if explored.page_of.get(number) == page)

    def _scopes(self, links: Iterable[tuple[int, int]], sources: Iterable[int]) -> Mapping[Scope, int]:
        """Scopes that all of some links are in, with all that is inside of them on the pages they come from."""
        explored = self._explored
        common = frozenset.intersection(*(explored.scopes(source, number) for source, number in links))
        inside = {NO_SCOPE: 0} | dict.fromkeys(sorted(common), 0)
        for scope in inside:
            for source in sources:
                inside[scope] |= explored.scoped(source, scope)
        chosen = nsmallest(_MOST_SCOPES, inside, key=lambda scope: (inside[scope].bit_count(), scope))
        return {scope: inside[scope] for scope in (NO_SCOPE, *chosen)}

    def _kinds_of_pages(self) -> list[tuple[float, int]]:
        """What following a link costs in bits beside what it takes to say so, and the links of which that is true."""
        explored = self._explored
        kinds: dict[float, list[int]] = {_UNSEEN: [], _FOREIGN: [], _USELESS: [], _SPARE: []}
        home = {Address.parse(explored.url(page)).origin for page in (explored.start, *self._before)}
        for number, url in enumerate(explored.urls):
            page = explored.page_of.get(number)
            if page is None or page not in self._held:
                kinds[_UNSEEN if Address.parse(url).origin in home else _FOREIGN].append(number)
            elif page not in self._before:
                kinds[_SPARE if self._held[page] else _USELESS].append(number)
        return [(cost, explored.mask(numbers) & explored.visitable) for cost, numbers in kinds.items()]

    def _mistakes(self, page: int) -> int:
        """How many links would be kept of a page, if rules led there, that are not wanted."""
        found = 0
        for concept in self._idea.concepts:
            found |= let_in(self._explored, concept, page)
        return (found & ~self._idea.wanted).bit_count() if page in self._held else 0

    def _cost(self, followed: int, pages: int) -> float:
        """What following some links costs, beside what it takes to say so."""
        counts = [(cost, (followed & kind).bit_count()) for cost, kind in self._kinds]
        wrong = sum(
            min(self._mistakes(self._explored.page_of[number]), _MOST_MISTAKES)
            for number in members(followed & self._mistaken)
        )
        useless = sum(count for cost, count in counts if cost == _USELESS)
        wasted = sum(cost * count for cost, count in counts) + _MISTAKE * wrong
        return wasted + min(pages, _MOST_COUNTED) * log2(pages + useless)
