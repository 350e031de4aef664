"""Links that a table perhaps should not keep: index pages, its own lists, those without the label of all others.

A few examples say little about rare links, so their number cannot decide here. Each function gives another table, to
stand beside the first, where all examples, and nearly all other links that are kept, share something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from dowse.core.patterns import Patterns
from dowse.core.url_names import is_index, named, told_apart
from dowse.core.url_patterns import shared_beginnings, shared_ending
from dowse.modes.rules.rule_table import Rule
from dowse.parse.anchors import AnchorFields, links_within, scope_selector
from dowse.parse.page import Page
from dowse.rule_learning.evaluation import apply_table, reach_of
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.rule_candidates import Row, Step
from dowse.rule_learning.seen_pages import NO_SCOPE

_NEARLY_ALL, _HALF = 0.9, 0.5
_FEW_EXAMPLES = 3
_MOST_WORDS = 4
_MOST_APART = 3
_ONLY_ENDING = re.compile(r"(\\\.\w+\$)?")
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W\d_]{3,}")
_BETWEEN = r"\W+"
_ALONE = re.compile(r"(^|[^\w\s])\s*[^\W_]+\W*$")
_LABEL, _HALF_LABEL = -0.5, 0.5
"""The bits of a label: what all examples and nearly all other links say of themselves is rather meant than not. A
single word that neither stands alone, as in "(PDF)", nor always ends the same phrase, is rather chance."""


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
    return rows if covered < _NEARLY_ALL * len(contents) else dropping(rows, named(contents))


def without_lists(explored: Explored, rows: Sequence[Row], examples: int) -> Sequence[Row]:
    """The rows without the pages that they read for links, which often link to themselves and to each other."""
    reach = reach_of(explored, rows)
    read = [number for number in members(reach.kept) if explored.page_of.get(number) in reach.pages]
    if not read or explored.mask(read) & examples:
        return rows
    if pattern := named([explored.urls[number] for number in read]):
        return dropping(rows, pattern)
    follow = [row.step.pattern for row in rows if row.to_type is not None and row.step.pattern]
    apart = [pattern for pattern in follow if not explored.matched(pattern, examples)]
    return dropping(rows, apart[-1]) if apart else rows


def without_refused(explored: Explored, rows: Sequence[Row], examples: int, refused: int) -> Iterator[Sequence[Row]]:
    """The rows without a folder or a word that the unwanted links share and no example has."""
    unwanted = [explored.urls[number] for number in members(refused)]
    wanted = [explored.urls[number] for number in members(examples)]
    for pattern in told_apart(unwanted, wanted)[:_MOST_APART]:
        yield dropping(rows, pattern)


def dropping(rows: Sequence[Row], pattern: str) -> Sequence[Row]:
    """The rows, with one more for each page type they keep links of: links that match a pattern are dropped."""
    if not pattern:
        return rows
    types = dict.fromkeys(row.from_type for row in rows if row.keeps)
    return [*rows, *(Row(number, None, Step(pattern, NO_SCOPE), drops=True) for number in types)]


def with_beginning(explored: Explored, rows: Sequence[Row], examples: int) -> Iterator[tuple[Sequence[Row], float]]:
    """The rows limited to the folder, or the beginning or ending of the name, that all examples share; and the share
    they keep. Three names may end alike by chance, so that is taken for meant only if half of all names do.

    Rows whose pattern has more than the ending of a URL stay as they are.
    """
    if any(row.keeps and not _ONLY_ENDING.fullmatch(row.step.pattern) for row in rows):
        return
    reach = reach_of(explored, rows)
    if sum(explored.links[page] & examples == examples for page in reach.pages) != 1:
        return
    urls = [explored.urls[number] for number in members(examples)]
    least = dict.fromkeys(shared_beginnings(urls), 0.0)
    if ending := shared_ending(urls):
        least[ending] = _HALF
    for pattern, share in least.items():
        right = explored.matched(pattern, reach.kept)
        has_all = right & examples == examples
        if has_all and right != reach.kept and right.bit_count() >= share * reach.kept.bit_count():
            limited = [row._replace(step=row.step._replace(pattern=pattern)) if row.keeps else row for row in rows]
            yield limited, right.bit_count() / reach.kept.bit_count()


def with_label(
    rules: Sequence[Rule], examples: Sequence[str], read: Callable[[str], Page | None]
) -> tuple[list[Rule], float]:
    """The table limited to a label: the last words of the text around all examples and nearly all links it keeps.

    And the bits of the label.
    """
    if len(examples) < _FEW_EXAMPLES:
        return list(rules), 0.0
    texts = _contexts(rules, read)
    best, gain = "", 0.0
    found: dict[str, int] = {}
    for label in _labels([texts.get(url, []) for url in examples]):
        search = re.compile(label).search
        right = found[label] = sum(any(map(search, each)) for each in texts.values())
        if right >= _NEARLY_ALL * len(texts) and len(texts) - right - label.count(_BETWEEN) > gain:
            best, gain = label, len(texts) - right - label.count(_BETWEEN)
    if not best:
        return list(rules), 0.0
    is_phrase = any(_BETWEEN in label and count == found[best] for label, count in found.items())
    is_whole = is_phrase or all(any(map(_ALONE.search, texts.get(url, []))) for url in examples)
    limited = [replace(rule, filter_field="context", filter_value=best) if rule.rule_type == "keep" else rule
               for rule in rules]  # fmt: skip
    return limited, _LABEL if is_whole else _HALF_LABEL


def _labels(texts: Sequence[Sequence[str]]) -> list[str]:
    """Patterns of the last words that some text of each example ends in, the shortest first; numbers are no label."""
    endings: set[tuple[str, ...]] | None = None
    for each in texts:
        words = [tuple(_WORD.findall(text)[-_MOST_WORDS:]) for text in each]
        found = {found[-length:] for found in words for length in range(1, len(found) + 1)}
        endings = found if endings is None else endings & found
    named = [words for words in endings or () if any(map(_NAME.fullmatch, words))]
    chosen = sorted(named, key=lambda words: (len(words), words))
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
