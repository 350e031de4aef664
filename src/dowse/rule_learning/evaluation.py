"""Rows tried on explored pages: the links they keep, the pages they visit, and whether further pages bring more."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from math import log2
from typing import NamedTuple

from dowse.modes.rules.rule_table import BASE, Rule
from dowse.modes.rules.strategy import Plan
from dowse.parse.page import Page
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.rule_candidates import Row, find

_MOST = 0.5
# Bits of a table that keeps what no example is: links of another form, index pages, its own lists, menus of the site.
_UNLIKE, _INDEXES, _LISTS, _EVERYWHERE = 1.5, 1.0, 1.5, 1.0
_WHOLE = 0.5
"""The share of these bits where all links of one list are kept: whoever made the list put them together."""


class Reach(NamedTuple):
    """The result of rows: links kept, links followed, and explored pages read, each with the type it is read as."""

    kept: int
    followed: int
    visits: frozenset[tuple[int, int]]

    @property
    def pages(self) -> frozenset[int]:
        return frozenset(page for page, _ in self.visits)

    def of_type(self, kind: int) -> list[int]:
        """The pages that are read as pages of a type."""
        return [page for page, own in self.visits if own == kind]


def reach_of(explored: Explored, rows: Sequence[Row]) -> Reach:
    """Follow rows from the start to the end of what is explored."""
    waiting = [(explored.start, 0)]
    seen = set(waiting)
    kept = followed = 0
    while waiting:
        page, kind = waiting.pop()
        own = dropped = 0
        for row in rows:
            if row.from_type != kind:
                continue
            found = find(explored, page, row.step)
            if row.drops:
                dropped |= found
            elif row.to_type is None:
                own |= found
            if row.to_type is None:
                continue
            followed |= found
            for number in members(found):
                target = explored.page_of.get(number)
                if target is not None and (target, row.to_type) not in seen:
                    seen.add((target, row.to_type))
                    waiting.append((target, row.to_type))
        kept |= own & ~dropped
    return Reach(kept, followed, frozenset(seen))


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


def mixture(explored: Explored, rows: Sequence[Row], reach: Reach, examples: int, like: str) -> float:
    """Bits of a table for links unlike the examples: of another form, index pages, and pages that the table reads.

    Where the examples are from several pages, their form is weighed with the pattern already.
    """
    is_list = any(explored.links[page] & examples == examples for page in reach.pages)
    unlike = (reach.kept & ~explored.matched(like, reach.kept)).bit_count() if is_list else 0
    bits = _UNLIKE + log2(unlike) / 2 if unlike else 0.0
    bits += _INDEXES if reach.kept & explored.indexes and not examples & explored.indexes else 0.0
    if bits and is_list and _is_whole_list(explored, rows, reach, examples):
        bits *= _WHOLE
    lists = explored.addresses(reach.pages)
    for links, said in ((lists, _LISTS), (explored.everywhere, _EVERYWHERE)):
        bits += said if reach.kept & links and not examples & links else 0.0
    return bits


def _is_whole_list(explored: Explored, rows: Sequence[Row], reach: Reach, examples: int) -> bool:
    """Whether the rows keep all links of the smallest list that has all examples."""
    keep = [row for row in rows if row.to_type is None]
    if len(keep) != 1 or keep[0].drops or keep[0].step.pattern:
        return False
    pages = [page for page in reach.of_type(keep[0].from_type) if explored.links[page] & examples == examples]
    return any(explored.is_own_list(page, keep[0].step.scope, examples) for page in pages)


class Matched(NamedTuple):
    """One rule on stored pages: the pages it was applied to, its links there, and their number (dropped ones too)."""

    rule: Rule
    pages: int
    links: list[str]
    matches: int


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
    found = {rule.row: 0 for rule in rules}
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
            marked, matches = plans[kind].apply(page)
            for row, count in matches:
                found[row] += count
            for link, marks in marked:
                for mark in marks.each:
                    links[mark.rule][link.url] = None
                    if not mark.to_type:
                        applied.paths.setdefault(link.url, path)
                    elif (link.url, mark.to_type) not in paths:
                        paths[link.url, mark.to_type] = path
                        waiting.append((link.url, mark.to_type))
    for rule in rules:
        own = list(links[rule.row])
        applied.matched.append(Matched(rule, counts[rule.row], own, len(own) or found[rule.row]))
    applied.pages.extend(url for url, is_there in known.items() if is_there)
    applied.unseen.extend(url for url, is_there in known.items() if not is_there)
    return applied
