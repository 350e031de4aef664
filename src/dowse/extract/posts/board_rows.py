"""The rows of a page that lists boards or threads: blocks that repeat, each with a link and mostly a time.

They are found as posts are, around times that look alike. A row without a time (a board that is empty) is one that
looks like the others and stands beside them. Where a page has no times, rows are elements of one look, each with a link
and a number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import regex

from dowse.extract.posts.block_names import is_apart, is_profile, named
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.post_blocks import climb
from dowse.extract.posts.time_marks import Mark

MOST_LISTS = 30
_NUMBER = regex.compile(r"\d[\d.,\s]*[kKmM]?")
_ROW_TAGS = frozenset({"tr", "li", "article", "dl"})
_ROW_WORDS = frozenset(
    {"topic", "thread", "discussion", "row", "item", "forum", "board", "category", "subject", "structitem"}
)
_LEAST_ROWS = 2


def find_rows(spots: Sequence[Spot], marks: Sequence[Mark]) -> list[list[Spot]]:
    """The lists of a page, each as its rows."""
    usable = [mark for mark in marks if not any(map(is_apart, mark.spot.above()))]
    series: dict[tuple[str, str], list[Mark]] = defaultdict(list)
    for mark in usable:
        parent = mark.spot.parent
        series[mark.spot.name, parent.name if parent is not None else ""].append(mark)
    lists: list[list[Spot]] = []
    for alike in sorted(series.values(), key=len, reverse=True):
        rows = _rows(alike)
        lists += map(_with_siblings, _by_parent(rows))
    return _apart(lists) or _apart([_by_look(spots)])


def _by_parent(rows: list[Spot]) -> list[list[Spot]]:
    """Rows in one table each, for a page may have boards in one and threads in another that looks the same."""
    groups: dict[int, list[Spot]] = defaultdict(list)
    for row in rows:
        groups[row.parent.index if row.parent is not None else 0].append(row)
    return list(groups.values()) if 2 * len(groups) <= len(rows) + 1 else [rows] if rows else []


def _rows(marks: list[Mark]) -> list[Spot]:
    """The largest blocks around times that are still apart and each lead somewhere."""
    if len(marks) > 1:
        sets = sorted(climb(marks), key=lambda each: (len(each.blocks), each.height), reverse=True)
        for each in sets:
            rows = [block.rows[0] for block in each.blocks]
            if _lead_somewhere(rows):
                return rows
    return [row for mark in marks if (row := _row_around(mark)) is not None]


def _row_around(mark: Mark) -> Spot | None:
    for around in mark.spot.above():
        if around.tag in ("body", "table", "main"):
            return None
        is_row = around.tag in _ROW_TAGS or not _ROW_WORDS.isdisjoint(named(around))
        if is_row and _lead_somewhere([around]):
            return around
    return None


def _lead_somewhere(rows: list[Spot]) -> bool:
    return 2 * sum(main_links(row) != [] for row in rows) > len(rows)


def main_links(row: Spot) -> list[Spot]:
    """The links of a row that may be its board or thread: no people, no page numbers."""
    return [
        spot
        for spot in row.within()
        if spot.tag == "a"
        and spot.length > 0
        and (href := spot.attr("href"))
        and not href.startswith(("#", "javascript:", "mailto:"))
        and not is_profile(href)
        and not _NUMBER.fullmatch(spot.text)
    ]


def _with_siblings(rows: list[Spot]) -> list[Spot]:
    """The rows and those beside them that look the same."""
    names = {row.name for row in rows}
    found = {row.index: row for row in rows}
    for parent in {id(row.parent): row.parent for row in rows}.values():
        for child in parent.children if parent is not None else ():
            if child.name in names and main_links(child):
                found.setdefault(child.index, child)
    return [found[index] for index in sorted(found)]


def _by_look(spots: Sequence[Spot]) -> list[Spot]:
    """The largest group of elements that look alike, each with a link and a number in it."""
    groups: dict[tuple[str, str, int], list[Spot]] = defaultdict(list)
    for spot in spots:
        if spot.parent is not None and spot.children and 0 < spot.linked < spot.length and not spot.is_line:
            groups[spot.name, spot.parent.name, spot.depth].append(spot)
    fit = []
    for alike in groups.values():
        rows = [row for row in alike if _has_count(row)] if not any(map(is_apart, alike[0].above())) else []
        if len(rows) >= _LEAST_ROWS and 2 * len(rows) > len(alike):
            fit.append(rows)
    return max(fit, key=lambda rows: (len(rows), -rows[0].depth), default=[])


def _has_count(row: Spot) -> bool:
    return bool(main_links(row)) and any(
        spot.is_line and 0 < spot.length <= 12 and _NUMBER.fullmatch(spot.text) for spot in row.within()
    )


def _apart(lists: list[list[Spot]]) -> list[list[Spot]]:
    """Without lists that lie in others or hold them: what has more rows stays, of equals the larger ones."""
    kept: list[list[Spot]] = []
    taken: set[int] = set()
    for rows in sorted(filter(None, lists), key=lambda rows: (len(rows), rows[0].length), reverse=True):
        places = {index for row in rows for index in range(row.index, row.end)}
        if taken.isdisjoint(places):
            kept.append(rows)
            taken |= places
    return sorted(kept[:MOST_LISTS], key=lambda rows: rows[0].index)
