"""What a form can be asked: its search box, its choices, and the fields that only arrange the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import regex

from dowse.parse.forms.controls import Control, Option
from dowse.parse.forms.form import Form

_BOX = regex.compile(
    r"\b(?:q|query|search|find|keywords?|terms?|text|words?|s|such\p{L}*|recherche|buscar|cerca|zoek\p{L}*|\u043f\u043e\u0438\u0441\u043a)\b|search|query|keyword",
    regex.IGNORECASE,
)
_ARRANGES = regex.compile(
    r"sort|order|direction|view|layout|lang|theme|format|per.?page|page.?size|_?limit|size|rows|count|max|num\b",
    regex.IGNORECASE,
)
_PAGE_SIZE = regex.compile(r"per.?page|page.?size|limit|size|rows|count|max|num|results|show", regex.IGNORECASE)
_LARGEST_PAGE = 200


class Facet(NamedTuple):
    """A field with choices that divide the database. `begun` is the one that it begins with."""

    name: str
    values: tuple[Option, ...]
    begun: str


def search_box(form: Form) -> Control | None:
    """The field for words: one that is called so, else the first for any text."""
    boxes = [field for field in form.fields if field.kind in ("search", "text") and _is_open(field)]
    return next(filter(is_called_search, boxes), boxes[0] if boxes else None)


def is_called_search(box: Control) -> bool:
    """Whether a field says itself that words are looked for."""
    return box.kind == "search" or _BOX.search(f"{box.name} {box.label} {box.placeholder}") is not None


def facets(form: Form) -> list[Facet]:
    """The choices of a form, but for those that only arrange the answer."""
    found = []
    for field in form.fields:
        if field.kind == "select" and not field.multiple and _is_open(field) and not _arranges(field):
            values = tuple(option for option in field.options if option.value and not option.disabled)
            if len(values) > 1:
                chosen = (option.value for option in field.options if option.selected)
                found.append(Facet(field.name, values, next(chosen, field.options[0].value)))
    return found


def arrangement(form: Form) -> dict[str, str]:
    """Values that make an answer longer: the largest page that the form offers.

    >>> from dowse.parse.forms.controls import Option
    >>> sizes = tuple(Option(size, size) for size in ("10", "50", "100"))
    >>> arrangement(Form("", controls=(Control("select", "select", "per_page", options=sizes),)))
    {'per_page': '100'}
    """
    values = {}
    for field in form.fields:
        numbers = [option.value for option in field.options if option.value.isdecimal()]
        is_size = field.kind == "select" and _PAGE_SIZE.search(f"{field.name} {field.label}") is not None
        if is_size and numbers and len(numbers) >= len(field.options) - 1 and _is_open(field):
            values[field.name] = max(
                (each for each in numbers if int(each) <= _LARGEST_PAGE), key=int, default=numbers[0]
            )
    return values


def shape(form: Form) -> tuple[str, str, tuple[str, ...]]:
    """What makes it the same form on another page: where it is sent, and the names of its fields."""
    names = sorted({control.name for control in form.controls if control.name and not control.is_button})
    return form.action.partition("?")[0], form.method, tuple(names)


def database(form: Form) -> tuple[str, str, str]:
    """What forms of one database have in common: where they are sent, and the name of the search box."""
    box = search_box(form)
    return form.action.partition("?")[0], form.method, box.name if box is not None else "/".join(shape(form)[2])


def find_again(form: Form, forms: Sequence[Form]) -> Form | None:
    """The same form on another page, with fresh tokens."""
    return next((other for other in forms if shape(other) == shape(form)), None)


def _is_open(field: Control) -> bool:
    return bool(field.name) and field.shown and not field.disabled and not field.readonly


def _arranges(field: Control) -> bool:
    return _ARRANGES.search(f"{field.name} {field.id}") is not None
