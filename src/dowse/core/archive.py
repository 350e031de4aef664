"""Where an archived answer lies, and the answer as it lies there.

    00012-3fa9c1d2.warc.gz:123456:7890:210                              file, offset, length, length of the request
    00012-3fa9c1d2.warc.gz:131556:412:208 00003-77ab01ef.warc.gz:5120   the same, and who has the body: file, offset

The second form is a revisit: the server's answer had a body that was archived before. It says itself where that body
is, because the record that has it may belong to a visit that was lost with its process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from dowse.core.errors import CrawlError
from dowse.core.model import Response, Task

_LOCATION = re.compile(r"(?a:([\w-]+\.warc\.gz):(\d+):(\d+):(\d+)(?: ([\w-]+\.warc\.gz):(\d+))?)")


class Place(NamedTuple):
    """Where a record begins."""

    file: str
    offset: int


class Location(NamedTuple):
    """Where the records of one visit are: the answer, and right behind it the request."""

    place: Place
    length: int
    request_length: int
    original: Place | None = None

    def __str__(self) -> str:
        text = f"{self.place.file}:{self.place.offset}:{self.length}:{self.request_length}"
        return f"{text} {self.original.file}:{self.original.offset}" if self.original else text

    @classmethod
    def parse(cls, text: str) -> Location:
        match = _LOCATION.fullmatch(text)
        if match is None:
            raise CrawlError(f"{text!r} does not say where a body is")
        file, offset, length, request_length, original, its_offset = match.groups()
        first = Place(original, int(its_offset)) if original else None
        return cls(Place(file, int(offset)), int(length), int(request_length), first)


class Stored(NamedTuple):
    """The records of one visit, still compressed, and what an index wants to know of them."""

    url: str
    date: str
    status: int
    media_type: str
    digest: str
    is_revisit: bool
    answer: bytes
    request: bytes


class PackedAnswer(Struct, frozen=True, array_like=True):
    """An answer on its way from a worker that has no archive to the process that has it.

    Its records are packed by the worker, which has the time. `key` is 64 bits of the digest of its body, 0 if that is
    too short to be referred to. What refers to another record is not packed, because only the archive knows where that
    is: then there is the `response`, and `before` is as in `Archive.write`.
    """

    answer: bytes = b""
    request: bytes = b""
    key: int = 0
    response: Response | None = None
    before: str = ""


class Archive(Protocol):
    """Where a worker puts what servers answered."""

    def write(self, response: Response, before: str = "") -> str:
        """Keep an answer. What comes back is its location; by then the operating system has all of it.

        `before` is the location of the answer that is still true according to this one, which has no body or the same.
        If that is not there any more, nothing is kept and nothing comes back.

        Raises StoreFull when there is no room; nothing of the answer is in the archive then.
        """
        ...

    def read(self, location: str) -> Response:
        """An answer that was kept, by whomever. Raises CrawlError when it is not there any more."""
        ...

    def close(self) -> None: ...


class Bodies(Protocol):
    """What was archived, by location."""

    def read(self, location: str) -> Response: ...

    def stored(self, location: str) -> Stored: ...

    def stored_at(self, place: Place) -> Stored:
        """The same, when only the beginning of the records is known."""
        ...

    def heading(self, file: str) -> bytes:
        """The first record of a file, compressed, which says how its answers were come by."""
        ...


class TravelBag(Protocol):
    """What the archive of a worker far away holds: answers that are to go home, and stored ones that came along."""

    def lend(self, stored: Mapping[str, Response], tasks: Iterable[Task]) -> None:
        """Stored answers that these tasks may ask for, by location."""
        ...

    def forget(self, task: Task) -> None:
        """Nobody asks any more for what came along with this task."""
        ...

    def take(self, name: str) -> PackedAnswer | None:
        """The answer that was kept under this name, to be sent home. There is none if it is at its place already."""
        ...


class HomeArchive(Protocol):
    """The archive of a crawl, in the process that writes the store."""

    def lend(self, tasks: Sequence[Task]) -> dict[str, Response]:
        """The stored answers that a worker may need for these tasks."""
        ...

    def keep(self, answer: PackedAnswer) -> str:
        """Archive an answer that came home; the result is its location. Raises StoreFull when there is no room."""
        ...

    def close(self) -> None: ...
