"""Columns of a list: parts of the items that stand in the same place, with the names that people would give them.

What most items have once is a value, what they have several times a column each if it is always as many, otherwise a
list in all of them if the markup has a name for it (`tags`), else one text. What is the same in all items ("Add to
cart") or in one or two of many is no column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import regex

from dowse.core.record import TAKEN
from dowse.extract.dates import has_date_form
from dowse.extract.lists.item_parts import Part

LEAST_SHARE = 0.2
MOST_COLUMNS = 40
_MOST_SPLIT = 6
_USUAL = 0.8
_CHECKED = 20
_PROSE = 60

_OWN = (*TAKEN, "list", "table")  # "table" is a number in the records of tables
_COLONS = (":", "\uff1a")
# What these names promise is one text, on every page.
_TEXTS = frozenset({"title", "text", "price", "date", "number"})
_HEADING = regex.compile(r"(?:^|/)h[1-6]\b")
_PRICE = regex.compile(
    r"(?:[^\d]{0,20}?(?:\p{Sc}|\b(?:USD|EUR|GBP|CHF|JPY|INR|CNY|RUB|PLN|SEK|NOK|DKK|CZK|AUD|CAD|Rs|kr|zł)\b\.?)\s?\d[\d.,\s]*"
    r"|[^\d]{0,20}?\d[\d.,\s]*\s?(?:\p{Sc}|\b(?:USD|EUR|GBP|CHF|kr|zł|Kč|\u0440\u0443\u0431)\b)).{0,20}",
    regex.DOTALL,
)
_NUMBER = regex.compile(r"[^\p{L}\d]*\d[^\p{L}]*")
_WORD = regex.compile(r"\p{L}[\p{L}_-]{1,24}")
_NO_LETTER = regex.compile(r"[^\p{L}]+")
_TITLE = regex.compile(r"(?:^|[-_])(?:headline|subject|title|titel|titre|name)$", regex.IGNORECASE)
# Classes that tell how a thing looks, or nothing at all.
_LOOKS = regex.compile(
    r"(?:col|span|row|grid|box|block|wrap(?:per)?|inner|outer|container|content|item|list|left|right|center|top|bottom|"
    r"small|big|large|bold|clear|fix|text|link|btn|button|icon|img|image|photo|thumb(?:nail)?|card|media|body|pull|float|"
    r"font|color|m[tblrxy]?|p[tblrxy]?|d|w|h|fs|fw|css|sc|style|hidden|visually|sr|only|xs|sm|md|lg|xl|xxl|"
    r"flex|inline|td|tr|cell|field|value|label|data|info|details?|[-_])+",
    regex.IGNORECASE,
)

# Classes that a program has thought of.
_MADE_UP = regex.compile(r"(?:css|emotion|jss|sc|styles?|svelte)_")


class Column(NamedTuple):
    """One column: `values` has one for each item, None where it is missing. `links` is where texts in links lead."""

    path: str
    kind: str
    hint: str
    values: list[Any]
    links: frozenset[str] = frozenset()

    @property
    def texts(self) -> list[str]:
        return [value if isinstance(value, str) else " ".join(value) for value in self.values if value is not None]

    @property
    def each(self) -> list[str]:
        """All texts, those of lists one by one."""
        return [text for value in self.values if value for text in ([value] if isinstance(value, str) else value)]

    @property
    def is_of_lists(self) -> bool:
        """Whether most items have several."""
        return 2 * sum(isinstance(value, list) for value in self.values) > len(self.texts)

    @property
    def mean(self) -> float:
        """How many letters a text has, without digits and marks; each of a list counts as one."""
        texts = self.each[:_CHECKED]
        return sum(len(_NO_LETTER.sub("", text)) for text in texts) / max(1, len(texts))


def columns_of(items: Sequence[Sequence[Part]]) -> list[Column]:
    """The columns that the items have in common, in the order of the page."""
    firsts: dict[str, Part] = {}
    links: dict[str, set[str]] = {}
    found: list[dict[str, list[str]]] = []
    for parts in items:
        values: dict[str, list[str]] = {}
        for part in parts:
            values.setdefault(part.path, []).append(part.value)
            firsts.setdefault(part.path, part)
            if part.link:
                links.setdefault(part.path, set()).add(part.link)
        found.append(values)
    counts = Counter(path for values in found for path in values)
    least = max(2, LEAST_SHARE * len(items))
    columns: list[Column] = []
    for path, part in firsts.items():
        if counts[path] >= least and len(columns) < MOST_COLUMNS:
            columns += _split(part, [values.get(path, []) for values in found], frozenset(links.get(path, ())))
    return _distinct(columns)


def named(columns: Sequence[Column]) -> dict[str, Column]:
    """The columns by name: title, link, image, price, date and text where they are those, else what the markup says."""
    names: dict[str, Column] = {}
    left = list(columns)

    def take(name: str, column: Column | None) -> None:
        if column is not None:
            names[_free(name, names)] = column._replace(values=_alike(column, name))
            left.remove(column)

    title = _title(left)
    take("title", title)
    take("link", _main_link(left, title))
    for column in list(left):
        if column.kind in ("image", "date"):
            take(column.kind, column)
        elif column.kind == "url":
            take(f"{word}_link" if (word := _word(column.hint)) else "link", column)
        elif _mostly(column, lambda text: len(text) <= 40 and _PRICE.fullmatch(text) is not None):
            take("price", column)
        elif _mostly(column, lambda text: len(text) <= _PROSE and has_date_form(text)):
            take("date", column)
    take("text", max((c for c in left if c.mean >= _PROSE), key=lambda c: c.mean, default=None))
    for column in list(left):
        is_number = _mostly(column, lambda text: _NUMBER.fullmatch(text) is not None)
        take(_word(column.hint) or ("number" if is_number else "text"), column)
    return dict(sorted(names.items(), key=lambda named: named[1].kind == "url" and named[0] != "link"))


def _split(part: Part, values: list[list[str]], links: frozenset[str]) -> list[Column]:
    """A column for a part; several if it is there several times, and always as often."""
    numbers = Counter(len(found) for found in values if found)
    usual, often = numbers.most_common(1)[0]
    if 1 < usual <= _MOST_SPLIT and often >= _USUAL * numbers.total():
        return [
            Column(f"{part.path}#{place}", part.kind, part.hint, [_at(found, place) for found in values], links)
            for place in range(usual)
        ]
    if part.kind not in ("text", "url"):
        return [Column(part.path, part.kind, part.hint, [_at(found, 0) for found in values])]
    return [Column(part.path, part.kind, part.hint, [_together(found) for found in values], links)]


def _alike(column: Column, name: str) -> list[Any]:
    """The values of a column, all texts (paragraphs are one text) or, where some are several short ones, all lists."""
    several = [text for value in column.values if isinstance(value, list) for text in value]
    if column.kind == "url" and name == "link":
        return [value[0] if isinstance(value, list) else value for value in column.values]
    if not several or ((column.kind == "url" or name not in _TEXTS) and sum(map(len, several)) < _PROSE * len(several)):
        return [[value] if several and isinstance(value, str) else value for value in column.values]
    between = "\n" if name == "text" or name not in _TEXTS else " "
    return [between.join(value) if isinstance(value, list) else value for value in column.values]


def _at(found: list[str], place: int) -> str | None:
    return found[place] if place < len(found) else None


def _together(found: list[str]) -> str | list[str] | None:
    return found if len(found) > 1 else _at(found, 0)


def _distinct(columns: list[Column]) -> list[Column]:
    """Without those that are the same in all items, or the same as another, and without links of one text ("Buy")."""
    kept: list[Column] = []
    seen: set[tuple[str, ...]] = set()
    fixed: set[str] = set()
    label, place = "", ""
    for column in columns:
        values = tuple(str(value) for value in column.values)
        if len(set(column.texts)) < 2:
            fixed |= column.links
            if (text := column.texts[0]).endswith(_COLONS) and _is_full(column):  # "Tags:" names what comes after it
                label, place = text.rstrip("".join(_COLONS)).strip().replace(" ", "_"), column.path.rpartition("/")[0]
        elif values not in seen:
            seen.add(values)
            is_named = bool(label) and not column.hint and column.path.startswith(f"{place}/")
            kept.append(column._replace(hint=label) if is_named else column)
    led_to = frozenset[str]().union(*(column.links for column in kept if column.kind == "text"))
    fixed -= led_to
    idle = [column for column in kept if column.kind == "url" and fixed.issuperset(column.each)]
    has_other = any(column.kind == "url" and column not in idle for column in kept)
    return [column for column in kept if column not in idle] if has_other else kept


def _title(columns: list[Column]) -> Column | None:
    texts = [column for column in columns if column.kind == "text" and _is_full(column)]
    for column in texts:
        if _TITLE.search(column.hint) or _HEADING.search(column.path):
            return column
    linked = [
        column
        for column in texts
        if column.links and not column.is_of_lists and 2 * len(set(column.texts)) > len(column.texts)
    ]
    return max(linked, key=lambda column: min(column.mean, _PROSE), default=None)


def _main_link(columns: list[Column], title: Column | None) -> Column | None:
    """The link of the title, else the one that differs most; links to tags are none of the item."""
    links = [column for column in columns if column.kind == "url" and (title or not column.is_of_lists)]
    wanted = title.links if title else frozenset[str]()
    return max(links, key=lambda column: (len(wanted.intersection(column.each)), len(set(column.texts))), default=None)


def _is_full(column: Column) -> bool:
    return 2 * len(column.texts) >= len(column.values)


def _mostly(column: Column, test: Any) -> bool:
    texts = column.texts[:_CHECKED]
    return column.kind == "text" and sum(map(bool, map(test, texts))) >= _USUAL * len(texts)


def _word(hint: str) -> str:
    """A class or itemprop as a name, if it says what a thing is."""
    word = regex.sub(r"(?<=\p{Ll})(?=\p{Lu})", "_", hint.rpartition("__")[2]).strip("-_").replace("-", "_").lower()
    return word if _WORD.fullmatch(word) and not _LOOKS.fullmatch(word) and not _MADE_UP.match(word) else ""


def _free(name: str, taken: dict[str, Column]) -> str:
    wanted, number = name, 1
    while name in taken or name in _OWN:
        number += 1
        name = f"{wanted}_{number}"
    return name
