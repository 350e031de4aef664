"""What a rule crawl shows in its report: the graph of page types, and what each rule matched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.core.exhibits import Arrow, Exhibit, Graph, Listing, Node, Row
from dowse.core.model import State
from dowse.core.phrasing import counted
from dowse.modes.rules.briefing import unpack_rules
from dowse.modes.rules.rule_table import BASE, SCOPES, Rule

if TYPE_CHECKING:
    from dowse.crawl import Crawl

_PAGES = f"""
SELECT name, count(DISTINCT task) FROM page_type JOIN task ON task.id = page_type.task
WHERE task.state = {State.FETCHED} GROUP BY name
"""
_FOLLOWED = "SELECT rule, count(*) FROM page_type WHERE rule > 0 AND listed <> 0 GROUP BY rule"
_KEPT = "SELECT rule, count(*) FROM kept GROUP BY rule"


def exhibits(crawl: Crawl) -> Iterator[Exhibit]:
    rules = unpack_rules(crawl.reader.briefing()).rules
    if not rules:
        return
    connection = crawl.reader.connection
    pages = dict(connection.execute(_PAGES).fetchall())
    taken = dict(connection.execute(_FOLLOWED).fetchall()) | dict(connection.execute(_KEPT).fetchall())
    yield _graph(rules, pages, taken)
    yield _by_rule(rules, crawl.matches(), taken)


def _graph(rules: tuple[Rule, ...], pages: dict[str, int], taken: dict[int, int]) -> Graph:
    names = dict.fromkeys([BASE, *(name for rule in rules for name in (rule.from_type, rule.to_type) if name)])
    kept: Counter[str] = Counter()
    ways: dict[tuple[str, str], list[Rule]] = {}
    for rule in rules:
        if rule.rule_type == "keep":
            kept[rule.from_type] += taken.get(rule.row, 0)
        elif rule.rule_type == "follow":
            ways.setdefault((rule.from_type, rule.to_type), []).append(rule)
    nodes = [
        Node(name, counted(pages.get(name, 0), "page") + (f", {kept[name]:,} kept" if name in kept else ""))
        for name in names
    ]
    arrows = [
        Arrow(
            source,
            target,
            counted(sum(taken.get(rule.row, 0) for rule in along), "link"),
            "; ".join(f"row {rule.row}, {_said(rule)}: {counted(taken.get(rule.row, 0), 'link')}" for rule in along),
        )
        for (source, target), along in ways.items()
    ]
    title = f"{counted(len(names), 'page type')} led to {counted(kept.total(), 'kept link')}"
    note = (
        "Each box is a page type: its pages, and the links that were kept there. An arrow is what rules follow; point "
        "at one for its rows."
    )
    return Graph("page-types", "Page types", title, note, nodes, arrows)


def _by_rule(rules: tuple[Rule, ...], matches: dict[int, tuple[int, int]], taken: dict[int, int]) -> Listing:
    rows = []
    for rule in rules:
        pages, links = matches.get(rule.row, (0, 0))
        new = taken.get(rule.row, 0)
        cells = (f"{pages:,}", f"{links:,}", f"{new:,}" if rule.rule_type != "drop" else "")
        aim = f" to {rule.to_type}" if rule.to_type else ""
        text = f"row {rule.row}: {rule.rule_type} from {rule.from_type}{aim}"
        rows.append(Row(text, small=_said(rule), value=links, cells=cells))
    idle = sum(1 for rule in rules if not matches.get(rule.row, (0, 0))[1])
    title = (
        f"{counted(len(rules), 'rule')}, and {'every one' if not idle else f'{len(rules) - idle:,} of them'} matched"
    )
    note = (
        "The pages that each row was applied to, the links it matched there, and those of them that it was the first "
        "to follow or keep."
    )
    return Listing("rules", "Rules", title, note, ("rule", "pages", "matched", "new"), rows)


def _said(rule: Rule) -> str:
    """The limits of a rule in a few words."""
    scopes = zip(SCOPES, (rule.id, rule.class_, rule.tag), strict=True)
    limits = [
        f"pattern {rule.pattern}" if rule.pattern else "",
        *(f"{name} {value}" for name, value in scopes if value),
    ]
    if rule.filter_field:
        limits.append(f"{rule.filter_field} {rule.filter_value}")
    return ", ".join(filter(None, limits)) or "any link"
