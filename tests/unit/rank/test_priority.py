"""The published priority scheme, case by case."""

from __future__ import annotations

from itertools import product

import pytest

from dowse.core.duplicates.fingerprint import content_case
from dowse.core.model import Judged, Request, Response, Task
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_strategy
from dowse.parse.page import Page
from dowse.rank.priority import PriorityRanker, priority_of
from dowse.score.language import language
from dowse.score.related import Related, Sense

OPTIONS = FocusOptions(topic="sort", by="priority")
SEED = "<title>Start</title><p>Fast methods to sort long lists of numbers, and other methods"


def judged(html: str, options: FocusOptions = OPTIONS) -> Judged:
    response = Response(Request("http://e.org/", 1, "e.org"), 200, {"content-type": "text/html"}, html.encode(), 0, 0)
    found = build_strategy(options).judge(Page(response), task(0)).judged
    assert found is not None
    return found


def task(depth: int) -> Task:
    return Task(id=depth + 1, request=Request("http://e.org/", depth, "e.org"), site="e.org", depth=depth)


def points(page: Judged) -> float:
    """The published points, without what breaks ties."""
    return sum(value for part, value in page.parts.items() if part != "frequency")


def ranking(options: FocusOptions = OPTIONS, related: Related | None = None) -> PriorityRanker:
    return PriorityRanker(related or Related(), language(options.language))


@pytest.mark.parametrize(("head", "links", "body", "related"), list(product((0, 1), repeat=4)))
def test_the_priority_is_the_sum_of_what_holds(head: int, links: int, body: int, related: int) -> None:
    zones = {"head": float(head), "links": float(links), "body": float(body)}
    expected = 10 * head + 8 * links + 6 * body
    if related and expected:  # what is related in context is a keyword that was found
        expected += 4
    assert sum(priority_of(zones, related=bool(related)).values()) == expected


@pytest.mark.parametrize(
    ("html", "priority"),
    [
        ("<title>Nothing</title><p>No keyword <a href=/a>here</a>", 0),
        ("<title>Sorting</title><p>No keyword", 10),
        ("<meta name=keywords content=sorts><p>No keyword", 10),
        ("<title>Nothing</title><a href=/sort.html>here</a>", 8),
        ("<title>Nothing</title><a href=/x>sorting</a>", 8 + 6),
        ("<title>Nothing</title><p>I sort my books", 6),
        ("<title>Nothing</title><p>resort assorted", 0),
        ("<title>Nothing</title><p>methods to sort numbers", 6 + 4),
        ("<title>Nothing</title><p>people of every sort came", 6),
        ("<title>Sort</title><p>methods to sort numbers <a href=/s>sort</a>", 10 + 8 + 6 + 4),
    ],
)
def test_pages_get_their_published_priority(html: str, priority: float) -> None:
    ranker = ranking()
    ranker.learn(task(0), judged(SEED), b"")
    page = ranker.learn(task(1), judged(html), b"")
    assert points(page) == priority
    assert page.relevance == pytest.approx(priority / 29, abs=0.001)


RELATED = Related({"operation": 0.5, "items": 0.5, "arrange": 1.0, "order": 0.3})


@pytest.mark.parametrize(
    ("html", "priority"),
    [
        ("<title>Nothing</title><p>No keyword <a href=/a>here</a>", 0),
        ("<title>Nothing</title><p>operations that arrange items in order", 0),
        ("<title>Sorting</title><p>operations that arrange items in order", 10),
        ("<title>Nothing</title><p>people of every sort came", 6),
        ("<title>Nothing</title><p>the operation of a sort", 6),
        ("<title>Nothing</title><p>in order to sort the items", 6),
        ("<title>Nothing</title><p>the operation to sort an item", 6 + 4),
        ("<title>Nothing</title><p>to sort is arranging", 6 + 4),
        ("<title>Nothing</title><p>methods to sort numbers", 6 + 4),
        ("<title>Nothing</title><p>to sort" + " and so on" * 20 + " is arranging", 6),
        ("<title>Sort</title><p>an operation to sort items <a href=/s>sort</a>", 10 + 8 + 6 + 4),
    ],
)
def test_related_words_beside_the_keywords_make_a_context_related(html: str, priority: float) -> None:
    ranker = ranking(related=RELATED)
    ranker.learn(task(0), judged(SEED), b"")
    assert points(ranker.learn(task(1), judged(html), b"")) == priority


JAVA = FocusOptions(topic="java", by="priority")
SENSES = Related(
    undecided={
        "java": (
            Sense("an island", {"island": 0.5, "indonesia": 0.3, "volcanoes": 0.5, "jakarta": 0.5}),
            Sense("a drink", {"coffee": 1.0, "beans": 0.3, "cup": 0.5}),
            Sense("a language", {"language": 0.5, "object": 0.3, "class": 0.5, "program": 0.5}),
        )
    }
)
ISLAND = "<p>The volcanoes of Java near Jakarta"
LANGUAGE = "<p>A class of a Java program"
COFFEE = "<p>Java beans"


@pytest.mark.parametrize(
    ("seed", "related"),
    [
        ("<p>Java is an island of Indonesia", {ISLAND}),
        ("<p>Java is a language of objects", {LANGUAGE}),
        ("<p>Java is fine", set()),
        ("<p>A language? Java, the isle of coffee", set()),
    ],
)
def test_the_seeds_tell_which_homonym_is_meant(seed: str, related: set[str]) -> None:
    ranker, again = ranking(JAVA, SENSES), ranking(JAVA, SENSES)
    ranker.learn(task(0), judged(seed, JAVA), b"")
    again.load(ranker.dump())
    for html in (ISLAND, LANGUAGE, COFFEE):
        page = ranker.learn(task(1), judged(html, JAVA), b"")
        assert ("related" in page.parts) is (html in related)
        assert again.learn(task(1), judged(html, JAVA), b"") == page


def test_a_seed_is_related_to_itself() -> None:
    page = ranking().learn(task(0), judged(SEED), b"")
    assert page.parts == {"body": 6, "related": 4, "frequency": 0.001}


def test_links_wait_with_the_priority_of_the_best_page_they_are_on() -> None:
    ranker = ranking()
    good = ranker.learn(task(0), judged("<title>Sort</title><a href=/a>a</a>"), b"")
    dull = ranker.learn(task(1), judged("<title>Nothing</title><a href=/a>a</a>"), b"")
    (lead,) = ranker.follow(task(1), dull, [0], [b""])
    assert ranker.rank([lead]) == [0]
    (lead,) = ranker.follow(task(0), good, [0], [lead])
    assert ranker.rank([lead]) == [14]
    (lead,) = ranker.follow(task(1), dull, [0], [lead])
    assert ranker.rank([lead]) == [14]


def test_ties_are_broken_by_how_often_keywords_are_there() -> None:
    ranker = ranking()
    once, forty, head = (
        ranker.learn(task(1), judged(html), b"")
        for html in ("<p>I sort books", "<p>" + "I sort books. " * 40, "<title>Sort</title><p>of books")
    )
    assert points(once) == points(forty) == 6
    assert once.relevance < forty.relevance < head.relevance
    assert forty.parts["frequency"] == 0.04


@pytest.mark.parametrize(
    ("visited", "matched", "goes_on"),
    [(False, False, True), (False, True, False), (True, False, True), (True, True, False)],
)
def test_the_four_cases_in_front(visited: bool, matched: bool, goes_on: bool) -> None:
    assert content_case(visited, matched).is_processed is goes_on


def test_what_was_learned_is_saved() -> None:
    ranker, again = ranking(), ranking()
    ranker.learn(task(0), judged(SEED), b"")
    again.load(ranker.dump())
    page = judged("<title>Nothing</title><p>methods to sort numbers")
    assert again.learn(task(1), page, b"") == ranker.learn(task(1), page, b"")
