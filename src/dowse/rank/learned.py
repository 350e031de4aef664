"""The ranker `learned`: what a link is worth is learned, while crawling, from the pages that links led to.

    relevance   of a page: how near its vector is to the topic's, and how much of the topic's words it has
    feedback    the topic's vector moves towards the best pages found so far (feedback.py)
    lead        what is known of a URL from all pages that link to it (evidence.py, lead_means.py)
    terms       the topic's own words weigh what their pages have in common (term_weights.py)
    features    some twenty numbers of a lead: its words, those around it, the pages it is on, and where like links led
    fates       how links of the same place, list, folder or host turned out (link_statistics.py); hosts and folders of
                which nothing is known yet, or where nothing is (path_tree.py); pages in other languages (tongues.py)
    experts     what the baselines make of a link; the model begins with them (experts.py)
    turns       on many hosts a part of the requests goes where the baselines would go (turns.py)
    credit      a page counts for what it led to, too (credit.py)
    model       from features and vectors to relevance (link_model.py)
    verdict     how likely a page is on topic for a reader (page_judge.py)

The topic moves, and with it every number that compares with it. So what is kept are the vectors of the last pages and
of the leads that led to them, and the model is made anew from these: often at first, and every 50 pages later.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from dowse.core.errors import CrawlError
from dowse.core.model import Judged, Outcome, Task
from dowse.core.optional_libraries import install_command
from dowse.rank.credit import with_credit
from dowse.rank.evidence import (
    Fields,
    Rows,
    about_type,
    hint_type,
    lead_type,
    page_type,
    records_of,
    rows_at,
    rows_of,
)
from dowse.rank.experts import Experts
from dowse.rank.feedback import FEEDBACK_FROM, Feedback
from dowse.rank.lead_means import Finder, hubs, taken_in
from dowse.rank.learned_state import Seen, State
from dowse.rank.link_features import OWN, PRIOR, features
from dowse.rank.link_model import ZONES, LinkModel, Numbers
from dowse.rank.link_statistics import Fates
from dowse.rank.page_judge import PageJudge
from dowse.rank.ranker_state import of_another_version
from dowse.rank.term_weights import TermWeights
from dowse.rank.turns import Turns
from dowse.score.tokens import Vector
from dowse.score.topic import Topic
from dowse.score.vectors import large

PARTS = (
    *PRIOR, "like links", "seldom tried", "new section", "dead links", "another language", "barren folder",
    "turn of the baselines",
)  # fmt: skip
"""What the worth of a link is made of."""

_REMEMBERED = 256
_SOONEST, _LATEST = 10, 50
"""Pages between two fits: a fifth of those fetched, within these."""

_BEST_WAITING = 200
_ALL = 1_000_000_000
_SLACK = 0.2
_GOOD = 0.6
"""The relevance of a page that has to do with the topic, before any is known."""


class LearnedRanker:
    """Learns what links are worth; if it `learns` not, it stays with the topic and the weights it began with."""

    slack = _SLACK

    def __init__(self, topic: Topic, *, learns: bool = True) -> None:
        self._learns = learns
        self._topic = topic
        self._size = topic.embedder.size
        self._terms = TermWeights(topic.term_weights, self._size)
        self._hints, self._leads = hint_type(self._size), lead_type(self._size)
        self._page = page_type(len(topic.term_weights), self._size)
        self._about = about_type(len(topic.term_weights), self._size)
        self._sizes = (self._leads.itemsize, self._page.itemsize)  # they tell the records of other versions
        prior = np.array([prior[not topic.embedder.source.knows_meaning] for prior in PRIOR.values()])
        if not learns:
            prior[OWN:] = 0  # there is nothing by which it could leave the experts
        self._model = LinkModel(prior, self._size)
        self._pages = self._due = 0
        self._above, self._inherited, self._by_keywords, self._host = 0.0, 0.0, 0.0, 0  # of the page learned last
        self._fit_at, self._rerank_at = _SOONEST, 4 * FEEDBACK_FROM
        self._feedback = Feedback(topic)
        self._base, self._peak = 0.1, _GOOD
        self._seen: list[Seen] = []
        self._fates = Fates()
        self._experts = Experts()
        self._turns = Turns()
        self._judge = PageJudge(topic)
        self._match, self._zones = 0.0, dict[str, float]()  # of the page learned last

    # What the store asks

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        about = judged.evidence[: self._about.itemsize]
        (densities,), (vector,), (foreign,) = self._split(about)
        self._take_turn(lead)
        near, match = float(vector @ self._feedback.focus), float(self._terms.match(densities))
        relevance = near + match
        self._pages += 1
        self._base += (relevance - self._base) / min(self._pages + 4, 200)
        self._terms.learn(densities, vector)
        self._above, self._inherited, self._by_keywords, self._host = 0.0, 0.0, judged.relevance, 0
        self._match, self._zones = match, judged.parts
        linking = float(self._topic.nearness(large(rows_of(lead, self._leads)["parent"][0]))) if lead else math.nan
        evidence, shown, parts = self._judge.judge(judged.evidence, linking)
        if self._learns:
            self._feedback.note(float(vector @ self._feedback.origin) + match, about)
            if lead:
                self._seen.append(Seen(lead, about, task.id, task.parent))
                del self._seen[:-_REMEMBERED]
                row = rows_of(lead, self._leads)
                self._above = float(self._parents(row, large(row["parent"][0]) @ self._feedback.focus)[0])
                self._inherited, self._host = float(row["inherited"][0]), int(row["tree"][0, 0])
                self._fates.tongues.note(row, foreign)
                self._fates.tree.likeliest = max(self._fates.tree.likeliest, shown)
                if self._fates.note(row, relevance - self._base, relevance):
                    self._due = _BEST_WAITING  # other links to this section are worth less now
            if self._pages >= self._fit_at:
                self._adapt()
        return replace(judged, relevance=shown, parts=parts, evidence=evidence)

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        self._take_turn(lead)
        if lead and self._fates.miss(rows_of(lead, self._leads)):
            self._due = _BEST_WAITING  # there may be more dead links of this kind
        return None

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        hints = rows_at(judged.hints, self._hints, links)
        before = rows_of(leads, self._leads)
        lists = hubs(np.frombuffer(judged.hints, self._hints), self._zones.get("head", 0.0))[list(links)]
        page = rows_of(judged.evidence, self._page)
        foreign = float(page["foreign"][0]) if len(page) else 0.0
        finder = Finder(task.id, self._host, self._match, foreign, self._above, page["vector"], lists)
        rows = taken_in(before, hints, finder)
        self._fates.meet(rows)
        if self._learns:
            self._turns.meet(rows, before)
        said = replace(judged, relevance=self._by_keywords, parts=self._zones)
        self._experts.advise(rows, before, hints, task, said, self._inherited)
        return records_of(rows)

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        worth, lift = self._lifted(leads)
        ranks: list[float] = (worth + lift).tolist()
        return ranks

    def rejudge(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        self._heed(pages, answers)
        return self._judge.judge_all(pages, answers)

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        if not leads:
            return []
        rows = rows_of(leads, self._leads)
        vectors = large(Fields(rows).vectors)
        known = self._features(rows, vectors)
        worth, leaning = known * self._model.weights, self._model.leaning(vectors)
        adjustments = self._adjustments(rows, worth.sum(axis=1) + leaning)
        parts = np.column_stack([worth, leaning, *adjustments])
        parts = np.column_stack([parts, self._turns.lift(parts.sum(axis=1), known[:, OWN:])])
        shown = parts.round(4).tolist()
        return [{name: part for name, part in zip(PARTS, row, strict=True) if abs(part) >= 1e-3} for row in shown]

    def due(self) -> int:
        due, self._due = self._due, 0
        return due

    def dump(self) -> bytes:
        focus, origin, best = self._feedback.dump()
        state = State(
            self._topic.embedder.source.name, self._sizes, self._pages, self._fit_at, self._rerank_at,
            self._base, self._peak, focus, origin, self._terms.dump(), self._model.dump(), self._fates.dump(),
            self._fates.tree.dump(), self._fates.tongues.dump(), self._experts.dump(), best, self._seen,
            self._judge.dump(), (self._feedback.wanted, self._feedback.unwanted), self._turns.dump(),
        )  # fmt: skip
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        try:
            saved = msgspec.msgpack.decode(state, type=State)
            if saved.source == self._topic.embedder.source.name:
                self._take_up(saved)
                return
        except (msgspec.MsgspecError, ValueError) as error:
            raise of_another_version() from error
        raise CrawlError(
            f"what this crawl learned is made of words by {saved.source}, and there is only"
            f" {self._topic.embedder.source.name} here; {install_command('semantic')}, or start a new crawl"
        )

    # Inside

    def _take_up(self, saved: State) -> None:
        """Go on with what was saved. Raises ValueError if it has another format."""
        if saved.sizes != self._sizes:
            raise ValueError(f"records of {saved.sizes} bytes, not {self._sizes}")
        self._pages, self._fit_at, self._rerank_at = saved.pages, saved.fit_at, saved.rerank_at
        self._base, self._peak, self._seen = saved.base, saved.peak, saved.seen
        self._feedback.load(saved.focus, saved.origin, saved.best)
        self._terms.load(saved.terms)
        self._model.load(saved.model)
        self._fates.load(saved.fates)
        self._fates.tree.load(saved.tree)
        self._fates.tongues.load(saved.tongues)
        self._experts.load(saved.experts)
        self._turns.load(saved.turns)
        self._judge.load(saved.judge)
        self._feedback.wanted, self._feedback.unwanted = saved.answers

    def _split(self, about: bytes) -> tuple[Vector, Vector, list[int]]:
        """How much of each term pages have, their vectors, and whether they are in another language."""
        return _parts(rows_of(about, self._about))

    def _parents(self, rows: Rows, near: Vector) -> Numbers:
        """How much more relevant than usual the pages are that links are on, and `near` so much to the topic."""
        parents: Numbers = near + rows["parent_match"] - self._base
        return parents

    def _features(self, rows: Rows, vectors: Vector) -> Numbers:
        near = (vectors.reshape(-1, self._size) @ self._feedback.focus).reshape(-1, len(ZONES))
        return features(rows, near, self._parents(rows, near[:, -1]), self._fates, self._experts.ranks(rows))

    def _adjustments(self, rows: Rows, worth: Numbers) -> Numbers:
        """What links are worth beside what the model says, a row for each reason; nothing if nothing is learned."""
        if not self._learns:
            return np.zeros((5, len(rows)))
        return self._fates.adjustments(rows, worth, self._peak, self._pages)

    def _lifted(self, leads: Sequence[bytes]) -> tuple[Numbers, Numbers]:
        """What links are worth, and how much is added to it for the turns of the baselines."""
        rows = rows_of(leads, self._leads)
        vectors = large(Fields(rows).vectors)
        known = self._features(rows, vectors)
        expected = self._model.worth(known, vectors)
        worth = expected + self._adjustments(rows, expected).sum(axis=0)
        return worth, self._turns.lift(worth, known[:, OWN:])

    def _take_turn(self, lead: bytes) -> None:
        """A link was followed: note whose turn it was."""
        if lead and self._turns.are_taken:
            _, lift = self._lifted([lead])
            self._turns.follow(float(lift[0]))

    def _adapt(self) -> None:
        """Move the topic, make the model anew, and have what waits ranked by it."""
        if self._pages >= FEEDBACK_FROM:
            self._terms.weigh()
            self._feedback.move(self._pages, self._terms.weights)
        if self._seen:
            self._fit()
        self._fit_at = self._pages + min(max(_SOONEST, self._pages // 5), _LATEST)
        self._due = _BEST_WAITING
        if self._pages >= self._rerank_at:
            self._rerank_at, self._due = 2 * self._pages, _ALL

    def _heed(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> None:
        """Let what a person said of pages move the topic, and what waits be ranked by that, once for every answer."""
        said = {pages[place][: self._about.itemsize]: is_wanted for place, is_wanted in answers.items()}
        wanted, unwanted = ([about for about, yes in said.items() if yes is kind] for kind in (True, False))
        if self._learns and (wanted, unwanted) != (self._feedback.wanted, self._feedback.unwanted):
            self._feedback.wanted, self._feedback.unwanted = wanted, unwanted
            if self._feedback.best:
                self._adapt()
                self._due = _ALL

    def _fit(self) -> None:
        """Make the model anew from the last pages and the leads that led to them."""
        rows = rows_of([seen.lead for seen in self._seen], self._leads)
        densities, vectors, _ = self._split(b"".join(seen.about for seen in self._seen))
        relevance = vectors @ self._feedback.focus + self._terms.match(densities)
        numbers, finders = [seen.number for seen in self._seen], [seen.finder for seen in self._seen]
        self._peak = float(relevance.max())
        worth = with_credit(relevance, numbers, finders, self._base)
        leads = large(Fields(rows).vectors)
        self._model.fit(self._features(rows, leads), leads, worth)


def _parts(rows: Rows) -> tuple[Vector, Vector, list[int]]:
    return rows["terms"].astype(np.float32) / np.float32(255), large(rows["vector"]), rows["foreign"].tolist()
