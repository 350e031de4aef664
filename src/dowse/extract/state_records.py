"""Records of a page with states: each document is read as it stood, and what several of them say is taken once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.json import encode
from msgspec.structs import replace

from dowse.core.record import UNFINISHED, Record
from dowse.core.rendered_pages import STATES, StateDocument, unpack_states
from dowse.extract.extractors import Extractor
from dowse.parse.page import Page

STATE = "state"
"""The field that says of a record in which state of the page it was found; those of the page itself have none."""


def records_of(page: Page, extractors: Sequence[Extractor]) -> list[Record]:
    """What extractors take from a page and from its other states."""
    response = page.response
    if not extractors or STATES not in response.headers:
        return [record for extractor in extractors for record in extractor.extract(page)]
    document, states = unpack_states(response.headers, response.body)
    page = Page(replace(response, body=document))
    records = [record for extractor in extractors for record in extractor.extract(page)]
    known = {_content(record) for record in records}
    for number, state in enumerate(states, 1):
        for record in _of_state(page, state, extractors):
            content = _content(record)
            if content not in known:
                known.add(content)
                is_named = record.kind == UNFINISHED or STATE in record.fields
                fields = record.fields if is_named else {**record.fields, STATE: state.path}
                records.append(Record(record.kind, f"{number:04} {record.key}", fields))
    return records


def _of_state(page: Page, state: StateDocument, extractors: Sequence[Extractor]) -> Iterator[Record]:
    shown = Page(replace(page.response, body=state.html.encode("utf-8", "replace")))
    if not shown.trouble:
        for extractor in extractors:
            yield from extractor.extract(shown)


def _content(record: Record) -> tuple[str, bytes]:
    return record.kind, encode(record.fields)
