"""Words that all faces of changes share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dowse.core.phrasing import shortened
from dowse.core.revisits.changes import Change, Piece

AROUND = 60
"""Characters of what did not change that stand on either side of what did."""

LONGEST_VALUE = 2_000


def heading(change: Change) -> str:
    """What a change is about: its title, or its address."""
    return change.title or change.url


def short_pieces(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces of a passage; of what did not change only what is near."""
    last = len(pieces) - 1
    for place, (kind, text) in enumerate(pieces):
        if kind == "same" and len(text) > 2 * AROUND + 20:
            before = text[:AROUND] + " " if place else ""
            after = " " + text[-AROUND:] if place < last else ""
            yield Piece(kind, f"{before}…{after}")
        else:
            yield Piece(kind, text)


def field_rows(change: Change) -> Iterator[tuple[str, str, str]]:
    """Name, earlier and later value of each field that differs."""
    before, after = (side if isinstance(side, dict) else {} for side in (change.before, change.after))
    for name in {**before, **after}:
        yield name, _value(before.get(name)), _value(after.get(name))


def _value(value: Any) -> str:
    if isinstance(value, list):
        return shortened(", ".join(map(str, value)), LONGEST_VALUE)
    return "" if value is None else shortened(str(value), LONGEST_VALUE)
