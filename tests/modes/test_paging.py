"""Paging against real servers: further pages of lists are followed in every mode, and a list that has no end ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import invoke
from tests.crawling import crawl, path_of, paths, reasons
from tests.ruling import crawl_by, keep, kept
from tests.servers import Request, Site

LAST = 12


def listed(number: int, *, last: int = LAST, shown: int | None = None) -> str:
    """A page of a list: its items, and a pager with next, previous and the pages around it."""
    number_shown = number if shown is None else shown
    items = "".join(f"<li><a href=/item/{number}-{each}>An item called {number}.{each}</a>" for each in range(3))
    near = range(max(1, number_shown - 2), min(last, number_shown + 2) + 1)
    pages = "".join(
        f"<b>{each}</b> " if each == number_shown else f"<a href='/list?page={each}'>{each}</a> " for each in near
    )
    back = f"<a href='/list?page={number_shown - 1}'>Previous</a> " if number_shown > 1 else ""
    on = f"<a href='/list?page={number_shown + 1}'>Next</a>" if number_shown < last else ""
    return f"<title>Page {number_shown}</title><ul>{items}</ul><p>{back}{pages}{on}"


def page_of(request: Request) -> int:
    return int(request.query.get("page", "1"))


def item(request: Request) -> str:
    return f"<title>item</title><p>What is to be said of {request.path}"


def fetched_pages(site: Site) -> list[int]:
    return [page_of(request) for request in site.asked() if request.path == "/list"]


def test_further_pages_are_no_farther_than_the_first(serve_list: Site, tmp_path: Path) -> None:
    serve_list.pages["/list"] = lambda request: listed(page_of(request))
    found = crawl(tmp_path, f"{serve_list.url}list", paging=True, depth=1)
    assert sorted(fetched_pages(serve_list)) == list(range(1, LAST + 1))
    assert sum(path.startswith("/item/") for path in paths(found)) == 3 * LAST
    assert {row["depth"] for row in found.pages if "/list" in row["url"]} == {0}
    assert {row["depth"] for row in found.pages if "/item" in row["url"]} == {1}


def test_without_the_option_a_limit_on_depth_ends_the_list(serve_list: Site, tmp_path: Path) -> None:
    serve_list.pages["/list"] = lambda request: listed(page_of(request))
    crawl(tmp_path, f"{serve_list.url}list", depth=1)
    assert sorted(fetched_pages(serve_list)) == [1, 2, 3]


def test_a_last_page_that_every_number_shows_again_ends(serve_list: Site, tmp_path: Path) -> None:
    serve_list.pages["/list"] = lambda request: listed(min(page_of(request), 4), last=10**9, shown=page_of(request))
    found = crawl(tmp_path, f"{serve_list.url}list", paging=True)
    assert max(fetched_pages(serve_list)) <= 4 + 3
    refused = {path: reason for path, reason in reasons(found).items() if reason == "paging: nothing new"}
    assert refused
    story = found.why(f"{serve_list.url}{next(iter(refused))[1:]}")
    assert "paging: nothing new" in str(story)
    assert "of a list" in str(story)
    assert "a seed" not in str(story)


def test_a_loop_and_empty_pages_end(serve_list: Site, tmp_path: Path) -> None:
    def answer(request: Request) -> str:
        number = page_of(request)
        following = 1 if number == 3 else number + 1
        body = f"<p>A long text about the thing number {['one', 'two', 'three'][number - 1]}" if number < 4 else ""
        return f"<title>{number}</title>{body}<p><a href='/list?page={following}'>Next page</a>"

    serve_list.pages["/list"] = answer
    crawl(tmp_path / "loop", f"{serve_list.url}list", paging=True, dedup="off")
    assert max(fetched_pages(serve_list)) == 3

    def empty(request: Request) -> str:
        number = page_of(request)
        items = f"<a href=/item/{number}>item</a>" if number < 4 else ""
        return f"<title>{number}</title>{items}<p><a href='/list?page={number + 1}'>Next page</a>"

    serve_list.log.clear()
    serve_list.pages["/list"] = empty
    crawl(tmp_path / "empty", f"{serve_list.url}list", paging=True, dedup="off")
    assert max(fetched_pages(serve_list)) <= 5


def test_pages_between_those_that_are_linked_are_counted(serve_list: Site, tmp_path: Path) -> None:
    def answer(request: Request) -> str:
        number = page_of(request)
        pager = " ".join(
            f"<b>{each}</b>" if each == number else f"<a href='/list?page={each}'>{each}</a>" for each in (1, 2, 3, 9)
        )
        return f"<title>{number}</title><a href=/item/{number}>An item of the list</a><p class=pages>{pager}"

    serve_list.pages["/list"] = answer
    found = crawl(tmp_path, f"{serve_list.url}list", paging=True)
    assert sorted(set(fetched_pages(serve_list))) == list(range(1, 10))
    assert "between two that are linked" in " ".join(str(found.why(f"{serve_list.url}list?page=6")).split())


def test_rules_hold_on_further_pages_without_a_rule_for_them(serve_list: Site, tmp_path: Path) -> None:
    serve_list.pages["/list"] = lambda request: listed(page_of(request))
    base = f"{serve_list.url}list"
    found = crawl_by(tmp_path, keep(base, "base", "/item/"), paging=True)
    assert len(kept(found)) == 3 * LAST
    assert {row["page_type"] for row in found.kept} == {"base"}


def test_pages_come_in_order_and_right_after_each_other(serve_list: Site, tmp_path: Path) -> None:
    serve_list.pages["/list"] = lambda request: listed(page_of(request))
    found = crawl(tmp_path, f"{serve_list.url}list", paging=True, per_host=1)
    assert [path_of(row["url"]) for row in found.pages][:LAST] == [
        "/list", *(f"/list?page={number}" for number in range(2, LAST + 1))
    ]  # fmt: skip


@pytest.mark.parametrize("label", ["Load more", "Mehr laden", "もっと見る"])
def test_a_browser_presses_what_loads_more(site: Site, tmp_path: Path, label: str) -> None:
    script = """let shown = 0;
    document.querySelector('button').onclick = event => {
      for (let i = 0; i < 3; i++) list.innerHTML += `<li><a href=/more/${shown++}>entry</a>`;
      if (shown >= 9) event.target.remove();
    };"""
    site.pages["/"] = f"<meta charset=utf-8><ul id=list></ul><button>{label}</button><script>{script}</script>"
    found = crawl(tmp_path, site.url, fetch="browser", paging=True)
    assert {f"/more/{number}" for number in range(9)} <= set(reasons(found))


def test_a_browser_never_orders_one_more(site: Site, tmp_path: Path) -> None:
    script = """const order = event => { event.preventDefault(); fetch('/order', {method: 'POST'}).then(() =>
      document.body.insertAdjacentHTML('beforeend', `<p>ordered ${'abcdefghi'[Math.floor(Math.random() * 9)]}`)); };
    document.querySelector('form').onsubmit = order; document.querySelector('div').onclick = order;"""
    controls = "<form><button>Order one more</button><button>Show more</button></form><div role=button>Order more</div>"
    site.pages |= {"/": f"<p>goods</p>{controls}<script>{script}</script>", "/order": "ok"}
    crawl(tmp_path, site.url, fetch="browser", paging=True)
    assert {request.method for request in site.asked()} == {"GET"}


def test_the_command_has_the_option(serve_list: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve_list.pages["/list"] = lambda request: listed(page_of(request), last=3)
    invoke(
        capsys, "site", f"{serve_list.url}list", "-o", str(tmp_path / "out"), "--paging", "--depth", "0", "--delay", "0"
    )
    assert sorted(fetched_pages(serve_list)) == [1, 2, 3]


@pytest.fixture
def serve_list(site: Site) -> Site:
    for number in range(1, LAST + 1):
        for each in range(3):
            site.pages[f"/item/{number}-{each}"] = item
        site.pages[f"/item/{number}"] = item
    return site
