"""A crawl's bodies as one WARC file: the records that visits point at, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from dowse.core.archive import Bodies, Location, Place, Stored
from dowse.core.errors import CrawlError

Row = dict[str, Any]
"""A visit: `body` is its location."""


class Writable(Protocol):
    """Whatever takes bytes: a file, standard output, an entry of a zip file."""

    def write(self, data: bytes, /) -> int: ...


class Copied(NamedTuple):
    """A record that was just written, and where."""

    record: Stored
    offset: int


def write_warc(visits: Iterable[Row], bodies: Bodies, stream: Writable, unreadable: list[str]) -> int:
    """Write one WARC file; the answer is how many answers are in it. `visits` is gone through twice."""
    return sum(1 for _ in copy_records(visits, bodies, stream, unreadable))


def copy_records(visits: Iterable[Row], bodies: Bodies, stream: Writable, unreadable: list[str]) -> Iterator[Copied]:
    """Copy answers and their requests, the first of each file after the record that says how they were come by.

    A body that a visit refers to is copied too where the visit that brought it is not in the crawl: its process was
    killed before it could tell. What is damaged is left out, and `unreadable` gets a line on it.
    """
    offset = 0
    file = ""
    for place, record in _records(visits, bodies, unreadable):
        if place.file != file:
            file = place.file
            with suppress(CrawlError):  # the records are whole without it
                offset += stream.write(bodies.heading(file))
        yield Copied(record, offset)
        offset += stream.write(record.answer) + stream.write(record.request)


def _records(visits: Iterable[Row], bodies: Bodies, unreadable: list[str]) -> Iterator[tuple[Place, Stored]]:
    wanted = {original for row in visits if (original := Location.parse(row["body"]).original) is not None}
    for row in visits:
        place = Location.parse(row["body"]).place
        wanted.discard(place)
        try:
            record = bodies.stored(row["body"])
        except CrawlError as trouble:
            unreadable.append(f"{row['url']}: {trouble}")
            continue
        yield place, record
    for place in sorted(wanted):
        try:
            record = bodies.stored_at(place)
        except CrawlError as trouble:
            unreadable.append(str(trouble))
            continue
        yield place, record
