"""Shorter ways: no page is visited that leads to nothing, and no limit is said that changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dowse.core.url_names import ending_of
from dowse.rule_learning.evaluation import Reach, reach_of
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.rule_candidates import Row, Step, find
from dowse.rule_learning.seen_pages import NO_SCOPE

_NEARLY_ALL = 0.9
_FEW = 12
"""Pages that a row leads to, of which each is tried as the only one."""


def shortened(explored: Explored, rows: Sequence[Row]) -> Sequence[Row]:
    """Rows that keep the same links as some others, and visit fewer pages if they can."""
    reach = reach_of(explored, rows)
    for place, row in enumerate(rows):
        if row.to_type is None or _is_circle(rows, row.to_type):
            continue
        for step in _closer(explored, row, reach):
            other = [*rows[:place], row._replace(step=step), *rows[place + 1 :]]
            found = reach_of(explored, other)
            if found.kept == reach.kept and found.followed.bit_count() < reach.followed.bit_count():
                rows, reach = other, found
                break
    return _without_needless(explored, rows, reach)


def _is_circle(rows: Sequence[Row], kind: int) -> bool:
    """Whether pages of a type lead to each other, so that any one of them leads to all."""
    return any(row.from_type == row.to_type == kind for row in rows)


def single_pages(explored: Explored, rows: Sequence[Row], examples: int) -> Iterator[Sequence[Row]]:
    """Rows that lead to only one page where some others lead to several, if that loses next to nothing."""
    reach = reach_of(explored, rows)
    for place, row in enumerate(rows):
        if row.to_type is None or _is_circle(rows, row.to_type):
            continue
        for step in _closer(explored, row, reach):
            other = [*rows[:place], row._replace(step=step), *rows[place + 1 :]]
            kept = reach_of(explored, other).kept
            if kept & examples == examples and kept.bit_count() >= _NEARLY_ALL * reach.kept.bit_count():
                yield other


def fewer_types(explored: Explored, rows: Sequence[Row], examples: int) -> Iterator[Sequence[Row]]:
    """Rows that keep links of one page type less, if that loses next to nothing."""
    keeping = [place for place, row in enumerate(rows) if row.keeps]
    many = reach_of(explored, rows).kept.bit_count()
    for place in keeping if len(keeping) > 1 else ():
        other = [*rows[:place], *rows[place + 1 :]]
        kept = reach_of(explored, other).kept
        if kept & examples == examples and kept.bit_count() >= _NEARLY_ALL * many:
            yield other


def _closer(explored: Explored, row: Row, reach: Reach) -> Iterator[Step]:
    """Steps to only one of the pages that a row leads to, each by the shortest pattern that matches no other."""
    found, sources = 0, reach.of_type(row.from_type)
    for page in sources:
        found |= find(explored, page, row.step)
    found &= explored.visitable
    if not 1 < found.bit_count() <= _FEW:
        return
    for number in members(found & explored.looked_at):
        for pattern in ending_of(explored.urls[number]):
            if all(explored.matched(pattern, explored.links[page]).bit_count() <= 1 for page in sources):
                yield Step(pattern, NO_SCOPE, row.step.bits)
                break


def _without_needless(explored: Explored, rows: Sequence[Row], reach: Reach) -> Sequence[Row]:
    """The rows without tags where the pattern says the same alone. Nobody writes that a link is inside a `div`."""
    for place, row in enumerate(rows):
        if row.step.pattern and row.step.scope.kind == "tag":
            other = [*rows[:place], row._replace(step=row.step._replace(scope=NO_SCOPE)), *rows[place + 1 :]]
            found = reach_of(explored, other)
            if (found.kept, found.followed) == (reach.kept, reach.followed):
                rows, reach = other, found
    return rows
