"""Data that a page's scripts fetched: JSON answers become records, as they came.

They are of the kind "json"; their key is the URL that was asked, with " #2", " #3" where it was asked again:

    an object           its own fields
    a list              one field, `items`
    anything else       one field, `value`

The field `from` has the URL again, unless the data has a field of that name. An answer that is too large has the field
`left_out` in place of its own, which says so. What counts is what is kept, not what came over the line: an answer of a
hundred kilobytes may be packed so that it is a hundred megabytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import DecodeError, json

from dowse.core.record import Record

KIND = "json"
MOST_ANSWERS = 200
LONGEST_ANSWER = 2_000_000
MOST_OF_A_PAGE = 20_000_000
"""Limits of a page: answers, bytes of one and bytes of all, unpacked."""

_MB = 1_000_000
LIMITS = f"at most {LONGEST_ANSWER // _MB} MB each, {MOST_OF_A_PAGE // _MB} MB and {MOST_ANSWERS} answers a page"
BUFFERS = {"maxResourceBufferSize": 4 * LONGEST_ANSWER, "maxTotalBufferSize": 2 * MOST_OF_A_PAGE}
"""What the browser may keep of a page until it is asked for it."""


class Captured(NamedTuple):
    """One answer to a script; `size` in place of its body where that was too large."""

    url: str
    body: str
    size: int = 0


class Capture:
    """The answers to one page's scripts."""

    def __init__(self) -> None:
        self.answers: list[Captured] = []
        self.left_out = 0
        self._wanted: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._room = MOST_OF_A_PAGE

    def want(self, request: str, url: str) -> None:
        """An answer to this request has begun, and it is data."""
        if len(self._wanted) < MOST_ANSWERS:
            self._wanted[request] = url
            self._sizes[request] = 0
        else:
            self.left_out += 1

    def grow(self, request: str, length: int) -> None:
        """So many bytes more of an answer are there, unpacked."""
        if request in self._sizes:
            self._sizes[request] += length

    def has_room_for(self, request: str) -> bool:
        """Whether an answer that is whole now is to be taken. One that is wanted and too large is put down as that."""
        size = self._sizes.pop(request, None)
        if size is None:
            return False
        if size <= LONGEST_ANSWER and size <= self._room:
            self._room -= size
            return True
        self.left_out += 1
        self.answers.append(Captured(self._wanted[request], "", size))
        return False

    def take(self, request: str, body: str) -> None:
        self.answers.append(Captured(self._wanted[request], body))


def is_json(media_type: str) -> bool:
    """
    >>> is_json("application/json"), is_json("application/vnd.api+json"), is_json("text/html")
    (True, True, False)
    """
    return media_type.endswith(("/json", "+json"))


def records(answers: Iterable[Captured]) -> tuple[Record, ...]:
    """A record for each answer that is what it claims to be."""
    found: dict[str, Record] = {}
    for answer in answers:
        try:
            value = {"left_out": _left_out(answer.size)} if answer.size else json.decode(answer.body)
        except (DecodeError, UnicodeEncodeError, RecursionError):
            continue
        key, times = answer.url, 1
        while key in found:
            times += 1
            key = f"{answer.url} #{times}"
        found[key] = Record(KIND, key, {"from": answer.url} | _fields(value))
    return tuple(found.values())


def _left_out(size: int) -> str:
    return f"{size:,} bytes ({LIMITS})"


def _fields(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {"items": value} if isinstance(value, list) else {"value": value}
