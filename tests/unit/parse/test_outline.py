"""What pages say and where links stand in them, read by a scan and by a walk through the tree."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.core.model import Request, Response
from dowse.parse import outline as outline_module
from dowse.parse.outline import REACH, Outline, Place, outline_of_tree
from dowse.parse.page import Page
from dowse.parse.scan import IS_COMPILED

URL = "http://site.example/folder/page.html"
WAYS = ["tree", *(["scan"] if IS_COMPILED else [])]


def page(body: str, media: str = "text/html") -> Page:
    answer = Response(Request(URL, 0, "site.example"), 200, {"content-type": media}, body.encode(), 0.0, 0.0)
    return Page(answer, reads="outline")


def outline(body: str, way: str) -> Outline:
    read = page(body)
    if way == "tree":
        return outline_of_tree(read.tree, read._source)
    assert read._scan is not None
    return read.outline


def places(body: str, way: str) -> dict[str, Place]:
    return {place.link.url.rpartition("/")[2]: place for place in outline(body, way).places}


@pytest.mark.parametrize("way", WAYS)
def test_a_link_has_the_words_on_either_side_of_it(way: str) -> None:
    found = places("<p>read about <a href=heap>the heap</a> and its uses</p>", way)
    assert found["heap"].link.text == "the heap"
    assert found["heap"].context.split() == ["read", "about", "and", "its", "uses"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("word", ["word", "wörter", "слово"])
def test_no_word_is_cut_in_two(way: str, word: str) -> None:
    words = [f"{word}{number}" for number in range(40)]
    found = places(f"<p>{' '.join(words)} <a href=a>link</a> {' '.join(words)}</p>", way)
    context = found["a"].context
    assert set(context.split()) <= set(words)
    assert REACH < len(context) <= 2 * REACH + 3


@pytest.mark.parametrize("way", WAYS)
def test_the_first_headings_are_told_in_their_order(way: str) -> None:
    found = outline("<h1>One</h1><p>text<h2>Two <b>words</b></h2><h5>small</h5>" + "<h3>Three</h3>" * 60, way)
    assert found.headings == ["One", "Two words"] + ["Three"] * 38


@pytest.mark.parametrize("way", WAYS)
def test_the_context_of_a_link_ends_with_its_element(way: str) -> None:
    found = places("<ul><li>one <a href=a>a</a><li>two <a href=b>b</a> three</ul><p>four <a href=c>c</a><p>five", way)
    assert [found[name].context.split() for name in "abc"] == [["one"], ["two", "three"], ["four"]]


@pytest.mark.parametrize("way", WAYS)
def test_the_place_of_a_link_is_its_own_and_not_that_of_the_same_words_before(way: str) -> None:
    found = places("<p>the heap is old, and <a href=heap>the heap</a> is new</p>", way)
    assert found["heap"].context.split() == ["the", "heap", "is", "old,", "and", "is", "new"]


@pytest.mark.parametrize("way", WAYS)
def test_the_heading_above(way: str) -> None:
    body = (
        "<a href=a>a</a><h2>Trees</h2><a href=b>b</a><h3>Red  <i>black</i></h3><p><a href=c>c</a></p>"
        f"<h1><a href=d>Own</a> heading</h1><h5>no</h5><a href=e>e</a><h4>{'long ' * 50}</h4><a href=f>f</a>"
    )
    found = places(body, way)
    long = ("long " * 24).strip()
    assert [found[name].heading for name in "abcdef"] == ["", "Trees", "Red black", "Own heading", "Own heading", long]


PATHS = {
    "classes": ('<ul class="menu wide"><li class="\n x y"><a href=a>a</a></li></ul>', "li.x/ul.menu"),
    "top": ("<a href=a>a</a>", "body./html."),
    "classes of the body": ("<html class=h><body class='b c'><a href=a>a</a>", "body.b/html.h"),
    "upper case": ("<DIV CLASS=Big><P><A HREF=a>a</A></P></DIV>", "p./div.Big"),
    "items without ends": ("<ul><li>x<li class=k><p>y<div>z</div><a href=a>a</a></ul>", "li.k/ul."),
    "items of an inner list": ("<ul class=o><li>x<ul><li>y</ul><a href=a>a</a></ul>", "li./ul.o"),
    "terms": ("<dl><dt>x<dd class=d>y<dt class=t><a href=a>a</a></dl>", "dt.t/dl."),
    "paragraphs without ends": ("<div><p class=p>x<p class=q><a href=a>a</a></div>", "p.q/div."),
    "a block ends a paragraph": ("<p>x<ul><li><a href=a>a</a></ul>", "li./ul."),
    "a line ends a paragraph": ("<div><p>x<hr><a href=a>a</a></div>", "div./body."),
    "cells without ends": ("<table><tr><td>x<td class=c><a href=a>a</a><tr><td>y</table>", "td.c/tr."),
    "a table in a table": ("<table><tr><td class=o><table><tr><td>x</table><a href=a>a</a></table>", "td.o/tr."),
    "rows": ("<table><thead><tr><th>x<tbody><tr class=r><td><a href=a>a</a></table>", "td./tr.r"),
    "no table": ("<div><tr><td><a href=a>a</a></div>", "div./body."),
    "heading in a heading": ("<h2>x<h3 class=t><a href=a>a</a></h3>", "h3.t/body."),
    "another heading's end": ("<div><h2>x</h3><a href=a>a</a></div>", "div./body."),
    "ends of nothing": ("<div></b></p></li><a href=a>a</a></div>", "div./body."),
    "end beyond a block": ("<b><div><a href=x>x</a></b><a href=a>a</a></div>", "div./body."),
    "ends of unknown tags": ("<x-y><div></x-y><a href=a>a</a></div>", "div./x-y."),
    "tags without content": ("<div><br><img><input><hr><a href=a>a</a></div>", "div./body."),
    "choices": ("<div><select><option>x<option>y</select><a href=a>a</a></div>", "div./body."),
    "drawing": ("<div><svg><g><path/></g></svg><a href=a>a</a></div>", "div./body."),
    "links end links": ("<div><a href=x>x<a href=a>a</a></div>", "div./body."),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("body", "path"), PATHS.values(), ids=PATHS)
def test_the_path_is_the_two_tags_above(body: str, path: str, way: str) -> None:
    assert places(body, way)["a"].path == path


TEXTS = {
    "white space": ("<p> one\n two </p>\n\n<p>three</p>", "one two three"),
    "blocks and lines": ("<p>one</p><p>two<br>three</p>four", "one two three four"),
    "within a line": ("H<sub>2</sub>O and <b>quick</b>sort", "H2O and quicksort"),
    "unseen": ("a<script>b</script><style>c</style><textarea>d</textarea><!--e-->f", "a f"),
    "title": ("<title>T</title><p>a", "a"),
    "wide spaces": ("one\u00a0two\u2003three\u3000four\u2028five", "one two three four five"),
    "references": (
        "&lt;R&amp;D&nbsp;&nbsp;&#39;x&#x27; &eacute;&copy &quot;y&quot; AT&T a&b &mdash;",
        "<R&D 'x' \u00e9\u00a9 \"y\" AT&T a&b \u2014",
    ),
    "nothing": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("body", "text"), TEXTS.values(), ids=TEXTS)
def test_the_text_is_one_line(body: str, text: str, way: str) -> None:
    assert outline(body, way).text == text


@pytest.mark.parametrize("way", WAYS)
def test_how_much_of_the_text_is_in_links(way: str) -> None:
    found = outline("<p>abc <a href=x>défg</a> <a href=#here>hij</a> <a>klm</a> <a href=mailto:x>no</a></p>", way)
    assert found.linked == len("défg") + len("no")


@pytest.mark.parametrize("way", WAYS)
def test_a_target_is_told_once_and_nofollow_only_if_all_links_to_it_are(way: str) -> None:
    found = places('<a rel=nofollow href=a></a><a href=a>words</a><a rel="ugc nofollow" href=b>b</a>', way)
    assert list(found) == ["a", "b"]
    assert (found["a"].link.text, found["a"].link.nofollow) == ("words", False)
    assert found["b"].link.nofollow


@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_anchor_has_no_place(way: str) -> None:
    found = places("<a href=a>a</a><iframe src=b></iframe><area href=c alt=C>", way)
    assert {name: place.link.tag for name, place in found.items()} == {"a": "a", "b": "iframe", "c": "area"}
    assert [(found[name].context, found[name].heading, found[name].path) for name in "bc"] == [("", "", "")] * 2


@pytest.mark.parametrize("way", WAYS)
def test_elements_within_lines_are_the_same_for_both_ways(way: str) -> None:
    for tag in (
        "a",
        "abbr",
        "b",
        "code",
        "em",
        "font",
        "i",
        "kbd",
        "q",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "var",
    ):
        assert outline(f"on<{tag}>e t</{tag}>wo", way).text == "one two"
    for tag in ("div", "p", "li", "td", "h2", "button", "label", "x-y", "section"):
        assert outline(f"<table><tr><td>on<{tag}>e", way).text == "on e"


def test_the_lists_of_elements_within_lines_agree() -> None:
    source = Path(outline_module.__file__).with_name("_tags.c").read_text()
    assert {"a", *re.findall(r'{"(\w+)", INLINE,', source)} == outline_module._WITHIN_LINES


@pytest.mark.parametrize("body", ["<div>" * 300_000, "<p>x" * 600_000, "<template></template>" + "<p>x" * 400_000])
def test_large_pages_take_no_long_time(body: str) -> None:
    started = time.process_time()
    assert page(body + "<a href=a>a</a>").outline is not None
    assert time.process_time() - started < 5


def test_pages_without_markup_are_text() -> None:
    assert page("plain  words", "text/plain").outline == Outline("plain  words", 0, [])


def test_what_is_nested_too_deeply_is_left_to_the_tree() -> None:
    deep = page("<div>" * 600 + "<a href=a>a</a>")
    assert deep._scan is None
    assert [place.path for place in deep.outline.places] == ["div./div."]


CONTENT = st.sampled_from(
    [
        " ",
        "one",
        " two ",
        "thr&eacute;e",
        "<br>",
        "<img alt=i>",
        "<a href=x>link</a>",
        "<!--c-->",
        "<a href=y>one<br>two<div>three</div></a>",
        "<a href=z>o<img>ne<x-y>two</x-y></a>",
    ]
)
TAGS = st.sampled_from(["div", "p", "ul", "li", "b", "span", "h2", "table", "tr", "td", "dl", "dd", "section", "a"])
PIECE = st.one_of(CONTENT, TAGS.map("<{}>".format), TAGS.map("</{}>".format))


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(
        st.one_of(
            CONTENT,
            st.builds("<div class=d>{}</div>".format, inner),
            st.builds("<ul><li>{}</li><li>{}</li></ul>".format, inner, inner),
            st.builds("<table><tr><td>{}</td><td>{}</td></tr></table>".format, inner, inner),
            st.builds("<h2>{}</h2>".format, CONTENT),
            st.builds("<b>{}</b>".format, CONTENT),
        ),
        max_size=4,
    ).map("".join)


@pytest.mark.skipif(not IS_COMPILED, reason="there was no compiler when dowse was installed")
@settings(max_examples=300, deadline=None)
@given(st.recursive(CONTENT, nested, max_leaves=12))
def test_both_ways_say_the_same_of_well_nested_pages(body: str) -> None:
    assert outline(body, "scan") == outline(body, "tree")


@pytest.mark.skipif(not IS_COMPILED, reason="there was no compiler when dowse was installed")
@settings(max_examples=300, deadline=None)
@given(st.lists(PIECE, max_size=40).map("".join))
def test_no_markup_is_too_strange_for_a_scan(body: str) -> None:
    read = page(body)
    assert len(read.outline.places) == len({place.link.url for place in read.outline.places})
    assert read.outline.text.split() == read.outline.text.strip().split(" ") or not read.outline.text.strip()
