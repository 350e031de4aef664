"""The options of a crawl for a topic."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from dowse.core.job import Option

RankerName = Literal[
    "learned", "semantic", "astar", "shark", "keywords", "priority", "parent", "breadth", "depth", "random"
]
"""The rankers of a focus crawl: which waiting link is next."""


class FocusOptions(Struct, frozen=True, kw_only=True):
    """What is about a topic."""

    topic: Annotated[
        str,
        Option(
            'What pages should be about: keywords (bubble sort, quick sort) or a description. "..." is a phrase as a'
            " whole, word^2 counts twice.",
            "TEXT",
        ),
    ] = ""
    like: Annotated[tuple[str, ...], Option("A page as wanted: a file or a URL.", "PAGE")] = ()
    unlike: Annotated[tuple[str, ...], Option("A page as not wanted.", "PAGE")] = ()
    by: Annotated[RankerName, Option("The ranker: how the next link is chosen.")] = "learned"
    language: Annotated[str, Option("Language of the topic, by code or name.", "LANGUAGE")] = "en"
    related: Annotated[bool, Option("Let words count that are related to the topic's (by = priority).")] = True
    threshold: Annotated[
        float,
        Meta(ge=-1, le=1),
        Option("Relevance from which a page counts as matched, 0 to 1; -1 finds it from the pages.", "NUMBER"),
    ] = -1.0
    patience: Annotated[
        int, Meta(ge=0), Option("Stop when so many pages brought next to nothing more; 0 goes on.", "N")
    ] = 200
