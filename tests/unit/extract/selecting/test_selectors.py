"""Selectors: what they find, and what is refused before the crawl."""

from __future__ import annotations

import time

import pytest
import turbohtml
from turbohtml import Element

from dowse.core.errors import JobError
from dowse.core.job import ExtractOptions
from dowse.extract.fields import FieldExtractor
from dowse.extract.selecting.selector_errors import GaveUp, Mistake
from dowse.extract.selecting.selectors import RegexSelector, parse_selector
from dowse.extract.selecting.xpath import MOST_SIBLINGS, MOST_SIBLINGS_AHEAD, MOST_SIBLINGS_FOR_ONE
from tests.unit.extract.pages import page_of

PAGE = """<!doctype html><title>T</title><body>
<h1 id=top>Head <span>line</span></h1><!-- note -->
<a class="next page" href="/2" data-x="1">two</a><a class=page href="/3">three</a><a>no</a>
<p>1</p><p>2</p><svg><a href="/svg">drawn</a></svg>
<script>{"sku": "A-1"}, {"sku": "B-2"}</script>"""


def shown(selector: str, html: str = PAGE) -> list[str]:
    matches = parse_selector(selector).matches(page_of(html))
    return [f"<{match.tag}>{match.text}" if isinstance(match, Element) else match for match in matches]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("//h1", ["<h1>Head line"]),
        ("//p", ["<p>1", "<p>2"]),
        ("(//p)[2]", ["<p>2"]),
        (".//p[1]", ["<p>1"]),
        ("/html/body/p[2]", ["<p>2"]),
        ("//h1 | //p", ["<h1>Head line", "<p>1", "<p>2"]),
        ("//a/@href", ["/2", "/3", "/svg"]),
        ("//a[contains(@class, 'page')]/@href", ["/2", "/3"]),
        ("//h1/text()", ["Head "]),
        ("//comment()", [" note "]),
        ("//p[preceding-sibling::p]", ["<p>2"]),
        ("//p[not(preceding-sibling::p)]", ["<p>1"]),
        ("//h1/following-sibling::a[1]", ["<a>two"]),
        ("//p[.='2']/preceding-sibling::p", ["<p>1"]),
        ("//H1", []),
        ("//*[@id='top']", ["<h1>Head line"]),
        ("xpath:count(//p)", ["2"]),
        ("xpath:1 div 4", ["0.25"]),
        ("xpath:0 div 0", [""]),
        ("xpath:string(//h1)", ["Head line"]),
        ("xpath:boolean(//q)", ["false"]),
        ("xpath://p[1]", ["<p>1"]),
        ("xpath:id('top')", ["<h1>Head line"]),
        ("css:p", ["<p>1", "<p>2"]),
        ("css:h1 > span", ["<span>line"]),
        ("css:a.page@href", ["/2", "/3"]),
        ("css:a.next@DATA-X", ["1"]),
        ("css:a@nothing", []),
        ("css:a[href='/2']", ["<a>two"]),
        (r're:"sku": "([\w-]+)"', ["A-1", "B-2"]),
        (r"re:[AB]-\d", ["A-1", "B-2"]),
        (r"re:(zz)|B-\d", []),
        (r"re:(?<=<title>)\w", ["T"]),
        ("re:(?i)HEAD", ["Head"]),
        ("re:nothing", []),
    ],
)
def test_matches_come_in_the_order_of_the_page(selector: str, expected: list[str]) -> None:
    assert shown(selector) == expected


def test_the_document_stands_for_its_root() -> None:
    matches = list(parse_selector("/").matches(page_of(PAGE)))
    assert [match.tag for match in matches if isinstance(match, Element)] == ["html"]


def test_a_selector_sees_a_page_that_is_no_html_only_by_its_source() -> None:
    page = page_of("a, b", "text/plain")
    assert not list(parse_selector("//*").matches(page_of(b"\x89PNG\r\n\x1a\n", "image/png")))
    assert list(parse_selector("re:[ab]").matches(page)) == ["a", "b"]
    assert not list(parse_selector("re:PNG").matches(page_of(b"\x89PNG\r\n\x1a\n", "image/png")))


@pytest.mark.parametrize(
    ("selector", "problem", "position"),
    [
        ("", "expected //XPATH, xpath:XPATH, css:SELECTOR or re:REGEX", 0),
        ("h1", "expected //XPATH, xpath:XPATH, css:SELECTOR or re:REGEX", 0),
        ("jquery:h1", "expected //XPATH, xpath:XPATH, css:SELECTOR or re:REGEX", 0),
        ("css:", "nothing follows css:", 4),
        ("re: ", "nothing follows re:", 4),
        # XPath
        ("//h1[", "not an XPath: expected a node test", 5),
        ("//h1]", "not an XPath: unexpected trailing tokens", 4),
        ("xpath://h1]", "not an XPath: unexpected trailing tokens", 10),
        ("//p[.='é😀']]", "not an XPath: unexpected trailing tokens", 11),
        ("(//p)[1", "not an XPath: expected ']'", 7),
        (".price", "not an XPath: unexpected trailing tokens; a CSS selector is written css:.price", 1),
        ("//q[foo(.)]", "not an XPath: unknown function 'foo'", 4),
        ("//q[contains(.)]", "not an XPath: contains() takes 2 arguments, got 1", 4),
        ("//q[not(contains(., 'a(', 'b'))]", "not an XPath: contains() takes 2 arguments, got 3", 8),
        ("//q[count('x') > 1]", "not an XPath: count() of a non-node-set", 4),
        ("//q[@a = $b]", "not an XPath: there are no variables to use", 9),
        ("//q/svg:rect", "not an XPath: undefined namespace prefix", 4),
        ("//p[re:test(., '(')]", "not an XPath: missing ), unterminated subpattern at position 0", 4),
        # CSS
        ("css:p[", "not CSS: expected an identifier", 6),
        ("css:p..x", "not CSS: expected an identifier", 6),
        ("css:a:foo", "not CSS: unknown pseudo-class", 5),
        ("css:p >", "not CSS: expected a selector", 7),
        ("css:a::attr(href)", "not CSS: an attribute is written a.next@href, and text is taken anyway", 5),
        ("css:a@b@c", "not CSS: expected a combinator or the end of the selector", 5),
        # regular expressions
        ("re:(", "not a regular expression: missing )", 4),
        ("re:é[a", "not a regular expression: unterminated character set", 6),
        ("re:*", "not a regular expression: nothing to repeat", 3),
    ],
)
def test_mistakes_are_told_with_their_place(selector: str, problem: str, position: int) -> None:
    with pytest.raises(Mistake) as caught:
        parse_selector(selector)
    assert (caught.value.problem, caught.value.position) == (problem, position)


@pytest.mark.parametrize(
    "selector",
    [
        "//a[contains(@title, 'count(')]",
        '//a[@title="it\'s $5 ("]',
        "//a[substring-after(@href, '=') = 'x']",
        "//p[position() < last()]",
        "//p[text()='x' and not(comment())]",
        "//p[ancestor::node()]",
        "//p[re:test(., '^[0-9]+$')]",
        "css:a[title='x@y']@href",
        r"css:.md\@wide",
        "css:td:nth-child(2):not(.x)",
        "css:p:has(> a)",
    ],
)
def test_what_only_looks_wrong_is_taken(selector: str) -> None:
    assert list(parse_selector(selector).matches(page_of(PAGE))) is not None


SHAPE = "expected NAME=SELECTOR, NAME:TYPE=SELECTOR or NAME:TYPE[]=SELECTOR"
ELEMENTS = "only elements can be left out"


@pytest.mark.parametrize(
    ("extract", "problem", "place"),
    [
        (("title",), SHAPE, "6 of 'title' (its end)"),
        (("=//h1",), SHAPE, "1 of '=//h1'"),
        (("a[]:number=//b",), SHAPE, "4 of 'a[]:number=//b'"),
        (("a[=//b",), SHAPE, "7 of 'a[=//b' (its end)"),
        (("a b=//b",), SHAPE, "3 of 'a b=//b'"),
        (("1a=//b",), SHAPE, "1 of '1a=//b'"),
        (("a:money=//b",), "unknown type 'money', expected one of text, number, date, url, html", "3 of 'a:money=//b'"),
        (("b=//b", "a:number[]=css:p..x"), "not CSS: expected an identifier", "18 of 'a:number[]=css:p..x'"),
        (("é=//h1[",), "not an XPath: expected a node test", "8 of 'é=//h1[' (its end)"),
        (("a=//b", "a=//c"), "the field a is there twice", "1 of 'a=//c'"),
    ],
)
def test_fields_are_refused_by_option_and_place(extract: tuple[str, ...], problem: str, place: str) -> None:
    with pytest.raises(JobError) as caught:
        FieldExtractor(ExtractOptions(extract=extract))
    assert str(caught.value) == f"extract: {problem}, at character {place}"


@pytest.mark.parametrize(
    ("field", "exclusion", "problem", "place"),
    [
        ("a=//b", "c=//b", "there is no field c but a", "1 of 'c=//b'"),
        ("a=//b", "a", "expected NAME=SELECTOR", "2 of 'a' (its end)"),
        ("a=//b", "a=//c[", "not an XPath: expected a node test", "7 of 'a=//c[' (its end)"),
        ("a=//b", "a=//c/@d", ELEMENTS, "3 of 'a=//c/@d'"),
        ("a=//b", "a=//c[1]/@d", ELEMENTS, "3 of 'a=//c[1]/@d'"),
        ("a=//b", "a=//c/text()", ELEMENTS, "3 of 'a=//c/text()'"),
        ("a=//b", "a=xpath:count(//c)", ELEMENTS, "3 of 'a=xpath:count(//c)'"),
        ("a=//b", "a=css:c@d", ELEMENTS, "3 of 'a=css:c@d'"),
        ("a=//b", "a=re:c", ELEMENTS, "3 of 'a=re:c'"),
        ("a=//b/@c", "a=//d", "the field a is a text without parts", "1 of 'a=//d'"),
        ("a=re:b", "a=//d", "the field a is a text without parts", "1 of 'a=//d'"),
    ],
)
def test_exclusions_are_refused_by_option_and_place(field: str, exclusion: str, problem: str, place: str) -> None:
    with pytest.raises(JobError) as caught:
        FieldExtractor(ExtractOptions(extract=(field,), exclude_from=(exclusion,)))
    assert str(caught.value) == f"exclude_from: {problem}, at character {place}"


def test_an_expression_that_backtracks_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.extract.selecting.selectors.REGEX_SECONDS", 0.05)
    selector = parse_selector(r"re:(?:x+x+)+y(?=z)|(x)\1*w|^(?:(?:a|b|ab)*)*c$")
    assert isinstance(selector, RegexSelector)
    started = time.process_time()
    with pytest.raises(GaveUp, match=r"longer than 0\.05 s"):
        list(selector.matches(page_of("ab" * 20_000 + "x" * 5_000)))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("selector", "most"),
    [
        ("//b[count(preceding-sibling::b) = 1]", MOST_SIBLINGS),
        ("//b[count(following-sibling::b) = 1]", MOST_SIBLINGS_AHEAD),
        ("//b[following-sibling::b[1] = 'last']", MOST_SIBLINGS_FOR_ONE),
        ("//b/following-sibling::b[. = 'last']", 2_000),
    ],
)
def test_an_expression_that_looks_aside_is_not_run_on_pages_too_wide_for_it(selector: str, most: int) -> None:
    def found(siblings: int) -> int:
        html = "<p><i></i>" + "<b></b>" * (siblings - 1) + "<b>last</b>"
        return len(list(parse_selector(selector).matches(page_of(html))))

    assert found(3) == 1
    with pytest.raises(GaveUp, match="too large for this XPath"):
        found(most)


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("//dt[. = 'Price']/following-sibling::dd", 1),
        ("//h2/following-sibling::p", 4_000),
        ("//p[preceding-sibling::h2[1] = 'x']", 4_000),
        ("//li[following-sibling::li[1] = 'y']", 0),
    ],
)
def test_a_few_elements_may_look_aside_on_wide_pages(selector: str, found: int) -> None:
    page = page_of("<dl><dt>Price<dd>3</dl><ul>" + "<li>x</li>" * 1_100 + "</ul><div><h2>x</h2>" + "<p>x" * 4_000)
    assert len(list(parse_selector(selector).matches(page))) == found
    with pytest.raises(GaveUp):  # here nobody can tell how many look aside
        list(parse_selector("(//h2/following-sibling::p)[1]").matches(page))


def test_a_question_for_a_sibling_is_cheap() -> None:
    page = page_of("<table>" + "<tr><td>x" * 5_000)
    started = time.process_time()
    assert len(list(parse_selector("//tr[preceding-sibling::tr]").matches(page))) == 4_999
    assert time.process_time() - started < 10  # by the parser alone: 15 minutes


def test_a_fault_that_only_a_page_can_show_is_told() -> None:
    html = "<p title='('>x</p>"
    assert turbohtml.parse(html).select("p")
    with pytest.raises(GaveUp, match="the XPath fails on this page"):
        shown("//p[re:test(., @title)]", html)
