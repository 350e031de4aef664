"""Shorter ways to the same links."""

from __future__ import annotations

from dowse.core.model import Request, Response
from dowse.parse.page import Page
from dowse.rule_learning.evaluation import reach_of
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.numbered_pages import paging, with_further_pages
from dowse.rule_learning.rule_candidates import Row, Step
from dowse.rule_learning.seen_pages import NO_SCOPE, Scope, see
from dowse.rule_learning.shortening import fewer_types, shortened, single_pages

BASE = "http://a.org/"


def known(pages: dict[str, str]) -> Explored:
    seen = []
    for path, body in pages.items():
        request = Request(BASE + path, 0, "a.org")
        seen.append(see(Page(Response(request, 200, {"content-type": "text/html"}, body.encode(), 0.0, 0.0))))
    return Explored(seen, BASE)


def anchors(*hrefs: str) -> str:
    return "".join(f"<a href='/{href}'>{href}</a>" for href in hrefs)


def kept(explored: Explored, rows: list[Row]) -> list[str]:
    return sorted(explored.urls[number].removeprefix(BASE) for number in members(reach_of(explored, rows).kept))


def follow(pattern: str, scope: Scope = NO_SCOPE) -> Row:
    return Row(0, 1, Step(pattern, scope))


KEEP = Row(1, None, Step("/d/", NO_SCOPE))


def test_a_page_that_is_not_needed_is_not_visited() -> None:
    explored = known({"": anchors("list", "listing"), "list": anchors("d/1", "d/2"), "listing": anchors("about")})
    rows = list(shortened(explored, [follow("list"), KEEP]))
    assert rows[0].step.pattern == "/list$"
    assert kept(explored, rows) == ["d/1", "d/2"]


def test_pages_that_are_needed_stay() -> None:
    explored = known({"": anchors("list/a", "list/b"), "list/a": anchors("d/1"), "list/b": anchors("d/2")})
    assert shortened(explored, [follow("list"), KEEP]) == [follow("list"), KEEP]


def test_one_page_may_do_for_several_that_bring_hardly_more() -> None:
    papers = [f"d/{number}" for number in range(20)]
    explored = known({"": anchors("list", "listing"), "list": anchors(*papers), "listing": anchors("d/0", "d/odd")})
    examples = explored.mask([explored.number[f"{BASE}d/0"], explored.number[f"{BASE}d/7"]])
    found = [kept(explored, list(rows)) for rows in single_pages(explored, [follow("list"), KEEP], examples)]
    assert found == [sorted(papers)]


def test_links_of_one_type_may_do_for_those_of_two() -> None:
    papers = [f"d/{number}" for number in range(20)]
    explored = known({"": anchors("list", "d/odd"), "list": anchors(*papers)})
    examples = explored.mask([explored.number[f"{BASE}d/0"]])
    rows = [follow("list"), KEEP, KEEP._replace(from_type=0)]
    assert [kept(explored, list(each)) for each in fewer_types(explored, rows, examples)] == [sorted(papers)]


def test_a_tag_that_says_nothing_is_not_said() -> None:
    explored = known({"": f"<div>{anchors('list', 'about')}</div>", "list": anchors("d/1")})
    assert shortened(explored, [follow("/list$", Scope("tag", "div")), KEEP])[0] == follow("/list$")


def test_a_numbered_list_leads_to_its_own_type() -> None:
    pager = "<a href='/list?page=2'>2</a><a href='/list?page=3'>3</a><a href='/list?page=2'>Next »</a>"
    explored = known({"": anchors("d/1", "d/2") + pager})
    rows = [Row(0, None, Step("/d/", NO_SCOPE))]
    further = with_further_pages(explored, rows, explored.mask([explored.number[f"{BASE}d/1"]]))
    assert list(further) == [*rows, Row(0, 0, Step(r"/list\?(.*&)?page=\d+", NO_SCOPE))]


def test_numbers_of_wanted_pages_are_no_numbered_list() -> None:
    explored = known({"": "<a href='/d/1'>1</a><a href='/d/2'>2</a>"})
    rows = [Row(0, None, Step("/d/", NO_SCOPE))]
    assert with_further_pages(explored, rows, explored.mask([explored.number[f"{BASE}d/1"]])) == rows


def test_one_link_to_what_comes_next_has_to_be_a_page_of_a_list() -> None:
    assert paging([f"{BASE}python-2.html"]) == ""
    assert paging([f"{BASE}page-2.html"]) == r"/page-\d+\.html$"
    assert paging([f"{BASE}next"]) == ""
