"""From ways to rows: page types along the ways, a step to each, and one step that keeps the examples.

Pages that are as far from the start become a page type; a listing of many pages, each linked from the one before, is a
type that leads to itself. Steps are chosen from the start on, so that each is held against the pages that those before
it really lead to. A plan is scored in bits, fewer are better: what it takes to say it, for each example what it takes
to point it out among all that is kept, and what is visited for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from math import log2
from typing import NamedTuple

from dowse.core.url_patterns import Address, tightest
from dowse.rule_learning.explored_pages import Explored
from dowse.rule_learning.paths import Ways, find_ways
from dowse.rule_learning.rule_candidates import Choice, Row, Step, find, find_steps, pages_of

_ROW_BITS = 6.0
POINTING = 1.5
"""What pointing out an example counts, beside what it takes to say a rule: few examples have to say much."""
_WASTED = 3.0
"""What it counts that half of the pages are visited for nothing."""
_FOREIGN = 1.5
"""What a link counts that leads to a host that nothing needed is on; more of them count less and less."""
_FEW_PAGES = 16
"""Pages whose number hardly matters; above it, twice as many to visit are a bit."""
_IDLE = 2.0
"""A step from pages of a type is made for all of them; what it counts that it finds something on half of them only."""
_BEAM, _LARGE = 8, 100
"""Drafts that are gone on with; a quarter of them where a type has many pages, for that takes long."""
_MOST_KEPT, _MOST_LOOPS = 16, 16
_AS_MANY = 0.5
"""If this part of the pages on the way holds links just like the examples, they are kept from there as well."""


class Plan(NamedTuple):
    """Rows, and what they come to on the explored pages."""

    score: float
    rows: tuple[Row, ...]


class _Type(NamedTuple):
    """Pages of the ways that one step leads to, with the pages and URLs they are linked by and the types of those."""

    links: tuple[tuple[int, int], ...]
    sources: tuple[int, ...]


class _Draft(NamedTuple):
    """Steps chosen so far, for the types from 1 on, with the links each follows and the explored pages of each."""

    score: float
    steps: tuple[Step, ...]
    followed: tuple[int, ...]
    pages: tuple[tuple[int, ...], ...]


def find_plans(explored: Explored, examples: Sequence[int]) -> list[Plan]:
    """Plans that keep all of some examples, the best first."""
    found: dict[tuple[Row, ...], float] = {}
    for ways in find_ways(explored, examples):
        for levels in _groupings(ways):
            for plan in _Planner(explored, examples, ways, levels).plans():
                found[plan.rows] = min(plan.score, found.get(plan.rows, plan.score))
    return sorted((Plan(score, rows) for rows, score in found.items()), key=lambda plan: plan.score)


def joined(plans: Sequence[Plan], bits: float) -> Plan:
    """One plan that does what several do, with the rows that they share once; `bits` are what it takes besides."""
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


def _groupings(ways: Ways) -> Iterator[dict[int, int]]:
    """The type of each page: one a level; and from some level on, all that follows together."""
    levels = {page: ways.level(page) for page in {*ways.holders, *ways.before, *ways.before.values()}}
    deepest = max(levels.values())
    yield levels
    for last in range(1, deepest):
        yield {page: min(level, last) for page, level in levels.items()}


class _Planner:
    """Looks for the best steps between the pages of some ways, grouped into types."""

    def __init__(self, explored: Explored, examples: Sequence[int], ways: Ways, types: dict[int, int]) -> None:
        self._explored = explored
        self._examples = examples
        self._ways = ways
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
        before, explored = self._ways.before, self._explored
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
        """Whether only one page of the ways is of some types."""
        return sum(number in types for number in self._of.values()) == 1

    def _onwards(self, step: Step, begun: Sequence[int]) -> tuple[int, list[int]]:
        """What a step follows that goes on from the pages it leads to."""
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
        """A draft with the step that keeps the examples, in some ways."""
        holding = sorted({self._of[page] for page in self._ways.holders})
        links = sorted(set(zip(self._ways.holders, self._examples, strict=True)))
        sources = sorted({page for number in holding for page in draft.pages[number]} | {page for page, _ in links})
        choices = find_steps(self._explored, links, sources, is_list=self._is_single(holding))
        pointing = POINTING * len(self._examples)
        likely = nsmallest(
            _MOST_KEPT, choices, key=lambda choice: choice.step.bits + pointing * log2(choice.found.bit_count())
        )
        return [self._plan(draft, choice) for choice in likely]

    def _visiting(self, draft: _Draft, keep: Step) -> tuple[float, float]:
        """What visiting the pages counts; and how many more there are than those that were explored."""
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
        holding = {self._of[page] for page in self._ways.holders}
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
        expected = kept.bit_count() * (visiting[1] if max(holding) else 1.0)
        return Plan(said + POINTING * len(self._examples) * log2(expected) + visiting[0], rows)

    def _useless(self, draft: _Draft, keep: Step) -> int:
        """How many pages are visited that hold nothing like the examples and lead to no such page."""
        explored, useless, further = self._explored, 0, 0
        for number in range(len(draft.steps), 0, -1):
            for page in draft.pages[number]:
                alike = explored.matched(self._like, find(explored, page, keep))
                useless += not alike and not explored.links[page] & further
            further |= draft.followed[number - 1]
        return useless

    def _holds_alike(self, draft: _Draft, number: int, keep: Step) -> bool:
        """Whether pages on the way hold links just like the examples: what is wanted is wanted there as well.

        The start is a page of its own kind and has some of everything, so its links have to be like them for the most.
        """
        explored, holding = self._explored, 0
        for page in draft.pages[number]:
            found, links = find(explored, page, keep), explored.links[page]
            alike = explored.matched(self._like, found).bit_count()
            if explored.matched(self._like, links).bit_count() < _AS_MANY * links.bit_count():  # or it says nothing
                holding += alike > 0 if number else alike >= max(_AS_MANY * found.bit_count(), 1)
        return holding >= _AS_MANY * max(len(draft.pages[number]), 1)
