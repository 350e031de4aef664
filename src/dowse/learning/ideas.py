"""Ideas of what is wanted: a pattern, a scope and the pages to look on, held against the examples.

An idea is scored in bits, fewer are better: what it takes to say it, and for each example what it takes to point it out
among all the links that the idea lets in. So a limit that is said in three bits is worth it when three examples all
obey it and half of the other links do not; one that few links break is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import product
from math import log2
from typing import NamedTuple

from dowse.learning.seen import NO_SCOPE, Explored, Scope, members
from dowse.learning.shapes import EVERYTHING, Address, Pattern, patterns

SCOPE_BITS = {"": 0.0, "id": 4.0, "class": 4.0, "tag": 3.5}
_PAGES_BITS = 2.0
_ROW_BITS = 8.0
_UNLIKE_BITS = 10.0

_MOST_SCOPES = 30
_MOST_CONCEPTS = 60
_MOST_GROUPS = 4
_EACH_GROUP = 4


class Concept(NamedTuple):
    """Links that match a pattern, inside a scope, on pages whose URL matches another pattern."""

    pattern: Pattern
    scope: Scope
    pages: Pattern

    @property
    def bits(self) -> float:
        on_pages = self.pages.bits + _PAGES_BITS if self.pages.text else 0.0
        return self.pattern.bits + SCOPE_BITS[self.scope.kind] + on_pages


class Idea(NamedTuple):
    """Some concepts, one for each kind of example; `wanted` are the links of explored pages that they let in."""

    score: float
    concepts: tuple[Concept, ...]
    wanted: int


def find_ideas(explored: Explored, examples: Sequence[int], unlike: int) -> list[Idea]:
    """Ideas that let all examples in, the best first; letting in an `unlike` is a drawback."""
    whole = _concepts(explored, examples, unlike)
    ideas = [_idea((concept,), wanted, len(examples), unlike) for concept, wanted in whole]
    groups = _groups(explored, examples)
    if 1 < len(groups) <= _MOST_GROUPS:
        apart = [_concepts(explored, group, unlike)[:_EACH_GROUP] for group in groups]
        for choice in product(*apart):
            wanted = 0
            for _concept, each in choice:
                wanted |= each
            ideas.append(_idea(tuple(concept for concept, _ in choice), wanted, len(examples), unlike))
    return sorted(ideas, key=lambda idea: idea.score)


def holders(explored: Explored, number: int) -> list[int]:
    """The pages that link to a URL, nearest to the start first."""
    return [page for page in explored.reached if explored.links[page] >> number & 1]


def on_pages(explored: Explored, pages: Pattern) -> list[int]:
    """The explored pages whose URL matches a pattern."""
    right = explored.matched(pages.text)
    return [page for page in explored.reached if right >> explored.number[explored.url(page)] & 1]


def let_in(explored: Explored, concept: Concept, page: int) -> int:
    """The links of a page that a concept lets in, if it looks there."""
    return explored.scoped(page, concept.scope) & explored.matched(concept.pattern.text)


def _idea(concepts: tuple[Concept, ...], wanted: int, examples: int, unlike: int) -> Idea:
    bits = sum(concept.bits for concept in concepts) + _ROW_BITS * (len(concepts) - 1)
    refused = _UNLIKE_BITS * (wanted & unlike).bit_count()
    return Idea(bits + examples * log2(wanted.bit_count()) + refused, concepts, wanted & ~unlike)


def _concepts(explored: Explored, examples: Sequence[int], unlike: int) -> list[tuple[Concept, int]]:
    """The best concepts that let all of some examples in, with what they let in."""
    needed = explored.mask(examples)
    urls = [explored.urls[number] for number in examples]
    masks = [(pattern, explored.matched(pattern.text)) for pattern in patterns(urls)]
    scopes = _common_scopes(explored, examples)
    found: list[tuple[float, int, Concept, int]] = []
    tried: set[tuple[int, ...]] = set()
    for pages in sorted(_page_patterns(explored, examples), key=lambda pages: pages.bits):
        places = on_pages(explored, pages)
        if tuple(places) in tried:
            continue
        tried.add(tuple(places))
        for inside, scope in _insides(explored, places, scopes).items():
            if inside & needed != needed:
                continue
            for pattern, mask in masks:
                concept, wanted = Concept(pattern, scope, pages), mask & inside
                score = _idea((concept,), wanted, len(examples), unlike).score
                found.append((score, len(found), concept, wanted))
    return [(concept, wanted) for _, _, concept, wanted in nsmallest(_MOST_CONCEPTS, found)]


def _insides(explored: Explored, places: Sequence[int], scopes: Sequence[Scope]) -> dict[int, Scope]:
    """What is inside of scopes on some pages; of scopes with the same inside the one that is soonest said."""
    found: dict[int, Scope] = {}
    for scope in sorted(scopes, key=lambda scope: SCOPE_BITS[scope.kind]):
        inside = 0
        for page in places:
            inside |= explored.scoped(page, scope)
        found.setdefault(inside, scope)
    return found


def _common_scopes(explored: Explored, examples: Sequence[int]) -> list[Scope]:
    """Scopes in which every example is linked somewhere; of many the smallest."""
    common: frozenset[Scope] | None = None
    for number in examples:
        found: frozenset[Scope] = frozenset()
        for page in holders(explored, number):
            found |= explored.scopes(page, number)
        common = found if common is None else common & found
    sizes = {
        scope: sum(explored.scoped(page, scope).bit_count() for page in explored.reached) for scope in common or ()
    }
    return [NO_SCOPE, *sorted(sizes, key=lambda scope: (sizes[scope], scope))[:_MOST_SCOPES]]


def _page_patterns(explored: Explored, examples: Sequence[int]) -> list[Pattern]:
    """Patterns of pages to look on: like those nearest to the examples by their words, or like the fewest of them."""
    nearest = {_nearest(explored, number) for number in examples}
    found = {EVERYTHING.text: EVERYTHING}
    for pages in (sorted(nearest), fewest(explored, examples)):
        for pattern in patterns([explored.url(page) for page in pages]):
            found.setdefault(pattern.text, pattern)
    return list(found.values())


def _nearest(explored: Explored, number: int) -> int:
    words = set(Address.parse(explored.urls[number]).segments)

    def likeness(page: int) -> tuple[int, int]:
        shared = words & set(Address.parse(explored.url(page)).segments)
        return len(shared), -explored.links[page].bit_count()

    return max(holders(explored, number), key=likeness)


def fewest(explored: Explored, examples: Iterable[int]) -> list[int]:
    """The fewest pages that link to all examples, or nearly so: always the one with the most that are missing."""
    missing = explored.mask(examples)
    chosen = []
    while missing:
        best = max(explored.reached, key=lambda page: (explored.links[page] & missing).bit_count())
        missing &= ~explored.links[best]
        chosen.append(best)
    return chosen


def _groups(explored: Explored, examples: Sequence[int]) -> list[list[int]]:
    shapes: dict[tuple[object, ...], list[int]] = {}
    for number in examples:
        shapes.setdefault(Address.parse(explored.urls[number]).shape, []).append(number)
    return list(shapes.values())


def difference(explored: Explored, one: Idea, other: Idea) -> Iterator[str]:
    """The URLs that one of two ideas lets in and the other does not."""
    return (explored.urls[number] for number in members(one.wanted ^ other.wanted))
