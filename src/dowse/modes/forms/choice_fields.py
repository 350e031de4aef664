"""Fields with choices that divide a database: selects, radio buttons, boxes to tick, and numbers of a few values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import regex

from dowse.modes.forms.queries import Values, with_values, without
from dowse.parse.forms.controls import TICKED, Control, Option

MOST_DIGITS = 9
"""What has more digits counts nothing. Python itself refuses to read some thousands of them."""

MOST_NUMBERS = 200
"""A number of at most so many values is asked for each of them."""

_ARRANGES = regex.compile(
    r"sort|order|direction|view|layout|lang|theme|format|per.?page|page.?size|_?limit|size|rows|count|max|num\b|"
    r"^page$|remember|save|group(?:by|dir|\d|.by)",
    regex.IGNORECASE,
)
_ANY = regex.compile(
    r"\W*|\W*(?:any|all|every|select|choose|pick|please|show all|no preference|none|alle?s?|beliebig|egal|bitte|"
    r"tou[ts]e?s?|tod[ao]s?|qualsiasi|tutt[ie]|elke?)\b.*",
    regex.IGNORECASE,
)
"""Labels of choices that choose nothing."""


class Facet(NamedTuple):
    """A field with choices that divide the database. `begun` is the one that it begins with, "" if that is none.

    `is_exhaustive` says whether each record should have one of the choices: that of a box to tick may be none.
    """

    name: str
    values: tuple[Option, ...]
    begun: str
    is_exhaustive: bool = True

    @property
    def names(self) -> tuple[str]:
        """The one field that it sets."""
        return (self.name,)

    @property
    def is_open(self) -> bool:
        """Whether the form as it is asks for all choices."""
        return all(option.value != self.begun for option in self.values)

    def count(self, values: Values) -> int:
        """How many parts a query is divided into: none if it has one of the choices already."""
        return 0 if any(name == self.name for name, _ in values) else len(self.values)

    def part(self, values: Values, place: int) -> Values:
        """One part of a query."""
        return with_values(values, (self.name, self.values[place].value))

    def wholes(self, values: Values) -> list[Values]:
        """The query that another one is a part of by this field; none if it says nothing of it."""
        around = without(values, self.names)
        return [around] if len(around) < len(values) else []


def facets(fields: Sequence[Control], taken: Iterable[str] = ()) -> list[Facet]:
    """The choices of a form, but for those that only arrange the answer and those of fields that are taken."""
    gone = set(taken)
    found = []
    for field in fields:
        if field.name in gone or _ARRANGES.search(f"{field.name} {field.id}") is not None:
            continue
        gone.add(field.name)
        facet = _facet(field, [other for other in fields if other.name == field.name])
        if facet is not None:
            found.append(facet)
    return found


def _facet(field: Control, same: Sequence[Control]) -> Facet | None:
    """The choices of a field, or of all radio buttons or boxes of its name."""
    if field.kind == "select":
        chosen = next((option.value for option in field.options if option.selected), "")
        return _of_options(field.name, field.options, "" if field.multiple else chosen)
    if field.kind in TICKED:
        options = [Option(each.value, each.label) for each in same if each.kind == field.kind]
        ticked = next((each.value for each in same if each.checked), "")
        if field.kind == "radio":
            return _of_options(field.name, options, ticked)
        free = tuple(option for option in options if option.value != ticked)
        return Facet(field.name, free, ticked, is_exhaustive=False) if free else None
    if field.kind == "number" and len(same) == 1:
        return _of_options(field.name, [Option(each, each) for each in _numbers(field)], field.value)
    return None


def _of_options(name: str, options: Sequence[Option], begun: str) -> Facet | None:
    values = tuple(option for option in options if option.value and not option.disabled and not _is_any(option))
    return Facet(name, values, begun) if len(values) > 1 else None


def _is_any(option: Option) -> bool:
    """Whether a choice chooses nothing.

    >>> [_is_any(Option(*each)) for each in (("0", "Any make"), ("-1", "--"), ("all", "all"), ("1", "Allen"))]
    [True, True, True, False]
    """
    return option.value in ("-1", "*") or _ANY.fullmatch(option.label or option.value) is not None


def is_number(written: str) -> bool:
    """Whether a value of a form is a whole number that something can be counted by."""
    return written.isdecimal() and len(written) <= MOST_DIGITS


def _numbers(field: Control) -> list[str]:
    least, most, step = field.limits
    if not (is_number(least) and is_number(most) and (not step or is_number(step))):
        return []
    numbers = range(int(least), int(most) + 1, int(step or 1) or 1)
    return [str(number) for number in numbers] if len(numbers) <= MOST_NUMBERS else []
