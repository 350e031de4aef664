"""A recrawl under a budget: few requests, where the news is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dowse import app
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.servers import Site


def asked(site: Site) -> list[str]:
    """The paths that were asked for since this was asked last, without robots.txt and sitemaps."""
    paths = [hit.request.path for hit in site.log]
    site.log.clear()
    return [path for path in paths if path not in ("/robots.txt", "/sitemap.xml")]


def recrawl(folder: Path, budget: int) -> str:
    summary = app.recrawl(folder, budget=budget, **FAST)
    opened(folder)
    return summary.stop_reason


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How far the clock is ahead; the first number is added to it."""
    ahead = [0.0]
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + ahead[0])
    return ahead


def grown(site: Site) -> None:
    still = {f"/papers/{number}": f"<p>Paper {number} is what it was." for number in range(40)}
    news = {f"/news/{number}": f"<p>News {number} of today." for number in range(10)}
    site.pages |= {"/": links(*still, *news), **still, **news}


def test_requests_are_not_more_than_the_budget(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    asked(site)
    assert recrawl(tmp_path, 20) == "budget"
    first = asked(site)
    assert len(first) == len(set(first)) == 20
    assert len(opened(tmp_path).pages) == 51, "a page that was not visited again is a page all the same"
    assert recrawl(tmp_path, 1_000) == "complete"
    assert len(asked(site)) == 51


def test_pages_that_change_are_visited_before_those_that_do_not(site: Site, tmp_path: Path, later: list[float]) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    for day in range(1, 8):
        later[0] += 86_400.0
        for number in range(10):
            site.pages[f"/news/{number}"] = f"<p>News {number} of another day, the {'x' * day}th."
        asked(site)
        recrawl(tmp_path, 17)
    paths = asked(site)
    assert sum(path.startswith("/news/") for path in paths) == 10


def test_new_pages_are_found_and_fetched_at_once(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    site.pages["/"] = links("/news/0", "/fresh")
    site.pages["/fresh"] = "<p>Fresh fish."
    recrawl(tmp_path, 52)
    assert "/fresh" in {path_of(row["url"]) for row in opened(tmp_path).pages}


def test_links_that_waited_compete_with_pages(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url, max_pages=20)
    asked(site)
    app.recrawl(tmp_path, budget=16, **{**FAST, "max_pages": 0})
    found = opened(tmp_path)
    assert len(asked(site)) == 16
    assert 20 < len(found.pages) <= 28


def test_a_page_that_was_missing_is_looked_for_once_more(site: Site, tmp_path: Path, later: list[float]) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    del site.pages["/papers/3"]
    recrawl(tmp_path, 1_000)
    later[0] += 7_200.0
    asked(site)
    recrawl(tmp_path, 16)
    assert "/papers/3" in asked(site)
