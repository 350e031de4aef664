"""An extractor of the user: what it returns is checked, so that its mistakes are told by its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dowse.core.exception_line import MISTAKES, mistake_text
from dowse.core.record import Record
from dowse.extract.extractors import Extractor
from dowse.parse.page import Page

_encode = msgspec.json.Encoder().encode


class OwnMistake(Exception):
    """What the code of the user did wrong; the text says it all."""


class OwnExtractor:
    """Takes what an extractor of the user takes; whatever is wrong with it is an OwnMistake."""

    def __init__(self, extractor: Extractor, name: str) -> None:
        self.kinds = tuple(extractor.kinds)
        self._extractor = extractor
        self._name = name

    def extract(self, page: Page) -> list[Record]:
        try:
            found: object = self._extractor.extract(page)
            records = list(found) if isinstance(found, Iterable) and not isinstance(found, str | Mapping) else None
        except MISTAKES as error:
            raise OwnMistake(f"extractor {self._name}: {mistake_text(error)}") from error
        if records is None:
            raise OwnMistake(f"{self._returned} {shown(found)}; it has to return a list of dowse.extending.Record")
        for record in records:
            self._check(record)
        return records

    @property
    def _returned(self) -> str:
        return f"extractor {self._name}: extract(page) returned"

    def _check(self, record: object) -> None:
        if not isinstance(record, Record):
            raise OwnMistake(
                f"{self._returned} a list with {shown(record)}; it has to be a list of dowse.extending.Record"
            )
        if record.kind not in self.kinds:
            known = ", ".join(self.kinds)
            raise OwnMistake(f"{self._returned} a record of the kind {record.kind!r:.60}; its kinds are {known}")
        if trouble := trouble_of_fields(record.fields):
            raise OwnMistake(f"{self._returned} {trouble}")


def trouble_of_fields(fields: object) -> str:
    """Why the fields of a record cannot be kept; "" if they can."""
    if not isinstance(fields, Mapping):
        return f"a record whose fields are {shown(fields)}; they have to be a dict"
    for name, value in fields.items():
        if not isinstance(name, str):
            return f"a record whose field {name!r} is not named by a text"
        try:
            _encode(value)
        except (TypeError, ValueError) as error:
            return f"a record whose field {name!r} cannot be kept: {error}"
    return ""


def shown(value: object) -> str:
    """A value that a function returned, for a message."""
    if hasattr(value, "__await__"):
        return "a coroutine (write def, not async def)"
    return f"{value!r:.60}"
