"""Sitemaps without end: how far they are read, and what they may not keep a crawl from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core import sitemap_turns
from dowse.core.sitemap_turns import DEEPEST_LIST, FIRST_LISTS, FREE_LISTS, TOO_DEEP, TOO_MANY
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, states
from tests.servers import Reply, Request, Site

ROBOTS = "Sitemap: /map/0"
XML = {"Content-Type": "application/xml"}


def index(*names: str) -> Reply:
    rows = "".join(f"<sitemap><loc>{name}</loc></sitemap>" for name in names)
    return Reply(f"<sitemapindex>{rows}</sitemapindex>", headers=XML)


def urls(*names: str) -> Reply:
    return Reply(f"<urlset>{''.join(f'<url><loc>{name}</loc></url>' for name in names)}</urlset>", headers=XML)


def lists_asked(site: Site) -> list[str]:
    return [path for path in site.paths() if path.startswith("/map/")]


def reasons_of(found: Any) -> dict[str, int]:
    return {row.reason: row.count for row in found.balance()}


def test_lists_of_lists_end(site: Site, tmp_path: Path) -> None:
    """Every list names two more, for ever."""

    def further(request: Request) -> Reply:
        number = int(request.path[5:])
        return index(f"/map/{2 * number + 1}", f"/map/{2 * number + 2}")

    site.pages.update({"/": links("/page"), "/page": "page", "/robots.txt": ROBOTS, "/map/*": further})
    found = crawl(tmp_path, site.url, max_time=30)
    assert found.status().stop_reason == "complete"
    assert states(found)["/page"] == "fetched"
    assert len(lists_asked(site)) == 2 ** (DEEPEST_LIST + 1) - 1
    assert reasons_of(found)[TOO_DEEP] == 2 ** (DEEPEST_LIST + 1)


def test_the_lists_of_a_host_are_bounded(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_turns, "MOST_LISTS", 50)
    site.pages.update({"/": links("/page"), "/page": "page", "/robots.txt": ROBOTS})
    site.pages["/map/0"] = index(*(f"/map/{number}" for number in range(1, 200)))
    site.pages["/map/*"] = lambda request: urls(f"/listed{request.path}")
    site.pages["/listed/*"] = lambda request: f"page {request.path}"
    app.start(make_job("site", site.url, output=str(tmp_path), **{**FAST, "max_pages": 20}))
    app.resume(tmp_path, max_pages=0)
    found = opened(tmp_path)
    assert len(lists_asked(site)) == 50
    assert reasons_of(found)[TOO_MANY] == 150
    assert sum(path.startswith("/listed/") for path in site.paths()) == 49


@pytest.mark.parametrize("mode", ["site", "focus"])
def test_lists_and_pages_take_turns(site: Site, tmp_path: Path, mode: str) -> None:
    site.pages.update({"/": links(*(f"/page/{number}" for number in range(60))), "/robots.txt": ROBOTS})
    site.pages["/map/0"] = index(*(f"/map/{number}" for number in range(1, 400)))
    site.pages["/map/*"] = urls()
    site.pages["/page/*"] = lambda request: f"<title>{request.path}</title>a page about heat pumps {request.path}"
    options = {"topic": "heat pumps", "patience": 0, "sitemaps": True} if mode == "focus" else {}
    app.start(make_job(mode, site.url, output=str(tmp_path), **{**FAST, "per_host": 4, **options}))
    paths = site.paths()
    last_page = max(at for at, path in enumerate(paths) if path.startswith("/page/"))
    before = sum(path.startswith("/map/") for path in paths[:last_page])
    assert before <= FIRST_LISTS + 60 + 8, "while pages wait there is no more than one list for each"
    assert len(lists_asked(site)) == 400, "all are read in the end"


def test_lists_that_bring_nothing_count_against_the_limit(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": "one", "/robots.txt": ROBOTS, "/map/*": urls()})
    site.pages["/map/0"] = index(*(f"/map/{number}" for number in range(1, 3000)))
    found = crawl(tmp_path, site.url, max_pages=20)
    assert found.status().stop_reason == "max_pages"
    assert len(lists_asked(site)) <= FREE_LISTS + 20
    app.recrawl(tmp_path)
    assert opened(tmp_path).status().stop_reason == "max_pages"


def test_a_limit_is_kept_to_the_page_beside_endless_lists(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links(*(f"/page/{number}" for number in range(200))), "/robots.txt": ROBOTS})
    site.pages["/map/0"] = index(*(f"/map/{number}" for number in range(1, 2000)))
    site.pages.update({"/map/*": urls(), "/page/*": lambda request: f"page {request.path}"})
    assert crawl(tmp_path, site.url, max_pages=100, per_host=32).status().pages == 100


def test_a_recrawl_reads_lists_again(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": "one", "/robots.txt": ROBOTS})
    site.pages["/map/0"] = index(*(f"/map/{number}" for number in range(1, 60)))
    site.pages["/map/*"] = lambda request: urls(f"/listed{request.path}")
    site.pages["/listed/*"] = lambda request: f"page {request.path}"
    crawl(tmp_path, site.url)
    before = len(site.asked())
    app.recrawl(tmp_path, max_pages=70)
    assert len(site.asked()) - before >= 120
    assert opened(tmp_path).status().stop_reason == "complete"


def test_a_limit_on_retries_counts_pages_and_no_lists(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There were many lists before. They neither use the limit up nor keep it from being reached."""
    lists = FREE_LISTS + 50
    site.pages.update({"/": links(*(f"/a{number}" for number in range(9))), "/robots.txt": ROBOTS})
    site.pages["/map/0"] = index(*(f"/map/{number}" for number in range(1, lists)))
    site.pages["/map/*"] = urls("/")
    site.pages["/*"] = Reply(status=500)
    crawl(tmp_path, site.url, retries=0)
    site.pages["/*"] = lambda request: f"page {request.path}"
    app.retry(tmp_path, **FAST, max_pages=2)
    assert opened(tmp_path).status().counts["failed"] == 7
    assert len(opened(tmp_path).pages) == 3


def test_the_limit_to_go_on_with_is_one_that_is_not_reached_yet(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = FREE_LISTS + 50
    site.pages.update({"/": links("/a"), "/a": "a", "/robots.txt": "Sitemap: /map/0"})
    site.pages["/map/0"] = index(*(f"/map/{number}" for number in range(1, lists)))
    site.pages["/map/*"] = urls("/")
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "out", "--delay", "0", "--max-pages", "20")
    hint = next(line for line in ended.out.splitlines() if "--max-pages" in line)
    assert int(hint.split()[-1]) > opened(tmp_path / "out").spent() >= 20
