"""Order and scorer apart: any ranker with any scorer, and with a test that says which pages match.

    ranker    says which link is next; it learns from pages as it always does
    scorer    says what a page is worth, and so how results are ranked: the pages of a ranker that is another one
    test      any     a page matches that has one of the keywords
              all     a page matches that has each of them
              dense   a page matches that is dense with them

What passes the test has a relevance from LINE on, what does not has less; both are ranked by the scorer among
themselves. So a scorer need not say which pages match, and a test need not say which of them are best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from dowse.core.model import Judged, Outcome, Task
from dowse.core.protocols import Ranker, Scorer
from dowse.rank.evidence import KEYWORD_PAGE, rows_of
from dowse.rank.ranker_state import pack, unpack

PageTest = Literal["any", "all", "dense"]

LINE = 0.5
"""The relevance between pages that pass a test and those that do not."""

_DENSE = 0.2
_FULL = 0.9
"""Relevance by keywords from which a page passes, and the density of one keyword that is enough by itself.

The first was chosen on four topics of the encyclopedia and the six queries, among the relevant pages and 600 others of
each: from 0.1, 0.15, 0.2 and 0.25 on, F1 is 0.61, 0.67, 0.66 and 0.63 on the mean, and by points never over 0.58. So on
other topics it may do worse. The second was not measured: it lets a page in that is full of one keyword of many."""

_MOST = 1 - 1e-9

Kind = TypeVar("Kind", bound=Scorer)


class Reading(NamedTuple, Generic[Kind]):
    """A ranker or scorer, which part of the evidence about a page is for it, and whether it `trusts` what it is told of
    the relevance of a page. Others look for themselves."""

    part: Kind
    evidence: slice
    trusts: bool = False


class ScoredRanker:
    """Ranks links like one ranker, and judges pages like another scorer (None: like the ranker itself)."""

    def __init__(
        self, ranker: Reading[Ranker], scorer: Reading[Scorer] | None, test: PageTest | None, keywords: slice
    ) -> None:
        """`keywords` is the part of the evidence that the test is about."""
        self._ranker, self._own, self._trusts = ranker
        self._scorer = scorer or Reading[Scorer](*ranker)
        self._is_apart = scorer is not None
        self._test = test
        self._keywords = keywords
        self._page = Judged(0.0)

    @property
    def slack(self) -> float:
        return self._ranker.slack

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        scored = judged
        if self._is_apart:
            scored = self._scorer.part.learn(task, _with(judged, self._scorer.evidence), b"")
        self._page = self._ranker.learn(task, _with(scored if self._trusts else judged, self._own, judged), lead)
        made = scored if self._is_apart else self._page
        relevance = made.relevance
        if self._test is not None:
            relevance = lifted(relevance, is_match=self._passes(judged.evidence))
        return replace(made, relevance=relevance, evidence=_put(made.evidence, judged.evidence, self._scorer.evidence))

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        return self._ranker.miss(outcome, lead)

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        return self._ranker.follow(task, self._page, links, leads)

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        return self._ranker.rank(leads)

    def rejudge(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        judged = self._scorer.part.rejudge([evidence[self._scorer.evidence] for evidence in pages], answers)
        if self._test is None:
            return judged
        made = enumerate(zip(judged, pages, strict=True)) if judged else ()
        return [
            replace(each, relevance=lifted(each.relevance, is_match=answers.get(place, self._passes(page))))
            for place, (each, page) in made
        ]

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        return self._ranker.explain(leads)

    def due(self) -> int:
        return self._ranker.due()

    def dump(self) -> bytes:
        return pack((self._ranker.dump(), self._scorer.part.dump() if self._is_apart else b""), ())

    def load(self, state: bytes) -> None:
        ranker, scorer = unpack(state, tuple[bytes, bytes], ())
        self._ranker.load(ranker)
        if self._is_apart:
            self._scorer.part.load(scorer)

    def _passes(self, evidence: bytes) -> bool:
        (row,) = rows_of(evidence[self._keywords][: KEYWORD_PAGE.itemsize], KEYWORD_PAGE)
        if self._test == "any":
            return bool(row["found"])
        if self._test == "all":
            return bool(row["found"] == row["given"])
        return bool(row["relevance"] >= _DENSE or row["most"] >= _FULL)


def lifted(relevance: float, *, is_match: bool) -> float:
    """A relevance on its side of the line."""
    return LINE * is_match + LINE * min(max(relevance, 0.0), _MOST)


def _with(judged: Judged, part: slice, of: Judged | None = None) -> Judged:
    """A page with a part of its evidence, or of the evidence `of` it as it came."""
    return replace(judged, evidence=(of or judged).evidence[part])


def _put(part: bytes, whole: bytes, place: slice) -> bytes:
    """Evidence with a part of it as its scorer gave it back."""
    start, end, _ = place.indices(len(whole))
    return whole[:start] + part + whole[end:]
