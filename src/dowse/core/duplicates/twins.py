"""A page beside the one that it was taken for, and what came of comparing them."""

from __future__ import annotations

from msgspec import Struct


class Twin(Struct, frozen=True, gc=False, array_like=True):
    """The page that a URL was taken for: its address, and where its answer is archived, if it is."""

    url: str
    body: str = ""


class Compared(Struct, frozen=True, gc=False, array_like=True):
    """What came of a comparison of a page with its twin.

    `news` is what it says that the twin does not: 0 if that is nothing of note, else a number by which it is known, and
    None if nobody could tell. `asked_at` is when the twin was last asked for, 0 if it was not; `size` is the bytes of
    those answers.
    """

    news: int | None
    asked_at: float = 0.0
    size: int = 0
