"""Candidates for one rule: links that match a pattern inside a scope, and the length of the rule in bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nsmallest
from typing import NamedTuple

from dowse.core.url_patterns import Address, patterns
from dowse.rule_learning.explored_pages import COMMON, Explored, members
from dowse.rule_learning.seen_pages import NO_SCOPE, Scope

# In bits. People mean the links of one part of a page, so a rule for a whole page with its menus is not shorter. An id
# or a class that few pages have is a choice among many, like a word of a URL; so is a mark of single links within a
# list. Menus are rarely meant.
_SCOPE = {"": 1.5, "class": 1.0, "tag": 1.0, "id": 1.5}
_RARE = {"class": 1.0, "tag": 1.0, "id": 3.0}
_MARK = 1.5
_MENU = 2.0
_EACH_FURTHER_CLASS = 0.5
_ALIKE, _CLOSER = 0.5, 0.03
"""Bits of a pattern for links of several pages: so many, and this share of its length. Their URLs should be alike."""
_MOST_SCOPES = 30


class Step(NamedTuple):
    """Links whose URL matches a pattern, inside a scope."""

    pattern: str
    scope: Scope
    bits: float = 0.0


class Row(NamedTuple):
    """A step between page types, as numbers (0 is the base). Without `to_type` its links are kept, or dropped."""

    from_type: int
    to_type: int | None
    step: Step
    drops: bool = False

    @property
    def keeps(self) -> bool:
        return self.to_type is None and not self.drops


class Choice(NamedTuple):
    """A step and the links that it finds on some pages."""

    step: Step
    found: int


def find_steps(
    explored: Explored, links: Sequence[tuple[int, int]], sources: Iterable[int], *, is_list: bool
) -> list[Choice]:
    """Steps that find all of some links, given as page and URL.

    Of the steps that find the same links on the sources, the shortest with a pattern and the shortest without is taken.
    `is_list`: the links are from one list, so a pattern gets no discount.
    """
    sources = list(sources)
    everything = 0
    for source in sources:
        everything |= explored.links[source]
    urls = [explored.urls[number] for number in sorted({number for _, number in links})]
    holders = sorted({page for page, _ in links})
    hosts = {Address.parse(explored.url(source)).origin for source in sources}
    found_by = [
        (pattern, explored.matched(pattern.text, everything))
        for pattern in patterns(urls, any_number=not is_list, any_host=len(hosts) > 1)
    ]
    best: dict[tuple[int, bool], Step] = {}
    for scope, inside in _scopes(explored, links, sources).items():
        around = _scope_bits(explored, scope, holders)
        for pattern, matched in found_by:
            said = pattern.bits if pattern.is_word or is_list else min(pattern.bits, _ALIKE + _CLOSER * pattern.bits)
            key = matched & inside, bool(pattern.text)
            if key not in best or said + around < best[key].bits:
                best[key] = Step(pattern.text, scope, said + around)
    return sorted((Choice(step, found) for (found, _), step in best.items()), key=lambda choice: choice.step.bits)


def find(explored: Explored, page: int, step: Step) -> int:
    """The links of a page that a step finds."""
    return explored.matched(step.pattern, explored.scoped(page, step.scope))


def pages_of(explored: Explored, found: int) -> list[int]:
    """The explored pages that some links lead to."""
    return list(dict.fromkeys(explored.page_of[number] for number in members(found & explored.looked_at)))


def _scopes(explored: Explored, links: Sequence[tuple[int, int]], sources: Sequence[int]) -> dict[Scope, int]:
    """The scopes that all of some links share, with all links inside each, widest first; at most the smallest few."""
    common = frozenset.intersection(*(explored.scopes(source, number) for source, number in links))
    inside = dict.fromkeys((NO_SCOPE, *sorted(common)), 0)
    for scope in inside:
        for source in sources:
            inside[scope] |= explored.scoped(source, scope)
    chosen = nsmallest(_MOST_SCOPES, inside, key=lambda scope: (inside[scope].bit_count(), scope))
    return {scope: inside[scope] for scope in (NO_SCOPE, *reversed(chosen))}


def _scope_bits(explored: Explored, scope: Scope, holders: Sequence[int]) -> float:
    bits = _SCOPE[scope.kind]
    if scope.kind == "class":
        bits += _EACH_FURTHER_CLASS * scope.name.count(" ")
    if scope.kind and explored.frequency(scope) < COMMON:
        bits += _RARE[scope.kind]
    if all(explored.is_menu(page, scope) for page in holders):
        bits += _MENU
    if scope.kind and len(holders) == 1 and not explored.is_list(holders[0], scope):
        bits += _MARK
    return bits
