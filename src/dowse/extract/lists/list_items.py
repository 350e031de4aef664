"""Lists without selectors: blocks that a page repeats (products, posts, search results), each item a record.

    list: 1, title: "Kettle", link: "https://shop.example/kettle", image: ..., price: "19.90 €"

1. `outline.py` counts elements by their path; where there are more of a path than of what it lies in, blocks repeat.
2. `item_parts.py` takes each block apart but for running text (`running_text.py`), and `field_columns.py` puts together
   what stands in the same place in all of them. Rows of a table that make up one item are joined
   (`multi_row_records.py`).
3. Here the groups are weighed. A menu is short links and nothing else. A group in the items of another is part
   of them, unless those items hold nothing but it (the rows of a grid). Of what is left the weightiest are taken.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice
from math import sqrt
from typing import Any, NamedTuple

from turbohtml import Element

from dowse.core.record import Record
from dowse.extract.lists.element_paths import Path, outline
from dowse.extract.lists.field_columns import Column, columns_of, named
from dowse.extract.lists.item_parts import Part, parts_of_all
from dowse.extract.lists.multi_row_records import MOST_ROWS_EACH, groups_of
from dowse.extract.lists.running_text import COMMON, joined
from dowse.extract.table_grid import has_headings
from dowse.parse.page import Page

KIND = "list"
LEAST_ITEMS = 3
MOST_ITEMS = 1_000
MOST_LISTS = 5
MOST_WEIGHED = 15

_LEAST_TEXT = 8  # characters an item
_MENU_TEXT = 25
_MENU_LINKED = 0.8
_ONLY_LINKS = 0.3  # how much a list counts that has nothing but links
_LEAST_REGULAR = 0.5
_COVERING = 0.8
_LEAST_WEIGHT = 0.15
_MOST_COUNTED = 500
_MOST_PARENTS = 100
MOST_CELLS = 50
_NO_ITEMS = frozenset(
    {"br", "hr", "td", "th", "tbody", "thead", "tfoot", "col", "input", "label", "button", "dt", "dd"}
)


class Group(NamedTuple):
    """Blocks that repeat, their columns, and how much they matter on the page. Each may be several rows of a table."""

    path: Path
    columns: list[Column]
    weight: float
    is_of_rows: bool = False

    def takes(self, path: Path) -> bool:
        """Whether a path is part of it."""
        around = self.path.parent if self.is_of_rows else self.path
        return around is not None and path.lies_in(around)


class ListExtractor:
    """Makes a record of each item of a page's main lists."""

    kinds = (KIND,)

    def extract(self, page: Page) -> list[Record]:
        root = page.tree.root if page.is_html else None
        if root is None:
            return []
        records: list[Record] = []
        for number, group in enumerate(main_groups(outline(root)), 1):
            columns = named(group.columns)
            records += (
                Record(KIND, f"{number:02}-{place + 1:05}", {"list": number, **fields})
                for place in range(len(group.columns[0].values))
                if (fields := _fields(columns, place, page))
            )
        return records


def main_groups(paths: list[Path]) -> list[Group]:
    """The main groups, weightiest first."""
    candidates = sorted(filter(_may_be_list, paths), key=lambda path: path.text, reverse=True)[:MOST_WEIGHED]
    weighed = cache(_weighed)
    groups: list[Group] = []
    # What lies in a group is part of it and need not be weighed. An outer path has no less text, so it comes first.
    for path in candidates:
        if any(group.takes(path) for group in groups) or (group := weighed(path)) is None:
            continue
        if not any(_holds_only(path, other) and weighed(other) for other in candidates):
            groups.append(group)
    groups.sort(key=lambda group: group.weight, reverse=True)
    return [group for group in groups[:MOST_LISTS] if group.weight >= _LEAST_WEIGHT * groups[0].weight]


def _may_be_list(path: Path) -> bool:
    count = len(path.elements)
    return (
        count >= LEAST_ITEMS
        and path.repeats
        and not path.in_menu
        and path.tag not in _NO_ITEMS
        and path.text >= _LEAST_TEXT * count
        and _shared_text(path) >= _LEAST_REGULAR * path.text
    )


def _shared_text(path: Path) -> int:
    """How much text may at most stand in places that most of a path's elements have, going by their children."""
    rare = sum(below.text for below in path.children.values() if len(below.elements) < COMMON * len(path.elements))
    return path.text - rare


def _weighed(path: Path) -> Group | None:
    """The group of a path; None if its elements have little in common, or are a menu or rows of data."""
    if not path.children and path.tag != "a":
        return None  # texts alone are one column at most
    items = [[element] for element in path.elements[:MOST_ITEMS]]
    together: list[list[Element]] = []
    if path.tag == "tr":
        if (table := path.elements[0].closest("table")) is not None and has_headings(table):
            return None
        together = _rows_together(path)
    taken_apart = [parts_of_all(item) for item in together or items]
    if sum(map(bool, taken_apart)) < LEAST_ITEMS or _is_menu(path, taken_apart):
        return None
    parts = joined(taken_apart)
    columns = columns_of(parts)
    texts = [column for column in columns if column.kind == "text"]
    if len(columns) < 2 or not texts or _regularity(parts) < _LEAST_REGULAR:
        return None
    length = sum(min(len(text), _MOST_COUNTED) for column in texts for text in column.texts)
    weight = length * sqrt(min(len(columns), 9))
    weight = weight * _ONLY_LINKS if path.linked >= _MENU_LINKED * path.text else weight
    return Group(path, columns, weight, bool(together))


def _rows_together(path: Path) -> list[list[Element]]:
    """The items of a table in which each takes several rows; none if each row is one."""
    items: list[list[Element]] = []
    parents = dict.fromkeys(parent for element in path.elements if isinstance(parent := element.parent, Element))
    for parent in islice(parents, _MOST_PARENTS):
        children = (child for child in parent if isinstance(child, Element) and child.tag == "tr")
        rows = list(islice(children, MOST_ITEMS * MOST_ROWS_EACH))
        groups = groups_of([_shape(row) for row in rows])
        if groups is not None:
            items += (rows[place : place + groups.size] for place in range(groups.first, groups.end, groups.size))
    return items[:MOST_ITEMS]


def _shape(row: Element) -> tuple[tuple[str, bool, bool], ...]:
    """What the cells of a row are: how far they reach, and whether links and images are in them."""
    cells = (cell for cell in row if isinstance(cell, Element))
    return tuple(
        (cell.attr("colspan") or "", cell.select_one("a[href]") is not None, cell.select_one("img") is not None)
        for cell in islice(cells, MOST_CELLS)
    )


def _regularity(items: list[list[Part]]) -> float:
    """The share of the text that stands where most items have some."""
    texts = [part for parts in items for part in parts if part.kind == "text"]
    counts = Counter(path for parts in items for path in {part.path for part in parts})
    total = sum(min(len(part.value), _MOST_COUNTED) for part in texts)
    common = (part for part in texts if counts[part.path] >= COMMON * len(items))
    return sum(min(len(part.value), _MOST_COUNTED) for part in common) / max(total, 1)


def _is_menu(path: Path, items: list[list[Part]]) -> bool:
    """Whether there is nothing but links with short texts."""
    parts = [part for parts in items for part in parts]
    if path.linked < _MENU_LINKED * path.text or any(part.kind in ("image", "date") for part in parts):
        return False
    lengths: dict[str, list[int]] = {}
    for part in parts:
        if part.kind == "text":
            lengths.setdefault(part.path, []).append(len(part.value))
    full = [found for found in lengths.values() if 2 * len(found) >= len(items)]
    return max((sum(found) / len(found) for found in full), default=0.0) < _MENU_TEXT


def _holds_only(path: Path, other: Path) -> bool:
    """Whether the items of a path hold nothing but those of another, as the rows of a grid do."""
    return len(other.elements) >= 2 * len(path.elements) and other.text >= _COVERING * path.text and other.lies_in(path)


def _fields(columns: dict[str, Column], place: int, page: Page) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, column in columns.items():
        value = column.values[place]
        if value is None:
            continue
        if column.kind in ("url", "image"):
            join = page.base.join
            value = join(value) if isinstance(value, str) else [url for each in value if (url := join(each))]
        if value:
            fields[name] = value
    return fields
