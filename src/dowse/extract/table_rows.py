"""Tables to rows: each row of a table of data is a record, its fields named by the table's headings.

    table: 1, caption: "Tides", Port: "Leith", High: "5.6"

Headings are what the markup says (`thead`, `th`), else a first row that looks like one. A table whose headings stand at
its left is turned, so that each column is a record. A row that is one cell across the table is the title of the rows
below, their `section`; where every record is a row and such a cell below it, it belongs to that row.

Tables that only arrange a page are passed over: those that say so, hold other tables, lead elsewhere
(`navigation_tables.py`) or have one row, and, if nothing in them is a heading, those that are irregular, mostly empty,
full of prose or of one column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

import regex
from turbohtml import Element

from dowse.core.record import TAKEN, Record
from dowse.extract.lists.multi_row_records import groups_of
from dowse.extract.markdown.navigation_tables import is_navigation
from dowse.extract.table_grid import EMPTY, Cell, Grid, Row, grid_of, has_headings
from dowse.parse.page import Page

KIND = "table"
MOST_TABLES = 500
MOST_ROWS = 20_000
# A table with more tables in it than this arranges the page, whatever else it says.
MOST_NESTED = 50
LONGEST_NAME = 80

_PROSE = 150  # mean characters a cell; tables of data have 5 to 50
_REGULAR = 0.7
_FILLED = 0.5
_MOST_HEADINGS = 4
_DATUM = regex.compile(r"[^\p{L}\d]*+\d[^\p{L}]*+\p{L}{0,3}")  # "1,234", "5 %", "12 kg", "2024-03-05"
_COLONS = (":", "\uff1a")
_PARTS_OF_PAGES = "h1, h2, h3, h4, h5, h6, form, iframe, nav, article, section"
_OWN = (*TAKEN, "table", "caption", "section", "list")  # "list" is a number in the records of lists


class TableExtractor:
    """Makes a record of each row of a page's tables."""

    kinds = (KIND,)

    def extract(self, page: Page) -> list[Record]:
        records: list[Record] = []
        number = 0
        for table, nested in _tables_of(page):
            if _arranges(table, nested):
                continue
            grid = grid_of(table, nested > 0)
            if not grid.rows or is_navigation(table, grid.rows, has_headings=grid.has_headings):
                continue
            rows = list(_rows_of(grid))
            number += bool(rows)
            for place, row in enumerate(rows[: MOST_ROWS - len(records)], 1):
                records.append(Record(KIND, f"{number:03}-{place:05}", {"table": number, **row}))
        return records


def _tables_of(page: Page) -> list[tuple[Element, int]]:
    """The tables of a page, and how many others lie in each."""
    tables = page.tree.find_all("table", limit=MOST_TABLES) if page.is_html else []
    nested: dict[Element, int] = {}
    for table in tables:
        nested[table] = 0
        around = table.parent
        while around is not None:
            if isinstance(around, Element) and around in nested:
                nested[around] += 1
            around = around.parent
    return list(nested.items())


def _arranges(table: Element, nested: int) -> bool:
    """Whether a table holds parts of the page and no data, as far as its markup tells."""
    if (table.attr("role") or "").strip().lower() in ("presentation", "none") or nested > MOST_NESTED:
        return True
    return (nested > 0 or table.select_one(_PARTS_OF_PAGES) is not None) and not has_headings(table)


def _rows_of(grid: Grid) -> Iterator[dict[str, str]]:
    """The rows of a table by the names of its columns; none if it holds no data."""
    shared = {"caption": grid.caption} if grid.caption else {}
    rows = [row for row in grid.rows if row.own_cells]
    titles = [row.cells[0].text for row in takewhile(_is_title, rows)]
    rows = rows[len(titles) :]
    if len(rows) < 2 or not _holds_data(rows, grid):
        return
    heads = _headings(rows)
    if titles and not heads and any(map(_is_title, rows)):
        shared["section"] = titles.pop()
    if title := titles[0] if titles else grid.summary:  # above the headings it is a caption by another name
        shared.setdefault("caption", title)
    if not heads and _is_turned(rows):
        names = _names([row.texts[:1] for row in rows])
        for column in zip(*(row.texts[1:] for row in rows), strict=True):
            if values := _present(names, column):
                yield shared | values
        return
    above = [row.texts for row in rows[:heads]]
    body = _together(rows[heads:])
    width = max((len(row.cells) for row in body), default=0)
    named = list(zip(*above, strict=True)) if heads else []
    names = _names([*named, *[()] * (width - len(named))])
    for row in body:
        if _is_title(row):
            shared["section"] = row.cells[0].text
        elif row.texts not in above and (values := _present(names, row.texts)):
            yield shared | values


def _together(rows: list[Row]) -> list[Row]:
    """The rows, those that make up one record as one row: a row, and cells across the table below it.

    Where such a cell stands above the first row or none below the last, they are titles of what comes after them. A
    record whose first cell hangs down into the next rows has all it needs in each of them.
    """
    groups = groups_of([tuple(place for place, cell in enumerate(row.cells) if not cell.is_repeated) for row in rows])
    if groups is None or (groups.first, groups.end) != (0, len(rows)) or _is_title(rows[0]):
        return rows
    below = [row for place, row in enumerate(rows) if place % groups.size]
    across = sum(any(cell.is_repeated for cell in row.cells) for row in below)
    if 2 * across < len(below) or any(cell.is_hanging for row in rows for cell in row.cells):
        return rows
    joined: list[list[Cell]] = []
    for place in range(0, len(rows), groups.size):
        more = (row.cells for row in rows[place + 1 : place + groups.size])
        joined.append([*rows[place].cells, *(cell for cells in more for cell in cells if not cell.is_repeated)])
    width = max(map(len, joined))
    return [Row([*cells, *[EMPTY] * (width - len(cells))], in_head=False) for cells in joined]


def _present(names: list[str], texts: Iterable[str]) -> dict[str, str]:
    return {name: text for name, text in zip(names, texts, strict=True) if text}


def _holds_data(rows: list[Row], grid: Grid) -> bool:
    if grid.width < 2:  # with a heading over it, or a caption, it is a list of things; else it arranges a page
        return (grid.has_headings and (len(rows) > 2 or rows[0].in_head)) or bool(grid.caption)
    if grid.caption or grid.has_headings:
        return True
    plain = [row for row in rows if not _is_title(row)]
    if len(plain) < 2:
        return False
    counts = [row.own_cells + sum(cell.is_hanging for cell in row.cells) for row in plain]
    usual = max(set(counts), key=counts.count)
    cells = [cell for row in plain for cell in row.cells if not cell.is_repeated]
    filled = [cell for cell in cells if cell.text]
    return (
        usual >= 2
        and counts.count(usual) >= _REGULAR * len(plain)
        and len(filled) >= _FILLED * len(cells)
        and sum(len(cell.text) for cell in filled) <= _PROSE * len(filled)
    )


def _headings(rows: list[Row]) -> int:
    """How many rows at the top are headings."""
    marked = 0
    for row in rows[:_MOST_HEADINGS]:
        named = [cell for cell in row.cells if cell.text]
        if not (row.in_head or (named and all(cell.is_heading for cell in named))):
            break
        marked += 1
    return marked % len(rows) or int(_looks_like_headings(*rows))


def _looks_like_headings(first: Row, *others: Row) -> bool:
    """Whether the first row, which the markup does not call headings, reads like some."""
    texts = first.texts
    if len(others) < 2 or not all(texts) or len(set(texts)) < len(texts) or any(map(_DATUM.fullmatch, texts)):
        return False
    if any(row.cells[0].is_heading for row in others):
        return False
    if all(cell.is_bold for cell in first.cells) and not any(all(c.is_bold for c in row.cells) for row in others):
        return True
    return any(map(_is_of_data, zip(*(row.texts for row in others), strict=True)))


def _is_of_data(column: tuple[str, ...]) -> bool:
    texts = [text for text in column if text]
    return len(texts) >= 2 and sum(_DATUM.fullmatch(text) is not None for text in texts) >= 0.8 * len(texts)


def _is_turned(rows: list[Row]) -> bool:
    """Whether the headings are at the left: each row begins with one, or with a word and a colon."""
    firsts = [row.cells[0] for row in rows]
    if all(cell.is_heading for cell in firsts):
        return not any(cell.is_heading for row in rows for cell in row.cells[1:])
    return len(rows[0].cells) == 2 and all(cell.text.endswith(_COLONS) for cell in firsts)


def _is_title(row: Row) -> bool:
    """Whether a row is one text across the whole table."""
    return len(row.cells) > 1 and row.own_cells == 1 and bool(row.cells[0].text) and len(set(row.texts)) == 1


def _names(columns: Sequence[Iterable[str]]) -> list[str]:
    """A name for each column, of the headings above it: different ones, and none that is ours."""
    names: list[str] = []
    taken = set(_OWN)
    for number, headings in enumerate(columns, 1):
        words = " ".join(dict.fromkeys(text for text in headings if text))
        wanted = name = words.rstrip("".join(_COLONS)).strip()[:LONGEST_NAME] or f"column_{number}"
        again = 1
        while name in taken:
            again += 1
            name = f"{wanted} {again}"
        taken.add(name)
        names.append(name)
    return names
