"""Fields as people write them: NAME=SELECTOR, with a type and with brackets if all matches are wanted.

    title=//h1                      the first match, as text
    price:number=css:.price         text, number, date, url or html
    tags[]=css:.tag                 all matches, as a list
    prices:number[]=css:.price
    authors[; ]=//a[@rel='author']  all matches in one text, with this between them; \\n and \\t are a line and a tab

What is wrong with one is told with the option it was given for and the number of the character, from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, NoReturn

import regex

from dowse.core.errors import JobError
from dowse.core.record import TAKEN
from dowse.extract.field_values import TYPES
from dowse.extract.selecting.selector_errors import Mistake
from dowse.extract.selecting.selectors import Selector, parse_selector

_NAME = r"(?P<name>[\p{L}_][\p{L}\p{M}\p{N}_.-]*)"
_FIELD = regex.compile(rf"\s*{_NAME}(?::(?P<type>[^\[\]=:]*))?(?P<many>\[(?P<join>[^\]]*)\])?\s*=\s*(?P<selector>.*)")
_EXCLUSION = regex.compile(rf"\s*{_NAME}\s*=\s*(?P<selector>.*)")


class FieldSpec(NamedTuple):
    """A field: what it is called, what it holds, and where it is found. `join` is what stands between many matches."""

    name: str
    type: str
    many: bool
    join: str
    selector: Selector


class Exclusion(NamedTuple):
    """What to leave out of a field's matches."""

    name: str
    selector: Selector


def field_texts(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The fields of a dictionary as they are written elsewhere; its keys are NAME, NAME:TYPE or NAME:TYPE[].

    >>> field_texts({"title": "//h1", "price:number": "css:.price"})
    ('title=//h1', 'price:number=css:.price')
    """
    for name, selector in fields.items():
        if not isinstance(name, str) or not isinstance(selector, str):
            raise JobError(f"extract: a field is a name and a selector, both texts; got {name!r:.60}: {selector!r:.60}")
        if "=" in regex.sub(r"\[[^\[\]]*+\]", "", name):  # brackets hold what stands between many matches
            raise JobError(
                f"extract: the name of a field has no =, at {name!r:.60}; the selector is the dictionary's value"
            )
    return tuple(f"{name}={selector}" for name, selector in fields.items())


def parse_field(option: str, spec: str) -> FieldSpec:
    """The field of a text like `price:number=css:.price`."""
    found = _FIELD.fullmatch(spec)
    if not found:
        _refuse(option, spec, "expected NAME=SELECTOR, NAME:TYPE=SELECTOR or NAME:TYPE[]=SELECTOR", _error_at(spec))
    if found["name"] in TAKEN:
        _refuse(option, spec, f"{found['name']} is a column that every record has; name the field otherwise", 0)
    kind = "text" if found["type"] is None else found["type"].strip()
    if kind not in TYPES:
        _refuse(option, spec, f"unknown type {kind!r}, expected one of {', '.join(TYPES)}", found.start("type"))
    join = (found["join"] or "").replace("\\n", "\n").replace("\\t", "\t")
    return FieldSpec(found["name"], kind, found["many"] is not None, join, _selector(option, spec, found))


def parse_fields(texts: Iterable[str]) -> dict[str, FieldSpec]:
    """The fields of the option `extract`, by their names and in the order they were asked for."""
    specs: dict[str, FieldSpec] = {}
    for text in texts:
        spec = parse_field("extract", text)
        if spec.name in specs:
            raise JobError(f"extract: the field {spec.name} is there twice, at character 1 of {text!r}")
        specs[spec.name] = spec
    return specs


def parse_exclusion(option: str, spec: str) -> Exclusion:
    """The exclusion of a text like `title=//h1/span`."""
    found = _EXCLUSION.fullmatch(spec)
    if not found:
        _refuse(option, spec, "expected NAME=SELECTOR", _error_at(spec))
    selector = _selector(option, spec, found)
    if not selector.gives_elements:
        _refuse(option, spec, "only elements can be left out", found.start("selector"))
    return Exclusion(found["name"], selector)


def _selector(option: str, spec: str, found: regex.Match[str]) -> Selector:
    try:
        return parse_selector(found["selector"])
    except Mistake as mistake:
        _refuse(option, spec, mistake.problem, found.start("selector") + mistake.position)


def _error_at(spec: str) -> int:
    """Where a text stops being the beginning of a field."""
    return next(end for end in range(len(spec), -1, -1) if _FIELD.fullmatch(spec[:end], partial=True))


def _refuse(option: str, spec: str, problem: str, position: int) -> NoReturn:
    end = " (its end)" if position >= len(spec) else ""
    raise JobError(f"{option}: {problem}, at character {position + 1} of {spec!r}{end}")
