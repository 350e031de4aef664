"""The adaptive order: what a link is worth is learned, while crawling, from the pages that links led to.

    relevance   of a page: how near its vector is to the topic's
    feedback    the topic's vector moves towards the best pages found so far (Rocchio, without asking anybody)
    lead        what is known of a URL from all pages that link to it (evidence.py)
    terms       the topic's own words weigh what their pages have in common (terms.py)
    features    a dozen numbers of a lead: its words, those around it, the pages it is on, and where like links led
    weights     a ridge regression from features to relevance, that starts from weights which hold on most sites

The topic moves, and with it every number that compares with it. So what is kept are the vectors of the last pages and
of the leads that led to them, and the regression is made anew from these every few pages.
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
from dowse.strategies.evidence import Rows, hint_type, lead_type, records_of, rows_of
from dowse.strategies.terms import TermWeights

Numbers = NDArray[np.float64]

FEATURES = (
    "usual", "anchor", "context", "pages it is on", "pages, if many", "like links", "in-links", "anchor keywords",
    "context keywords", "pages' keywords", "place in the markup", "host",
)  # fmt: skip
PRIOR = np.array([0.0, 1.0, 0.5, 1.0, 0.0, 0.5, 0.0, 0.1, 0.05, 0.05, 0.5, 0.3])
"""Where the weights start; set once by hand, and right enough until pages have come home."""

_FIRMNESS = 3.0
"""How many pages the starting weights count for."""

_REMEMBERED = 256
_REFIT = 5
_RERANK = 10
_BEST_WAITING = 500
_ALL = 1_000_000_000
_FEEDBACK_EVERY = 20
_FEEDBACK_PAGES = 10
_FEEDBACK_MOST = 64
_FEEDBACK = 0.5
_KEYWORDS = 0.3
"""What keywords count beside meaning for the order. More of them finds fewer pages that have other words."""

_BUCKETS = 1024
_SHRINK = 3.0


class State(Struct):
    """All that was learned, as it is saved."""

    source: str
    pages: int
    reranked: int
    rerank_at: int
    focus: bytes
    trail: bytes
    weights: list[float]
    base: float
    best: list[tuple[float, bytes]]
    leads: bytes
    targets: bytes
    records: bytes
    origin: bytes
    terms: bytes


class LearnedRanker:
    """Learns what links are worth; if it `learns` not, it stays with the topic and the weights it began with."""

    def __init__(self, topic: Topic, *, learns: bool = True) -> None:
        self._learns = learns
        self._topic = topic
        self._size = topic.embedder.size
        self._terms = TermWeights(topic.term_weights, self._size)
        self._hints, self._leads = hint_type(self._size), lead_type(self._size)
        self._reset()

    def _reset(self) -> None:
        self._pages = self._reranked = 0
        self._rerank_at = 2 * _FEEDBACK_EVERY
        self._origin = self._focus = self._topic.vector(self._topic.term_weights)
        self._trail: Vector = np.zeros(self._size, np.float32)
        self._weights: Numbers = PRIOR.copy()
        self._base = 0.1
        self._best: list[tuple[float, bytes]] = []
        self._seen: list[tuple[bytes, bytes]] = []
        self._records: NDArray[np.float32] = np.zeros((2, _BUCKETS, 2), np.float32)

    # What the store asks

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        densities, vector = self._terms.split(judged.evidence)
        near, match = float(vector @ self._focus), float(self._terms.match(densities))
        relevance = self._relevance(near, match)
        self._pages += 1
        self._base += (relevance - self._base) / min(self._pages + 4, 200)
        self._terms.learn(densities, vector)
        self._best.append((float(vector @ self._origin) + _KEYWORDS * match, judged.evidence))
        if len(self._best) > 2 * _FEEDBACK_MOST:
            self._best = sorted(self._best, reverse=True)[:_FEEDBACK_MOST]
        if lead and self._learns:
            self._seen.append((lead, judged.evidence))
            del self._seen[:-_REMEMBERED]
            self._note_record(rows_of(lead, self._leads)[0], relevance)
        if self._learns and self._pages % _FEEDBACK_EVERY == 0:
            self._move_topic()
        if self._learns and self._pages % _REFIT == 0:
            self._fit()
        parts = {"meaning": round(near, 4), "keywords": round(match, 4), **judged.parts}
        return replace(judged, relevance=_shown(near, match), parts=parts)

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        return None

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        hints = rows_of(judged.hints, self._hints)[list(links)]
        before = rows_of(leads, self._leads)
        rows = np.zeros(len(links), self._leads)
        parents = np.minimum(before["parents"].astype(np.float32), 60_000)
        share = 1 / (parents + 1)
        rows["parents"] = parents + 1
        rows["path"], rows["host"] = hints["path"], hints["host"]
        for name in ("anchor_match", "context_match"):
            rows[name] = before[name] + (hints[name] - before[name]) * share
        rows["parent_match"] = before["parent_match"] + (judged.parts["keywords"] - before["parent_match"]) * share
        for name in ("anchor", "context"):
            rows[name] = _mixed(before[name], hints[name], share)
        rows["parent"] = _mixed(before["parent"], np.frombuffer(judged.evidence[-self._size :], np.int8), share)
        return records_of(rows)

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        ranks: list[float] = (self._features(rows_of(leads, self._leads)) @ self._weights).tolist()
        return ranks

    def rejudge(self, pages: Sequence[tuple[float, bytes]]) -> list[float]:
        if not pages:
            return []
        densities, vectors = self._terms.split(b"".join(evidence for _, evidence in pages))
        nears, matches = np.atleast_1d(vectors @ self._focus), np.atleast_1d(self._terms.match(densities))
        return [_shown(near, match) for near, match in zip(nears.tolist(), matches.tolist(), strict=True)]

    def explain(self, lead: bytes) -> dict[str, float]:
        parts = self._features(rows_of(lead, self._leads))[0] * self._weights
        return {name: round(float(part), 4) for name, part in zip(FEATURES, parts, strict=True) if abs(part) >= 1e-3}

    def due(self) -> int:
        if not self._learns:
            return 0
        if self._pages >= self._rerank_at:
            self._reranked, self._rerank_at = self._pages, 2 * self._pages
            return _ALL
        if self._pages < self._reranked + _RERANK:
            return 0
        self._reranked = self._pages
        return _BEST_WAITING

    def dump(self) -> bytes:
        leads, targets = zip(*self._seen, strict=True) if self._seen else ((), ())
        state = State(
            self._topic.embedder.source.name, self._pages, self._reranked, self._rerank_at, self._focus.tobytes(),
            self._trail.tobytes(), self._weights.tolist(), self._base, self._best, b"".join(leads), b"".join(targets),
            self._records.tobytes(), self._origin.tobytes(), self._terms.dump(),
        )  # fmt: skip
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=State)
        if saved.source != self._topic.embedder.source.name:
            raise CrawlError(
                f"what this crawl learned is made of words by {saved.source}, and there is only"
                f" {self._topic.embedder.source.name} here; pip install 'dowse[semantic]', or start a new crawl"
            )
        self._pages, self._reranked, self._rerank_at = saved.pages, saved.reranked, saved.rerank_at
        self._focus = np.frombuffer(saved.focus, np.float32)
        self._trail = np.frombuffer(saved.trail, np.float32)
        self._weights, self._base = np.array(saved.weights), saved.base
        self._best = saved.best
        leads = records_of(np.frombuffer(saved.leads, self._leads))
        step = self._size + len(self._topic.term_weights)
        targets = [saved.targets[at : at + step] for at in range(0, len(saved.targets), step)]
        self._seen = list(zip(leads, targets, strict=True))
        self._origin = np.frombuffer(saved.origin, np.float32)
        self._terms.load(saved.terms)
        self._records = np.frombuffer(saved.records, np.float32).reshape(2, _BUCKETS, 2).copy()

    # Inside

    def _relevance(self, near: Any, match: Any) -> Any:
        return near + _KEYWORDS * match

    def _features(self, rows: Rows) -> Numbers:
        """A row of numbers for each lead, all about as large as a cosine."""
        parents = np.maximum(rows["parents"], 1).astype(np.float64)
        parent = large(rows["parent"]) @ self._focus + _KEYWORDS * rows["parent_match"] - self._base
        anchor = large(rows["anchor"])
        return np.column_stack([
            np.full(len(rows), 0.1),
            anchor @ self._focus,
            large(rows["context"]) @ self._focus,
            parent,
            parent * parents / (parents + 2),
            anchor @ self._trail,
            0.1 * np.log(parents),
            rows["anchor_match"],
            rows["context_match"],
            rows["parent_match"],
            self._record(0, rows["path"]),
            self._record(1, rows["host"]),
        ])  # fmt: skip

    def _record(self, kind: int, numbers: Any) -> NDArray[np.float32]:
        """How much more relevant than usual the pages were that links of the same place or host led to."""
        found = self._records[kind, numbers % _BUCKETS]
        rates: NDArray[np.float32] = found[..., 1] / (found[..., 0] + np.float32(_SHRINK))
        return rates

    def _note_record(self, lead: Any, relevance: float) -> None:
        for kind, name in enumerate(("path", "host")):
            self._records[kind, int(lead[name]) % _BUCKETS] += (1, relevance - self._base)

    def _move_topic(self) -> None:
        """Weigh the topic's terms by what is known of them, and move it towards the best pages."""
        self._origin = self._topic.vector(self._terms.weights())
        best = sorted(self._best, reverse=True)[: min(_FEEDBACK_PAGES + self._pages // 20, _FEEDBACK_MOST)]
        _, vectors = self._terms.split(b"".join(evidence for _, evidence in best))
        self._focus = unit(self._origin + np.float32(_FEEDBACK) * unit(vectors.mean(0)))

    def _fit(self) -> None:
        """Make the weights anew from the last pages and the leads that led to them."""
        if not self._seen:
            return
        rows = rows_of([lead for lead, _ in self._seen], self._leads)
        densities, targets = self._terms.split(b"".join(target for _, target in self._seen))
        relevance = self._relevance(targets @ self._focus, self._terms.match(densities))
        above = np.maximum(relevance - self._base, 0)
        self._trail = unit(above.astype(np.float32) @ large(rows["anchor"]))
        features = self._features(rows)
        firm = _FIRMNESS * np.eye(len(PRIOR))
        self._weights = np.linalg.solve(features.T @ features + firm, features.T @ relevance + firm @ PRIOR)


def _shown(near: float, match: float) -> float:
    """The relevance of a page for its reader, 0 to 1: its words count as much as its meaning."""
    return max(0.0, (near + match) / 2)


def _mixed(before: Any, new: Any, share: Any) -> NDArray[np.int8]:
    """The mean of vectors, one more taken in, in bytes."""
    old = before.astype(np.float32)
    mixed: NDArray[np.int8] = np.rint(old + (new - old) * share[:, None]).astype(np.int8)
    return mixed
