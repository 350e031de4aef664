"""What a link says of its page beside the words on it: the heading above it, and the name of its URL."""

from __future__ import annotations

import pytest

from dowse.core.model import Judged, Request, Response, Task
from dowse.core.protocols import Ranker
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_ranker, build_strategy
from dowse.modes.focus.strategy import url_name
from dowse.parse.page import Page

OPTIONS = FocusOptions(topic="music", by="semantic")
TASK = Task(id=1, request=Request("http://e.org/", 1, "e.org"), site="e.org", depth=0, parent=0)


def judged(html: str) -> Judged:
    response = Response(TASK.request, 200, {"content-type": "text/html"}, html.encode(), 0, 0)
    found = build_strategy(OPTIONS).judge(Page(response), TASK).judged
    assert found is not None
    return found


def follow(ranker: Ranker, html: str, links: list[int], leads: list[bytes]) -> list[bytes]:
    return ranker.follow(TASK, ranker.learn(TASK, judged(html), b""), links, leads)


def under(heading: str) -> str:
    return f"<h2>{heading}</h2><p><a href=/a>Anderson</a></p>"


def test_a_heading_that_means_the_topic_makes_the_links_under_it_worth_more() -> None:
    page = "<h2>Composers and songs</h2><p><a href=/a>Anderson</a></p><h2>Trains</h2><p><a href=/b>Anderson</a></p>"
    ranker = build_ranker(OPTIONS)
    below, elsewhere = follow(ranker, page, [0, 1], [b"", b""])
    assert ranker.explain([below])[0]["heading"] > 0.05
    assert ranker.rank([below]) > ranker.rank([elsewhere])


@pytest.mark.parametrize("headings", [("Songs", "Trains"), ("Trains", "Songs")])
def test_of_all_headings_above_links_to_a_page_the_nearest_counts(headings: tuple[str, str]) -> None:
    alone, both = build_ranker(OPTIONS), build_ranker(OPTIONS)
    (lead,) = follow(alone, under("Songs"), [0], [b""])
    (first,) = follow(both, under(headings[0]), [0], [b""])
    (second,) = follow(both, under(headings[1]), [0], [first])
    assert both.explain([second])[0]["heading"] == pytest.approx(alone.explain([lead])[0]["heading"])


def test_the_name_of_a_url_counts_beside_the_words_of_its_link() -> None:
    page = "<p><a href=/w/Violin_concerto.htm>his third</a> <a href=/w/Steam_engine.htm>his third</a></p>"
    ranker = build_ranker(OPTIONS)
    concerto, engine = follow(ranker, page, [0, 1], [b"", b""])
    assert ranker.explain([concerto])[0]["anchor"] > ranker.explain([engine])[0].get("anchor", 0.0)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://e.org/d/Heap_%28structure%29.html?x=other", "Heap structure"),
        ("http://e.org/d/Heap_%2528structure%2529.html", "Heap structure"),  # encoded twice
        ("http://e.org/cooking/soups/", "soups"),
        ("http://e.org/node/12345", ""),
        ("http://e.org/d/index.html", ""),
        ("http://e.org/", ""),
        ("http://e.org", ""),
        ("http://e.org/d/heap-2.sort.html", "heap sort"),
        ("http://e.org/" + "word-" * 1_000, "word " * 24),
    ],
)
def test_the_name_of_a_url(url: str, name: str) -> None:
    assert url_name(url).split() == name.split()


@pytest.mark.parametrize(
    "html",
    [
        "<title>Music</title><a href=/docs><h1>Music</h1></a><div id=app></div>",
        "<a href=/y>Click here </a>",
        "<ul><li><a href=/a><div>One</div></a><li><a href=/b><div>Two</div></a></ul>",
        "<template></template><a href=/a>one<table><tr><td><a href=/b>two</a></table></a>",
        "",
    ],
)
def test_pages_that_are_all_links_are_judged(html: str) -> None:
    assert judged(html).relevance >= 0
