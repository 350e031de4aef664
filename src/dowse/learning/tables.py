"""Tables from ideas: the best that keeps every example and nothing unlike them, and its rivals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, zip_longest
from math import log2
from typing import NamedTuple

from dowse.core.rules import BASE, Rule
from dowse.learning.ideas import Idea, find_ideas
from dowse.learning.routes import Row, Step, plan_rows
from dowse.learning.seen import Explored, members
from dowse.learning.trials import pruned, reach_of

RIVALS = 3
_CLOSE_BITS = 5.0
"""How much worse an idea may be and still be worth telling: one that is 32 times less likely is not."""
_MOST_IDEAS = 20
_FEW_PAGES = 16
"""Pages whose number hardly matters; above it, twice as many to visit are a bit."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_NOT_A_NAME = frozenset({"http", "https", "html", "htm", "php", "index", "www", "org", "com"})


class Proposal(NamedTuple):
    """A table, the links it keeps of what was explored, and those it follows there."""

    rules: tuple[Rule, ...]
    kept: int
    followed: int
    score: float


def propose(explored: Explored, base_url: str, examples: Sequence[int], unlike: Iterable[int]) -> list[Proposal]:
    """Tables that keep all examples and nothing unlike them, the best first, each keeping something else."""
    needed, refused = explored.mask(examples), explored.mask(unlike)
    tried: set[int] = set()
    found: list[Proposal] = []
    for idea in find_ideas(explored, examples, refused):
        best = min((each.score for each in found), default=idea.score)
        if idea.score > best + _CLOSE_BITS or len(tried) >= _MOST_IDEAS:
            break
        if idea.wanted not in tried:
            tried.add(idea.wanted)
            proposal = _proposal(explored, base_url, idea, needed)
            if proposal.kept & needed == needed and not proposal.kept & refused:
                found.append(proposal)
    different: dict[int, Proposal] = {}
    for proposal in sorted(found, key=lambda each: each.score):
        different.setdefault(proposal.kept, proposal)
    return list(different.values())[: RIVALS + 1]


def _proposal(explored: Explored, base_url: str, idea: Idea, examples: int) -> Proposal:
    rows = pruned(explored, plan_rows(explored, idea, examples), idea.wanted)
    reach = reach_of(explored, rows)
    pages = (reach.followed & explored.visitable).bit_count()
    cost = log2(1 + pages / _FEW_PAGES)
    # Pages that nobody has looked at will hold as much as the others.
    kept = max(reach.kept.bit_count(), 1) * max(pages, 1) / max(reach.pages - 1, 1)
    growth = examples.bit_count() * max(log2(kept / idea.wanted.bit_count()), 0.0) if pages >= reach.pages else 0.0
    return Proposal(_rules(base_url, rows), reach.kept, reach.followed, idea.score + cost + growth)


def unexplored(
    explored: Explored, proposals: Sequence[Proposal], may_try: Callable[[str], bool], limit: int
) -> list[str]:
    """Pages that the tables would visit and nobody has looked at, some of each in turn and from all over its list."""
    lists = []
    for proposal in proposals:
        unknown = [number for number in members(proposal.followed & explored.visitable)
                   if number not in explored.page_of and may_try(explored.urls[number])]  # fmt: skip
        step = max(1, len(unknown) * len(proposals) // max(limit, 1))
        lists.append(unknown[::step])
    turns = (number for turn in zip_longest(*lists) for number in turn if number is not None)
    return [explored.urls[number] for number in islice(dict.fromkeys(turns), limit)]


def _rules(base_url: str, rows: Sequence[Row]) -> tuple[Rule, ...]:
    """The rows as rules, in the order in which a crawl comes to them."""
    names = _type_names(rows)
    order = {number: place for place, number in enumerate(names)}
    placed = sorted(rows, key=lambda row: (order[row.from_type], row.to_type is not None))
    rules = []
    for number, row in enumerate(placed, 1):
        scope = row.step.scope
        rules.append(
            Rule(
                base_url=base_url,
                rule_type="keep" if row.to_type is None else "follow",
                from_type=names[row.from_type],
                to_type="" if row.to_type is None else names[row.to_type],
                pattern=row.step.pattern,
                id=scope.name if scope.kind == "id" else "",
                class_=scope.name if scope.kind == "class" else "",
                tag=scope.name if scope.kind == "tag" else "",
                row=number,
            )
        )
    return tuple(rules)


def _type_names(rows: Sequence[Row]) -> Mapping[int, str]:
    """A name for each page type, nearest first: the last word of the pattern that leads there."""
    names = {0: BASE}
    waiting = [0]
    while waiting:
        from_type = waiting.pop(0)
        for row in rows:
            if row.from_type == from_type and row.to_type is not None and row.to_type not in names:
                names[row.to_type] = _new_name(row.step, set(names.values()))
                waiting.append(row.to_type)
    return names


def _new_name(step: Step, taken: set[str]) -> str:
    words = [word for word in _WORD.findall(step.pattern.partition("/")[2]) if word.lower() not in _NOT_A_NAME]
    name = words[-1] if words else "page"
    number = 2
    chosen = name
    while chosen in taken:
        chosen, number = f"{name}{number}", number + 1
    return chosen
