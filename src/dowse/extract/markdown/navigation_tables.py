"""Tables that lead elsewhere: the Prev, Up and Next of a manual, a menu laid out in cells.

A table with headings is data whatever it links to, unless the markup says that it is navigation. Without headings it
leads elsewhere if it is called so and most of its cells are links, or if it is a few rows with links to the next page
and back, or with short links and nothing else. Longer tables of links may be what a page is about; those that many
pages of a site have in common are told apart later, when the pages are known (`store/duplicates/repeated_tables.py`).
"""

from __future__ import annotations

import regex
from turbohtml import Element

from dowse.extract.lists.element_paths import is_menu_mark
from dowse.extract.table_grid import Row
from dowse.parse.text import text_of

_FEW_ROWS = 3
_ONLY_LINKS = 0.8
_SHORT = 25  # mean characters a cell
_MOST_LINKS = 2_000
_MOST_AROUND = 3
_LEAST_STEPS = 2
_STEP_RELATIONS = frozenset({"prev", "previous", "next", "up", "first", "last", "start", "home", "contents", "index"})
# What people write on links from page to page.
_STEP = regex.compile(
    r"\W*(?:prev(?:ious)?|next|up|home|top|back|first|last|contents|index|zurück|vor|weiter|nächste[rs]?|vorherige[rs]?|"
    r"précédent|suivant|anterior|siguiente|próximo|precedente|successivo|vorige|volgende|назад|вперёд|далее|"
    r"前へ|次へ|上一页|下一页|이전|다음)(?: page)?\W*",
    regex.IGNORECASE,
)


def is_navigation(table: Element, rows: list[Row], *, has_headings: bool) -> bool:
    """Whether a table leads elsewhere and says nothing of its own."""
    if table.closest("nav, [role=navigation]") is not None:
        return True
    links = table.select("a[href]")[:_MOST_LINKS]
    if not links or (has_headings and len(rows[0].cells) > 1):
        return False
    own = (cell for row in rows for cell in row.cells if not cell.is_repeated and not cell.is_heading)
    cells = [cell.text for cell in own if cell.text]
    if len(rows) <= _FEW_ROWS:
        texts = [text_of(link) for link in links]
        length = sum(map(len, cells))
        if length <= _SHORT * len(cells) and sum(map(len, texts)) >= _ONLY_LINKS * length:
            return True
        if sum(map(_is_step, links, texts)) >= _LEAST_STEPS:
            return True
    return not has_headings and 2 * len(links) >= len(cells) and _is_marked(table)


def _is_marked(table: Element) -> bool:
    """Whether its names, or those of what it lies in, are such as menus have."""
    around: object = table
    for _ in range(_MOST_AROUND):
        if not isinstance(around, Element) or around.tag in ("body", "html", "td", "th"):
            return False
        if any(is_menu_mark(around.attr(name)) for name in ("id", "class", "summary")):
            return True
        around = around.parent
    return False


def _is_step(link: Element, text: str) -> bool:
    relations = (link.attr("rel") or "").lower().split()
    return not _STEP_RELATIONS.isdisjoint(relations) or _STEP.fullmatch(text[:40]) is not None
