"""Where links stand on their pages."""

from __future__ import annotations

import pytest

from dowse.core.model import Request, Response
from dowse.parse.page import Page
from dowse.parse.surroundings import REACH, Place, heading_texts, link_places

URL = "http://site.example/folder/page.html"


def page(body: str) -> Page:
    answer = Response(Request(URL, 0, "site.example"), 200, {"content-type": "text/html"}, body.encode(), 0.0, 0.0)
    return Page(answer)


def places(body: str, *, with_headings: bool = True) -> dict[str, Place]:
    found = link_places(page(body), with_headings=with_headings)
    return {place.link.url.rpartition("/")[2]: place for place in found}


def test_a_link_has_the_words_on_either_side_of_it() -> None:
    found = places("<p>read about <a href=heap>the heap</a> and its uses</p>")
    assert found["heap"].link.text == "the heap"
    assert found["heap"].context.split() == ["read", "about", "and", "its", "uses"]


def test_no_word_is_cut_in_two() -> None:
    words = [f"word{number}" for number in range(40)]
    found = places(f"<p>{' '.join(words)} <a href=a>link</a> {' '.join(words)}</p>")
    context = found["a"].context
    assert set(context.split()) <= set(words)
    assert REACH < len(context) <= 2 * REACH + 3


@pytest.mark.parametrize("with_headings", [True, False])
def test_the_heading_above_is_told_if_it_is_asked_for(with_headings: bool) -> None:
    body = "<a href=a>a</a><h2>Trees</h2><a href=b>b</a><h3>Red  <i>black</i></h3><p><a href=c>c</a></p>"
    found = places(body, with_headings=with_headings)
    expected = ["", "Trees", "Red black"] if with_headings else ["", "", ""]
    assert [found[name].heading for name in "abc"] == expected
    assert heading_texts(page(body)) == ["Trees", "Red black"]


def test_the_path_is_the_two_tags_above() -> None:
    found = places('<div class="menu wide"><ul><li class=x><a href=a>a</a></li></ul></div><a href=b>b</a>')
    assert found["a"].path == "li.x/ul."
    assert found["b"].path == "body./html."


def test_a_target_is_told_once_and_nofollow_only_if_all_links_to_it_are() -> None:
    found = places('<a rel=nofollow href=a></a><a href=a>words</a><a rel="ugc nofollow" href=b>b</a>')
    assert list(found) == ["a", "b"]
    assert (found["a"].link.text, found["a"].link.nofollow) == ("words", False)
    assert found["b"].link.nofollow
