"""The strategy of a rule crawl: on each page all rules for its page types are applied; only their links are taken.

The page types and the current rules make the instruction of a page. The page is read once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from dowse.core.model import Task
from dowse.core.patterns import Patterns
from dowse.core.task_labels import HEAD
from dowse.engine.verdict import Proposal, Verdict
from dowse.modes.rules.anchor_words import is_better, is_poor
from dowse.modes.rules.rule_hints import Mark, PageType, Ruled, facts_of, pack, page_types
from dowse.modes.rules.rule_table import Instruction, Rule, build_instruction
from dowse.parse.addresses import asks_for_addresses, names_attribute
from dowse.parse.anchors import LONGEST_CONTEXT, AnchorFields, links_within, scope_selector
from dowse.parse.links import Anchor, Link
from dowse.parse.page import Page, Reads

Marked = tuple[Link, "Marks"]
"""A link and the marks of all rules that match it."""

_WHY = "type, size and date of a kept link"
_PLANS_KEPT = 1_000
_MARKS_KEPT = 10_000
_TEXTS_READ = 10
"""Elements with the same link whose texts are compared."""


class RulesStrategy:
    """Breadth first over the links that rules follow."""

    reads: Reads = "tree"

    def __init__(self, rules: Iterable[Rule], *, heads: bool = False) -> None:
        """With `heads`, servers are asked what they say of each link that is kept."""
        self._heads = heads
        self._by_type: dict[PageType, list[Rule]] = {}
        for rule in rules:
            self._by_type.setdefault(PageType(rule.base_url, rule.from_type), []).append(rule)
        self._plans: dict[tuple[PageType, ...], Plan] = {}

    def priority(self, depth: int) -> float:
        return -float(depth)

    def types(self, task: Task) -> tuple[str, ...]:
        """The page types of a task by name, for steps in the browser."""
        return tuple(each.name for each in page_types(task.hint))

    def further(self, task: Task) -> bytes:
        """Further pages of a list are of its types. No rule led there."""
        return pack(tuple(Mark(each.base, 0, each.name, each.name) for each in page_types(task.hint)))

    def judge(self, page: Page, task: Task) -> Verdict:
        if task.label == HEAD:
            return Verdict(0.0, [], evidence=pack(facts_of(page.media_type, page.response.headers)))
        types = page_types(task.hint)
        plan = self._plan(types)
        marked, matches = plan.apply(page)
        instruction = plan.instruction(types[0].base if types else "", task.request.url)
        taken = {link.url for link, _ in marked}
        left = [link for link in page.links if link.url not in taken]
        priority = self.priority(task.depth + 1)
        requests = [_proposal(link, marks, priority) for link, marks in marked]
        if self._heads:
            kept = [link.url for link, marks in marked if marks.keep]
            # Before further pages, so that a crawl that a limit ends has them for what it kept.
            first = self.priority(0)
            requests += [Proposal(url=url, method="HEAD", label=HEAD, priority=first, why=_WHY) for url in kept]
        return Verdict(1.0, [], left=left, requests=requests, evidence=pack(Ruled(instruction, matches)))

    def _plan(self, types: tuple[PageType, ...]) -> Plan:
        plan = self._plans.get(types)
        if plan is None:
            if len(self._plans) >= _PLANS_KEPT:
                self._plans.clear()
            rules = [rule for each in types for rule in self._by_type.get(each, ())]
            plan = self._plans[types] = Plan(rules, describes=True)
        return plan


def _proposal(link: Link, marks: Marks, priority: float) -> Proposal:
    return Proposal(
        url=link.url,
        anchor=link.text,
        priority=priority,
        hint=marks.hint,
        is_link=True,
        nofollow=link.nofollow,
        keep=marks.keep,
        visit=marks.visit,
    )


def _is_dropped_by(rule: Rule, drop: Rule) -> bool:
    """Whether a drop rule is about what another rule keeps: both are for the same pages."""
    return rule.rule_type == "keep" and (rule.base_url, rule.from_type) == (drop.base_url, drop.from_type)


class Marks(NamedTuple):
    """What some rules say of a link, as it is and as a hint.

    A link that is only kept is not visited; one that is followed as well is kept where it may not be visited.
    """

    each: tuple[Mark, ...]
    hint: bytes
    keep: bool
    visit: bool

    @classmethod
    def of(cls, marks: tuple[Mark, ...]) -> Marks:
        follows = sum(mark.to_type != "" for mark in marks)
        return cls(marks, pack(marks), follows < len(marks), follows > 0)


class Plan:
    """Some rules, made ready to be applied to pages. All their patterns are searched in a URL at once.

    If it `describes` links, those that are kept bring along what their page says of them.
    """

    def __init__(self, rules: Sequence[Rule], *, describes: bool = False) -> None:
        self.rules = rules
        self._describes = describes
        self._selectors = [scope_selector(rule.id, rule.class_, rule.tag) for rule in rules]
        self._filters = [Patterns("filterValue", [rule.filter_value]) if rule.filter_field else None for rule in rules]
        self._marks = [Mark(rule.base_url, rule.row, rule.from_type, rule.to_type) for rule in rules]
        self._patterned = [number for number, rule in enumerate(rules) if rule.pattern]
        self._patterns = Patterns("pattern", [rules[number].pattern for number in self._patterned])
        self._free = [number for number, rule in enumerate(rules) if not rule.pattern]
        self._addressing = [number for number, rule in enumerate(rules) if asks_for_addresses(rule.tag)]
        self._linkless = {number for number in self._addressing if names_attribute(rules[number].tag)}
        self._dropping = {
            number: frozenset(place for place, kept in enumerate(rules) if _is_dropped_by(kept, rule))
            for number, rule in enumerate(rules)
            if rule.rule_type == "drop"
        }
        # Most links of a site are matched by the same few rules, and its pages have the same instruction but for a URL.
        self._marks_of: dict[tuple[int, ...], Marks] = {}
        self._instruction: Instruction | None = None

    def instruction(self, base: str, url: str) -> Instruction:
        """What is to be done with a page."""
        known = self._instruction
        if known is None or known.base_url != base:
            known = self._instruction = build_instruction(base, url, self.rules)
        return Instruction(
            base_url=base,
            url=url,
            keep_rules=known.keep_rules,
            follow_rules=known.follow_rules,
            drop_rules=known.drop_rules,
        )

    def apply(self, page: Page) -> tuple[list[Marked], list[tuple[int, int]]]:
        """The links that a rule wants, each once with what all rules said of it, and how many each row matched."""
        if not self.rules:
            return [], []
        fields = AnchorFields()
        matched = self.matched(page, fields)
        counts = [0] * len(self.rules)
        if self._dropping:
            matched = self._without_dropped(matched, counts)
        for found in matched.values():
            for number in found:
                counts[number] += 1
        marked = [self._marked(url, found, fields) for url, found in matched.items()]
        return marked, [(rule.row, count) for rule, count in zip(self.rules, counts, strict=True)]

    def matched(self, page: Page, fields: AnchorFields) -> dict[str, dict[int, list[Anchor]]]:
        """For each URL the rules that want it and the links they want it for."""
        scopes = {selector: links_within(page.tree, selector) for selector in set(self._selectors) if selector}
        right: dict[str, list[int]] = {}
        matched: dict[str, dict[int, list[Anchor]]] = {}
        for anchor in page.anchors:
            for number in self._right(anchor.url, right):
                selector = self._selectors[number]
                if selector and (number in self._linkless or anchor.element not in scopes[selector]):
                    continue
                if self._passes(anchor, number, fields):
                    matched.setdefault(anchor.url, {}).setdefault(number, []).append(anchor)
        for number in self._addressing:
            for anchor in page.addresses(self.rules[number].tag):
                if number in self._right(anchor.url, right) and self._passes(anchor, number, fields):
                    matched.setdefault(anchor.url, {}).setdefault(number, []).append(anchor)
        return matched

    def _right(self, url: str, known: dict[str, list[int]]) -> list[int]:
        """The rules whose pattern is in a URL."""
        numbers = known.get(url)
        if numbers is None:
            numbers = known[url] = self._free + [self._patterned[place] for place in self._patterns.found(url)]
        return numbers

    def _passes(self, anchor: Anchor, number: int, fields: AnchorFields) -> bool:
        condition = self._filters[number]
        return not condition or bool(condition.found(fields.get(anchor, self.rules[number].filter_field)))

    def _without_dropped(
        self, matched: dict[str, dict[int, list[Anchor]]], counts: list[int]
    ) -> dict[str, dict[int, list[Anchor]]]:
        """What is left where a drop rule matches: the URL may be followed still, but not kept."""
        left: dict[str, dict[int, list[Anchor]]] = {}
        for url, found in matched.items():
            dropping = found.keys() & self._dropping.keys()
            gone = dropping.union(*(self._dropping[number] for number in dropping))
            for number in dropping:
                counts[number] += 1
            if stays := {number: anchors for number, anchors in found.items() if number not in gone}:
                left[url] = stays
        return left

    def _marked(self, url: str, found: dict[int, list[Anchor]], fields: AnchorFields) -> Marked:
        """A link may be followed if one of its elements may; of their texts the one that says most of it is taken."""
        text, nofollow, best = "", True, next(iter(found.values()))[0]
        numbers = tuple(sorted(found))
        for number in numbers:
            for anchor in found[number]:
                nofollow = nofollow and anchor.nofollow
            for anchor in found[number][:_TEXTS_READ]:
                if not is_poor(text):
                    break
                if is_better(read := fields.get(anchor, "text"), text):
                    text, best = read, anchor
        marks = self._marks_by(numbers)
        if self._describes and marks.keep:
            said = {name: fields.get(best, name)[:LONGEST_CONTEXT] for name in ("context", "title", "rel")}
            marks = Marks.of(tuple([mark if mark.to_type else replace(mark, **said) for mark in marks.each]))
        return Link(url, text, nofollow), marks

    def _marks_by(self, numbers: tuple[int, ...]) -> Marks:
        marks = self._marks_of.get(numbers)
        if marks is None:
            if len(self._marks_of) >= _MARKS_KEPT:
                self._marks_of.clear()
            marks = self._marks_of[numbers] = Marks.of(tuple([self._marks[number] for number in numbers]))
        return marks
