"""Rows tried on explored pages: the links they keep, the pages they visit, and whether further pages bring more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dowse.modes.rules.rule_table import BASE, Rule
from dowse.modes.rules.strategy import Plan
from dowse.parse.page import Page
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.rule_candidates import Row, find

_MOST = 0.5


class Reach(NamedTuple):
    """The result of rows: links kept, links followed, and explored pages read."""

    kept: int
    followed: int
    pages: frozenset[int]


def reach_of(explored: Explored, rows: Sequence[Row]) -> Reach:
    """Follow rows from the start to the end of what is explored."""
    waiting = [(explored.start, 0)]
    seen = set(waiting)
    kept = followed = 0
    while waiting:
        page, kind = waiting.pop()
        for row in rows:
            if row.from_type != kind:
                continue
            found = find(explored, page, row.step)
            if row.to_type is None:
                kept |= found
                continue
            followed |= found
            for number in members(found):
                target = explored.page_of.get(number)
                if target is not None and (target, row.to_type) not in seen:
                    seen.add((target, row.to_type))
                    waiting.append((target, row.to_type))
    return Reach(kept, followed, frozenset(page for page, _ in seen))


def extended(explored: Explored, rows: Sequence[Row], like: str) -> Sequence[Row]:
    """The rows with one more that repeats the last step, if most pages behind it have further links like the examples.

    A user who gives examples from one list may not know of further pages of that list.
    """
    last = max((row.to_type for row in rows if row.to_type is not None), default=0)
    steps = [row.step for row in rows if row.to_type == last]
    if not last or Row(last, last, steps[0]) in rows:
        return rows
    further = [*rows, Row(last, last, steps[0])]
    before, after = reach_of(explored, rows), reach_of(explored, further)
    new, pages = explored.matched(like, after.kept & ~before.kept), after.pages - before.pages
    unknown = after.followed & ~before.followed & explored.visitable & ~explored.looked_at
    gaining = sum(bool(explored.links[page] & new) for page in pages)
    is_little = after.kept.bit_count() <= (1 + _MOST) * before.kept.bit_count() and unknown.bit_count() <= len(pages)
    return further if gaining and gaining >= _MOST * len(pages) and is_little else rows


class Matched(NamedTuple):
    """One rule on stored pages: the number of pages it was applied to, and the links it matched."""

    rule: Rule
    pages: int
    links: list[str]


class Applied(NamedTuple):
    """A table on stored pages: its rules, the path to each link it kept, the pages read, and the pages not stored."""

    matched: list[Matched]
    paths: dict[str, list[str]]
    pages: list[str]
    unseen: list[str]


def apply_table(rules: Sequence[Rule], read: Callable[[str], Page | None]) -> Applied:
    """Crawl stored pages by a table, with the code of a rule crawl. `read` gives the page of a URL."""
    plans: dict[str, Plan] = {}
    counts = {rule.row: 0 for rule in rules}
    links: dict[int, dict[str, None]] = {rule.row: {} for rule in rules}
    applied = Applied([], {}, [], [])
    paths: dict[tuple[str, str], list[str]] = {(rules[0].base_url, BASE): []}
    waiting = deque(paths)
    known: dict[str, bool] = {}
    while waiting:
        url, kind = waiting.popleft()
        page = read(url)
        if known.setdefault(url, page is not None) and page is not None:
            path = [*paths[url, kind], url]
            if kind not in plans:
                plans[kind] = Plan([rule for rule in rules if rule.from_type == kind])
            for rule in plans[kind].rules:
                counts[rule.row] += 1
            for link, marks in plans[kind].apply(page)[0]:
                for mark in marks.each:
                    links[mark.rule][link.url] = None
                    if not mark.to_type:
                        applied.paths.setdefault(link.url, path)
                    elif (link.url, mark.to_type) not in paths:
                        paths[link.url, mark.to_type] = path
                        waiting.append((link.url, mark.to_type))
    applied.matched.extend(Matched(rule, counts[rule.row], list(links[rule.row])) for rule in rules)
    applied.pages.extend(url for url, is_there in known.items() if is_there)
    applied.unseen.extend(url for url, is_there in known.items() if not is_there)
    return applied
