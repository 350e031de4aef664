"""Lists without selectors: blocks that a page repeats (products, posts, search results), each item a record.

    list: 1, title: "Kettle", url: "https://shop.example/kettle", image: ..., price: "19.90 €"

1. `outline.py` counts elements by their path; where there are more of a path than of what it lies in, blocks repeat.
2. `parts.py` takes each block apart but for running text (`prose.py`), and `columns.py` puts together what stands in
   the same place in all of them.
3. Here the groups are weighed. A menu is short links and nothing else. A group in the items of another is part
   of them, unless those items hold nothing but it (the rows of a grid). Of what is left the weightiest are taken.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from dowse.core.model import Record
from dowse.extract.columns import Column, columns_of, named
from dowse.extract.grid import has_headings
from dowse.extract.outline import Path, outline
from dowse.extract.parts import parts_of
from dowse.extract.prose import COMMON, joined
from dowse.parse.page import Page

KIND = "list"
LEAST_ITEMS = 3
MOST_ITEMS = 1_000
MOST_LISTS = 5
MOST_WEIGHED = 15

_LEAST_TEXT = 8  # characters an item
_MENU_LETTERS = 25
_MENU_LINKED = 0.8
_LEAST_REGULAR = 0.5
_COVERING = 0.8
_LEAST_WEIGHT = 0.15
_MOST_COUNTED = 500
_NO_ITEMS = frozenset(
    {"br", "hr", "td", "th", "tbody", "thead", "tfoot", "col", "input", "label", "button", "dt", "dd"}
)


class Group(NamedTuple):
    """Blocks that repeat, their columns, and how much they matter on the page."""

    path: Path
    columns: list[Column]
    weight: float


class ListExtractor:
    """Makes a record of each item of a page's main lists."""

    kinds = (KIND,)

    def extract(self, page: Page) -> list[Record]:
        root = page.tree.root if page.is_html else None
        if root is None:
            return []
        records: list[Record] = []
        for number, group in enumerate(_chosen(outline(root)), 1):
            columns = named(group.columns)
            records += (
                Record(KIND, f"{number:02}-{place + 1:05}", {"list": number, **fields})
                for place in range(min(len(group.path.elements), MOST_ITEMS))
                if (fields := _fields(columns, place, page))
            )
        return records


def _chosen(paths: list[Path]) -> list[Group]:
    """The main groups, weightiest first."""
    candidates = sorted(filter(_may_be_list, paths), key=lambda path: path.text, reverse=True)[:MOST_WEIGHED]
    groups = [group for path in candidates if (group := _weighed(path)) is not None]
    groups = [group for group in groups if not any(_holds_only(group, other) for other in groups)]
    groups = [group for group in groups if not any(group.path.lies_in(other.path) for other in groups)]
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
    )


def _weighed(path: Path) -> Group | None:
    """The group of a path; None if its elements have little in common, or are a menu or rows of data."""
    items = path.elements[:MOST_ITEMS]
    if path.tag == "tr" and (table := items[0].closest("table")) is not None and has_headings(table):
        return None
    parts = joined([parts_of(item) for item in items])
    columns = columns_of(parts)
    texts = [column for column in columns if column.kind == "text"]
    if len(columns) < 2 or not texts:
        return None
    counted = sum(min(len(part.value), _MOST_COUNTED) for found in parts for part in found if part.kind == "text")
    if not counted:
        return None
    common = [column for column in texts if len(column.texts) >= COMMON * len(items)]
    regular = sum(min(len(text), _MOST_COUNTED) for column in common for text in column.texts) / counted
    if regular < _LEAST_REGULAR or _is_menu(path, columns):
        return None
    return Group(path, columns, counted * regular * sqrt(min(len(columns), 9)))


def _is_menu(path: Path, columns: list[Column]) -> bool:
    """Whether there is nothing but links with short texts."""
    if path.linked < _MENU_LINKED * path.text or any(column.kind in ("image", "date") for column in columns):
        return False
    return max(column.mean for column in columns if column.kind == "text") < _MENU_LETTERS


def _holds_only(group: Group, other: Group) -> bool:
    """Whether the items of a group hold nothing but those of another, as the rows of a grid do."""
    return (
        other.path.lies_in(group.path)
        and len(other.path.elements) >= 2 * len(group.path.elements)
        and other.path.text >= _COVERING * group.path.text
    )


def _fields(columns: dict[str, Column], place: int, page: Page) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, column in columns.items():
        value = column.values[place]
        if value is None:
            continue
        if column.kind in ("url", "image"):
            value = page.base.join(value if isinstance(value, str) else value[0])
        if value:
            fields[name] = value
    return fields
