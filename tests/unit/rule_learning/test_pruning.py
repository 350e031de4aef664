"""What learned tables leave out although no example speaks against it."""

from __future__ import annotations

import pytest

from dowse.core.model import Request, Response
from dowse.modes.rules.rule_table import Rule
from dowse.parse.page import Page
from dowse.rule_learning.evaluation import reach_of
from dowse.rule_learning.explored_pages import Explored, members
from dowse.rule_learning.pruning import with_beginning, with_label, without_contents, without_lists, without_refused
from dowse.rule_learning.rule_candidates import Row, Step
from dowse.rule_learning.seen_pages import NO_SCOPE, see

BASE = "http://a.org/"
ALL = [Row(0, None, Step("", NO_SCOPE))]


def page(body: str) -> Page:
    return Page(Response(Request(BASE, 0, "a.org"), 200, {"content-type": "text/html"}, body.encode(), 0.0, 0.0))


def explored(*paths: str) -> Explored:
    return Explored([see(page("".join(f"<a href='/{path}'>{path}</a>" for path in paths)))], BASE)


def kept(known: Explored, rows: list[Row]) -> set[str]:
    return {known.urls[number].removeprefix(BASE) for number in members(reach_of(known, rows).kept)}


def numbers(known: Explored, *paths: str) -> int:
    return known.mask(known.number[BASE + path] for path in paths)


def test_a_table_of_contents_is_left_out_beside_its_contents() -> None:
    known = explored("a/index.html", "a/1.html", "a/2.html", "b/index.html", "b/3.html")
    rows = list(without_contents(known, ALL, numbers(known, "a/1.html", "b/3.html")))
    assert kept(known, rows) == {"a/1.html", "a/2.html", "b/3.html"}


def test_an_index_that_stands_for_its_folder_stays() -> None:
    known = explored("a/index.html", "b/index.html", "3.html", "4.html")
    assert without_contents(known, ALL, numbers(known, "3.html", "4.html")) == ALL


def test_an_index_among_the_examples_says_that_they_are_wanted() -> None:
    known = explored("a/index.html", "a/1.html", "a/2.html")
    assert without_contents(known, ALL, numbers(known, "a/index.html", "a/1.html")) == ALL


@pytest.mark.parametrize(("others", "share"), [(1, 16 / 17), (16, 0.5)])
def test_a_list_may_be_limited_to_what_begins_like_the_examples(others: int, share: float) -> None:
    papers = [f"paper-{name}.html" for name in "abcdefghijklmnop"]
    known = explored(*papers, *(f"x{number}.html" for number in range(others)))
    [(rows, kept_of_all)] = with_beginning(known, ALL, numbers(known, *papers[:3]))
    assert (kept(known, list(rows)), kept_of_all) == (set(papers), share)


@pytest.mark.parametrize(("others", "is_meant"), [(1, True), (4, True), (5, False)])
def test_names_that_end_alike_are_meant_if_half_of_the_list_does(others: int, is_meant: bool) -> None:
    guides = [f"{name}_README.html" for name in ("SASL", "LDAP", "TLS", "SMTP")]
    known = explored(*guides, *(f"{number}.html" for number in range(others)))
    tables = [kept(known, list(rows)) for rows, _ in with_beginning(known, ALL, numbers(known, *guides[:3]))]
    assert tables == ([set(guides)] if is_meant else [])


def test_pages_that_are_read_for_links_are_left_out() -> None:
    known = explored("", "1.html", "2.html")
    rows = list(without_lists(known, ALL, numbers(known, "1.html", "2.html")))
    assert (kept(known, rows), rows[-1].drops) == ({"1.html", "2.html"}, True)
    assert without_lists(known, ALL, numbers(known, "", "1.html")) == ALL, "an example is one of them"


def test_what_is_refused_is_left_out_by_its_folder_or_a_word() -> None:
    known = explored("a/x.html", "a/y.html", "b/terms.html")
    found = without_refused(known, ALL, numbers(known, "a/x.html", "a/y.html"), numbers(known, "b/terms.html"))
    tables = [list(rows) for rows in found]
    assert [rows[-1].step.pattern for rows in tables] == ["/b/", "terms"]
    assert all(kept(known, rows) == {"a/x.html", "a/y.html"} for rows in tables)


def labelled(odd: int) -> str:
    return "".join(
        f"<li><a href='/{number}'>x{number}</a> ({'class' if number < odd else 'member function'})</li>"
        for number in range(30)
    )


@pytest.mark.parametrize(("odd", "filters"), [(0, ""), (2, r"\bfunction\W*$"), (9, "")])
def test_the_label_of_nearly_all_is_asked_of_all(odd: int, filters: str) -> None:
    rules = [Rule(base_url=BASE, rule_type="keep", from_type="base", row=1)]
    examples = [f"{BASE}{number}" for number in (20, 24, 28)]
    limited, _ = with_label(rules, examples, {BASE: page(labelled(odd))}.get)
    assert [rule.filter_value for rule in limited] == [filters]


def test_a_number_is_no_label() -> None:
    rules = [Rule(base_url=BASE, rule_type="keep", from_type="base", row=1)]
    texts = "".join(f"<li><a href='/{number}'>x{number}</a> ({7 if number < 2 else 1})</li>" for number in range(30))
    assert with_label(rules, [f"{BASE}{number}" for number in (20, 24, 28)], {BASE: page(texts)}.get) == (rules, 0.0)


def test_two_examples_have_no_label() -> None:
    rules = [Rule(base_url=BASE, rule_type="keep", from_type="base", row=1)]
    assert with_label(rules, [f"{BASE}20", f"{BASE}24"], {BASE: page(labelled(2))}.get) == (rules, 0.0)


@pytest.mark.parametrize(
    ("even", "odd", "is_meant"),
    [
        ("(PDF)", "(PDF)", True),
        (": text", ": text", True),
        ("(a text)", "(a text)", True),
        ("one text", "a text", False),
    ],
)
def test_one_word_is_a_label_where_it_stands_alone_or_ends_one_phrase(even: str, odd: str, is_meant: bool) -> None:
    rules = [Rule(base_url=BASE, rule_type="keep", from_type="base", row=1)]
    texts = "".join(
        f"<li><a href='/{number}'>x{number}</a> {'no' if number < 2 else odd if number % 2 else even}</li>"
        for number in range(30)
    )
    limited, bits = with_label(rules, [f"{BASE}{number}" for number in (20, 24, 28)], {BASE: page(texts)}.get)
    assert limited != rules
    assert (bits < 0) is is_meant
