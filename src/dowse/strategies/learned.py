"""The adaptive order: what a link is worth is learned, while crawling, from the pages that links led to.

    relevance   of a page: how near its vector is to the topic's, and how much of the topic's words it has
    feedback    the topic's vector moves towards the best pages found so far (Rocchio, without asking anybody)
    lead        what is known of a URL from all pages that link to it (evidence.py)
    terms       the topic's own words weigh what their pages have in common (terms.py)
    features    a dozen numbers of a lead: its words, those around it, the pages it is on, and where like links led
    fates       how links of the same place, folder or host turned out; those seldom tried count more (fates.py)
    credit      a page counts for what it led to, too (credit.py)
    model       from features and vectors to relevance (link_model.py)
    words       which pages match in the end is told by the words that the best ones have in common (matching.py)

The topic moves, and with it every number that compares with it. So what is kept are the vectors of the last pages and
of the leads that led to them, and the model is made anew from these: often at first, and every 50 pages later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from dowse.core.errors import CrawlError
from dowse.core.model import Judged, Outcome, Task
from dowse.score.topic import Topic
from dowse.score.vectors import Vector, large, unit
from dowse.strategies.credit import with_credit
from dowse.strategies.evidence import Rows, hint_type, lead_type, page_type, records_of, rows_of, vectors_of
from dowse.strategies.fates import KINDS, Fates
from dowse.strategies.link_model import LinkModel, Numbers
from dowse.strategies.matching import settled
from dowse.strategies.terms import TermWeights

# What each feature weighs before anything is learned: where vectors know which words mean alike, and where they do not.
# Set by hand on development webs, and right enough until pages have come home.
PRIOR = {
    "usual": (0.0, 0.0),
    "anchor": (1.0, 0.2),
    "context": (0.5, 0.1),
    "pages it is on": (1.0, 0.5),
    "many pages": (0.0, 0.0),
    "pages above them": (0.0, 0.0),
    "in-links": (0.0, 0.0),
    "anchor keywords": (0.3, 1.0),
    "address keywords": (0.3, 0.1),
    "context keywords": (0.05, 0.5),
    "pages' keywords": (0.05, 0.1),
    "place in the markup": (0.5, 0.5),
    "folder": (0.2, 0.2),
    "host": (0.1, 0.1),
}
_REMEMBERED = 256
_SOONEST, _LATEST = 10, 50
"""Pages between two fits: a tenth of those fetched, within these."""

_BEST_WAITING = 500
_ALL = 1_000_000_000
_FEEDBACK_FROM = 10
_FEEDBACK_PAGES = 10
_FEEDBACK_MOST = 64
_FEEDBACK = 0.75
_KEYWORDS = (0.5, 1.0)
"""What keywords count beside vectors for the relevance of a page, with and without meaning. With meaning, more of them
finds fewer pages that have other words."""


class Seen(Struct, array_like=True, frozen=True):
    """A page that came home: its lead, its evidence, its number and that of the page it was found on."""

    lead: bytes
    evidence: bytes
    number: int
    finder: int


class State(Struct):
    """All that was learned, as it is saved."""

    source: str
    sizes: tuple[int, int]
    pages: int
    fit_at: int
    rerank_at: int
    base: float
    focus: bytes
    origin: bytes
    terms: bytes
    model: bytes
    fates: bytes
    best: list[tuple[float, bytes]]
    seen: list[Seen]


class LearnedRanker:
    """Learns what links are worth; if it `learns` not, it stays with the topic and the weights it began with."""

    def __init__(self, topic: Topic, *, learns: bool = True) -> None:
        self._learns = learns
        self._topic = topic
        self._size = topic.embedder.size
        self._terms = TermWeights(topic.term_weights, self._size)
        self._hints, self._leads = hint_type(self._size), lead_type(self._size)
        self._page = page_type(len(topic.term_weights), self._size)
        self._sizes = (self._leads.itemsize, self._page.itemsize)  # they tell the records of other versions
        blind = not topic.embedder.source.knows_meaning
        self._keywords = _KEYWORDS[blind]
        self._model = LinkModel(np.array([prior[blind] for prior in PRIOR.values()]), self._size)
        self._pages = self._due = 0
        self._above = 0.0
        self._fit_at, self._rerank_at = _SOONEST, 4 * _FEEDBACK_FROM
        self._origin = self._focus = topic.vector(topic.term_weights)
        self._base = 0.1
        self._best: list[tuple[float, bytes]] = []
        self._seen: list[Seen] = []
        self._fates = Fates()

    # What the store asks

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        densities, vectors = self._split(judged.evidence)
        near, match = float(vectors[0] @ self._focus), float(self._terms.match(densities[0]))
        relevance = near + self._keywords * match
        self._pages += 1
        self._base += (relevance - self._base) / min(self._pages + 4, 200)
        self._terms.learn(densities[0], vectors[0])
        self._above = 0.0
        if self._learns:
            self._remember(judged.evidence, float(vectors[0] @ self._origin) + self._keywords * match)
            if lead:
                self._seen.append(Seen(lead, judged.evidence, task.id, task.parent))
                del self._seen[:-_REMEMBERED]
                row = rows_of(lead, self._leads)
                self._above = float(self._parents(row)[0])
                self._fates.note(row[0], relevance - self._base)
            if self._pages >= self._fit_at:
                self._adapt()
        parts = {"meaning": round(near, 4), "keywords": round(match, 4), **judged.parts}
        shown = max(0.0, (near + match) / 2)  # for its reader a page's words count as much as its meaning
        return replace(judged, relevance=shown, parts=parts)

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        return None

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        hints = rows_of(judged.hints, self._hints)[list(links)]
        before = rows_of(leads, self._leads)
        rows = np.zeros(len(links), self._leads)
        parents = np.minimum(before["parents"].astype(np.float32), 60_000)
        share = 1 / (parents + 1)
        rows["parents"] = parents + 1
        for name in KINDS:
            rows[name] = hints[name]
        for name in ("anchor_match", "address_match", "context_match"):
            rows[name] = before[name] + (hints[name] - before[name]) * share
        rows["parent_match"] = before["parent_match"] + (judged.parts["keywords"] - before["parent_match"]) * share
        rows["above"] = before["above"] + (self._above - before["above"]) * share
        said = np.empty((len(links), 3 * self._size), np.float32)
        said[:, : -self._size] = vectors_of(hints)
        said[:, -self._size :] = rows_of(judged.evidence, self._page)["vector"]
        vectors_of(rows)[:] = _mixed(vectors_of(before), said, share)
        return records_of(rows)

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        rows = rows_of(leads, self._leads)
        ranks: list[float] = (self._model.worth(self._features(rows), rows) + self._novelty(rows)).tolist()
        return ranks

    def rejudge(self, pages: Sequence[tuple[float, bytes]]) -> list[float]:
        if not pages:
            return []
        evidence = b"".join(evidence for _, evidence in pages)
        densities, vectors = self._split(evidence)
        terms = self._terms.match(densities)
        own, seeming = (np.maximum(vectors @ topic + terms, 0) / 2 for topic in (self._origin, self._focus))
        words = rows_of(evidence, self._page)["words"]
        found: list[float] = settled(own.astype(float), seeming.astype(float), words).tolist()
        return found

    def explain(self, lead: bytes) -> dict[str, float]:
        rows = rows_of(lead, self._leads)
        worth = self._features(rows)[0] * self._model.weights
        parts = dict(zip(PRIOR, worth, strict=True))
        parts |= {"like links": self._model.leaning(rows)[0], "seldom tried": self._novelty(rows)[0]}
        return {name: round(float(part), 4) for name, part in parts.items() if abs(part) >= 1e-3}

    def due(self) -> int:
        due, self._due = self._due, 0
        return due

    def dump(self) -> bytes:
        state = State(
            self._topic.embedder.source.name, self._sizes, self._pages, self._fit_at, self._rerank_at, self._base,
            self._focus.tobytes(), self._origin.tobytes(), self._terms.dump(), self._model.dump(),
            self._fates.dump(), self._best, self._seen,
        )  # fmt: skip
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        try:
            saved = msgspec.msgpack.decode(state, type=State)
            if saved.source == self._topic.embedder.source.name:
                self._take_up(saved)
                return
        except (msgspec.MsgspecError, ValueError) as error:
            raise CrawlError(
                "what this crawl learned was saved by another version of dowse, in a form that this one cannot read;"
                " go on with the version it was begun with, or start a new crawl in another folder"
            ) from error
        raise CrawlError(
            f"what this crawl learned is made of words by {saved.source}, and there is only"
            f" {self._topic.embedder.source.name} here; pip install 'dowse[semantic]', or start a new crawl"
        )

    # Inside

    def _take_up(self, saved: State) -> None:
        """Go on with what was saved. Raises ValueError if it has another form."""
        if saved.sizes != self._sizes:
            raise ValueError(f"records of {saved.sizes} bytes, not {self._sizes}")
        self._pages, self._fit_at, self._rerank_at = saved.pages, saved.fit_at, saved.rerank_at
        self._base, self._best, self._seen = saved.base, saved.best, saved.seen
        self._focus, self._origin = np.frombuffer(saved.focus, np.float32), np.frombuffer(saved.origin, np.float32)
        self._terms.load(saved.terms)
        self._model.load(saved.model)
        self._fates.load(saved.fates)

    def _split(self, evidence: bytes) -> tuple[Vector, Vector]:
        """How much of each term pages have, and their vectors."""
        rows = rows_of(evidence, self._page)
        return rows["terms"].astype(np.float32) / np.float32(255), large(rows["vector"])

    def _parents(self, rows: Rows) -> Numbers:
        """How much more relevant than usual the pages are that links are on."""
        parents: Numbers = large(rows["parent"]) @ self._focus + self._keywords * rows["parent_match"] - self._base
        return parents

    def _features(self, rows: Rows) -> Numbers:
        """A row of numbers for each lead, all about as large as a cosine, in the order of PRIOR."""
        count = np.maximum(rows["parents"], 1).astype(np.float64)
        parents = self._parents(rows)
        return np.array([
            np.full(len(rows), 0.1),
            large(rows["anchor"]) @ self._focus,
            large(rows["context"]) @ self._focus,
            parents,
            0.3 * np.log1p(np.maximum(parents, 0) * count),
            rows["above"],
            0.1 * np.log(count),
            rows["anchor_match"],
            rows["address_match"],
            rows["context_match"],
            rows["parent_match"],
            *self._fates.gains(rows),
        ]).T  # fmt: skip

    def _novelty(self, rows: Rows) -> NDArray[np.float32]:
        """What links are worth for what may be learned from them."""
        return self._fates.novelty(rows, self._pages) if self._learns else np.zeros(len(rows), np.float32)

    def _remember(self, evidence: bytes, worth: float) -> None:
        """Keep the best pages."""
        self._best.append((worth, evidence))
        if len(self._best) > 2 * _FEEDBACK_MOST:
            self._best = sorted(self._best, reverse=True)[:_FEEDBACK_MOST]

    def _adapt(self) -> None:
        """Move the topic, make the model anew, and have what waits ranked by it."""
        if self._pages >= _FEEDBACK_FROM:
            self._move_topic()
        if self._seen:
            self._fit()
        self._fit_at = self._pages + min(max(_SOONEST, self._pages // 10), _LATEST)
        self._due = _BEST_WAITING
        if self._pages >= self._rerank_at:
            self._rerank_at, self._due = 2 * self._pages, _ALL

    def _move_topic(self) -> None:
        """Weigh the topic's terms by what is known of them, and move it towards the best pages."""
        self._origin = self._topic.vector(self._terms.weights())
        best = sorted(self._best, reverse=True)[: min(_FEEDBACK_PAGES + self._pages // 20, _FEEDBACK_MOST)]
        _, vectors = self._split(b"".join(evidence for _, evidence in best))
        self._focus = unit(self._origin + np.float32(_FEEDBACK) * unit(vectors.mean(0)))

    def _fit(self) -> None:
        """Make the model anew from the last pages and the leads that led to them."""
        rows = rows_of([seen.lead for seen in self._seen], self._leads)
        densities, vectors = self._split(b"".join(seen.evidence for seen in self._seen))
        relevance = vectors @ self._focus + self._keywords * self._terms.match(densities)
        numbers, finders = [seen.number for seen in self._seen], [seen.finder for seen in self._seen]
        worth = with_credit(relevance, numbers, finders, self._base)
        self._model.fit(self._features(rows), rows, worth)


def _mixed(before: NDArray[np.int8], new: Vector, share: Any) -> Vector:
    """The mean of vectors, one more taken in, in whole numbers; `new` is made into it, for they are many."""
    old = before.astype(np.float32)
    new -= old
    new *= share[:, None]
    new += old
    return np.rint(new, out=new)
