"""From paths to rows: page types along the paths, a step to each type, and one step that keeps the examples.

Pages at the same distance from the start become one page type. A listing with "next" links is a type that leads to
itself. Steps are chosen from the start on, so each is tried on the pages that the steps before it really lead to.

The score of a plan is in bits, and fewer are better. It adds up
    the length of its rules
    for each example, the choice among all links that are kept
    the pages that are visited for nothing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from math import log2
from typing import NamedTuple

from dowse.core.url_patterns import Address, tightest
from dowse.rule_learning.explored_pages import Explored
from dowse.rule_learning.paths import Paths, find_paths
from dowse.rule_learning.rule_candidates import Choice, Row, Step, find, find_steps, pages_of

_ROW_BITS = 6.0
KEPT_TWICE = 2.0
"""Bits to keep links of one more page type."""
_AMONG = 0.5
"""Bits if half of the links of the pages are kept: a page that lists little else is meant, rather than an index."""
POINTING = 1.5
"""Weight of the choice of an example, against the length of the rules. There are few examples, so each counts much."""
_WASTED = 3.0
"""Bits if half of the pages are visited for nothing."""
_FOREIGN = 1.5
"""Bits for the first link to a host without any page that is needed; each further one adds less."""
_FEW_PAGES = 4
"""Up to so many pages their number hardly matters. Above that, twice as many pages are one bit."""
_IDLE = 2.0
"""Bits if a step finds links on only half of the pages of its type."""
_BEAM, _LARGE = 8, 100
"""Width of the beam search. Where a type has many pages it is a quarter of that, because each draft takes long."""
_MOST_KEPT, _MOST_LOOPS = 16, 16
_AS_MANY = 0.5
"""If this share of the pages of a type on the path has links like the examples, these are kept too."""


class Plan(NamedTuple):
    """Rows and their score on the explored pages."""

    score: float
    rows: tuple[Row, ...]


class _Type(NamedTuple):
    """A page type: the links (page, URL) that lead to its pages, and the types of the pages with these links."""

    links: tuple[tuple[int, int], ...]
    sources: tuple[int, ...]


class _Draft(NamedTuple):
    """The steps chosen so far, one for each type from 1 on, with the links and the explored pages of each."""

    score: float
    steps: tuple[Step, ...]
    followed: tuple[int, ...]
    pages: tuple[tuple[int, ...], ...]


def find_plans(explored: Explored, examples: Sequence[int]) -> list[Plan]:
    """Plans that keep all of some examples, the best first."""
    found: dict[tuple[Row, ...], float] = {}
    for paths in find_paths(explored, examples):
        for levels in _groupings(paths):
            for plan in _Planner(explored, examples, paths, levels).plans():
                found[plan.rows] = min(plan.score, found.get(plan.rows, plan.score))
    return sorted((Plan(score, rows) for rows, score in found.items()), key=lambda plan: plan.score)


def joined(plans: Sequence[Plan], bits: float) -> Plan:
    """Several plans as one, with shared rows only once. `bits` are added to the score."""
    rows: dict[Row, None] = {}
    names: dict[tuple[int, Step], int] = {}
    score = bits
    for plan in plans:
        score += plan.score
        own = {0: 0}
        for row in plan.rows:
            from_type = own[row.from_type]
            to_type = row.to_type
            if to_type is not None:
                to_type = own.setdefault(to_type, names.setdefault((from_type, row.step), len(names) + 1))
            new = Row(from_type, to_type, row.step)
            if new in rows:
                score -= row.step.bits + _ROW_BITS
            rows[new] = None
    return Plan(score, tuple(rows))


def _groupings(paths: Paths) -> Iterator[dict[int, int]]:
    """The type of each page: a type for each level, or one type for all levels from some level on."""
    levels = {page: paths.level(page) for page in {*paths.holders, *paths.before, *paths.before.values()}}
    deepest = max(levels.values())
    yield levels
    for last in range(1, deepest):
        yield {page: min(level, last) for page, level in levels.items()}


class _Planner:
    """Looks for the best steps along some paths whose pages are grouped into types."""

    def __init__(self, explored: Explored, examples: Sequence[int], paths: Paths, types: dict[int, int]) -> None:
        self._explored = explored
        self._examples = examples
        self._paths = paths
        self._of = types
        self._types = [self._type(number) for number in range(1, max(types.values()) + 1)]
        self._foreign = explored.unknown_beyond({Address.parse(explored.url(page)).origin for page in types})
        self._like = tightest([explored.urls[number] for number in examples])

    def plans(self) -> list[Plan]:
        drafts = [_Draft(0.0, (), (), ((self._explored.start,),))]
        for number, each in enumerate(self._types, 1):
            grown = [draft for before in drafts for draft in self._grown(before, number, each)]
            is_large = any(len(draft.pages[-1]) > _LARGE for draft in drafts)
            drafts = nsmallest(_BEAM // 4 if is_large else _BEAM, grown, key=lambda draft: draft.score)
        return [plan for draft in drafts for plan in self._finished(draft)]

    def _type(self, number: int) -> _Type:
        before, explored = self._paths.before, self._explored
        links = {(source, explored.name(source, page)) for page, source in before.items() if self._of[page] == number}
        return _Type(tuple(sorted(links)), tuple(sorted({self._of[source] for source, _ in links})))

    def _grown(self, draft: _Draft, number: int, each: _Type) -> Iterator[_Draft]:
        """A draft with one step more."""
        explored = self._explored
        known = {page for kind in each.sources if kind < number for page in draft.pages[kind]}
        sources = known | {source for source, _ in each.links}
        # A step that also goes on from where it leads to is chosen as if all were one list.
        is_list = len(each.sources) > 1 or self._is_single(each.sources)
        choices = find_steps(explored, each.links, sorted(sources), is_list=is_list)
        if number in each.sources:
            choices = nsmallest(
                _MOST_LOOPS, choices, key=lambda choice: choice.step.bits + log2(choice.found.bit_count())
            )
        for step, found in choices:
            followed, pages = found & explored.visitable, pages_of(explored, found)
            if number in each.sources:
                followed, pages = self._onwards(step, sorted(known))
            targets = min(len(each.links), len(self._examples))
            looseness = targets * log2(max(followed.bit_count() / targets, 1.0))
            using = sum(bool(explored.links[source] & found) for source in sources)
            said = step.bits + _IDLE * log2(len(sources) / using)
            yield _Draft(
                draft.score + said + looseness,
                (*draft.steps, step._replace(bits=said)),
                (*draft.followed, followed),
                (*draft.pages, tuple(pages)),
            )

    def _is_single(self, types: Sequence[int]) -> bool:
        """Whether the paths have only one page of these types."""
        return sum(number in types for number in self._of.values()) == 1

    def _onwards(self, step: Step, begun: Sequence[int]) -> tuple[int, list[int]]:
        """The links and pages of a step that is repeated on the pages it leads to."""
        explored = self._explored
        waiting, seen = list(begun), set(begun)
        reached: dict[int, None] = {}
        followed = 0
        while waiting:
            found = find(explored, waiting.pop(), step) & explored.visitable & ~followed
            followed |= found
            for page in pages_of(explored, found):
                reached[page] = None
                if page not in seen:
                    seen.add(page)
                    waiting.append(page)
        return followed, list(reached)

    def _finished(self, draft: _Draft) -> list[Plan]:
        """The draft completed by each likely step that keeps the examples."""
        holding = sorted({self._of[page] for page in self._paths.holders})
        links = sorted(set(zip(self._paths.holders, self._examples, strict=True)))
        sources = sorted({page for number in holding for page in draft.pages[number]} | {page for page, _ in links})
        choices = find_steps(self._explored, links, sources, is_list=self._is_single(holding))
        pointing = POINTING * len(self._examples)
        likely = nsmallest(
            _MOST_KEPT, choices, key=lambda choice: choice.step.bits + pointing * log2(choice.found.bit_count())
        )
        return [self._plan(draft, choice) for choice in likely]

    def _visiting(self, draft: _Draft, keep: Step) -> tuple[float, float]:
        """The bits for the pages to visit, and the ratio of these pages to the explored ones."""
        followed = 0
        for links in draft.followed:
            followed |= links
        pages = followed.bit_count()
        explored = len({page for kind in draft.pages[1:] for page in kind})
        useless = min(self._useless(draft, keep), explored)
        wasted = _WASTED * log2((explored + 1) / (explored + 1 - useless))
        wasted += _FOREIGN * log2(1 + (followed & self._foreign).bit_count())
        # Pages that nobody has looked at will be like the others.
        return wasted + log2(1 + pages / _FEW_PAGES), max(pages / explored, 1.0) if explored else 1.0

    def _plan(self, draft: _Draft, choice: Choice) -> Plan:
        explored, step, kept = self._explored, choice.step, choice.found
        visiting = self._visiting(draft, step)
        holding = {self._of[page] for page in self._paths.holders}
        for number, pages in enumerate(draft.pages):
            if number not in holding and self._holds_alike(draft, number, step):
                holding.add(number)
                for page in pages:
                    kept |= find(explored, page, step)
        follow = [
            Row(source, number, each)
            for number, (kind, each) in enumerate(zip(self._types, draft.steps, strict=True), 1)
            for source in kind.sources
        ]
        rows = (*follow, *(Row(number, None, step) for number in sorted(holding)))
        said = sum(each.bits for each in draft.steps) + step.bits + _ROW_BITS * len(follow)
        said += KEPT_TWICE * (len(holding) - 1)
        said += _AMONG * log2(self._links(draft, holding).bit_count() / kept.bit_count())
        expected = kept.bit_count() * (visiting[1] if max(holding) else 1.0)
        return Plan(said + POINTING * len(self._examples) * log2(expected) + visiting[0], rows)

    def _links(self, draft: _Draft, types: Iterable[int]) -> int:
        """All links of the pages of some types."""
        found = 0
        for number in types:
            for page in draft.pages[number]:
                found |= self._explored.links[page]
        return found

    def _useless(self, draft: _Draft, keep: Step) -> int:
        """The number of pages that have no link like the examples and lead to no page with one."""
        explored, useless, further = self._explored, 0, 0
        for number in range(len(draft.steps), 0, -1):
            for page in draft.pages[number]:
                alike = explored.matched(self._like, find(explored, page, keep))
                useless += not alike and not explored.links[page] & further
            further |= draft.followed[number - 1]
        return useless

    def _holds_alike(self, draft: _Draft, number: int, keep: Step) -> bool:
        """Whether the pages of a type on the path have links like the examples, so that these are wanted too.

        The start page links to a bit of everything. So most of the links that the step finds there must be like them.
        A link to the next page on the path is there because of what that page lists.
        """
        explored, holding = self._explored, 0
        onwards = draft.followed[number] if number < len(draft.followed) else 0
        for page in draft.pages[number]:
            found, links = find(explored, page, keep), explored.links[page]
            alike = explored.matched(self._like, found & ~onwards).bit_count()
            if explored.matched(self._like, links).bit_count() < _AS_MANY * links.bit_count():  # or it says nothing
                holding += alike > 0 if number else alike >= max(_AS_MANY * found.bit_count(), 1)
        return holding >= _AS_MANY * max(len(draft.pages[number]), 1)
