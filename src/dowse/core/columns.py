"""What the columns of a table hold, in words that every format can be made from.

    text  integer  number  boolean       one value
    time                                 seconds since 1970, UTC
    date  local  moment                  an ISO text: a day; with a time of some clock; with its distance from UTC
    texts  integers  numbers             a list of such
    json                                 objects, and lists of lists or objects, as JSON

The tables of a crawl say so themselves; what extractors find is known only when it is there, so it is looked at first
(`infer`). Whole numbers with a broken one among them are numbers. What else stands side by side is texts, for nothing
may be lost: a text is there as it is, never in quotes, and only what is none is written as JSON.

A column that is said to hold dates has such a kind if all of its values do. A day among times is its first second, and
in UTC where the times are; months without a day, and times with and without a distance from UTC side by side, stay
texts, for no one type says both.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

Kind = Literal[
    "text", "integer", "number", "boolean", "time", "date", "local", "moment", "texts", "integers", "numbers", "json"
]  # fmt: skip

_PLAIN: dict[type, Kind] = {str: "text", int: "integer", float: "number", bool: "boolean"}
_LISTS: dict[Kind, Kind] = {"text": "texts", "integer": "integers", "number": "numbers"}
_DATE = re.compile(
    r"(?!0000)(?P<year>[0-9]{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01])"
    r"(?P<time>T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?P<zone>[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?)?"
)
_INTEGERS = range(-(2**63), 2**63)
_CHUNK = 1_000
"""Rows looked at at once: by columns is three times as fast as by cells."""


class Columnar(Protocol):
    """A table, whoever keeps it. Columns that `kinds` does not name have to be looked at; `dates` are those of them
    that should hold dates."""

    @property
    def columns(self) -> Sequence[str]: ...

    @property
    def kinds(self) -> Mapping[str, Kind]: ...

    @property
    def dates(self) -> Collection[str]: ...

    def rows(self) -> Iterator[Sequence[Any]]: ...


class _Shape(NamedTuple):
    """What a value is; an empty list has no kind."""

    is_list: bool
    kind: Kind | None


def kinds_of(table: Columnar) -> dict[str, Kind]:
    """The kind of every column of a table, which is read for those that it does not tell."""
    if all(name in table.kinds for name in table.columns):
        return dict(table.kinds)
    return {**infer(table.columns, table.rows(), table.dates), **table.kinds}


def infer(columns: Sequence[str], rows: Iterable[Sequence[Any]], dates: Collection[str] = ()) -> dict[str, Kind]:
    """The kind of every column, from all its values. A column without values holds texts.

    >>> infer(["name", "price", "tags"], [("a", 1, ["x"]), ("b", 2.5, []), ("c", None, None)])
    {'name': 'text', 'price': 'number', 'tags': 'texts'}
    """
    found: list[set[_Shape]] = [set() for _ in columns]
    for chunk in chunks(rows, _CHUNK):
        for name, shapes, values in zip(columns, found, zip(*chunk, strict=True), strict=True):
            shapes.update(_date_shapes(values) if name in dates else _shapes(values))
    return {name: _column(shapes) for name, shapes in zip(columns, found, strict=True)}


def chunks(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """The rows, so many at a time."""
    reader = iter(rows)
    while chunk := list(islice(reader, size)):
        yield chunk


def _shapes(values: Sequence[Any]) -> set[_Shape]:
    """What there is among the values, told by type and not one by one."""
    shapes = set()
    for of_type in set(map(type, values)) - {type(None)}:
        if of_type is list:
            items = _shapes([item for value in values if type(value) is list for item in value])
            plain = {_Shape(False, "json") if item.is_list else item for item in items}
            shapes.add(_Shape(True, _joined(plain) if plain else None))
        elif of_type is int and not _fit([value for value in values if type(value) is int]):
            shapes.add(_Shape(False, "text"))
        else:
            shapes.add(_Shape(False, _PLAIN.get(of_type, "json")))
    return shapes


def _date_shapes(values: Sequence[Any]) -> set[_Shape]:
    """The same for values that should be dates."""
    texts = {value for value in values if type(value) is str}
    others = _shapes([value for value in values if type(value) is not str])
    return others | {_Shape(False, _date_kind(text)) for text in texts}


def _date_kind(text: str) -> Kind:
    """
    >>> _date_kind("2026-03-01"), _date_kind("2026-03-01T10:00:00+01:00"), _date_kind("2026-03")
    ('date', 'moment', 'text')
    """
    found = _DATE.fullmatch(text)
    if found is None or int(found["day"]) > monthrange(int(found["year"]), int(found["month"]))[1]:
        return "text"
    return "moment" if found["zone"] else "local" if found["time"] else "date"


def _fit(numbers: list[int]) -> bool:
    return min(numbers) in _INTEGERS and max(numbers) in _INTEGERS


def _column(shapes: set[_Shape]) -> Kind:
    if len({shape.is_list for shape in shapes}) > 1:
        return "text"
    kind = _joined(shapes)
    return _LISTS.get(kind, "json") if any(shape.is_list for shape in shapes) else kind


def _joined(shapes: set[_Shape]) -> Kind:
    """The kind that takes values of all these kinds."""
    kinds = {shape.kind for shape in shapes if shape.kind is not None}
    if len(kinds) < 2:
        return next(iter(kinds), "text")
    if kinds == {"integer", "number"}:
        return "number"
    if kinds in ({"date", "local"}, {"date", "moment"}):
        return "moment" if "moment" in kinds else "local"
    return "text"
