"""Named fields of pages: the user's selectors, run on a page, make its record.

    title=//h1   price:number=css:.price   tags[]=css:.tag      exclude_from: title=//h1/span

A field that is not found is not in the record, and a page without any field has none; so what a record lacks can be
counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from turbohtml import Element, unescape

from dowse.core.errors import JobError
from dowse.core.job import ExtractOptions
from dowse.core.record import UNFINISHED, Record
from dowse.extract.dates import may_be_relative
from dowse.extract.field_specs import FieldSpec, parse_exclusion, parse_fields
from dowse.extract.field_values import VALUES, Value, content
from dowse.extract.selecting.selector_errors import GaveUp
from dowse.extract.selecting.selectors import Match, Selector
from dowse.parse.page import Page

KIND = "fields"
# Matches may lie in each other, so that a page of a megabyte could make a record of a gigabyte. What a field may read
# of one page is counted in characters and elements together; what may be a relative date takes 2 ms, so it counts more.
MOST_READ = 1_000_000
READ_FOR_A_RELATIVE_DATE = 1_000
MOST_VALUES = 10_000
_TOO_MUCH = f"what it matches is more than {MOST_READ:,} characters and elements; the rest is left out"


class Field:
    """One field of a record."""

    def __init__(self, spec: FieldSpec, exclusions: list[Selector]) -> None:
        self.name = spec.name
        self._spec = spec
        self._value_of = VALUES[spec.type]
        self._unescapes = spec.selector.gives_source and spec.type != "html"
        self._exclusions = [selector for selector in exclusions if not selector.relative]
        self._relative_exclusions = [selector for selector in exclusions if selector.relative]

    def value(self, page: Page, unfinished: dict[str, str]) -> Value | list[Value] | None:
        """What a page has for this field; None if nothing. If it was not looked for to the end, it is noted why."""
        values: list[Value] = []
        try:
            for value in self._values(page):
                if not self._spec.many:
                    return value
                if value is not None:
                    values.append(value)
                    if len(values) > MOST_VALUES:
                        values.pop()
                        raise GaveUp(f"there are more than {MOST_VALUES:,} values; the others are left out")
        except GaveUp as reason:
            unfinished[self.name] = str(reason)
        if values and self._spec.join:
            return self._spec.join.join(map(str, values))
        return values or None

    def _values(self, page: Page) -> Iterator[Value | None]:
        """The value of each match that has a text, as far as there is room for them."""
        excluded = _elements(self._exclusions, page) if self._exclusions else frozenset[Element]()
        room = MOST_READ
        for match in self._spec.selector.matches(page):
            if room <= 0:
                raise GaveUp(_TOO_MUCH)
            text = self._text(match, page, excluded)
            if text and not text.isspace():
                yield self._value_of(text[:room], page)
            room -= len(text) + _size(match)
            if self._spec.type == "date" and may_be_relative(text):
                room -= READ_FOR_A_RELATIVE_DATE

    def _text(self, match: Match, page: Page, excluded: frozenset[Element]) -> str:
        if isinstance(match, str):
            return unescape(match[:MOST_READ]) if self._unescapes else match
        if self._relative_exclusions:
            excluded |= _elements(self._relative_exclusions, page, match)
        return "" if match in excluded else content(match, self._spec.type, excluded)


class FieldExtractor:
    """Makes the record of a page's named fields. What is wrong with the options is told when it is built."""

    kinds = (KIND, UNFINISHED)

    def __init__(self, options: ExtractOptions) -> None:
        specs = parse_fields(options.extract)
        exclusions = _exclusions(specs, options.exclude_from)
        self._fields = [Field(spec, exclusions[name]) for name, spec in specs.items()]

    def extract(self, page: Page) -> list[Record]:
        """The record of a page, none if it has none of the fields; and another one, if some were not found in time."""
        unfinished: dict[str, str] = {}
        values = {field.name: field.value(page, unfinished) for field in self._fields}
        fields = {name: value for name, value in values.items() if value is not None}
        records = [Record(KIND, "", fields)] if fields else []
        return [*records, Record(UNFINISHED, "", unfinished)] if unfinished else records


def _exclusions(specs: dict[str, FieldSpec], texts: tuple[str, ...]) -> dict[str, list[Selector]]:
    """What to leave out of each field."""
    exclusions: dict[str, list[Selector]] = {name: [] for name in specs}
    for text in texts:
        name, selector = parse_exclusion("exclude_from", text)
        if name not in specs:
            known = (
                f"but {', '.join(specs)}" if specs else f"to leave it out of; name one, such as extract = '{name}=//h1'"
            )
            raise JobError(f"exclude_from: there is no field {name} {known}, at character 1 of {text!r}")
        if not specs[name].selector.gives_elements:
            raise JobError(f"exclude_from: the field {name} is a text without parts, at character 1 of {text!r}")
        exclusions[name].append(selector)
    return exclusions


def _size(match: Match) -> int:
    return 1 if isinstance(match, str) else 1 + len(match.select("*"))


def _elements(selectors: list[Selector], page: Page, within: Element | None = None) -> frozenset[Element]:
    matches = (match for selector in selectors for match in selector.matches(page, within))
    return frozenset(match for match in matches if isinstance(match, Element))
