"""Fields from clicks: the selectors that find what was picked, and what they hold."""

from __future__ import annotations

import pytest

from dowse.extract.picked_fields import field_values, offer_selectors
from dowse.page_tools import read

PAGE = """
<main><h1>Pears</h1><dl><dt>Price</dt><dd>1,20 EUR</dd><dt>Date of harvest</dt><dd>3 May 2026</dd></dl>
<ul class=products><li class="item odd"><h3>Comice</h3><b class=price>1,20</b><a href=/c>more</a></li>
<li class="item even"><h3>Bosc</h3><b class=price>2,50</b><a href=/b>more</a></li>
<li class="item odd last"><h3>Abate</h3><b class=price>3,00</b><a href=/a>more</a></li></ul>
<table><tr><td>1</td><td>a</td></tr><tr><td>2</td><td>b</td></tr><tr><td>3</td><td>c</td></tr></table></main>
<aside><h3>News</h3><b class=price>none</b></aside>
"""


@pytest.mark.parametrize(
    ("picked", "selector"),
    [
        ("h1", "css:h1"),
        ("dd:last-of-type", "//dt[normalize-space()='Date of harvest']/following-sibling::dd[1]"),
        ("ul.products", "css:.products"),
    ],
)
def test_one_element_is_found_by_the_shortest_that_finds_it(picked: str, selector: str) -> None:
    page = read(PAGE)
    offers = offer_selectors(page, page.tree.select(picked)[:1])
    assert (offers.selectors[0].selector, offers.selectors[0].matches) == (selector, 1)
    assert not offers.is_list


@pytest.mark.parametrize(
    ("picked", "values"),
    [
        ("li h3", ["Comice", "Bosc", "Abate"]),
        ("li .price", ["1,20", "2,50", "3,00"]),
        ("td:nth-child(2)", ["a", "b", "c"]),
    ],
)
def test_a_second_element_means_all_in_such_places(picked: str, values: list[str]) -> None:
    page = read(PAGE)
    offers = offer_selectors(page, page.tree.select(picked)[:2])
    assert offers.is_list
    assert field_values(page, [f"x[]={offers.selectors[0].selector}"]) == ({"x": values}, [])


def test_attributes_can_be_taken_of_what_has_them() -> None:
    page = read(PAGE)
    offers = offer_selectors(page, page.tree.select("li a")[:2])
    assert offers.attributes == ["href"]
    assert field_values(page, [f"x:url[]={offers.selectors[0].selector}@href"])[0] == {
        "x": ["https://example.invalid/c", "https://example.invalid/b", "https://example.invalid/a"]
    }


def test_an_element_without_a_name_is_found_by_its_place() -> None:
    page = read("<div><div><p>a</p><p>b</p></div><div><p>c</p><p>d</p></div></div>")
    wanted = page.tree.select("p")[3]
    found = offer_selectors(page, [wanted]).selectors[0]
    assert page.tree.select(found.selector.removeprefix("css:"))[0] is wanted or found.matches == 1


@pytest.mark.parametrize("name", ['we"ird', "a:b", "1st", "x]y", "\u00e9t\u00e9"])
def test_strange_names_are_written_so_that_they_are_found(name: str) -> None:
    page = read("<p>x</p><section><p class='{}'>y</p></section><p>z</p>".format(name.replace("'", "&#39;")))
    offers = offer_selectors(page, page.tree.select("section p"))
    assert field_values(page, [f"x={offers.selectors[0].selector}"]) == ({"x": "y"}, [])


def test_what_is_wrong_with_a_field_is_told() -> None:
    assert field_values(read(PAGE), ["x=css:["])[1][0].startswith("not CSS:")
