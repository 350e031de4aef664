"""Rules from clicks: what each choice is said to take on a page is what a crawl by that row takes there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dowse.demo.server import DemoSite
from dowse.modes.rules.rule_table import Rule
from dowse.page_tools import read
from dowse.parse.links import Anchor
from dowse.parse.page import Page
from dowse.rule_learning.clicked_links import Offer, offers_for, proposed_rule, taken_by
from tests.ruling import crawl_by
from tests.servers import Site

PAGE = """
<nav id=menu><a href=/papers/>Papers</a> <a href=/about.html>About</a></nav>
<main><ul class="list big" id=papers>
  <li class=item><a class=title href=/papers/2024/one.pdf>One</a> <a href=/people/ann.html>Ann</a></li>
  <li class=item><a class=title href=/papers/2024/two.pdf>Two</a> <a href=/people/ben.html>Ben</a></li>
  <li class=item><a class=title href=/papers/2025/three.pdf?v=2>Three</a> <a href=/people/ann.html>Ann</a></li>
</ul></main>
<aside><a href=/papers/2024/one.pdf>Newest</a></aside>
"""


def links(page: Page, *paths: str, within: str = "main") -> list[Anchor]:
    """The links of a page with these paths, each where it stands in some element."""
    inside = set(page.tree.select(f"{within} a"))
    return [next(each for each in page.anchors if each.url.endswith(path) and each.element in inside) for path in paths]


def row(page: Page, kind: str = "keep", **limits: str) -> Rule:
    to_type = "next" if kind == "follow" else ""
    return Rule(base_url=page.url, rule_type=kind, from_type="base", to_type=to_type, **limits)  # type: ignore[arg-type]


def paths(found: Sequence[Anchor]) -> list[str]:
    return [each.url.partition("//")[2].partition("/")[2] for each in found]


def cells(page: Page, offer: Offer, pattern: str, scope: Offer) -> dict[str, str]:
    """The row that a choice would make."""
    chosen = {"pattern": pattern, scope.column: scope.value} | {offer.column: offer.value}
    if offer.column != "pattern":
        chosen = {"pattern": pattern, offer.column: offer.value}
    return {"baseURL": page.url, "ruleType": "keep", "fromType": "base", **{k: v for k, v in chosen.items() if k}}


@pytest.mark.parametrize("clicked", [("/one.pdf",), ("/one.pdf", "/two.pdf")])
def test_what_each_choice_is_said_to_take_is_what_a_crawl_takes(
    site: Site, tmp_path: Path, clicked: tuple[str, ...]
) -> None:
    site.pages["/"] = PAGE
    page = read(PAGE, site.url)
    wanted = links(page, *clicked)
    offers = offers_for(page, proposed_rule(page, row(page), wanted), wanted)
    scope = next(each for each in offers.scopes if each.is_chosen)
    choices = [*offers.scopes, *offers.patterns]
    assert len(choices) > 12
    for number, offer in enumerate(choices):
        (tmp_path / str(number)).mkdir()
        crawl = crawl_by(tmp_path / str(number), cells(page, offer, offers.rule.pattern, scope))
        assert (len(list(crawl.kept)), crawl.matches()) == (offer.links, {1: (1, offer.links)}), offer
        crawl.close()


def test_choices_go_up_from_the_link_level_by_level() -> None:
    page = read(PAGE)
    wanted = links(page, "/one.pdf")
    offered = [(each.level, each.column, each.value, each.links) for each in offers_for(page, row(page), wanted).scopes]
    assert offered == [
        (0, "class", "title", 3), (1, "class", "item", 5), (1, "tag", "li", 5), (2, "id", "papers", 5),
        (2, "class", "big", 5), (2, "class", "list", 5), (2, "class", "list big", 5), (2, "tag", "ul", 5),
        (3, "tag", "main", 5), (4, "", "", 7),
    ]  # fmt: skip


def test_one_click_means_the_list_and_two_mean_what_they_share() -> None:
    page = read(PAGE)
    one = proposed_rule(page, row(page), links(page, "/one.pdf"))
    assert {"papers/2024/one.pdf", "papers/2024/two.pdf"} <= set(paths(taken_by(page, [one])[0]))
    two = proposed_rule(page, row(page), links(page, "/one.pdf", "/ben.html"))
    assert {"papers/2024/two.pdf", "people/ann.html"} <= set(paths(taken_by(page, [two])[0]))


def test_a_link_that_is_not_wanted_is_left_out() -> None:
    page = read(PAGE)
    wanted = links(page, "/one.pdf", "/two.pdf")
    rule = proposed_rule(page, row(page), wanted, links(page, "/ann.html"))
    taken = paths(taken_by(page, [rule])[0])
    assert "people/ann.html" not in taken
    assert {"papers/2024/one.pdf", "papers/2024/two.pdf"} <= set(taken)


def test_the_proposal_takes_the_link_where_it_was_clicked() -> None:
    """The same URL stands in a menu, too; a row for the menu would take it and miss what was pointed at."""
    page = read("<nav class=menu><a href=/t/>t</a><a href=/u/>u</a></nav><dl><dd><a href=/t/>t</a></dl>")
    wanted = links(page, "/t/", within="dl")
    assert wanted[0] in taken_by(page, [proposed_rule(page, row(page), wanted)])[0]


def test_a_row_that_was_written_by_hand_is_among_the_choices() -> None:
    page = read(PAGE)
    offers = offers_for(page, row(page, pattern="papers/20", class_="big list"), links(page, "/one.pdf"))
    assert [(each.value, each.links) for each in offers.scopes if each.is_chosen] == [("big list", 3)]
    assert [(each.value, each.links) for each in offers.patterns if each.is_chosen] == [("papers/20", 3)]


def test_the_rows_of_the_consultations_are_among_the_choices(demo_site: DemoSite) -> None:
    """Every scope and pattern of the sample table can be had by clicking."""
    address = "consultations/international/port-state-measures-for-foreign-fishing-vessels.html"
    listing = read(demo_site.answer("/consultations/").body, demo_site.url + "consultations/")
    one = read(demo_site.answer(f"/{address}").body, demo_site.url + address)
    offered = offers_for(listing, row(listing, "follow"), links(listing, address))
    assert {"results"} <= {each.value for each in offered.scopes if each.column == "class"}
    assert "international" in {each.value for each in offered.patterns}
    topic = offers_for(one, row(one, "follow"), links(one, "/topics/international/"))
    assert ("tag", "main") in {(each.column, each.value) for each in topic.scopes}
    assert "/topics/international/" in {each.value for each in topic.patterns}
    paper = offers_for(one, row(one), links(one, "discussion-paper.pdf"))
    assert r"\.pdf$" in {each.value for each in paper.patterns}
