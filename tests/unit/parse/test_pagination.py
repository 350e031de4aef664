"""The paging links of pages: what is found, what is not mistaken for one, and that broken markup does no harm."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Request, Response
from dowse.parse.page import Page
from dowse.parse.pagination import anchor_places
from dowse.parse.pagination.pagination import Pagination
from dowse.parse.pagination.pagination_finding import find_in_markup, find_pagination
from dowse.parse.pagination.url_counters import find_counter

URL = "https://example.org/list"


def found(markup: str, url: str = URL) -> Pagination:
    return find_in_markup(markup.encode(), url)


def numbered(pattern: str, numbers: range, current: int) -> str:
    return " ".join(
        f"<b>{each}</b>" if each == current else f"<a href='{pattern.format(each)}'>{each}</a>" for each in numbers
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Previous", "Next"),
        ("Zurück", "Weiter"),
        ("Précédent", "Suivant"),
        ("前へ", "次へ"),
        ("上一页", "下一页"),
        ("Назад", "Вперёд"),
        ("السابق", "التالي"),
        ("Önceki", "Sonraki"),
        ("Föregående", "Nästa"),
        ("«", "»"),
        ("← zzz", "qqq →"),  # words that no list has
    ],
)
@pytest.mark.parametrize("pattern", ["/list?page={}", "/list/page/{}/", "/list-{}.html"])
def test_next_previous_and_numbers_in_any_language(before: str, after: str, pattern: str) -> None:
    url = f"https://example.org{pattern.format(4)}"
    pager = (
        f"<a href='{pattern.format(3)}'>{before}</a> {numbered(pattern, range(1, 8), 4)}"
        f" <a href='{pattern.format(5)}'>{after}</a>"
    )
    paging = found(f"<nav><a href=/>Home</a><a href=/about>About us</a></nav><p>Text.</p><p>{pager}</p>", url)
    assert paging.next is not None
    assert paging.next.url == f"https://example.org{pattern.format(5)}"
    assert paging.next.number == 5
    assert paging.previous is not None
    assert paging.previous.url == f"https://example.org{pattern.format(3)}"
    assert [link.number for link in paging.pages] == [1, 2, 3, 5, 6, 7]
    assert paging.current == 4
    assert all(link.probability > 0.4 for link in paging.links)


def test_a_list_of_numbers_has_a_next_and_a_previous_page_too() -> None:
    paging = found(numbered("/list?page={}", range(1, 6), current=3), f"{URL}?page=3")
    assert paging.next is not None
    assert paging.next.url == f"{URL}?page=4"
    assert paging.previous is not None
    assert paging.previous.url == f"{URL}?page=2"
    last = found(numbered("/list?page={}", range(1, 6), current=5), f"{URL}?page=5")
    assert last.next is None


def test_offsets_are_counted() -> None:
    pager = "<b>1</b>" + "".join(f" <a href='/list?start={20 * (n - 1)}'>{n}</a>" for n in (2, 3, 4, 9))
    paging = found(f"<p class=pages>{pager} <a href='/list?start=20'>Next</a></p>")
    assert paging.counter is not None
    assert paging.counter.url_of(7) == "https://example.org/list?start=120"
    assert paging.last_number == 9


def test_relations_of_the_head_are_taken() -> None:
    paging = found("<head><link rel=next href='/list?cursor=abc'><link rel='prev' href='/list'></head><p>Text")
    assert paging.next is not None
    assert paging.next.url == "https://example.org/list?cursor=abc"


@pytest.mark.parametrize(
    "markup",
    [
        "".join(f"<td><a href='/day/2016-03-{day:02}'>{day}</a></td>" for day in range(1, 32)),
        "Show <a href='?limit=10'>10</a> <a href='?limit=20'>20</a> <a href='?limit=50'>50</a> a page",
        "<p>A text<a href='#1'>[1]</a> with notes<a href='#2'>[2]</a></p>",
        "<li><a href=/story/17>A story</a> <a href=/story/17#comments>12</a></li>",
        "<!-- <a href='?page=2'>2</a> <a href='?page=3'>3</a> --><script>'<a href=?page=2>Next</a>'</script>",
        "<a href=/next-generation>Next generation of nets is here to stay</a>",
        "",
    ],
)
def test_what_only_looks_like_paging_is_none(markup: str) -> None:
    paging = found(f"<nav><a href=/>Home</a></nav>{markup}<footer><a href=/imprint>Imprint</a></footer>")
    assert [link for link in paging.links if link.is_own] == []


def test_small_pagers_of_threads_are_about_something_else() -> None:
    threads = "".join(
        f"<li><a href=/thread/{n}>Thread about {n}</a> <span class=pager>"
        f"<a href=/thread/{n}/p2>2</a> <a href=/thread/{n}/p3>3</a></span></li>"
        for n in range(1, 6)
    )
    pager = f"{numbered('/list?page={}', range(1, 5), 1)} <a href='/list?page=2'>Next</a>"
    paging = found(f"<ul>{threads}</ul><p class=pager>{pager}</p>")
    assert {link.url for link in paging.own} == {f"https://example.org/list?page={n}" for n in (2, 3, 4)}


def test_the_first_page_of_another_address_is_that_of_the_page() -> None:
    pager = f"{numbered('/news?page={}', range(1, 5), 1)} <a href='/news?page=2'>Next</a>"
    assert [link.number for link in found(f"<p>{pager}", "https://example.org/").pages] == [2, 3, 4]


@pytest.mark.parametrize(
    ("url", "href", "kind"),
    [
        ("https://a.org/blog", "/blog?page=2", "next"),
        ("https://a.org/blog/", "/blog/page/2/", "next"),
        ("https://a.org/blog?page=2", "/blog?page=3", "next"),
        ("https://a.org/blog?page=2", "/blog", "prev"),
    ],
)
def test_what_is_older_or_newer_is_told_by_its_number(url: str, href: str, kind: str) -> None:
    text = "Older posts" if kind == "next" else "Newer posts"
    paging = find_in_markup(f"<a href=/x>A thing</a><p><a href='{href}'>{text}</a>".encode(), url)
    assert [(link.kind, link.is_own) for link in paging.links] == [(kind, True)]
    assert not find_in_markup(f"<p><a href=/2024/bridge>{text}</a>".encode(), url).links


@pytest.mark.parametrize("label", ["Load more", "Mehr laden", "Afficher plus", "もっと見る", "Загрузить ещё"])
def test_buttons_that_load_more(label: str) -> None:
    assert found(f"<ul><li>item</ul><button class=x>{label}</button>").load_more == (label,)
    assert found(f"<ul><li>item</ul><a href='#'>{label}</a>").load_more == (label,)


def test_pages_in_other_charsets() -> None:
    html = "<b>1</b> <a href='?p=2'>2</a> <a href='?p=3'>3</a> <a href='?p=2'>След.</a>".encode("windows-1251")
    headers = {"content-type": "text/html; charset=windows-1251"}
    page = Page(Response(Request(URL, 1, "example.org"), 200, headers, html, fetched_at=0.0, elapsed=0.1))
    paging = find_pagination(page)
    assert paging.next is not None
    assert paging.next.text == "След."


def test_a_counter_is_about_one_number_alone() -> None:
    counter = find_counter(((2, "http://a.org/f7?page=2"), (3, "http://a.org/f7?page=3")))
    assert counter is not None
    assert counter.page_of("http://a.org/f7?page=9") == 9
    assert counter.page_of("http://a.org/f8?page=2") is None


def test_a_counter_needs_two_pages_that_agree() -> None:
    assert find_counter(((2, "http://a.org/?page=2"),)) is None
    assert find_counter(((2, "http://a.org/?page=2"), (3, "http://a.org/?page=7"), (4, "http://a.org/?page=8"))) is None


@given(st.text(alphabet="<>a/ \"'=hrefnxtpag12&;!-\né»次", max_size=300))
def test_broken_markup_does_no_harm_and_both_ways_see_the_same_number_of_anchors(text: str) -> None:
    body = text.encode()
    find_in_markup(body, URL)
    places, total, _ = anchor_places.anchor_places(body)
    assert total >= len(places)
    assert all(0 <= before <= start < inner <= end <= len(body) for _, before, start, inner, end, *_ in places)


def test_without_a_compiler_the_same_anchors_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    markup = (
        "<p><a href='?page=2' class=next><b>N</b>ext</a> <!-- <a>no</a> --> <A HREF=x>2</A><script>'<a>3</a>'</script>"
        "<a title='Next'><img src=x></a><a href=/long>nothing to see here</a><a href=1>&raquo;</a>"
        "<button>x</button><a>»"
    ).encode()
    words = anchor_places.WORDS_AS_WRITTEN
    assert anchor_places.anchor_places(markup) == anchor_places.places_by_pattern(markup, words)


def test_without_a_compiler_the_same_is_said_of_an_anchor() -> None:
    markup = (
        b"<a href=1>1</a> of <!-- 7 --> <script>a = '<b>'</script> <ul class='pager big' id=below><li CLASS=no>"
        b""" &hellip; <a HREF="/x?a=1&amp;b='2'" class = 'next page' title=Next data-n=3 rel="next">2</a>"""
    )
    before, start = markup.index(b"</a>"), markup.rindex(b"<a")
    places = before, start, markup.rindex(b"2</a>")
    attributes, names, line = anchor_places.anchor_parts(markup, *places)
    assert attributes["href"] == "/x?a=1&amp;b='2'"
    assert (attributes["class"], attributes["rel"], attributes["title"]) == ("next page", "next", "Next")
    assert (names, line) == ("pager big below", "of &hellip;")
    assert (attributes, names, line) == anchor_places.parts_by_pattern(markup, *places)


@given(st.text(alphabet="<>a/ \"'=classidhref12&;!-\né»", max_size=200), st.integers(0, 200), st.integers(0, 200))
def test_broken_tags_do_no_harm(text: str, one: int, other: int) -> None:
    body = text.encode()
    start, inner = sorted((min(one, len(body)), min(other, len(body))))
    anchor_places.anchor_parts(body, 0, start, inner)


def test_places_that_are_none_are_refused() -> None:
    if anchor_places.anchor_parts is not anchor_places.parts_by_pattern:
        with pytest.raises(ValueError, match="no places"):
            anchor_places.anchor_parts(b"<a>", 0, 2, 99)


@pytest.mark.parametrize("markup", [b"<a class=next " * 40_000, b"<a>" + b"<b " * 80_000], ids=["anchors", "others"])
def test_tags_without_an_end_are_looked_through_once(markup: bytes) -> None:
    """A minute, if each were looked for its end up to the end of the page."""
    started = time.monotonic()
    found = anchor_places.places_by_pattern(markup, anchor_places.WORDS_AS_WRITTEN)
    assert time.monotonic() - started < 10
    assert found == anchor_places.anchor_places(markup)
