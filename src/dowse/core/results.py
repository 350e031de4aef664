"""What a crawl found, as one value that every face shows: the terminal, `--json`, Python."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Found(Struct, frozen=True):
    """One of the best results: a short mark (a score, a size), the result itself, and a second line if it has one.

    >>> Found("0.93", "Fishing vessels", "https://example.org/fishing.html").mark
    '0.93'
    """

    mark: str
    text: str
    detail: str = ""


class Number(Struct, frozen=True):
    """A number with its name, and what else is to be said of it.

    >>> Number("matched", 7, "relevance 0.250 or more").value
    7
    """

    name: str
    value: int | str
    note: str = ""


class Results(Struct, frozen=True):
    """What a mode has to say of a crawl.

    `trouble` says why the crawl did not bring what was asked for; "" if it did. `cures` are commands that may help
    then. `facts` is the same for programs.

    >>> Results(numbers=(Number("hits", 2),), facts={"hits": 2}).facts
    {'hits': 2}
    """

    best: tuple[Found, ...] = ()
    more: str = ""
    numbers: tuple[Number, ...] = ()
    notes: tuple[str, ...] = ()
    trouble: str = ""
    cures: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
