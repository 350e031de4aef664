"""What a ranker has learned, as bytes, and back: only in the format that this version knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from dowse.core.errors import CrawlError

State = TypeVar("State")


def pack(state: object, sizes: Sequence[int]) -> bytes:
    """A state, with the sizes of the records it is about, which lie elsewhere and do not say what they are."""
    return msgspec.msgpack.encode((sizes, state))


def unpack(packed: bytes, kind: type[State], sizes: Sequence[int]) -> State:
    """The state. Raises CrawlError if it was saved in another format, or about other records."""
    try:
        expected: Any = tuple[tuple[int, ...], msgspec.Raw]
        found, state = msgspec.msgpack.decode(packed, type=expected)
        if found != tuple(sizes):
            raise ValueError(f"records of the sizes {found}, not {tuple(sizes)}")
        return msgspec.msgpack.decode(state, type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise of_another_version() from error


def of_another_version() -> CrawlError:
    """For a state that cannot be read."""
    return CrawlError(
        "what this crawl learned was saved by another version of dowse, in a format that this one cannot read;"
        " go on with the version it was begun with, or start a new crawl in another folder"
    )
