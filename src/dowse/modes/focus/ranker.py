"""From the options of a focus crawl to its topic, its strategy and its ranker."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dowse.core.errors import JobError
from dowse.core.protocols import Ranker
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.strategy import FocusStrategy
from dowse.rank.astar import AdaptiveRanker
from dowse.rank.baselines import RULES, BaselineRanker
from dowse.rank.learned import LearnedRanker
from dowse.rank.priority import PriorityRanker
from dowse.score import semantic
from dowse.score.language import Language, language
from dowse.score.neighbours import neighbours
from dowse.score.related import Dictionary, Related, related_words
from dowse.score.topic import Example, Topic
from dowse.score.vectors import Embedder
from dowse.score.vocabulary import HashedWords

_BY_MEANING = ("learned", "semantic")
BY_RELATED = ("priority",)
"""The rankers that make use of related words. Those by meaning have them from the embeddings of all words."""

_WORDS_OF = "english"
"""The language that the dictionary and the embeddings are of."""


def build_strategy(options: FocusOptions, examples: Sequence[Example] = ()) -> FocusStrategy:
    """What a worker needs."""
    return FocusStrategy(build_topic(options, tuple(examples)), vectors=options.by in _BY_MEANING)


def build_ranker(options: FocusOptions, examples: Sequence[Example] = (), related: Related | None = None) -> Ranker:
    """What the loop needs."""
    if options.by in RULES:
        return BaselineRanker(RULES[options.by])
    if options.by in _BY_MEANING:
        topic = build_topic(options, tuple(examples))
        return LearnedRanker(topic, learns=options.by == "learned")
    if options.by == "astar":
        return AdaptiveRanker()
    return PriorityRanker(related or Related(), language(options.language))


def build_related(options: FocusOptions, examples: Sequence[Example], dictionary: Dictionary | None) -> Related:
    """The words related to a topic, if its ranker makes use of them."""
    spoken = language(options.language)
    if not options.related or options.by not in BY_RELATED or spoken.name != _WORDS_OF:
        return Related()
    terms = build_topic(options, tuple(examples)).keywords.terms
    near = neighbours(terms, spoken) if semantic.is_installed() else {}
    wanted = [example.text for example in examples if example.wanted]
    return related_words(terms, spoken, dictionary, near, wanted)


@lru_cache(maxsize=16)
def build_topic(options: FocusOptions, examples: tuple[Example, ...] = ()) -> Topic:
    """The topic that options and examples make. Raises JobError if it says nothing."""
    try:
        spoken = language(options.language)
    except ValueError as error:
        raise JobError(f"language: {error}") from error
    try:
        return Topic(options.topic, examples, spoken, _embedder(spoken, by_meaning=options.by in _BY_MEANING))
    except ValueError as error:
        raise JobError(f"{'topic' if options.topic.strip() else 'like'}: {error}") from error


@lru_cache(maxsize=4)
def _embedder(spoken: Language, *, by_meaning: bool) -> Embedder:
    if by_meaning and semantic.is_installed():
        return Embedder(semantic.EmbeddedWords(), spoken)
    return Embedder(HashedWords(spoken), spoken)
