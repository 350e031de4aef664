"""From the options of a focus crawl to its topic, its strategy and its ranker."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from dowse.core.errors import JobError
from dowse.core.protocols import Ranker, Scorer
from dowse.modes.focus.options import BY_MEANING, FocusOptions, RankerName, ReadingName, ScorerName
from dowse.modes.focus.scoring import (
    is_apart,
    own_scorer,
    page_test,
    reads_keywords,
    reads_vectors,
    scorer_of,
)
from dowse.modes.focus.strategy import FocusStrategy, text_relevance
from dowse.rank.astar import ASTAR, AdaptiveRanker
from dowse.rank.baselines import RULES, BaselineRanker
from dowse.rank.evidence import page_type
from dowse.rank.learned import LearnedRanker
from dowse.rank.priority import PriorityRanker
from dowse.rank.scored import Reading, ScoredRanker
from dowse.score import semantic
from dowse.score.language import Language, language
from dowse.score.neighbours import neighbours
from dowse.score.related import Dictionary, Related, related_words
from dowse.score.topic import Example, Topic
from dowse.score.vectors import Embedder
from dowse.score.vocabulary import HashedWords

_WORDS_OF = "english"
"""The language that the dictionary and the embeddings are of."""


def build_strategy(
    options: FocusOptions, examples: Sequence[Example] = (), reading: ReadingName | None = None
) -> FocusStrategy:
    """What a worker needs."""
    return FocusStrategy(
        build_topic(options, tuple(examples), reading),
        vectors=reads_vectors(options),
        keywords=reads_keywords(options),
        plain=options.by not in BY_MEANING,
    )


def build_ranker(
    options: FocusOptions,
    examples: Sequence[Example] = (),
    related: Related | None = None,
    reading: ReadingName | None = None,
) -> Ranker:
    """What the loop needs."""
    making = _Making(options, tuple(examples), related or Related(), reading)
    ranker = making.ranker()
    if not is_apart(options):
        return ranker
    own, asked = own_scorer(options), scorer_of(options)
    scorer = None if asked == own else Reading[Scorer](making.scorer(), making.evidence(asked))
    order = Reading(ranker, making.evidence(own), own == "keywords")
    return ScoredRanker(order, scorer, page_test(options), making.evidence("keywords"))


class _Making(NamedTuple):
    """What rankers and scorers are made of."""

    options: FocusOptions
    examples: tuple[Example, ...]
    related: Related
    reading: ReadingName | None

    def ranker(self) -> Ranker:
        by = self.options.by
        if by in RULES:
            return BaselineRanker(RULES[by])
        if by in BY_MEANING:
            return LearnedRanker(self._topic, learns=by == "learned")
        if by == "priority":
            return PriorityRanker(self.related, language(self.options.language))
        return AdaptiveRanker(ASTAR[by], self.options.graph_size, goal=self._goal(), first_h=self.options.first_h)

    def scorer(self) -> Scorer:
        """The rankers are scorers as well; which links they would take is not asked."""
        names: dict[str, RankerName] = {"relevance": "learned", "priority": "priority", "keywords": "breadth"}
        return self._replace(options=replace(self.options, by=names[self.options.score])).ranker()

    def evidence(self, scorer: ScorerName) -> slice:
        """The part of the evidence about a page that such a scorer is about."""
        by_meaning = self._page_size if reads_vectors(self.options) else 0
        return slice(0, by_meaning) if scorer == "relevance" else slice(by_meaning, None)

    @property
    def _topic(self) -> Topic:
        return build_topic(self.options, self.examples, self.reading)

    @property
    def _page_size(self) -> int:
        return page_type(len(self._topic.term_weights), self._topic.embedder.size).itemsize

    def _goal(self) -> float:
        """How relevant the best of the example pages is, -1 without any."""
        keywords = self._topic.keywords
        return max((text_relevance(each.text, keywords) for each in self.examples if each.wanted), default=-1.0)


def build_related(options: FocusOptions, examples: Sequence[Example], dictionary: Dictionary | None) -> Related:
    """The words related to a topic, if its ranker makes use of them."""
    spoken = language(options.language)
    if not options.related or not _uses_related(options) or spoken.name != _WORDS_OF:
        return Related()
    terms = build_topic(options, tuple(examples)).keywords.terms
    near = neighbours(terms, spoken) if semantic.is_installed() else {}
    wanted = [example.text for example in examples if example.wanted]
    return related_words(terms, spoken, dictionary, near, wanted)


def _uses_related(options: FocusOptions) -> bool:
    """Whether points are given. What compares by meaning has related words from the embeddings of all words."""
    return options.by == "priority" or scorer_of(options) == "priority"


@lru_cache(maxsize=16)
def build_topic(options: FocusOptions, examples: tuple[Example, ...] = (), reading: ReadingName | None = None) -> Topic:
    """The topic that options and examples make, for pages that are read like that; without a reading, by meaning if
    that can be. Raises JobError if it says nothing."""
    try:
        spoken = language(options.language)
    except ValueError as error:
        raise JobError(f"language: {error}") from error
    try:
        by_meaning = reading != "words" if reading else semantic.is_installed()
        embedder = _embedder(spoken, by_meaning=by_meaning and reads_vectors(options))
        return Topic(options.topic, examples, spoken, embedder, in_context=reading == "context")
    except ValueError as error:
        raise JobError(f"{'topic' if options.topic.strip() else 'like'}: {error}") from error


@lru_cache(maxsize=4)
def _embedder(spoken: Language, *, by_meaning: bool) -> Embedder:
    if by_meaning:
        return Embedder(semantic.EmbeddedWords(), spoken)
    return Embedder(HashedWords(spoken), spoken)
