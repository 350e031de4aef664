"""Two fields that bound a number or a date, and how what they bound is divided.

A cell of a range is a least and a most value; None leaves that side open. A cell is divided at a point inside of it,
which both halves have: most servers count both bounds in, and none leaves out both. The points do not depend on
answers, so a crawl that goes on later divides in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

import regex

from dowse.classify.form_words import words_in
from dowse.modes.forms.date_formats import DateFormat
from dowse.modes.forms.queries import Values, with_values, without
from dowse.parse.forms.controls import Control

MOST_LEVELS = 64

_LOW = frozenset({
    "from", "min", "minimum", "start", "since", "after", "low", "lower", "least", "gte", "von", "ab", "desde", "vanaf",
})  # fmt: skip
_HIGH = frozenset({
    "to", "max", "maximum", "end", "until", "till", "before", "high", "upper", "most", "lte", "bis", "hasta", "tot",
})  # fmt: skip
_STRONG = frozenset(
    {"min", "minimum", "max", "maximum", "gte", "lte", "least", "most", "low", "high", "lower", "upper"}
)
"""Words that bound numbers. From and to may as well be places."""

_YEAR = regex.compile(r"\b(?:years?|jahr|baujahr|ann[e\u00e9]e|a\u00f1o|anno|jaar|rok)\b")
_MEASURE = regex.compile(
    r"price|cost|amount|salary|income|rent|mileage|\bkm\b|\bmiles\b|area|size|rooms|weight|length|age\b|"
    r"preis|prix|precio|prezzo|prijs|[\u20ac$\u00a3]"
)
_DATE = regex.compile(r"date|datum|fecha|\b(?:day|tag|jour|data|arrival|departure)\b")
_NUMBER = regex.compile(r"-?\d+(?:\.\d+)?")
_FIRST_DAY, _LAST_DAY = date(1970, 1, 1), date(2040, 1, 1)
_FIRST_YEAR, _LAST_YEAR = 1900, 2040
_MOST = 10_000_000
"""Bounds where the form names none. Sides stay open, so nothing is missed beyond them."""

_WIDE = 10
"""A cell is divided in orders of magnitude while its ends are farther apart than this, as factor."""

Cell = tuple[int | None, int | None]


class Scale(NamedTuple):
    """The points of a range, as whole numbers from `least` to `most`, and how each is written.

    `points` are the options where the fields are selects. `per_unit` is how many points a number has; 0 are days.
    """

    least: int
    most: int
    per_unit: int = 1
    points: tuple[str, ...] = ()
    format: DateFormat | None = None

    def write(self, point: int) -> str:
        if self.points:
            return self.points[point]
        if self.format is not None:
            return self.format.write(date.fromordinal(point))
        return str(point) if self.per_unit == 1 else f"{point / self.per_unit:.2f}".removesuffix(".00")

    def read(self, written: str) -> int | None:
        """The point of a text; None for an open side."""
        if not written:
            return None
        if self.points:
            return self.points.index(written) if written in self.points else None
        if self.format is not None:
            day = self.format.read(written)
            return day.toordinal() if day is not None else None
        return round(float(written) * self.per_unit)

    def divide(self, cell: Cell) -> tuple[Cell, ...]:
        """The halves of a cell; none if it has no point inside.

        >>> Scale(0, 3).divide((None, None)), Scale(0, 3).divide((1, 2)), Scale(0, 3).divide((2, 2))
        (((None, 1), (1, None)), ((1, 1), (2, 2)), ())
        """
        low = self.least - 1 if cell[0] is None else cell[0]
        high = self.most + 1 if cell[1] is None else cell[1]
        if high - low >= 2:
            middle = self._middle(low, high)
            return (cell[0], middle), (middle, cell[1])
        if high - low == 1 and None not in cell and not self.points:
            return (low, low), (high, high)
        return ()

    def _middle(self, low: int, high: int) -> int:
        if self.points or self.format is not None or high <= _WIDE * max(low, self.per_unit):
            return (low + high) // 2
        middle: int = isqrt(max(low, self.per_unit) * high)
        digits: int = 10 ** max(0, len(str(middle)) - 2)
        return min(max(middle // digits * digits, low + 1), high - 1)


class RangeField:
    """A range of a form, by the names of its two fields. `begun` are their values where both sides are open."""

    def __init__(self, low: str, high: str, scale: Scale, begun: tuple[str, str] = ("", "")) -> None:
        self.names = (low, high)
        self.name = f"{low} to {high}"
        self.begun = begun
        self._scale = scale

    @property
    def is_exhaustive(self) -> bool:
        """Whether the parts are all that there is: halves are."""
        return True

    def count(self, values: Values) -> int:
        """How many parts a query is divided into."""
        return len(self._scale.divide(self._cell(values)))

    def part(self, values: Values, place: int) -> Values:
        """One part of a query."""
        return self._with(values, self._scale.divide(self._cell(values))[place])

    def wholes(self, values: Values) -> list[Values]:
        """The queries that another one is a part of by this range: none if it says nothing of it, and two for a point
        between two cells."""
        cell = self._cell(values)
        found: dict[Cell, None] = {}
        ways: list[Cell] = [(None, None)] if cell != (None, None) else []
        for _ in range(MOST_LEVELS):
            divided = [(around, self._scale.divide(around)) for around in ways]
            found |= dict.fromkeys(around for around, halves in divided if cell in halves)
            ways = [half for _, halves in divided for half in halves if half != cell and _holds(half, cell)]
        return [self._with(values, around) for around in found]

    def _cell(self, values: Values) -> Cell:
        given = dict(values)
        low, high = (self._scale.read(given.get(name, "")) for name in self.names)
        return low, high

    def _with(self, values: Values, cell: Cell) -> Values:
        ends = [(name, self._scale.write(end)) for name, end in zip(self.names, cell, strict=True) if end is not None]
        return with_values(without(values, self.names), *ends)


def _holds(half: Cell, cell: Cell) -> bool:
    low, high = half
    return (low is None or (cell[0] is not None and cell[0] >= low)) and (
        high is None or (cell[1] is not None and cell[1] <= high)
    )


def ranges(fields: Sequence[Control], language: str = "") -> list[RangeField]:
    """The ranges among the fields of a form."""
    found = []
    taken: set[str] = set()
    for low, high in _pairs(fields):
        scale = _scale(low, high, language)
        if scale is not None and not taken & {low.name, high.name}:
            taken |= {low.name, high.name}
            found.append(RangeField(low.name, high.name, scale, _open(low, high, scale)))
    return found


def _open(low: Control, high: Control, scale: Scale) -> tuple[str, str]:
    """What the fields hold so that nothing is bounded: nothing, or their ends where they must hold something."""
    ends = scale.write(scale.least), scale.write(scale.most)
    if low.kind == "select":
        empty = [any(not option.value for option in field.options) for field in (low, high)]
    else:
        empty = [field.kind != "range" and not field.required for field in (low, high)]
    return ("" if empty[0] else ends[0]), ("" if empty[1] else ends[1])


def _pairs(fields: Sequence[Control]) -> Iterator[tuple[Control, Control]]:
    """Fields that say that one bounds what the other bounds from the other side."""
    lows: dict[tuple[str, ...], Control] = {}
    for field in fields:
        words = words_in(field.name)
        rest = tuple(word for word in words if word not in _LOW | _HIGH)
        if not _LOW.isdisjoint(words):
            lows[rest] = field
        elif not _HIGH.isdisjoint(words) and rest in lows:
            yield lows[rest], field
    for low, high in pairwise(fields):
        first, second = words_in(low.label), words_in(high.label)
        is_pair = low.name != high.name  # of two fields of one name, a query has one value
        if is_pair and not _LOW.isdisjoint(first) and second and set(second) - set(first) <= _HIGH:
            yield low, high


def _scale(low: Control, high: Control, language: str) -> Scale | None:
    """What two fields bound; None if it is neither a number nor a date."""
    if low.kind != high.kind:
        return None
    if low.kind == "select":
        return _of_options(low, high)
    said = f"{low.name} {low.label} {low.group} {high.name} {high.label}".lower().replace("_", " ")
    if low.kind == "date":
        return _days(low, high, DateFormat())
    if low.kind in ("number", "range"):
        return _numbers(low, high, said)
    if low.kind not in ("text", "search"):
        return None
    shown = DateFormat.of_field(low, language) or DateFormat.of_field(high, language)
    if shown is not None or _DATE.search(said):
        return _days(low, high, shown or DateFormat.of_language(language))
    words = {*words_in(low.name), *words_in(high.name)}
    if _MEASURE.search(said) or _YEAR.search(said) or not words.isdisjoint(_STRONG):
        return _numbers(low, high, said)
    return None


def _of_options(low: Control, high: Control) -> Scale | None:
    """The numbers that both selects have, in their order."""
    least, most = ([each.value for each in field.options if _NUMBER.fullmatch(each.value)] for field in (low, high))
    points = sorted(set(least) & set(most), key=float)
    return Scale(0, len(points) - 1, points=tuple(points)) if len(points) >= 2 else None


def _days(low: Control, high: Control, form: DateFormat) -> Scale:
    ends = [_day(low.limits[0], _FIRST_DAY), _day(high.limits[1], _LAST_DAY)]
    return Scale(min(ends).toordinal(), max(ends).toordinal(), 0, format=form)


def _day(written: str, default: date) -> date:
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        return default


def _numbers(low: Control, high: Control, said: str) -> Scale:
    is_year = _YEAR.search(said) is not None
    step = low.limits[2] or high.limits[2]
    # The step of a number input is 1 unless it says otherwise. What is typed as text may have cents.
    is_whole = is_year or (low.kind in ("number", "range") and (not step or step.isdecimal()))
    per_unit = 1 if is_whole else 100
    least = _bound(low.limits[0], _FIRST_YEAR if is_year else 0)
    most = _bound(high.limits[1], _LAST_YEAR if is_year else _MOST)
    return Scale(least * per_unit, max(least + 1, most) * per_unit, per_unit)


def _bound(written: str, default: int) -> int:
    return int(float(written)) if _NUMBER.fullmatch(written) and len(written) < 16 else default
