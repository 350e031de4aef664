"""Links that a table should not keep: tables of contents, and the few links without the label of all others.

A few examples say little about rare links, so their number cannot decide here. A limit is added where all examples, and
nearly all other links that are kept, share something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dowse.core.patterns import Patterns
from dowse.core.url_patterns import is_index, shared_beginnings, without_index
from dowse.modes.rules.rule_table import Rule
from dowse.parse.anchors import AnchorFields, links_within, scope_selector
from dowse.parse.page import Page
from dowse.rule_learning.evaluation import apply_table, reach_of
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.rule_candidates import Row

_NEARLY_ALL = 0.9
_FEW_EXAMPLES = 3
_MOST_WORDS = 4
_ONLY_ENDING = re.compile(r"(\\\.\w+\$)?")
_WORD = re.compile(r"[^\W_]+")
_BETWEEN = r"\W+"


def without_contents(explored: Explored, rows: Sequence[Row], examples: int) -> Sequence[Row]:
    """The rows without index pages of folders of which other pages are kept.

    An index page without other pages in its folder stands for the content itself, and stays.
    """
    urls = {explored.urls[number] for number in members(reach_of(explored, rows).kept)}
    contents = [url for url in urls if is_index(url)]
    others = [url for url in urls if not is_index(url)]
    if not contents or any(is_index(explored.urls[number]) for number in members(examples)):
        return rows
    folders = {url.rpartition("/")[0] + "/" for url in others}
    covered = sum(any(folder.startswith(url.rpartition("/")[0] + "/") for folder in folders) for url in contents)
    if covered < _NEARLY_ALL * len(contents):
        return rows
    return [_without_index(row) if row.to_type is None else row for row in rows]


def with_beginning(explored: Explored, rows: Sequence[Row], examples: int) -> Sequence[Row]:
    """The rows limited to the folder, or the beginning of the URL, that all examples and nearly all kept links share.

    Rows whose pattern has more than the ending of a URL stay as they are.
    """
    if any(row.to_type is None and not _ONLY_ENDING.fullmatch(row.step.pattern) for row in rows):
        return rows
    reach = reach_of(explored, rows)
    if sum(explored.links[page] & examples == examples for page in reach.pages) != 1:
        return rows
    for begin in shared_beginnings([explored.urls[number] for number in members(examples)]):
        right = explored.matched(begin, reach.kept)
        if right != reach.kept and right.bit_count() >= _NEARLY_ALL * reach.kept.bit_count():
            return [row._replace(step=row.step._replace(pattern=begin)) if row.to_type is None else row for row in rows]
    return rows


def _without_index(row: Row) -> Row:
    pattern = without_index(row.step.pattern)
    return row._replace(step=row.step._replace(pattern=pattern)) if pattern else row


def with_label(rules: Sequence[Rule], examples: Sequence[str], read: Callable[[str], Page | None]) -> list[Rule]:
    """The table limited to a label: the last words of the text around all examples and nearly all links it keeps."""
    if len(examples) < _FEW_EXAMPLES:
        return list(rules)
    texts = _contexts(rules, read)
    best, gain = "", 0.0
    for label in _labels([texts.get(url, []) for url in examples]):
        search = re.compile(label).search
        right = sum(any(map(search, each)) for each in texts.values())
        if right >= _NEARLY_ALL * len(texts) and len(texts) - right - label.count(_BETWEEN) > gain:
            best, gain = label, len(texts) - right - label.count(_BETWEEN)
    if not best:
        return list(rules)
    return [replace(rule, filter_field="context", filter_value=best) if rule.rule_type == "keep" else rule
            for rule in rules]  # fmt: skip


def _labels(texts: Sequence[Sequence[str]]) -> list[str]:
    """Patterns of the last words that some text of each example ends in, the shortest first."""
    endings: set[tuple[str, ...]] | None = None
    for each in texts:
        words = [tuple(_WORD.findall(text)[-_MOST_WORDS:]) for text in each]
        found = {found[-length:] for found in words for length in range(1, len(found) + 1)}
        endings = found if endings is None else endings & found
    chosen = sorted(endings or (), key=lambda words: (len(words), words))
    return [r"\b" + _BETWEEN.join(words) + r"\W*$" for words in chosen]


def _contexts(rules: Sequence[Rule], read: Callable[[str], Page | None]) -> dict[str, list[str]]:
    """The texts around each link that a table keeps."""
    keep = [rule for rule in rules if rule.rule_type == "keep"]
    applied = apply_table(rules, read)
    texts: dict[str, list[str]] = {url: [] for url in applied.paths}
    for place in applied.pages:
        page = read(place)
        if page is None:
            continue
        fields = AnchorFields()
        for rule in keep:
            selector = scope_selector(rule.id, rule.class_, rule.tag)
            inside = links_within(page.tree, selector) if selector else None
            pattern = Patterns("pattern", [rule.pattern]) if rule.pattern else None
            for anchor in page.anchors:
                if anchor.url in texts and (inside is None or anchor.element in inside) and (
                    pattern is None or pattern.found(anchor.url)
                ):  # fmt: skip
                    texts[anchor.url].append(fields.get(anchor, "context"))
    return texts
