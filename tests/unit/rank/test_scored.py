"""Any ranker with any scorer: the ranker says which link is next, the scorer ranks pages, a test says which match."""

from __future__ import annotations

from typing import get_args

import pytest

from dowse.core.model import Judged, Request, Response, Task
from dowse.core.protocols import Ranker
from dowse.modes.focus.options import FocusOptions, RankerName, ScorerName
from dowse.modes.focus.ranker import build_ranker, build_strategy
from dowse.modes.focus.scoring import matched_from, scorer_of
from dowse.parse.page import Page
from dowse.rank.priority import MOST
from dowse.rank.scored import LINE

PAGES = (
    "<title>Heap sorting</title><p>Sorting with a heap: <a href=/a>sorting lists</a> <a href=/b>gardens</a>",
    "<title>Gardens</title><p>Flowers: <a href=/a>roses</a> <a href=/c>sorting</a>",
    "<title>Lists</title><p>" + "How to sort. " * 40 + "<a href=/a>next</a> <a href=/d>heap</a>",
)
RANKERS = get_args(RankerName)
SCORERS = get_args(ScorerName)


def task(number: int) -> Task:
    request = Request(f"http://e.org/{number}", number, "e.org")
    return Task(id=number + 1, request=request, site="e.org", depth=number, parent=number)


def judged(options: FocusOptions, html: str) -> Judged:
    response = Response(Request("http://e.org/", 1, "e.org"), 200, {"content-type": "text/html"}, html.encode(), 0, 0)
    found = build_strategy(options).judge(Page(response), task(1)).judged
    assert found is not None
    return found


def walk(options: FocusOptions, ranker: Ranker, steps: int) -> tuple[list[float], list[Judged]]:
    """What links are worth, and what is made of pages."""
    worth, made, lead = [], [], b""
    for number in range(steps):
        page = ranker.learn(task(number), judged(options, PAGES[number % 3]), lead)
        leads = ranker.follow(task(number), page, [0, 1], [lead, b""])
        worth += ranker.rank(leads)
        lead = leads[0]
        made.append(page)
        ranker.due()
    return worth, made


def options_of(**given: object) -> FocusOptions:
    return FocusOptions(**{"topic": "sorting, heap", **given})  # type: ignore[arg-type]


@pytest.mark.parametrize("score", SCORERS)
@pytest.mark.parametrize("by", RANKERS)
def test_any_ranker_goes_with_any_scorer(by: str, score: str) -> None:
    options = options_of(by=by, score=score)
    ranker, again = build_ranker(options), build_ranker(options)
    walk(options, ranker, 13)
    again.load(ranker.dump())
    assert walk(options, again, 8) == walk(options, ranker, 8)
    pages = walk(options, ranker, 3)[1]
    evidence = [page.evidence for page in pages]
    assert ranker.rejudge(evidence, {}) == again.rejudge(evidence, {})
    if scorer_of(options) != "relevance":  # that one sees pages beside others, and three are too few
        assert pages[0].relevance > pages[1].relevance


@pytest.mark.parametrize("score", ["keywords", "priority"])
@pytest.mark.parametrize("by", ["learned", "semantic", "priority", "breadth", "depth", "random"])
def test_the_order_is_that_of_the_ranker(by: str, score: str) -> None:
    alone, apart = options_of(by=by), options_of(by=by, score=score)
    assert walk(apart, build_ranker(apart), 15)[0] == walk(alone, build_ranker(alone), 15)[0]


@pytest.mark.parametrize("by", RANKERS)
def test_the_points_are_the_same_by_every_ranker(by: str) -> None:
    options = options_of(by=by, score="priority")
    seed, dull, full = walk(options, build_ranker(options), 3)[1]
    assert {part: points for part, points in seed.parts.items() if part != "frequency"} == {
        "head": 10, "links": 8, "body": 6, "related": 4,
    }  # fmt: skip
    assert {*dull.parts} >= {"links", "body"}
    assert {*full.parts} >= {"links", "body"}


def test_what_goes_by_relevance_goes_by_that_of_the_scorer() -> None:
    options = options_of(by="parent", score="priority")
    ranker = build_ranker(options)
    page = ranker.learn(task(0), judged(options, PAGES[0]), b"")
    (lead,) = ranker.follow(task(0), page, [0], [b""])
    assert ranker.rank([lead])[0] == pytest.approx(sum(page.parts.values()) / MOST)


@pytest.mark.parametrize(
    ("match", "html", "is_match"),
    [
        ("any", "<p>I sort books", True),
        ("any", "<title>Heaps</title>", True),
        ("any", "<p>A resort", False),
        ("all", "<p>I sort books", False),
        ("all", "<title>Heaps</title><p>for sorting", True),
        ("auto", "<p>I sort books" + " and more" * 200, False),
        ("auto", PAGES[2], True),
        ("auto", PAGES[0], True),
        ("auto", "<p>Nothing", False),
    ],
)
@pytest.mark.parametrize("by", ["priority", "breadth", "learned"])
def test_which_pages_match(by: str, match: str, html: str, is_match: bool) -> None:
    options = options_of(by=by, score="priority", match=match)
    ranker = build_ranker(options)
    page = ranker.learn(task(1), judged(options, html), b"")
    assert matched_from(options) == LINE
    assert (page.relevance >= LINE) is is_match
    assert not ranker.rejudge([page.evidence], {}), "points stay as they are"


def test_a_phrase_is_one_keyword() -> None:
    options = options_of(topic="bubble sort, heap", match="all", by="breadth")
    ranker = build_ranker(options)
    pages = ("<p>bubble sort of a heap", "<p>a bubble to sort a heap", "<p>bubble sort")
    relevances = [ranker.learn(task(1), judged(options, html), b"").relevance for html in pages]
    assert [value >= LINE for value in relevances] == [True, False, False]


def test_of_those_that_match_the_best_is_first() -> None:
    options = options_of(by="priority")
    ranker = build_ranker(options)
    dull_page = "<p><a href=/x>I sort books</a>" + " and more" * 200
    pages = (PAGES[0], dull_page, PAGES[2])
    best, dull, full = (ranker.learn(task(1), judged(options, html), b"").relevance for html in pages)
    assert best > full >= LINE > dull
