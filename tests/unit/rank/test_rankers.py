"""What every ranker promises, and the rules of the baselines."""

from __future__ import annotations

from typing import get_args

import msgspec
import numpy as np
import pytest

from dowse.core.errors import CrawlError
from dowse.core.model import Judged, Request, Response, Task
from dowse.core.protocols import Ranker
from dowse.modes.focus import ranker as making
from dowse.modes.focus.options import FocusOptions, RankerName
from dowse.modes.focus.ranker import build_ranker, build_strategy, build_topic
from dowse.parse.page import Page
from dowse.rank.evidence import PLAIN_HINT
from dowse.rank.term_weights import TermWeights
from dowse.score import semantic

RANKERS = get_args(RankerName)
TOPIC = "sorting heap"
GOOD = "<title>Heap sorting</title><p>Sorting with a heap: <a href=/a>sorting lists</a> <a href=/b>gardens</a>"
DULL = "<title>Gardens</title><p>Flowers: <a href=/a>roses</a> <a href=/c>sorting</a>"


def options(by: str, topic: str = TOPIC) -> FocusOptions:
    return FocusOptions(topic=topic, by=by)  # type: ignore[arg-type]


def task(number: int, depth: int = 1) -> Task:
    request = Request(f"http://e.org/{number}", number, "e.org")
    return Task(id=number, request=request, site="e.org", depth=depth, parent=number - 1)


def judged(by: str, html: str, topic: str = TOPIC) -> Judged:
    response = Response(Request("http://e.org/", 1, "e.org"), 200, {"content-type": "text/html"}, html.encode(), 0, 0)
    verdict = build_strategy(options(by, topic)).judge(Page(response), task(1))
    assert verdict.judged is not None
    assert len(verdict.choices) == 2
    return verdict.judged


def walk(ranker: Ranker, by: str, steps: int) -> list[float]:
    """Pages in turns, the second always reached by the first's link; the answer is what links were worth."""
    worth = []
    lead = b""
    for number in range(steps):
        page = ranker.learn(task(number, number), judged(by, GOOD if number % 3 else DULL), lead)
        leads = ranker.follow(task(number, number), page, [0, 1], [lead, b""])
        worth += ranker.rank(leads)
        lead = leads[0]
        ranker.due()
    return worth


@pytest.mark.parametrize("by", RANKERS)
def test_the_same_outcomes_make_the_same_ranker(by: str) -> None:
    assert walk(build_ranker(options(by)), by, 30) == walk(build_ranker(options(by)), by, 30)


@pytest.mark.parametrize("by", RANKERS)
def test_a_ranker_that_was_saved_goes_on_as_if_it_were_not(by: str) -> None:
    ranker, again = build_ranker(options(by)), build_ranker(options(by))
    walk(ranker, by, 47)
    again.load(ranker.dump())
    assert again.dump() == ranker.dump()
    assert walk(again, by, 20) == walk(ranker, by, 20)


@pytest.mark.parametrize("by", RANKERS)
def test_the_parts_of_a_worth_add_up(by: str) -> None:
    ranker = build_ranker(options(by))
    walk(ranker, by, 25)
    page = ranker.learn(task(99), judged(by, GOOD), b"")
    (lead,) = ranker.follow(task(99), page, [0], [b""])
    assert sum(ranker.explain([lead])[0].values()) == pytest.approx(ranker.rank([lead])[0], abs=0.02)


@pytest.mark.parametrize("by", RANKERS)
def test_a_url_without_a_lead_has_a_rank(by: str) -> None:
    (rank,) = build_ranker(options(by)).rank([b""])
    assert np.isfinite(rank)


@pytest.mark.parametrize("by", ["learned", "semantic", "astar", "shark", "keywords"])
def test_a_link_with_the_topic_is_worth_more(by: str) -> None:
    ranker = build_ranker(options(by))
    page = ranker.learn(task(1, 0), judged(by, GOOD), b"")
    topical, other = ranker.rank(ranker.follow(task(1, 0), page, [0, 1], [b"", b""]))
    assert topical > other


@pytest.mark.parametrize("by", ["astar", "shark", "keywords", "parent"])
def test_the_best_of_all_links_counts(by: str) -> None:
    ranker = build_ranker(options(by))
    good = ranker.learn(task(1), judged(by, GOOD), b"")
    (lead,) = ranker.follow(task(1), good, [0], [b""])
    best = ranker.rank([lead])
    dull = ranker.learn(task(2), judged(by, DULL), b"")
    (lead,) = ranker.follow(task(2), dull, [0], [lead])
    assert ranker.rank([lead]) == pytest.approx(best, rel=0.2)


def test_learning_finds_out_which_links_lead_somewhere() -> None:
    """Anchors that say nothing of the topic, half of which always lead to it."""
    ranker = build_ranker(options("learned"))
    hub = judged("learned", "<title>Hub</title><p><a href=/a>see plum</a><p><a href=/b>see stone</a>")
    relevant, irrelevant = judged("learned", GOOD), judged("learned", DULL)
    seed = ranker.learn(task(1, 0), hub, b"")
    plum, stone = ranker.follow(task(1, 0), seed, [0, 1], [b"", b""])
    before = ranker.rank([plum])[0] - ranker.rank([stone])[0]
    for number in range(60):
        ranker.learn(task(number + 2), relevant, plum)
        ranker.learn(task(number + 200), irrelevant, stone)
    after = ranker.rank([plum])[0] - ranker.rank([stone])[0]
    assert after > max(before, 0) + 0.1


def test_without_the_extra_the_learned_order_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "is_installed", lambda: False)
    build_topic.cache_clear()
    making._embedder.cache_clear()
    try:
        topic = build_topic(options("learned"))
        assert topic.embedder.source.name == "hashed"
        ranker = build_ranker(options("learned"))
        page = ranker.learn(task(1, 0), judged("learned", GOOD), b"")
        topical, other = ranker.rank(ranker.follow(task(1, 0), page, [0, 1], [b"", b""]))
        assert topical > other
        assert page.relevance > ranker.learn(task(2), judged("learned", DULL), b"").relevance
    finally:
        build_topic.cache_clear()
        making._embedder.cache_clear()


def test_a_page_without_the_quoted_phrase_is_no_match_in_the_end() -> None:
    topic = '"heap sorting"'
    ranker = build_ranker(options("learned", topic))
    apart = "<title>Sorting</title><p>A heap is not for sorting: <a href=/a>a</a> <a href=/b>b</a>"
    pages = [ranker.learn(task(1, 0), judged("learned", html, topic), b"") for html in (GOOD, apart)]
    whole, parts = ranker.rejudge([page.evidence for page in pages], {})
    assert whole.relevance > 10 * parts.relevance
    assert parts.relevance < 0.001


def test_what_was_learned_by_other_vectors_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if not semantic.is_installed():
        pytest.skip("the extra is not installed")
    state = build_ranker(options("learned")).dump()
    monkeypatch.setattr(semantic, "is_installed", lambda: False)
    build_topic.cache_clear()
    making._embedder.cache_clear()
    try:
        with pytest.raises(CrawlError, match="pip install 'dowse-crawler"):
            build_ranker(options("learned")).load(state)
    finally:
        build_topic.cache_clear()
        making._embedder.cache_clear()


def saved_without(name: str) -> bytes:
    state = msgspec.msgpack.decode(build_ranker(options("learned")).dump())
    del state[name]
    return msgspec.msgpack.encode(state)


def saved_with(name: str, value: object) -> bytes:
    state = msgspec.msgpack.decode(build_ranker(options("learned")).dump())
    return msgspec.msgpack.encode({**state, name: value})


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"not a state at all",
        saved_without("seen"),
        saved_without("tree"),
        saved_without("sizes"),
        saved_with("sizes", (1, 2)),
        saved_with("model", bytes(8)),
        saved_with("fates", bytes(12)),
        saved_with("terms", bytes(3)),
    ],
)
def test_what_another_version_saved_is_refused_with_advice(state: bytes) -> None:
    with pytest.raises(CrawlError, match=r"another version of dowse.* start a new crawl"):
        build_ranker(options("learned")).load(state)


def test_terms_weigh_what_their_pages_have_in_common() -> None:
    weights = TermWeights(np.ones(2, np.float32), 4)
    chance = np.random.default_rng(1)
    for _ in range(200):
        vector = chance.normal(size=4).astype(np.float32)
        is_alike = chance.random() < 0.3
        if is_alike:
            vector = np.array([5, 0, 0, 0], np.float32)
        weights.learn(np.array([is_alike, chance.random() < 0.5], np.float32), vector)
    weights.weigh()
    alike, any_kind = weights.weights
    assert alike > 3 * any_kind
    assert alike + any_kind == pytest.approx(2)


def test_shark_search_as_published() -> None:
    ranker = build_ranker(options("shark"))
    rows = np.array([(0.0, 0.0, 1), (0.5, 0.0, 2), (0.0, 0.4, 3)], PLAIN_HINT)
    page = ranker.learn(task(1), Judged(0.6, {}, b"", rows.tobytes()), b"")
    leads = ranker.follow(task(1), page, [0, 1, 2], [b""] * 3)
    inherited = 0.5 * 0.6
    expected = [
        0.8 * inherited + 0.2 * (0.8 * anchor + 0.2 * context) for anchor, context in [(0, 0), (0.5, 1), (0, 0.4)]
    ]
    assert ranker.rank(leads) == pytest.approx(expected)
    # A page without any relevance hands on half of what it inherited itself.
    page = ranker.learn(task(2), Judged(0.0, {}, b"", rows.tobytes()), leads[0])
    assert ranker.rank(ranker.follow(task(2), page, [0], [b""])) == pytest.approx([0.8 * 0.5 * inherited])
