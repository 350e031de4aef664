"""What a rule crawl sends along and home: marks with its links, page types with its tasks, what was applied with pages.

    Candidate.hint = pack(marks)      Task.hint = pack(types)      Outcome.evidence = pack(ruled); of HEAD pack(facts)

Engine and frontier see bytes; the rules' strategy and the rules' tables, which are behind `PageTypes`, look inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from functools import lru_cache

import msgspec
from msgspec import Struct

from dowse.modes.rules.rule_table import Instruction


class PageType(Struct, frozen=True, gc=False, array_like=True):
    """What a page is in a rule crawl: a name, for one base URL."""

    base: str
    name: str


class Mark(Struct, frozen=True, gc=False, array_like=True):
    """What a rule said of a link: keep it, or (with a `to_type`) follow it to a page of that type.

    A link that is kept brings along what its page says of it: the text around it, its title and its relation.
    """

    base: str
    rule: int
    from_type: str
    to_type: str = ""
    context: str = ""
    title: str = ""
    rel: str = ""


class LinkFacts(Struct, frozen=True, array_like=True):
    """What a server says of a link that is kept: its type, its bytes if it says so, and its date (ISO 8601, or "")."""

    media_type: str
    size: int | None
    last_modified: str


class Ruled(Struct, frozen=True, array_like=True):
    """How rules were applied to a page: the instruction, and how many links each row matched."""

    instruction: Instruction
    matches: list[tuple[int, int]] = []


_DIGITS = 18
"""Digits of a size that a column of integers has room for, whatever they are."""

_encode = msgspec.msgpack.Encoder().encode
_types = msgspec.msgpack.Decoder(tuple[PageType, ...]).decode
_marks = msgspec.msgpack.Decoder(tuple[Mark, ...]).decode
_link_facts = msgspec.msgpack.Decoder(LinkFacts).decode
_ruled = msgspec.msgpack.Decoder(Ruled).decode


def pack(value: tuple[PageType, ...] | tuple[Mark, ...] | LinkFacts | Ruled) -> bytes:
    """As bytes; none for no page types."""
    return _encode(value) if value else b""


@lru_cache(maxsize=1_000)
def page_types(hint: bytes) -> tuple[PageType, ...]:
    return _types(hint) if hint else ()


@lru_cache(maxsize=1_000)
def marks(hint: bytes) -> tuple[Mark, ...]:
    return _marks(hint) if hint else ()


def ruled(evidence: bytes) -> Ruled:
    return _ruled(evidence)


def link_facts(evidence: bytes) -> LinkFacts:
    return _link_facts(evidence)


def facts_of(media_type: str, headers: Mapping[str, str]) -> LinkFacts:
    """The facts in the headers of an answer."""
    length = headers.get("content-length", "").strip()
    try:
        date = parsedate_to_datetime(headers.get("last-modified", "")).isoformat()
    except (ValueError, OverflowError):  # a zone or an hour of twenty digits
        date = ""
    is_size = length.isdecimal() and len(length) <= _DIGITS
    return LinkFacts(media_type, int(length) if is_size else None, date)
