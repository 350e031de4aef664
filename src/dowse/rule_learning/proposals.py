"""The best table that keeps every example and no link that is not wanted, and its rivals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product, zip_longest
from math import inf, log2
from typing import NamedTuple

from dowse.core.url_patterns import Address, tightest
from dowse.modes.rules.rule_table import BASE, Rule
from dowse.rule_learning.evaluation import extended, mixture, reach_of
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.numbered_pages import with_further_pages
from dowse.rule_learning.plans import KEPT_TWICE, POINTING, Plan, find_plans, joined
from dowse.rule_learning.pruning import with_beginning, without_contents, without_lists, without_refused
from dowse.rule_learning.rule_candidates import Row, Step
from dowse.rule_learning.shortening import fewer_types, shortened, single_pages

RIVALS = 3
_CLOSE_BITS = 12.0
"""The most bits by which a rival may be worse than the best plan."""
_MOST_TRIED, _MOST_FOUND = 60, 60
_FURTHER = 1.0
"""Bits saved by a table that finds further pages with links like the examples."""
_DROP, _PREFIX, _REFUSED = 0.5, 2.5, 8.0
"""Bits to leave out a few links of known kinds, those without the beginning of the examples, and unwanted ones."""
_NEARLY_ALL = 0.9
_SAME = 0.9
"""Tables that share this part of the links they keep are hardly rivals."""
_ALONE = 8.0
"""Bits of rows for a single example: they say no more than the example itself."""
_MOST_KINDS = 4
_EACH_KIND = 3
_WORD = re.compile(r"[^\W\d_]{3,}")
_NOT_A_NAME = frozenset({"http", "https", "html", "htm", "php", "index", "www", "org", "com"})


class Proposal(NamedTuple):
    """A table, and the links of the explored pages that it keeps and follows."""

    rows: tuple[Row, ...]
    kept: int
    followed: int
    score: float
    goes_on: bool
    rules: tuple[Rule, ...] = ()

    @property
    def length(self) -> tuple[bool, int, int, float]:
        """Shorter ways come first: by rows, then by pages, then by what is said. A list that goes on is followed."""
        return not self.goes_on, len(self.rows), self.followed.bit_count(), self.score


def propose(explored: Explored, base_url: str, examples: Sequence[int], unlike: Iterable[int]) -> list[Proposal]:
    """Tables that keep all examples and no link in `unlike`, the best first. No two keep the same links."""
    needed, refused = explored.mask(examples), explored.mask(unlike)
    found: dict[int, Proposal] = {}
    like = tightest([explored.urls[number] for number in examples])
    best = inf
    for plan in islice(_plans(explored, examples), _MOST_TRIED):
        if plan.score > best + _CLOSE_BITS or len(found) >= _MOST_FOUND:
            break
        for rows, bits, goes_on in _variants(explored, shortened(explored, plan.rows), needed, refused, like):
            reach = reach_of(explored, rows)
            if reach.kept & needed != needed or reach.kept & refused:
                continue
            score = plan.score + bits + mixture(explored, rows, reach, needed, like)
            best = min(best, score)
            known = found.get(reach.kept)
            is_open = goes_on and bool(reach.followed & explored.visitable & ~explored.looked_at)
            new = Proposal(tuple(rows), reach.kept, reach.followed, score, is_open)
            if known is None:
                found[reach.kept] = new
            elif new.length < known.length:
                found[reach.kept] = new._replace(score=min(score, known.score))
    chosen = sorted(found.values(), key=lambda proposal: proposal.score)
    return [_finished(explored, base_url, proposal) for proposal in chosen if proposal.score <= best + _CLOSE_BITS]


def _variants(
    explored: Explored, rows: Sequence[Row], needed: int, refused: int, like: str
) -> Iterator[tuple[Sequence[Row], float, bool]]:
    """Rows and others that hardly differ, each with the bits it takes more, and whether it follows a numbered list."""
    tables = [(rows, 0.0, False)]
    tables += [(each, -KEPT_TWICE, False) for each in fewer_types(explored, rows, needed)]
    tables += [(each, said, False) for old, said, _ in list(tables) for each in single_pages(explored, old, needed)]
    if len(further := extended(explored, rows, like)) > len(rows):
        growth = reach_of(explored, further).kept.bit_count() / reach_of(explored, rows).kept.bit_count()
        tables.append((further, POINTING * needed.bit_count() * log2(growth) - _FURTHER, False))
    if len(further := with_further_pages(explored, rows, needed)) > len(rows):
        tables.append((further, -_FURTHER, True))
    # What these leave out is little, and so it explains nothing: only their own bits count.
    tables += [
        (begun, said + (_DROP if share >= _NEARLY_ALL else _PREFIX), goes_on)
        for old, said, goes_on in list(tables)
        for begun, share in with_beginning(explored, old, needed)
    ]
    for change in (without_contents, without_lists):
        for old, said, goes_on in list(tables):
            if (new := change(explored, old, needed)) is not old:
                tables.append((new, said + _DROP, goes_on))
    for table in tables:
        yield table
        if kept := reach_of(explored, table[0]).kept & refused:
            for new in without_refused(explored, table[0], needed, kept):
                yield new, table[1] + _REFUSED, table[2]


def different(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The best table and its rivals. Rivals that keep really different links go before the others."""
    chosen: list[Proposal] = []
    for proposal in proposals:
        if all((proposal.kept & each.kept).bit_count() < _SAME * (proposal.kept | each.kept).bit_count()
               for each in chosen):  # fmt: skip
            chosen.append(proposal)
    others = [proposal for proposal in proposals if proposal not in chosen]
    return sorted([*chosen, *others][: RIVALS + 1], key=proposals.index)


def _plans(explored: Explored, examples: Sequence[int]) -> list[Plan]:
    """Plans for all examples at once, and plans with rows of their own for each kind of examples."""
    found = find_plans(explored, examples)
    kinds: dict[object, list[int]] = {}
    for number in examples:
        kinds.setdefault(Address.parse(explored.urls[number]).shape[1:], []).append(number)
    if 1 < len(kinds) <= _MOST_KINDS:
        apart = [find_plans(explored, kind)[:_EACH_KIND] for kind in kinds.values()]
        alone = sum(len(kind) == 1 for kind in kinds.values())
        told_apart = POINTING * len(examples) * log2(len(kinds)) + _ALONE * alone
        found += [joined(plans, told_apart) for plans in product(*apart)]
    return sorted(found, key=lambda plan: plan.score)


def unexplored(
    explored: Explored, proposals: Sequence[Proposal], may_try: Callable[[str], bool], limit: int
) -> list[str]:
    """Unexplored pages that the tables would visit: the tables take turns, and each gives pages from all its list."""
    lists = []
    proposals = different(proposals)
    for proposal in proposals:
        unknown = [number for number in members(proposal.followed & explored.visitable)
                   if number not in explored.page_of and may_try(explored.urls[number])]  # fmt: skip
        step = max(1, len(unknown) * len(proposals) // max(limit, 1))
        lists.append(unknown[::step])
    turns = (number for turn in zip_longest(*lists) for number in turn if number is not None)
    return [explored.urls[number] for number in islice(dict.fromkeys(turns), limit)]


def _finished(explored: Explored, base_url: str, proposal: Proposal) -> Proposal:
    """A proposal with the rules that are written down for it."""
    rows = shortened(explored, proposal.rows) if any(row.drops for row in proposal.rows) else proposal.rows
    reach = reach_of(explored, rows)
    return proposal._replace(rows=tuple(rows), followed=reach.followed, rules=_rules(base_url, rows))


def _rules(base_url: str, rows: Sequence[Row]) -> tuple[Rule, ...]:
    """The rows as rules, in the order in which a crawl comes to them."""
    names = _type_names(rows)
    order = {number: place for place, number in enumerate(names)}
    placed = sorted(rows, key=lambda row: (order[row.from_type], row.to_type is not None, row.drops))
    rules = []
    for number, row in enumerate(placed, 1):
        scope = row.step.scope
        rules.append(
            Rule(
                base_url=base_url,
                rule_type="drop" if row.drops else "keep" if row.to_type is None else "follow",
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
