"""The options of a crawl for a topic."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from dowse.core.job import Option

RankerName = Literal[
    "learned", "semantic", "astar", "astar-literal", "astar-best-child", "shark", "keywords", "priority", "parent",
    "breadth", "depth", "random",
]  # fmt: skip
"""The rankers of a focus crawl: which waiting link is next."""

ScorerName = Literal["auto", "relevance", "keywords", "priority"]
"""The scorers: what a page is worth. Any goes with any ranker; auto is the ranker's own."""

Match = Literal["auto", "any", "all"]

ReadingName = Literal["words", "meaning", "context"]
"""How pages are read (reading_choice.py)."""


BY_MEANING = ("learned", "semantic")
"""The rankers for which the relevance of a page is the probability that it is on topic; for others it is how much it
has of the keywords."""

LIKELY, MUCH = 0.5, 0.25
"""From which of these a page counts as matched."""


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
    score: Annotated[
        ScorerName, Option("The scorer: how pages are judged and ranked; auto is the one of the ranker.")
    ] = "auto"
    match: Annotated[
        Match, Option("Which pages match: with any keyword, with all keywords, or (auto) by their relevance.")
    ] = "auto"
    language: Annotated[str, Option("Language of the topic, by code or name.", "LANGUAGE")] = "en"
    context: Annotated[
        bool,
        Option(
            "Read likely pages together with the topic, by a language model on this machine. It needs the extra"
            " `context`, and a topic in English."
        ),
    ] = True
    related: Annotated[bool, Option("Let words count that are related to the topic's (points of priority).")] = True
    threshold: Annotated[
        float,
        Meta(ge=-1, le=1),
        Option("Relevance from which a page counts as matched, 0 to 1; -1 is that of the ranker.", "NUMBER"),
    ] = -1.0
    least_worth: Annotated[
        float, Meta(ge=0), Option("Drop links that are worth less than this to the ranker; 0 drops none.", "NUMBER")
    ] = 0.0
    graph_size: Annotated[
        int, Meta(ge=0), Option("Pages of the web that is crawled, for astar; 0 estimates them by the first page.", "N")
    ] = 0
    first_h: Annotated[
        float,
        Meta(ge=-1, le=1),
        Option("The h of all links at first, for astar; -1 takes it from their words.", "NUMBER"),
    ] = -1.0
    patience: Annotated[
        int,
        Meta(ge=0),
        Option("Pages before it may stop because little is left to be found, fewer on small sites; 0 goes on.", "N"),
    ] = 120
    ask: Annotated[
        bool,
        Option(
            "Ask about pages it is least sure of, and judge all by the answers: while the crawl runs, on a terminal,"
            " and when it has ended."
        ),
    ] = False
    questions: Annotated[int, Meta(ge=1), Option("How many pages --ask asks about, at most.", "N")] = 10
