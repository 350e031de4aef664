"""What a form can be asked: its search box, its choices and ranges, and the fields that only arrange the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import regex

from dowse.modes.forms.choice_fields import Facet, facets, is_number
from dowse.modes.forms.range_fields import RangeField, ranges
from dowse.parse.forms.controls import TICKED, Control
from dowse.parse.forms.form import Form

Divider = Facet | RangeField
"""A field, or two, by which the answer to a query is divided."""

_BOX = regex.compile(
    r"\b(?:q|query|search|find|keywords?|terms?|text|words?|s|such\p{L}*|recherche|buscar|cerca|zoek\p{L}*|\u043f\u043e\u0438\u0441\u043a)\b|search|query|keyword",
    regex.IGNORECASE,
)
SOME_DAY = "2024-01-01"
"""A date for a field that must have one and names no bounds."""

_PAGE_SIZE = regex.compile(r"per.?page|page.?size|limit|size|rows|count|max|num|results|show", regex.IGNORECASE)
_LARGEST_PAGE = 200


def search_box(form: Form) -> Control | None:
    """The field for words: one that is called so, else the first for any text that bounds nothing."""
    bounds = {name for each in ranges(form.fields, form.language) for name in each.names}
    boxes = [field for field in _open_fields(form) if field.kind in ("search", "text") and field.name not in bounds]
    return next(filter(is_called_search, boxes), boxes[0] if boxes else None)


def is_called_search(box: Control) -> bool:
    """Whether a field says itself that words are looked for."""
    return box.kind == "search" or _BOX.search(f"{box.name} {box.label} {box.placeholder}") is not None


def dividers(form: Form) -> list[Divider]:
    """The ranges and the choices of a form, but for those that only arrange the answer."""
    fields = _open_fields(form)
    found = ranges(fields, form.language)
    taken = {*arrangement(form), *(name for each in found for name in each.names)}
    return [*facets(fields, taken), *found]


def can_be_asked(form: Form) -> bool:
    """Whether something can be looked for: a lonely box to tick is no search."""
    return search_box(form) is not None or any(each.is_exhaustive for each in dividers(form))


def arrangement(form: Form) -> dict[str, str]:
    """Values that make an answer longer: the largest page that the form offers.

    >>> from dowse.parse.forms.controls import Option
    >>> sizes = tuple(Option(size, size) for size in ("10", "50", "100"))
    >>> arrangement(Form("", controls=(Control("select", "select", "per_page", options=sizes),)))
    {'per_page': '100'}
    """
    values = {}
    bounds = {name for each in ranges(form.fields, form.language) for name in each.names}
    for field in _open_fields(form):
        numbers = [option.value for option in field.options if is_number(option.value)]
        is_size = field.kind == "select" and _PAGE_SIZE.search(f"{field.name} {field.label}") is not None
        if is_size and numbers and len(numbers) >= len(field.options) - 1 and field.name not in bounds:
            values[field.name] = max(
                (each for each in numbers if int(each) <= _LARGEST_PAGE), key=int, default=numbers[0]
            )
    return values


def begun(form: Form) -> dict[str, list[str]]:
    """The values of all fields before anybody fills them in: a form that comes back with an answer has those of the
    query before it. Ranges are opened, and what must be filled in is."""
    values: dict[str, list[str]] = {}
    for field in form.fields:
        if field.name and not field.disabled and field.kind != "file":
            values.setdefault(field.name, []).extend(_own_values(field))
    for field in _open_fields(form):
        if field.required and not any(values[field.name]):
            values[field.name] = [_needed(field)]
    for each in ranges(_open_fields(form), form.language):
        values |= {name: [value] for name, value in zip(each.names, each.begun, strict=True)}
    return values


def _own_values(field: Control) -> list[str]:
    if field.kind == "select":
        return [option.value for option in field.options if option.selected and not option.disabled]
    if field.kind in TICKED:
        return [field.value] if field.checked else []
    return [field.value]


def _needed(field: Control) -> str:
    """Something for a field that must not be empty."""
    if field.kind == "select":
        return next((option.value for option in field.options if option.value and not option.disabled), "")
    if field.kind in TICKED:
        return field.value
    if field.kind == "date":
        return field.limits[1] or field.limits[0] or SOME_DAY
    if field.kind in ("number", "range"):
        return field.limits[0] or "1"
    return ""


def refreshed(form: Form, fresh: Form) -> Form:
    """A form with the hidden values that it has on a later page, such as tokens and view state.

    Its other fields stay: on an answer, they hold what was asked, and may offer less.
    """
    hidden = [control for control in fresh.controls if control.kind == "hidden"]
    kept = [control for control in form.controls if control.kind != "hidden"]
    return replace(form, action=fresh.action, controls=(*hidden, *kept))


def shape(form: Form) -> tuple[str, str, tuple[str, ...]]:
    """What makes it the same form on another page: where it is sent, and the names of its fields."""
    return form.action.partition("?")[0], form.method, _names(form.controls)


def form_name(form: Form) -> str:
    """By what a form is known on other pages, and in other crawls."""
    return "\n".join(map(str, shape(form)))


def database(form: Form) -> tuple[str, str, str]:
    """What forms of one database have in common: where they are sent, and the name of the search box."""
    box = search_box(form)
    return form.action.partition("?")[0], form.method, box.name if box is not None else "/".join(shape(form)[2])


def find_again(form: Form, forms: Sequence[Form]) -> Form | None:
    """The same form on another page, by what can be filled in: hidden fields come and go."""
    own = (*shape(form)[:2], _names(form.fields))
    return next((other for other in forms if (*shape(other)[:2], _names(other.fields)) == own), None)


def _names(controls: Iterable[Control]) -> tuple[str, ...]:
    return tuple(sorted({control.name for control in controls if control.name and not control.is_button}))


def _open_fields(form: Form) -> list[Control]:
    return [field for field in form.fields if field.name and field.shown and not field.disabled and not field.readonly]
