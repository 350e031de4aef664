"""Options of recrawls that stay with a crawl: what its pages are worth, and how many it has room for."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from dowse.core.options.option import Option
from dowse.core.revisits.page_weights import Rows

AUTO, EQUAL, PAGERANK = WAYS = ("auto", "equal", "pagerank")

_LOOKED_FOR = 5
"""One request for so many pages of a collection looks for a better one."""

LEAST_WEIGHT = 0.05
"""How much a page matters that has nothing to do with what is looked for: it may lead to some that have."""


class RevisitOptions(Struct, frozen=True, kw_only=True):
    """Which pages matter when they are visited again."""

    weights: Annotated[
        str,
        Option(
            "How much pages matter in recrawls. auto: what the mode knows, such as relevance; equal: all the same; "
            "pagerank: by the links that lead to them; or a CSV file with a URL or a regular expression, and a weight.",
            "WEIGHTS",
        ),
    ] = AUTO
    collection: Annotated[
        int,
        Meta(ge=0),
        Option(
            "Keep at most so many pages: a recrawl lets the least important go for more important ones; 0 keeps all.",
            "N",
        ),
    ] = 0


class Wishes(Struct, frozen=True, array_like=True):
    """What a user says of the pages of a crawl: how they are weighed, and how many there is room for."""

    way: str = AUTO
    rows: Rows = ()
    collection: int = 0

    def requests(self, budget: int) -> int:
        """How many requests a recrawl makes, 0 is no limit. Without a budget a bounded collection gets each of its
        pages once, and some more to look for better ones.

        >>> Wishes(collection=100).requests(0), Wishes(collection=100).requests(30), Wishes().requests(0)
        (120, 30, 0)
        """
        return budget or self.collection + -(-self.collection // _LOOKED_FOR)


NO_WISHES = Wishes()


class Upkeep(Struct, frozen=True):
    """How a recrawl left the pages of a crawl. `freshness` is the share of them that are likely to be as their copies
    say. Of a bounded collection there is `room` for so many, of which so many were `let_go`; its `quality` is what its
    pages are worth beside the best URLs that are known, as many as there is room for; 1 is the best there can be."""

    freshness: float
    pages: int
    room: int = 0
    let_go: int = 0
    quality: float = 1.0
