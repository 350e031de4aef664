"""Which scorer and which test go with the options of a focus crawl, and what they need to know of pages."""

from __future__ import annotations

from dowse.modes.focus.options import BY_MEANING, LIKELY, MUCH, FocusOptions, ScorerName
from dowse.rank.scored import LINE, PageTest

_OWN: dict[str, ScorerName] = {"learned": "relevance", "semantic": "relevance", "priority": "priority"}


def scorer_of(options: FocusOptions) -> ScorerName:
    """The scorer by name: the one asked for, or the ranker's own."""
    return own_scorer(options) if options.score == "auto" else options.score


def own_scorer(options: FocusOptions) -> ScorerName:
    return _OWN.get(options.by, "keywords")


def page_test(options: FocusOptions) -> PageTest | None:
    """The test that says which pages match; None where a threshold of relevance does.

    Points have no threshold: a page that is full of the keywords may have few of them.
    """
    if options.match != "auto":
        return options.match
    return "dense" if scorer_of(options) == "priority" else None


def matched_from(options: FocusOptions) -> float:
    """From which relevance a page counts as matched."""
    if options.threshold >= 0:
        return options.threshold
    if page_test(options) is not None:
        return LINE
    return LIKELY if scorer_of(options) == "relevance" else MUCH


def has_chances(options: FocusOptions) -> bool:
    """Whether the relevance of a page is how likely it is to be on topic, and pages match that more likely are than
    not."""
    is_usual = page_test(options) is None and matched_from(options) == LIKELY
    return is_usual and scorer_of(options) == "relevance"


def is_apart(options: FocusOptions) -> bool:
    """Whether pages are judged otherwise than their ranker does by itself."""
    return scorer_of(options) != own_scorer(options) or page_test(options) is not None


def reads_vectors(options: FocusOptions) -> bool:
    """Whether ranker or scorer compare pages by their vectors."""
    return options.by in BY_MEANING or scorer_of(options) == "relevance"


def reads_keywords(options: FocusOptions) -> bool:
    """Whether ranker or scorer look at where keywords are."""
    return not reads_vectors(options) or is_apart(options)
