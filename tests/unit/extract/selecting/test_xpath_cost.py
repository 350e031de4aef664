"""What an XPath may cost: common ones always run, those that multiply are not begun where they would hang."""

from __future__ import annotations

import contextlib
import time

import pytest
import turbohtml
from turbohtml import Document

from dowse.extract.selecting.selector_errors import GaveUp
from dowse.extract.selecting.xpath import compile_xpath
from dowse.extract.selecting.xpath_cost import Cost, cost_of, is_too_much


def tree(markup: str) -> Document:
    return turbohtml.parse(markup, positions=False)


WIDE = tree("<div>" + "<p>x</p>" * 20_000)
DEEP = tree("<div>" * 400 + "x")
USUAL = tree("<body>" + "<div><ul><li><a href=x>x</a></ul><table><tr><td>x</table></div>" * 100)


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        ("//h1", Cost(1, 0)),
        ("(//p)[1]", Cost(1, 0)),
        ("//div//ul//a[@href]", Cost(1, 0)),
        ("//tr[td[2][contains(., 'x')]]/td[1]", Cost(1, 0, slow=True)),
        ("//dt[. = 'x']/following-sibling::dd[1]", Cost(1, 0)),
        ("//div[.//a and .//b or not(.//c)]", Cost(1, 1)),
        ("//li[not(.//ul)]//a[ancestor::nav]", Cost(1, 1)),
        ("//div[.//a[.//b]]", Cost(1, 2, slow=True)),
        ("//p[//h1]", Cost(2, 0)),
        ("//p[contains(string(/), 'x')]", Cost(2, 0)),
        ("//a[../..//b]", Cost(2, 0)),
        ("//p[preceding::h2[1] = 'x']", Cost(2, 1)),
        ("//p[count(preceding::p) < 3]", Cost(2, 0, slow=True)),
        ("//*/following::*", Cost(2, 0, slow=True)),
        ("//*[ancestor::*[descendant::*[ancestor::*]]]", Cost(2, 2, slow=True)),
        ("//*[count(//*[count(//*) > 0]) > 0]", Cost(3, 0, slow=True)),
    ],
)
def test_conditions_multiply_and_steps_do_not(expression: str, cost: Cost) -> None:
    assert cost_of(expression) == cost


@pytest.mark.parametrize(
    "expression", ["//p", "//div[.//p]", "//p[1]/text()", "//p[ancestor::div]", "//p[contains(., 'x')]"]
)
def test_what_costs_little_is_run_on_every_page(expression: str) -> None:
    for page in (WIDE, DEEP, USUAL):
        assert not is_too_much(cost_of(expression), page)


@pytest.mark.parametrize("expression", ["//a[//td]", "//div[.//a[ancestor::li]]", "//td[count(preceding::a) > 3]"])
def test_what_costs_more_is_run_on_usual_pages(expression: str) -> None:
    found = compile_xpath(expression).run(USUAL)
    assert isinstance(found, list)
    assert found


@pytest.mark.parametrize("expression", ["//p[//h2]", "//p[preceding::h2[1] = 'x']", "//p[contains(string(/), 'x')]"])
def test_plain_conditions_are_run_on_large_pages(expression: str) -> None:
    page = tree("<body>" + ("<div><h2>x</h2>" + "<p>x</p>" * 9 + "</div>") * 300)
    assert len(compile_xpath(expression).run(page)) == 2_700  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expression", "page"),
    [
        ("//*[count(//*) > 0]", WIDE),
        ("//*[count(//*[count(//*) > 0]) > 0]", USUAL),
        ("//*[ancestor::*[descendant::*[ancestor::*]]]", DEEP),
        ("//*[.//*[.//*[.//*]]]", DEEP),
        ("//*/following::*/preceding::*", WIDE),
        ("//p[preceding::h2[1] = 'x']", tree(("<div><h2>x</h2>" + "<p>x</p>" * 9) * 300)),
    ],
)
def test_what_would_take_minutes_is_given_up_at_once(expression: str, page: Document) -> None:
    started = time.process_time()
    with pytest.raises(GaveUp):
        compile_xpath(expression).run(page)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("//h2[text()='N7']/following::p[1]", 1),
        ("//h2[. = 'N7']/following::p[1]/b/text()", 1),
        ("//h2[. = 'N7']/following::h2[1]/following::p[1]", 1),
        ("//h2[. = 'N7']/following::p", 2_386),
        ("//h2[. = 'N7']/preceding::p[b]", 7),
        ("//h2[. = 'N7'][preceding::h2[. = 'N5']]", 1),
    ],
)
def test_a_few_elements_may_look_around_on_a_large_page(expression: str, found: int) -> None:
    """On the worst page of this size it would take a minute, here a few milliseconds."""
    page = tree("<body>" + "".join(f"<div><h2>N{number}</h2><p>a<b>x</b></p><p>c</p></div>" for number in range(1_200)))

    result = compile_xpath(expression).run(page)
    assert isinstance(result, list)
    assert len(result) == found


@pytest.mark.parametrize(
    "expression",
    [
        "//h2/following::p",
        "//h2/preceding::p",
        "//h2[. != '']/following::p[1]/following::p",
        "//p[preceding::h2[1] = 'x']",
        "//p[. != ''][preceding::h2[. = 'y']]",
        "//p[preceding-sibling::h2[. = 'y']]",
        "//*[. != 'N7'][//*[//*]]",
    ],
)
@pytest.mark.parametrize("markup", ["<h2>x</h2><p>x</p>", "<div><h2>x</h2><p>x</p></div>", "<div><h2>x</h2><p>x</p>"])
def test_a_path_is_bounded_on_hostile_pages(expression: str, markup: str) -> None:
    """Each may be run or given up, but it takes seconds at most, where the parser alone takes minutes for some."""
    page = tree("<body>" + markup * 10_000)
    started = time.process_time()
    with contextlib.suppress(GaveUp):
        compile_xpath(expression).run(page)
    assert time.process_time() - started < 20
