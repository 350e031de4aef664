"""Which links a rule matches: scope, pattern and filter, each for the link itself and not only for its URL."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Request, Response, Task
from dowse.modes.rules.rule_hints import Mark, PageType, marks, pack, ruled
from dowse.modes.rules.rule_table import Rule, RuleTable
from dowse.modes.rules.strategy import Plan, RulesStrategy
from dowse.parse.anchors import scope_selector
from dowse.parse.page import Page

BASE = "http://example.org/"

PAGE = """<!doctype html><title>t</title>
<nav id="menu" class="list wide"><a href="/a" title="First one">A</a> <a href="/b" rel="next nofollow">B</a></nav>
<main class="Wide list"><ul>
<li>before <a href="/c" type="application/pdf" data-kind="paper">C <b>bold</b></a> after</li>
<li>other <a href="/a">second A</a></li></ul></main>
<div class="col-9"><a href="/d" class="button red"><img alt="a picture" src=x></a></div>
<svg><a href="/e"><text>E</text></a></svg><table><tr><td><a href="/f">F</a></td><td>the row</td></tr></table>
"""


def rule(**limits: object) -> Rule:
    row = {"base_url": BASE, "rule_type": "keep", "from_type": "page", "row": 1, **limits}
    return Rule(**row)  # type: ignore[arg-type]


def judge(html: str, *rules: Rule, types: tuple[str, ...] = ("page",)) -> dict[str, tuple[Mark, ...]]:
    table = RuleTable(rules)
    request = Request(f"{BASE}here", 1, "example.org")
    response = Response(request, 200, {"content-type": "text/html"}, html.encode(), fetched_at=0, elapsed=0)
    task = Task(1, request, "example.org", hint=pack(tuple(PageType(BASE, name) for name in types)))
    verdict = RulesStrategy(table.rules).judge(Page(response), task)
    assert verdict.choices == []
    assert all(each.is_link for each in verdict.requests)
    return {each.url.removeprefix(BASE): marks(each.hint) for each in verdict.requests}


@pytest.mark.parametrize(
    ("limits", "matched"),
    [
        ({}, "abcdef"),
        ({"pattern": "/[ad]$"}, "ad"),
        ({"pattern": "example"}, "abcdef"),
        ({"pattern": "nothing"}, ""),
        ({"id": "menu"}, "ab"),
        ({"id": "Menu"}, ""),
        ({"class_": "list"}, "abc"),
        ({"class_": "list wide"}, "ab"),
        ({"class_": "wide list"}, "ab"),
        ({"class_": "Wide"}, "ac"),
        ({"class_": "col"}, ""),
        ({"class_": "red"}, "d"),
        ({"tag": "main"}, "ac"),
        ({"tag": "li"}, "ac"),
        ({"tag": "a"}, "abcdef"),
        ({"tag": "svg"}, "e"),
        ({"tag": "main", "pattern": "c"}, "c"),
        ({"filter_field": "text", "filter_value": "second"}, "a"),
        ({"filter_field": "text", "filter_value": "^A$"}, "a"),
        ({"filter_field": "text", "filter_value": "C bold"}, "c"),
        ({"filter_field": "text", "filter_value": "picture"}, "d"),
        ({"filter_field": "title", "filter_value": "First"}, "a"),
        ({"filter_field": "rel", "filter_value": "next"}, "b"),
        ({"filter_field": "type", "filter_value": "pdf$"}, "c"),
        ({"filter_field": "data-kind", "filter_value": "."}, "c"),
        ({"filter_field": "href", "filter_value": "^/d"}, "d"),
        ({"filter_field": "context", "filter_value": "^before C bold after$"}, "c"),
        ({"filter_field": "context", "filter_value": "the row"}, "f"),
        ({"filter_field": "text", "filter_value": "(?i)^a$", "tag": "main"}, ""),
        ({"filter_field": "text", "filter_value": "A", "tag": "main"}, "a"),
    ],
)
def test_limits(limits: dict[str, str], matched: str) -> None:
    assert "".join(sorted(judge(PAGE, rule(**limits)))) == matched


def test_what_is_dropped_is_not_kept_whatever_keeps_it() -> None:
    keep, also = rule(tag="ul"), rule(pattern="/[a-d]$", row=2)
    assert sorted(judge(PAGE, keep, also, rule(rule_type="drop", pattern="/a$", row=3))) == ["b", "c", "d"]
    assert sorted(judge(PAGE, keep, also, rule(rule_type="drop", id="menu", row=3))) == ["c", "d"], (
        "by any of its links"
    )


def test_what_is_dropped_may_be_followed_and_other_pages_may_keep_it() -> None:
    drop = rule(rule_type="drop", pattern="/a$", row=2)
    follow = rule(rule_type="follow", to_type="x", tag="main", row=3)
    assert judge(PAGE, rule(pattern="/a$"), drop, follow)["a"] == (Mark(BASE, 3, "page", "x"),)
    elsewhere = rule(from_type="other", pattern="/a$", row=4)
    assert judge(PAGE, drop, elsewhere, types=("page", "other"))["a"][0].rule == 4
    assert judge(PAGE, drop) == {}


def test_the_links_that_were_dropped_are_counted() -> None:
    drop = rule(rule_type="drop", pattern="/[ab]$", row=2)
    response = Response(Request(BASE, 1, "example.org"), 200, {"content-type": "text/html"}, PAGE.encode(), 0, 0)
    assert Plan([rule(id="menu"), drop]).apply(Page(response)) == ([], [(1, 0), (2, 2)])


def test_a_div_that_only_places_a_link_is_no_context() -> None:
    html = """<table><tr><td><div><div><a href=/x>X</a></div></div></td><td>(function)</td></tr></table>
              <div>only <div><a href=/y>Y</a></div></div><li><div><a href=/z>Z</a> here</div> (function)</li>"""
    found = judge(html, rule(filter_field="context", filter_value=r"\(function\)$"))
    assert list(found) == ["x"], "the row of x; but y is in no item, and the div of z says more than z"


def test_the_words_of_the_link_that_was_matched_are_kept() -> None:
    table = RuleTable((rule(tag="main", pattern="/a"),))
    request = Request(f"{BASE}here", 1, "example.org")
    page = Page(Response(request, 200, {"content-type": "text/html"}, PAGE.encode(), fetched_at=0, elapsed=0))
    task = Task(1, request, "example.org", hint=pack((PageType(BASE, "page"),)))
    [link] = RulesStrategy(table.rules).judge(page, task).requests
    assert link.anchor == "second A"


def test_all_rules_of_all_types_are_applied_at_once() -> None:
    keep, other = rule(pattern="/c"), rule(from_type="other", pattern="/c", row=2)
    follow = rule(rule_type="follow", to_type="next", tag="main", row=3)
    alien = rule(base_url="http://example.com/", row=4)
    found = judge(PAGE, keep, other, follow, alien, types=("page", "other"))
    around = "before C bold after"
    assert found == {
        "a": (Mark(BASE, 3, "page", "next"),),
        "c": (
            Mark(BASE, 1, "page", context=around),
            Mark(BASE, 3, "page", "next"),
            Mark(BASE, 2, "other", context=around),
        ),
    }


def test_how_many_links_each_row_matched() -> None:
    table = RuleTable((rule(tag="nav"), rule(tag="footer", row=2)))
    request = Request(f"{BASE}here", 1, "example.org")
    page = Page(Response(request, 200, {"content-type": "text/html"}, PAGE.encode(), fetched_at=0, elapsed=0))
    task = Task(1, request, "example.org", hint=pack((PageType(BASE, "page"),)))
    applied = ruled(RulesStrategy(table.rules).judge(page, task).evidence)
    assert applied.matches == [(1, 2), (2, 0)]
    assert applied.instruction.url == f"{BASE}here"


def test_a_link_is_nofollow_only_if_every_matched_one_is() -> None:
    html = '<nav><a rel=nofollow href="/x">x</a></nav><main><a href="/x">x</a></main>'
    request = Request(f"{BASE}here", 1, "example.org")
    page = Page(Response(request, 200, {"content-type": "text/html"}, html.encode(), fetched_at=0, elapsed=0))
    task = Task(1, request, "example.org", hint=pack((PageType(BASE, "page"),)))
    for limits, nofollow in (({}, False), ({"tag": "nav"}, True), ({"tag": "main"}, False)):
        table = RuleTable((rule(**limits),))
        [link] = RulesStrategy(table.rules).judge(page, task).requests
        assert link.nofollow is nofollow


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)


@given(NAMES.filter(lambda name: len(f"-{name}-".split()) == 1))
def test_any_id_and_class_can_be_written_as_a_selector(name: str) -> None:
    escaped = name.replace("&", "&amp;").replace('"', "&quot;")
    html = (
        f'<div id="{escaped}"><a href="/x">x</a></div><p class="y {escaped}"><a href="/z">z</a></p><a href="/n">n</a>'
    )
    assert set(judge(html, rule(id=name))) == {"x"}
    assert set(judge(html, rule(class_=name))) == {"z"}


def test_a_pattern_that_backtracks_for_ever_elsewhere_takes_no_time() -> None:
    html = "".join(f'<a href="/{"a-" * 400}{number}!">x</a>' for number in range(100))
    started = time.process_time()
    assert judge(html, rule(pattern=r"(\w+-?)+$"), rule(pattern=r"(a|a|-)*b", row=2)) == {}
    assert time.process_time() - started < 5


def test_links_within_links_do_not_cost_the_page_for_each() -> None:
    html = "<table>" + '<tr><td><a href="/x">' * 3000 + "word " * 10_000
    started = time.process_time()
    judge(html, rule(filter_field="context", filter_value="y"), rule(filter_field="text", filter_value="y", row=2))
    assert time.process_time() - started < 20


def test_fields_of_what_is_no_element() -> None:
    page = '<meta http-equiv="refresh" content="1; url=/away"><a href="/b">b</a>'
    assert set(judge(page, rule())) == {"away", "b"}
    assert set(judge(page, rule(tag="a"))) == {"b"}
    assert set(judge(page, rule(filter_field="text", filter_value="."))) == {"b"}


def test_selectors() -> None:
    assert scope_selector(identifier='a"b\\') == '[id="a\\"b\\\\"]'
    assert scope_selector(tag="main") == "main"
