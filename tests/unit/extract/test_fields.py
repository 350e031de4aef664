"""Named fields: from a page to its record."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest

from dowse.core.job import ExtractOptions
from dowse.core.record import UNFINISHED, Record
from dowse.extract.field_specs import parse_fields
from dowse.extract.fields import MOST_READ, MOST_VALUES, FieldExtractor
from tests.unit.extract.pages import fields_of, page_of

SHOP = """<!doctype html><html lang=en><head><title>Tea &amp; Co</title><base href="/shop/">
<meta property="og:title" content="Green  tea"><meta name=price content="3.142"></head><body>
<h1>Green <b>te</b>a <span class=badge>new</span></h1>
<p class=price>$1,234.50 <s class=old>$2,000</s></p><p class=price>about 3</p><p class=price>ask us</p>
<p class=price> </p>
<ul><li class=tag>green</li><li class=tag> tea
 </li><li class=tag></li></ul>
<time datetime="2024-03-05T10:00:00Z">last spring</time> <i class=when>2 days ago</i>
<a class=next href="?page=2#x">next</a> <a class=mail href="mailto:a@b">mail</a> <img src="../tea.png" alt=tea>
<h2 class=more><a href=details>Details</a></h2> <b class=site>https://tea.example/a b</b> <b class=word>word</b>
<input name=q value="42"><data value="7">seven</data>
<script>var product = {"sku": "A&amp;1", "n": "<b>x</b>"};</script>"""


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        # text
        ("x=//h1", "Green tea new"),
        ("x=css:title", "Tea & Co"),
        ("x:text=//h1/b", "te"),
        ("x=//meta[@property='og:title']/@content", "Green tea"),
        ("x=//meta[@property='og:title']", "Green tea"),
        ("x=css:input", "42"),
        ("x=css:img@alt", "tea"),
        ("x=//h1/text()", "Green"),
        ("x=css:.tag", "green"),
        ("x=xpath:count(//li)", "3"),
        ('x=re:"sku": "([^"]*)', "A&1"),
        ("x=//script", 'var product = {"sku": "A&amp;1", "n": "<b>x</b>"};'),
        (" x = //h1/b", "te"),
        # many
        ("x[]=css:.tag", ["green", "tea"]),
        ("x[, ]=css:.tag", "green, tea"),
        ("x[=]=css:.tag", "green=tea"),
        (r"x[\n]=css:.tag", "green\ntea"),
        ("x[ ]=css:h1", "Green tea new"),
        ("x:number[]=css:.price", [1234.5, 3]),
        ("x:number[; ]=css:.price", "1234.5; 3"),
        ("x[]=css:h1", ["Green tea new"]),
        # number
        ("x:number=css:.price", 1234.5),
        ("x:number=//meta[@name='price']", 3.142),
        ("x:number=css:data", 7),
        ("x:number=xpath:count(//li)", 3),
        # date
        ("x:date=css:time", "2024-03-05T10:00:00+00:00"),
        ("x:date=css:.when", "2026-01-08"),
        # url
        ("x:url=css:.next", "http://example.org/shop/?page=2"),
        ("x:url=css:.next@href", "http://example.org/shop/?page=2"),
        ("x:url=//img/@src", "http://example.org/tea.png"),
        ("x:url=css:img", "http://example.org/tea.png"),
        ("x:url=css:.more", "http://example.org/shop/details"),
        ("x:url=css:.site", "https://tea.example/a%20b"),
        ("x:url[]=css:a", ["http://example.org/shop/?page=2", "http://example.org/shop/details"]),
        # html
        ("x:html=css:h1", "<h1>Green <b>te</b>a <span class=\"badge\">new</span></h1>"),
        ("x:html=css:.next@href", "?page=2#x"),
        ('x:html=re:"sku": "([^"]*)', "A&amp;1"),
        # names
        ("größe.in-cm_2=css:input", "42"),
    ],
)  # fmt: skip
def test_a_field(spec: str, value: Any) -> None:
    assert list(fields_of(SHOP, spec).values()) == [value]


@pytest.mark.parametrize(
    "spec",
    [
        *("x=//nothing", "x=css:nothing", "x=re:nothing", "x[]=css:nothing", "x[, ]=css:nothing", "x=css:a@nothing"),
        *("x:number=css:h1", "x:number[]=css:h1", "x:date=css:h1", "x:url=css:.word", "x:url=css:.mail"),
        *("x=xpath:string(//nothing)", "x=xpath:number('a')", "x:number=//p[@class='price'][3]"),
    ],
)
def test_a_field_that_is_not_there_is_not_in_the_record(spec: str) -> None:
    page = page_of(SHOP)
    assert fields_of(page, spec) == {}
    assert fields_of(page, spec, "title=css:title") == {"title": "Tea & Co"}


def test_an_empty_match_is_passed_over_but_one_that_will_not_do_is_not() -> None:
    html = "<b></b><b> &nbsp;</b><b>none</b><b>5</b>"
    assert fields_of(html, "x=//b") == {"x": "none"}
    assert fields_of(html, "x:number=//b") == {}


@pytest.mark.parametrize(
    ("spec", "exclude", "value"),
    [
        ("x=//h1", ("x=//h1/span",), "Green tea"),
        ("x=//h1", ("x=css:.badge", "x=css:h1 b"), "Green a"),
        ("x=//h1", ("x=.//span",), "Green tea"),
        ("x=//h1", ("x=./b", "x=//span"), "Green a"),
        ("x=//h1", ("x=//nothing",), "Green tea new"),
        ("x:html=//h1", ("x=//b",), '<h1>Green a <span class="badge">new</span></h1>'),
        ("x:number[]=css:.price, .old", ("x=css:.old",), [1234.5, 3]),
        ("x:number=css:.price", ("x=css:.old",), 1234.5),
        ("x[]=//li", ("x=//li[1]",), ["tea"]),
    ],
)
def test_excluded_parts_are_left_out(spec: str, exclude: tuple[str, ...], value: Any) -> None:
    assert fields_of(SHOP, spec, exclude=exclude) == {"x": value}


def test_what_one_field_leaves_out_is_there_for_everybody_else() -> None:
    page = page_of(SHOP)
    before = page.tree.html
    specs = ("a=//h1", "b=//h1", "c=//h1/span", "d:html=css:ul", "e[]=css:li")
    found = fields_of(page, *specs, exclude=("a=//span", "d=//li", "d=.//li"))
    assert found == {"a": "Green tea", "b": "Green tea new", "c": "new", "d": "<ul></ul>", "e": ["green", "tea"]}
    assert page.tree.html == before
    assert "http://example.org/shop/details" in [link.url for link in page.links]


def test_links_in_an_excluded_part_are_still_links() -> None:
    page = page_of("<div>a <a href=/x>b</a></div>")
    assert fields_of(page, "x=css:div", exclude=("x=css:a",)) == {"x": "a"}
    assert [(link.url, link.text) for link in page.links] == [("http://example.org/x", "b")]


def test_the_record_of_a_page() -> None:
    extractor = FieldExtractor(ExtractOptions(extract=("b=//h1/b", "none=//nothing", "a=//title")))
    (record,) = extractor.extract(page_of(SHOP))
    assert record == Record("fields", "", {"b": "te", "a": "Tea & Co"})
    assert list(record.fields) == ["b", "a"]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=Record) == record


def test_fields_keep_the_order_they_were_asked_for() -> None:
    assert list(parse_fields(("b=//h1/b", "none=//nothing", "a=//title"))) == ["b", "none", "a"]


def test_a_page_without_any_field_has_no_record() -> None:
    assert FieldExtractor(ExtractOptions(extract=("a=//nothing",))).extract(page_of(SHOP)) == []
    assert FieldExtractor(ExtractOptions()).extract(page_of(SHOP)) == []


@pytest.mark.parametrize(
    ("body", "content_type", "title", "word"),
    [
        ("<title>Żółć</title>".encode("iso-8859-2"), "text/html; charset=iso-8859-2", "Żółć", "ółć"),
        ("<meta charset=shift_jis><title>日本語</title>".encode("shift_jis"), "text/html", "日本語", "本語"),
        ("\ufeff<title>日本語</title>".encode("utf-16-le"), "text/html", "日本語", "本語"),
        ("<title>a\ud83d\ude00b</title>".encode("utf-16", "surrogatepass"), "text/html", "a😀b", "😀b"),
        (b"<title>caf\xe9 \xff</title>", "text/html; charset=utf-8", "café ÿ", "afé ÿ"),
        ("<title>e\u0301&eacute;&#233;&#xD800;&amp;lt;</title>".encode(), "text/html", "e\u0301éé\ufffd&lt;", ""),
    ],
)
def test_fields_are_unicode_whatever_the_page_is_written_in(
    body: bytes, content_type: str, title: str, word: str
) -> None:
    found = fields_of(page_of(body, content_type), "t=//title", "r=re:<title>.([^<]+)")
    assert found["t"] == title
    assert not word or found["r"] == word
    msgspec.json.encode(found)


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 5_000 + "x",
        "<table><tr><td>" * 1_000 + "x",
        "<ol><li>" * 2_000 + "x",
        "<b>" * 10_000 + "x",
        "<a href=x>" * 5_000 + "x",
        "<p " + "a=b " * 10_000 + ">x",
        "<!--" * 10_000 + "x",
        "<p>" + "&" * 100_000,
        b"\x00\x01\x02<p>\xff\xfe" * 5_000,
        b"PK\x03\x04" + bytes(range(256)) * 400,
        "<template><p>x" * 400,
        "<svg><foreignObject><p>x" * 200,
        "<p>" + "9" * 100_000,
        "<p>" + "2024-99-99 " * 10_000,
        "<p>" + "1 ago " * 20_000,
        "",
    ],
)
def test_hostile_pages_are_read_in_bounded_time(body: str | bytes) -> None:
    page = page_of(body)
    before = page.tree.html
    specs = ("a=//*", "b[]=//*", "c:html[]=css:*", "d:number[]=//*", "e:date=//p", "f:url[]=//*", "g=re:(.+)x", "h=//p")
    found = fields_of(page, *specs, exclude=("h=.//*", "a=css:p"))
    assert len(msgspec.json.encode(found)) < 20_000_000
    assert page.tree.html == before


def test_matches_in_each_other_do_not_multiply() -> None:
    found = fields_of("<div>" * 300 + "x" * 50_000, "text[]=//div", "html:html[]=//div", "one=//div")
    assert sum(map(len, found["text"])) <= MOST_READ
    assert sum(map(len, found["html"])) <= MOST_READ
    assert len(found["one"]) == 50_000


def _words(count: int, ending: str) -> str:
    return "".join(
        f"<i>x{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}x{ending}</i>" for n in range(count)
    )


@pytest.mark.parametrize("ending", [" 2024", " ago"])
def test_words_that_are_no_dates_do_not_add_up(ending: str) -> None:
    started = time.process_time()
    assert fields_of(_words(8_000, ending), "when:date[]=css:i") == {}
    assert time.process_time() - started < 6  # 4 ms each would be 32 s


WIDE = "<h1>Shop</h1>" + "<p>x" * 2_000
FAR = "//p[count(preceding-sibling::p) = 1]"


@pytest.mark.parametrize(
    ("html", "spec", "exclude", "reason"),
    [
        (WIDE, f"x={FAR}", (), "the page is too large for this XPath"),
        (WIDE, "x=//p", (f"x={FAR}",), "the page is too large for this XPath"),
        ("<p title='('>x", "x=//p[re:test(., @title)]", (), "the XPath fails on this page"),
        ("<i>x</i>" * (MOST_VALUES + 1), "x[]=//i", (), "there are more than 10,000 values"),
        ("<div>" * 300 + "x" * 50_000, "x[]=//div", (), "what it matches is more than 1,000,000 characters"),
    ],
)
def test_a_field_that_is_not_looked_for_to_the_end_is_told(
    html: str, spec: str, exclude: tuple[str, ...], reason: str
) -> None:
    options = ExtractOptions(extract=(spec, "all=css:body *"), exclude_from=exclude)
    *_, record = FieldExtractor(options).extract(page_of(html))
    assert record.kind == UNFINISHED
    assert list(record.fields) == ["x"]
    assert record.fields["x"].startswith(reason)


def test_values_that_just_fit_are_all_there() -> None:
    extractor = FieldExtractor(ExtractOptions(extract=("x[]=//i",)))
    assert [record.kind for record in extractor.extract(page_of("<i>x</i>" * MOST_VALUES))] == ["fields"]


def test_values_are_counted() -> None:
    assert len(fields_of("<i>x</i>" * (MOST_VALUES + 5), "x[]=//i")["x"]) == MOST_VALUES
    assert len(fields_of(f"<p>{'x' * (MOST_READ + 5)}", "x=//p")["x"]) == MOST_READ
