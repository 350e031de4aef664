"""Data that a page's scripts fetched: JSON answers become records, as they came.

They are of the kind "json"; their key is the URL that was asked, with " #2", " #3" where it was asked again:

    an object           its own fields
    a list              one field, `items`
    anything else       one field, `value`

The field `from` has the URL again, unless the data has a field of that name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import DecodeError, json

from dowse.core.model import Record

KIND = "json"
MOST_ANSWERS = 200
LONGEST_ANSWER = 2_000_000


class Captured(NamedTuple):
    """One answer to a script."""

    url: str
    body: str


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
            value = json.decode(answer.body)
        except (DecodeError, UnicodeEncodeError, RecursionError):
            continue
        key, times = answer.url, 1
        while key in found:
            times += 1
            key = f"{answer.url} #{times}"
        found[key] = Record(KIND, key, {"from": answer.url} | _fields(value))
    return tuple(found.values())


def _fields(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {"items": value} if isinstance(value, list) else {"value": value}
