"""A recrawl under a budget: few requests, where the news is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.core import politeness
from dowse.core.errors import StoreFull
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import connect
from dowse.store.frontier.lease_policy import Choice
from dowse.store.revisits.budget import UnderBudget
from dowse.store.revisits.importance import importance_of
from dowse.store.revisits.page_rates import PageRates
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.servers import Reply, Site


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
    assert sum(path.startswith("/news/") for path in paths) >= 8, "by chance it were three or four"


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


def test_what_is_excluded_is_not_asked_for_and_stays(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    asked(site)
    app.recrawl(tmp_path, budget=1_000, **{**FAST, "exclude": ["/news/"]})
    assert len(asked(site)) == 41
    assert len(opened(tmp_path).pages) == 51


def test_pages_that_say_the_same_take_no_turn_away(site: Site, tmp_path: Path) -> None:
    same = {f"/d/{number}": "<p>All the same page with the same words." for number in range(40)}
    own = {f"/p/{number}": f"<p>Paper {number} of things {number * 7}." for number in range(10)}
    site.pages |= {"/": links(*same, *own), **same, **own}
    crawl(tmp_path, site.url)
    asked(site)
    assert recrawl(tmp_path, 30) == "budget"
    assert len(set(asked(site))) == 30
    assert recrawl(tmp_path, 60) == "complete"
    assert len(set(asked(site))) == 51


def test_a_page_that_failed_is_asked_for_again(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    before = site.pages["/papers/1"]
    site.pages["/papers/1"] = Reply(status=500)
    app.recrawl(tmp_path, **{**FAST, "retries": 0})
    site.pages["/papers/1"] = before
    asked(site)
    recrawl(tmp_path, 1_000)
    assert "/papers/1" in asked(site)


def test_a_server_that_is_down_is_left_alone_and_nothing_is_lost(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"FIRST_BACKOFF": 0.0, "LONGEST_BACKOFF": 0.0, "HOPELESS_COMPLAINTS": 1}.items():
        monkeypatch.setattr(politeness, name, value)
    grown(site)
    crawl(tmp_path, site.url)
    before = dict(site.pages)
    site.pages |= dict.fromkeys(before, Reply(status=503))
    asked(site)
    for _ in range(2):
        app.recrawl(tmp_path, budget=51, **{**FAST, "retries": 0})
        assert len(asked(site)) <= 16, "no more than the first wave"
    assert len(opened(tmp_path).pages) == 51
    assert {row["kind"] for row in opened(tmp_path).changes()} == {"unreachable"}
    site.pages |= before
    assert recrawl(tmp_path, 60) == "complete"
    assert len(set(asked(site))) == 51


def test_nothing_is_asked_for_twice_and_nothing_left_out(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url, max_pages=20)
    asked(site)
    app.recrawl(tmp_path, budget=51, **{**FAST, "max_pages": 0})
    paths = asked(site)
    assert len(paths) == len(set(paths)) == 51


def test_a_transaction_that_fails_costs_no_budget(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    asked(site)
    choose = UnderBudget.choose
    failed: list[bool] = []

    def full_once(self: UnderBudget, *arguments: Any, **options: Any) -> Choice:
        choice = choose(self, *arguments, **options)
        if not failed:
            failed.append(True)
            raise StoreFull("full")
        return choice

    monkeypatch.setattr(UnderBudget, "choose", full_once)
    recrawl(tmp_path, 20)
    assert failed
    assert len(asked(site)) == 20


def test_a_run_that_was_stopped_goes_on_with_what_is_left_of_its_budget(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    asked(site)
    finish = CrawlStore.finish

    class Killed(BaseException):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    commits = []
    commit = CrawlStore.commit

    def commit_some(self: CrawlStore, *arguments: Any) -> None:
        commit(self, *arguments)
        commits.append(1)
        if len(commits) == 3:
            raise Killed

    monkeypatch.setattr(CrawlStore, "finish", killed)
    monkeypatch.setattr(CrawlStore, "commit", commit_some)
    with pytest.raises(Killed):
        app.recrawl(tmp_path, budget=30, **{**FAST, "per_host": 2})
    monkeypatch.setattr(CrawlStore, "finish", finish)
    monkeypatch.setattr(CrawlStore, "commit", commit)
    first = asked(site)
    assert len(first) < 30
    app.resume(tmp_path, **FAST)
    assert 30 <= len(first) + len(asked(site)) <= 34, "what was out is asked for again"
    assert app.recrawl(tmp_path, **FAST).stop_reason == "complete"
    assert len(set(asked(site))) == 51


def test_a_crawl_at_its_limit_of_pages_spends_its_budget_on_known_ones(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url, max_pages=20)
    asked(site)
    assert recrawl(tmp_path, 15) == "budget"
    assert len(asked(site)) == 15
    assert recrawl(tmp_path, 30) == "complete"
    assert len(asked(site)) == 20
    assert len(opened(tmp_path).pages) == 20


def test_limits_of_a_recrawl_are_of_that_run(site: Site, tmp_path: Path) -> None:
    grown(site)
    crawl(tmp_path, site.url)
    app.recrawl(tmp_path, max_pages=3, **FAST)
    asked(site)
    assert app.recrawl(tmp_path, **FAST).stop_reason == "complete"
    assert len(asked(site)) == 51


def test_lists_are_asked_for_in_a_crawl_that_has_all_the_pages_it_may_have(site: Site, tmp_path: Path) -> None:
    pages = [f"/{number}" for number in range(40)]
    urls = "".join(f"<url><loc>{site.at('127.0.0.1', path)}</loc></url>" for path in pages)
    site.pages |= {path: f"<title>{path}</title><p>All of {path}." for path in pages}
    site.pages |= {"/": "<title>Home</title><p>Welcome."}
    site.pages["/sitemap.xml"] = Reply(f"<urlset>{urls}</urlset>", headers={"Content-Type": "application/xml"})
    crawl(tmp_path, site.url, max_pages=20)
    site.log.clear()
    summary = app.recrawl(tmp_path, budget=10, **FAST)
    assert summary.stop_reason == "budget"
    asked = site.paths()
    assert (asked[0], len(asked)) == ("/sitemap.xml", 10)
    assert len(opened(tmp_path).pages) == 20


def test_what_changed_together_before_is_suspect_in_the_next_run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [f"/{number}/{number}.html" for number in range(10)]
    both = ["/news/today.html", "/prices/list.php"]
    site.pages |= {path: f"<title>{path}</title><p>All of {path}." for path in (*others, *both)}
    site.pages["/"] = links(*others, *both)
    crawl(tmp_path, site.url)
    now = time.time
    for turn in range(1, 7):
        monkeypatch.setattr(time, "time", lambda ahead=turn * 5 * 86_400.0: now() + ahead)
        more = "".join(f"<p>Day {day} brought number {day * 7919} and more." for day in range(turn))
        site.pages |= {path: f"<title>{path}</title><p>All of {path}.{more}" for path in both}
        app.recrawl(tmp_path, exclude=["/prices/"] if turn == 6 else [], **FAST)
    connection = connect(tmp_path)
    with connection.transaction():
        rates = PageRates(connection, importance_of(connection, ()))
        rates.catch_up()
    urls = dict(connection.execute("SELECT id, url FROM task").fetchall())
    odds = rates.model.together.odds(len(rates))
    suspect = {path_of(urls[task]) for task, number in rates._number.items() if odds[number] > 1.2}
    connection.close()
    assert suspect == {"/prices/list.php"}
