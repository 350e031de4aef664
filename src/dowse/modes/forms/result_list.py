"""The results on an answer to a query, without selectors.

The answer to a nonsense word shows what is on every answer: menus, hints, the form itself. What an answer repeats
beside that are its results. Where they stand in the markup is learned from an answer with several of them, so that
later a single one is found as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import regex
from turbohtml import Element
from xxhash import xxh3_64_intdigest

from dowse.extract.lists.element_paths import Path, outline
from dowse.extract.lists.list_items import main_groups
from dowse.extract.table_grid import has_headings
from dowse.modes.forms.record_keys import record_keys
from dowse.parse.page import Page
from dowse.parse.text import text_of

LEAST_ITEMS = 3
MOST_ITEMS = 1_000
LONGEST_TEXT = 2_000
LONGEST_NAME = 80
MOST_WORDS = 200

_COUNTED = 300
"""Characters of an item that count: one long text is no list."""

_TITLES = frozenset({"dt", "h2", "h3", "h4", "h5"})
_LOOKED_AT = 10
_MOST_PARTS = 20

_WORD = regex.compile(r"[\p{L}\p{M}]{2,30}|\p{N}{2,8}")


class Item(NamedTuple):
    """One result. `key` tells it from others: by its own link (`record_keys.py`), else by its text."""

    key: str
    title: str
    link: str
    text: str
    cells: tuple[tuple[str, str], ...] = ()
    """In a row of a table, its cells by the headings above them."""

    @property
    def words(self) -> frozenset[str]:
        """The words it can be asked for by.

        >>> sorted(Item("", "", "", "Kettle, 1.7 l").words)
        ['kettle']
        """
        return frozenset(words_of(self.text))

    @property
    def fields(self) -> dict[str, Any]:
        own = {"link": self.link, **(dict(self.cells) or {"title": self.title, "text": self.text})}
        return {name: value for name, value in own.items() if value}


class Results(NamedTuple):
    """The results of a page, and where they stand in its markup ("" if there are none)."""

    items: list[Item]
    path: str


def words_of(text: str) -> list[str]:
    """The different words of a text, in lower case, in their order."""
    return list(dict.fromkeys(_WORD.findall(text[:LONGEST_TEXT].lower())))[:MOST_WORDS]


def shown_words(page: Page) -> list[str]:
    """Words to begin with: those of what the page lists, which may be records, then all others."""
    root = page.tree.root if page.is_html else None
    if root is None:
        return words_of(page.text)
    path, elements = _best(outline(root), frozenset())
    listed = " ".join(text_of(element) for element in elements[:LEAST_ITEMS]) if path is not None else ""
    return words_of(f"{listed} {page.title} {text_of(root)}")  # page.text would join the options of a select


def shown_items(page: Page) -> set[int]:
    """All that an answer repeats, as numbers: what a nonsense word brings is no result."""
    root = page.tree.root
    return {_number(element) for path in outline(root) if path.repeats for element in path.elements} if root else set()


def find_results(page: Page, known: frozenset[int], place: str = "", asked: frozenset[str] = frozenset()) -> Results:
    """The results of a page, without what is `known` from the answer to a nonsense word.

    `place` is where earlier answers had theirs; the page is searched only if it has nothing there. `asked` is what was
    asked for, in lower case.
    """
    root = page.tree.root if page.is_html else None
    if root is None:
        return Results([], "")
    paths = outline(root)
    path = next((path for path in paths if place and spelled(path) == place), None)
    new = _new(path.elements, known) if path else []
    if not new:
        path, new = _best(paths, known)
    if path is None or not new:
        return Results([], "")
    return Results(list(_items(new, page, asked)), spelled(path))


def spelled(path: Path) -> str:
    """A path as a text, by which it is known on another page."""
    steps = []
    step: Path | None = path
    while step is not None:
        steps.append(step.name)
        step = step.parent
    return "/".join(reversed(steps))


def _best(paths: list[Path], known: frozenset[int]) -> tuple[Path | None, list[Element]]:
    """The path with most new text that may be a list of results."""
    found: list[tuple[int, Path, list[Element]]] = []
    for path in [*(group.path for group in main_groups(paths)), *filter(_is_rows, paths), *filter(_are_titles, paths)]:
        new = _new(path.elements, known)
        if len(new) >= LEAST_ITEMS:
            found.append((sum(min(len(_text(element)), _COUNTED) for element in new), path, new))
    best = max(found, key=lambda each: each[0], default=None)
    return best[1:] if best is not None else (None, [])


def _is_rows(path: Path) -> bool:
    """Whether these are the rows of a table of data."""
    if path.tag != "tr" or path.in_menu or len(path.elements) < LEAST_ITEMS:
        return False
    table = path.elements[0].closest("table")
    return table is not None and has_headings(table)


def _are_titles(path: Path) -> bool:
    """Whether these are titles of results that have no element around them: each is a link, and text comes after it."""
    if path.tag not in _TITLES or path.in_menu or len(path.elements) < LEAST_ITEMS or not path.repeats:
        return False
    return all(element.select_one("a[href]") is not None for element in path.elements[:_LOOKED_AT])


def _text(element: Element) -> str:
    """The text of a result; that of a title goes on up to the next title."""
    if element.tag not in _TITLES:
        return text_of(element)
    parts, following = [text_of(element)], element.next_sibling
    while following is not None and len(parts) < _MOST_PARTS:
        if isinstance(following, Element):
            if following.tag == element.tag:
                break
            parts.append(text_of(following))
        following = following.next_sibling
    return " ".join(parts)


def _new(elements: Iterable[Element], known: frozenset[int]) -> list[Element]:
    new = [element for element in elements if _number(element) not in known and _text(element)]
    return [element for element in new[:MOST_ITEMS] if element.tag != "tr" or element.select_one("td") is not None]


def _number(element: Element) -> int:
    return xxh3_64_intdigest(_text(element).encode())


def _items(elements: list[Element], page: Page, asked: frozenset[str]) -> Iterator[Item]:
    links = [_own_link(element) for element in elements]
    addresses = [page.base.join(link.attr("href") or "") or "" if link is not None else "" for link in links]
    for element, own, address, known_by in zip(elements, links, addresses, record_keys(addresses, asked), strict=True):
        text = _text(element)[:LONGEST_TEXT]
        is_own = bool(address) and addresses.count(address) == 1
        title = text_of(own)[:200] if own is not None else ""
        key, link = (known_by, address) if is_own else (f"text:{_number(element):x}", "")
        yield Item(key, title, link, text, tuple(_cells(element)))


def _cells(element: Element) -> Iterator[tuple[str, str]]:
    """The cells of a row by the headings of its table; none if it is no row, or has not as many cells as there are."""
    table = element.closest("table") if element.tag == "tr" else None
    if table is None:
        return
    names = [text_of(cell)[:LONGEST_NAME] for cell in table.select("thead th") or table.select("tr:first-child th")]
    values = [text_of(cell)[:LONGEST_TEXT] for cell in element.select("td, th")]
    if len(names) == len(values):
        yield from zip(names, values, strict=True)


def _own_link(element: Element) -> Element | None:
    """The link of an item: that in its heading, else its first with a text."""
    links = element.select("h1 a[href], h2 a[href], h3 a[href], h4 a[href]")
    links += [element] if element.tag == "a" and element.attr("href") else element.select("a[href]")
    return next((link for link in links if text_of(link).strip()), None)
