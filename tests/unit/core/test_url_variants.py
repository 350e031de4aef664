"""What makes no difference in URLs: how it is learned, and what keeps it from being learned."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dowse.core import url_variants
from dowse.core.url_keys import key_of
from dowse.core.url_variants import MOST_PARAMETERS, Alike, Variants

SHOW = "http://h/show"


def visit(known: Variants, pages: Iterable[tuple[str, int]]) -> set[Alike]:
    """Visit URLs that are the pages of these numbers; the rules that stand afterwards."""
    first: dict[int, str] = {}
    for url, page in pages:
        known.observe(url, page, first.get(page, ""))
        first.setdefault(page, url)
    return known.rules


def shop(refs: int = 5, items: int = 4) -> list[tuple[str, int]]:
    return [(f"{SHOW}?id={item}&ref={ref}", item + 1) for item in range(items) for ref in range(refs)]


def test_a_parameter_of_a_script() -> None:
    known = Variants()
    assert visit(known, shop()) == {Alike("parameter", f"{SHOW}?", "ref")}
    (twin,) = known.twins(f"{SHOW}?id=9&ref=new")
    assert twin.key == key_of(f"{SHOW}?id=9")
    assert not list(known.twins(f"{SHOW}?id=9"))
    assert not list(known.twins("http://h/other?ref=1"))


def test_a_parameter_of_a_folder_needs_several_of_its_pages() -> None:
    pages = [
        (f"http://h/a/{name}{query}", at + 1) for at, name in enumerate("abcdef") for query in ("", "?r=1", "?r=2")
    ]
    pages += [(f"http://h/a/{name}?r={name}", at + 1) for at, name in enumerate("abcdef")]
    rule = Alike("parameter", "http://h/a/", "r")
    known = Variants()
    assert rule in visit(known, pages)
    assert [twin.rule for twin in known.twins("http://h/a/new?r=7")] == [rule]
    assert not list(known.twins("http://h/a/deeper/new?r=7"))
    assert rule not in visit(Variants(), [(url, 1) for url, _ in pages]), "an error page that all URLs show says little"


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(shop(refs=2, items=2), id="too few"),
        pytest.param([(f"{SHOW}?id={item}&first={item % 2}", item + 1) for item in range(20)], id="no pair"),
        pytest.param([(f"{SHOW}?id={item}{page}", item + 1) for item in range(20) for page in ("", "&page=1")],
                     id="one value"),
        pytest.param([(f"{SHOW}?ref=1&ref={ref}", 1) for ref in range(20)], id="twice in a URL"),
        pytest.param([(f"{SHOW}?{'&'.join(f'{name}={at}' for name in 'abcdefg'[: MOST_PARAMETERS + 1])}", 1)
                      for at in range(20)], id="too many parameters"),
    ],
)  # fmt: skip
def test_what_is_not_enough(pages: list[tuple[str, int]]) -> None:
    assert visit(Variants(), pages) == set()


@pytest.mark.parametrize("at", [3, 19])
def test_one_difference_is_enough_to_forget_it_for_good(at: int) -> None:
    pages = shop()
    pages[at] = (pages[at][0], 99)
    known = Variants()
    assert visit(known, pages) == set()
    assert visit(known, [(f"{SHOW}?id={item}&ref=x{ref}", item + 1) for item in range(4) for ref in range(9)]) == set()


def test_a_rule_is_broken_by_a_page_that_differs() -> None:
    known = Variants()
    (rule,) = visit(known, shop())
    learned, broken = known.observe(f"{SHOW}?id=1&ref=late", 77)
    assert (learned, broken, known.rules) == (set(), {rule}, set())


def test_what_the_user_keeps_is_never_learned() -> None:
    known = Variants(["Ref"])
    assert visit(known, shop()) == set()
    known.take(Alike("parameter", f"{SHOW}?", "ref"), broken=False)
    assert not known.rules


def test_hosts_with_the_same_pages() -> None:
    pages = [(f"{origin}/{at}", at + 1) for at in range(10) for origin in ("http://h", "https://www.h")]
    known = Variants()
    rule = Alike("host", "https://www.h", "http://h")
    assert visit(known, pages) == {rule}
    assert [twin.key for twin in known.twins("https://www.h/new?a=1")] == [key_of("http://h/new?a=1")]
    assert not list(known.twins("http://h/new?a=1")), "the first of the two stands for both"
    assert known.observe("https://www.h/3", 500)[1] == {rule}


def test_hosts_that_share_some_pages_only() -> None:
    pages = [(f"{origin}/{at}", at + 1) for at in range(4) for origin in ("http://h", "http://g")]
    pages += [("http://h/own", 50), ("http://g/own", 51)]
    pages += [(f"{origin}/{at}", at + 1) for at in range(4, 30) for origin in ("http://h", "http://g")]
    assert visit(Variants(), pages) == set()
    one_page = [(f"{origin}/{at}", 1) for at in range(30) for origin in ("http://h", "http://g")]
    assert visit(Variants(), one_page) == set(), "that all is one page proves nothing about hosts"


def test_a_broken_rule_of_an_earlier_run_stays_broken() -> None:
    known = Variants()
    known.take(Alike("parameter", f"{SHOW}?", "ref"), broken=True)
    assert visit(known, shop()) == set()


def test_suspicions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_variants, "REMEMBERED", 50)
    known = Variants()
    visit(known, [(f"http://h/{at}/{value}?p{at}={value}", at + 1) for at in range(200) for value in range(2)])
    visit(known, [(f"http://h/{at}/x?p{at}={value}", at + 1) for at in range(200) for value in range(2)])
    assert len(known._evidence) <= 50


@pytest.mark.parametrize("others", [40, 200])
def test_what_spoke_against_a_rule_is_not_forgotten_for_other_things(
    monkeypatch: pytest.MonkeyPatch, others: int
) -> None:
    monkeypatch.setattr(url_variants, "REMEMBERED", 50)
    known = Variants()
    pages = shop(refs=2, items=2)
    visit(known, [*pages, (f"{SHOW}?id=0&ref=x", 99)])
    visit(
        known, [(f"http://h/{at}/?p{at}={value}", 100 + 2 * at + value) for at in range(others) for value in range(2)]
    )
    late = [(f"{SHOW}?id={item}&ref=late{ref}", item + 1) for item in range(4) for ref in range(9)]
    assert visit(known, late) == set()
    assert len(known._against) <= 50
