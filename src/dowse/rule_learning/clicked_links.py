"""Links that somebody clicked on a page -> the rows of a rule table that would take them, each with the links it takes.

    scope      no limit, or the id, the classes or the tag of an element around the links, at each level up
    pattern    no limit, or parts of their URLs

The choices are told apart by what they take on this page, with the code of a rule crawl. The learner says which pair of
scope and pattern is proposed at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from turbohtml import Element

from dowse.core.url_patterns import Pattern, patterns
from dowse.modes.rules.rule_table import SCOPES, Rule
from dowse.modes.rules.strategy import Plan
from dowse.parse.anchors import AnchorFields
from dowse.parse.links import Anchor
from dowse.parse.page import Page
from dowse.rule_learning.explored_pages import Explored
from dowse.rule_learning.proposals import propose
from dowse.rule_learning.seen_pages import NO_SCOPE, Scope, own_scopes, see

_MOST_SCOPES, _MOST_PATTERNS = 30, 16
_A_FOLDER = 3.0
"""Bits of a word that is the name of a folder; words within longer names have more."""
_ORDER = {kind: place for place, kind in enumerate(SCOPES)}


class Offer(Struct, frozen=True):
    """One choice: what the cell of a column would hold, and how many links the row would take then.

    `column` is "" for the choice of no scope. `level` counts the elements between the link and that of the scope.
    """

    column: str
    value: str
    links: int
    is_chosen: bool = False
    level: int = 0


class Offers(Struct, frozen=True):
    """The choices for one row: the row as it is now, its links, and what other scopes and patterns would take."""

    rule: Rule
    taken: list[Anchor]
    scopes: list[Offer]
    patterns: list[Offer]


def taken_by(page: Page, rules: Sequence[Rule]) -> list[list[Anchor]]:
    """The links of a page that each of some rules takes, as a crawl would; drop rules take what they would drop."""
    found: list[list[Anchor]] = [[] for _ in rules]
    for by_rule in Plan(rules).matched(page, AnchorFields()).values():
        for number, anchors in by_rule.items():
            found[number] += anchors
    return found


def proposed_rule(page: Page, rule: Rule, wanted: Sequence[Anchor], unwanted: Sequence[Anchor] = ()) -> Rule:
    """The rule with the scope and pattern that the learner finds for some links of one page.

    Who clicks a single link means the list that it is in, so a row for that link alone is not proposed.
    """
    explored = Explored([see(page)], page.url)
    examples = sorted({explored.number[anchor.url] for anchor in wanted})
    refused = {explored.number[anchor.url] for anchor in unwanted} - set(examples)
    tables = propose(explored, rule.base_url, examples, refused)
    learned = [_with_limits_of(rule, each.rules[0]) for each in tables if len(each.rules) == 1]
    clicked = {anchor.element for anchor in wanted}
    found = [
        (each, _count(links))
        for each, links in zip(learned, taken_by(page, learned), strict=True)
        if clicked <= {anchor.element for anchor in links}  # a menu may have a link to the same page
    ]
    lists = [each for each, links in found if links > 1 or len(examples) > 1]
    return next(iter(lists or [each for each, _ in found]), _limited(rule, NO_SCOPE, ""))


def offers_for(page: Page, rule: Rule, clicked: Sequence[Anchor]) -> Offers:
    """What can be chosen for a row that is to take the clicked links. Scopes are tried with the pattern of the row, and
    patterns with its scope."""
    scopes = [*_shared_scopes(clicked), _scope_of(rule)]
    known = sorted(patterns([each.url for each in clicked]), key=lambda each: each.bits)
    texts, plain = [each.text for each in known], {each.text for each in known if _is_plain(each)}
    scoped = [(_limited(rule, scope, rule.pattern), level) for scope, level in dict(reversed(scopes)).items()]
    patterned = [replace(rule, pattern=text) for text in dict.fromkeys((*texts, rule.pattern))]
    found = taken_by(page, [rule, *(each for each, _ in scoped), *patterned])
    of_scopes, of_patterns = found[1 : len(scoped) + 1], found[len(scoped) + 1 :]
    levels = [_scope_offer(each, level, links, rule) for (each, level), links in zip(scoped, of_scopes, strict=True)]
    levels.sort(key=lambda offer: (offer.level, _ORDER.get(offer.column, 9), offer.value.count(" "), offer.value))
    return Offers(rule, found[0], levels[:_MOST_SCOPES], _pattern_offers(patterned, of_patterns, rule, plain))


def _shared_scopes(clicked: Sequence[Anchor]) -> list[tuple[Scope, int]]:
    """The scopes that all clicked links are in, with the level at which the first of them has each; and none at all."""
    around = [dict(_scopes_around(anchor.element)) for anchor in clicked]
    shared = [(scope, level) for scope, level in around[0].items() if all(scope in other for other in around[1:])]
    return [*shared, (NO_SCOPE, _above(shared))]


def _above(scopes: Sequence[tuple[Scope, int]]) -> int:
    return max((level for _, level in scopes), default=0) + 1


def _scopes_around(element: Element | None) -> Iterator[tuple[Scope, int]]:
    """The scopes of an element and all above it, outermost first, so that the level of the innermost stays."""
    above: list[Element] = []
    while isinstance(element, Element):
        above.append(element)
        parent = element.parent
        element = parent if isinstance(parent, Element) else None
    for level in range(len(above) - 1, -1, -1):
        yield from ((scope, level) for scope in sorted(own_scopes(above[level])))


def _scope_of(rule: Rule) -> tuple[Scope, int]:
    """The scope of a row as it stands, which somebody may have written by hand."""
    kind = next((kind for kind in SCOPES if _cell(rule, kind)), "")
    return Scope(kind, _cell(rule, kind) if kind else ""), 0


def _cell(rule: Rule, kind: str) -> str:
    return {"id": rule.id, "class": rule.class_, "tag": rule.tag}[kind]


def _limited(rule: Rule, scope: Scope, pattern: str) -> Rule:
    names = {kind: scope.name if scope.kind == kind else "" for kind in SCOPES}
    return replace(rule, pattern=pattern, id=names["id"], class_=names["class"], tag=names["tag"])


def _with_limits_of(rule: Rule, learned: Rule) -> Rule:
    return replace(rule, pattern=learned.pattern, id=learned.id, class_=learned.class_, tag=learned.tag)


def _count(links: Iterable[Anchor]) -> int:
    return len({anchor.url for anchor in links})


def _scope_offer(changed: Rule, level: int, links: list[Anchor], rule: Rule) -> Offer:
    scope = _scope_of(changed)[0]
    return Offer(scope.kind, scope.name, _count(links), scope == _scope_of(rule)[0], level)


def _pattern_offers(
    patterned: Sequence[Rule], found: Sequence[list[Anchor]], rule: Rule, plain: set[str]
) -> list[Offer]:
    """The patterns, widest first: that of the row, the plain ones, and others where they take what no other takes.

    Plain ones are all there, though they may take the same links here: on other pages they differ.
    """
    offers = [
        (Offer("pattern", each.pattern, _count(links), each.pattern == rule.pattern), {anchor.url for anchor in links})
        for each, links in zip(patterned, found, strict=True)
    ]
    offers.sort(key=lambda each: (not each[0].is_chosen, each[0].value not in plain))
    chosen = [each for each in offers if each[0].is_chosen or each[0].value in plain][:_MOST_PATTERNS]
    for offer, urls in offers:
        if len(chosen) < _MOST_PATTERNS and all(urls != known for _, known in chosen):
            chosen.append((offer, urls))
    return sorted((offer for offer, _ in chosen), key=lambda offer: (-offer.links, len(offer.value)))


def _is_plain(pattern: Pattern) -> bool:
    """Whether a pattern says one thing: a folder, a name, an ending. A word within a name is mostly there by chance."""
    is_chance = pattern.is_word and pattern.bits > _A_FOLDER
    return not is_chance and ".*" not in pattern.text and not pattern.text.startswith("^")
