"""Under a budget, what servers say of changes is heard as far as it is true."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dowse import app
from dowse.engine.events import Notice
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.servers import Reply, Request, Site

DAY = 86_400.0
PAPERS = [f"/papers/{number}" for number in range(40)]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How far the clock is ahead, in seconds."""
    ahead = [0.0]
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + ahead[0])
    return ahead


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def sitemap(dates: dict[str, float], site: Site, extra: str = "") -> Reply:
    urls = "".join(
        f"<url><loc>{site.at('127.0.0.1', path)}</loc><lastmod>{iso(at)}</lastmod>{extra}</url>"
        for path, at in dates.items()
    )
    return Reply(f"<urlset>{urls}</urlset>", headers={"Content-Type": "application/xml"})


def edit(site: Site, path: str, text: str) -> None:
    site.pages[path] = f"<title>{path}</title><p>Paper of {path} says: {text}"


def asked(site: Site) -> set[str]:
    paths = {hit.request.path for hit in site.log}
    site.log.clear()
    return paths


def prepared(site: Site, folder: Path, start: float, *others: str) -> dict[str, float]:
    dates = {path: start - (30 + number) * DAY for number, path in enumerate((*PAPERS, *others))}
    for path in PAPERS:
        edit(site, path, "nothing yet")
    site.pages |= {"/": links(*PAPERS, *others), "/sitemap.xml": sitemap(dates, site)}
    crawl(folder, site.url)
    asked(site)
    return dates


def test_pages_that_a_true_sitemap_says_changed_come_first(site: Site, tmp_path: Path, later: list[float]) -> None:
    dates = prepared(site, tmp_path, time.time())
    for turn in range(1, 5):
        later[0] += DAY
        for number in range(3):
            path = PAPERS[(turn * 7 + number * 11) % len(PAPERS)]
            edit(site, path, f"news of day {turn}")
            dates[path] = time.time() - 3600
        site.pages["/sitemap.xml"] = sitemap(dates, site)
        app.recrawl(tmp_path, budget=14, **FAST)
        opened(tmp_path)
        changed = {path_of(row["url"]) for row in opened(tmp_path).changes() if row["what"] == "page"}
        wanted = {PAPERS[(turn * 7 + number * 11) % len(PAPERS)] for number in range(3)}
        assert "/sitemap.xml" in asked(site)
    assert wanted <= changed, "by chance a third of them would have been asked for"


@pytest.mark.parametrize("lie", ["of today", "to come", "the same"])
def test_a_sitemap_that_lies_is_no_more_heard(site: Site, tmp_path: Path, later: list[float], lie: str) -> None:
    """Of pages that never change it says that they did. Of those that change it says that they did not."""
    start = time.time()
    news = [f"/news/{number}" for number in range(6)]
    for path in news:
        edit(site, path, "nothing yet")
    dates = prepared(site, tmp_path, start, *news)
    for turn in range(1, 5):
        later[0] += DAY
        for number, path in enumerate(PAPERS):
            today, to_come = time.time() - 60 - 61 * number, start + 99 * DAY
            dates[path] = {"of today": today, "to come": to_come, "the same": start}[lie]
        for path in news:
            edit(site, path, f"news of day {turn}")
        site.pages["/sitemap.xml"] = sitemap(dates, site)
        asked(site)
        app.recrawl(tmp_path, budget=14, **FAST)
    assert len(asked(site) & set(news)) >= 5, "what changes is asked for, whatever the sitemap says"


def test_a_feed_brings_new_pages_and_changed_ones(site: Site, tmp_path: Path, later: list[float]) -> None:
    head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    feed = "<rss><channel>{}</channel></rss>"
    item = "<item><link>{}</link><pubDate>{}</pubDate></item>"
    for path in PAPERS:
        edit(site, path, "nothing yet")
    kind = {"Content-Type": "application/rss+xml"}
    site.pages |= {"/": head + links(*PAPERS), "/feed.xml": Reply(feed.format(""), headers=kind)}
    crawl(tmp_path, site.url)
    asked(site)
    later[0] += DAY
    edit(site, PAPERS[33], "news")
    edit(site, "/fresh", "new")
    items = "".join(item.format(site.at("127.0.0.1", path), iso(time.time() - 60)) for path in (PAPERS[33], "/fresh"))
    site.pages["/feed.xml"] = Reply(feed.format(items), headers=kind)
    app.recrawl(tmp_path, budget=6, **FAST)
    assert {"/feed.xml", PAPERS[33], "/fresh"} <= asked(site)
    found = {(row["kind"], path_of(row["url"])) for row in opened(tmp_path).changes()}
    assert {("changed", PAPERS[33]), ("added", "/fresh")} <= found


def test_etags_that_change_every_time_are_no_changes(site: Site, tmp_path: Path) -> None:
    def page(request: Request) -> Reply:
        return Reply("<title>Fish</title><p>Fish.", headers={"ETag": f'"{request.visit}"'})

    site.pages |= {"/": page}
    crawl(tmp_path, site.url)
    for _ in range(3):
        app.recrawl(tmp_path, **FAST)
    assert not list(opened(tmp_path).changes())


def test_pages_that_are_good_for_a_year_wait(site: Site, tmp_path: Path, later: list[float]) -> None:
    for number, path in enumerate(PAPERS):
        headers = {"Cache-Control": "max-age=31536000"} if number < 20 else {}
        site.pages[path] = Reply(f"<title>{path}</title><p>{path}", headers=headers)
    site.pages["/"] = links(*PAPERS)
    crawl(tmp_path, site.url)
    later[0] += DAY
    app.recrawl(tmp_path, **FAST)
    later[0] += DAY
    asked(site)
    app.recrawl(tmp_path, budget=12, **FAST)
    paths = asked(site)
    assert len(paths & set(PAPERS[20:])) > 2 * len(paths & set(PAPERS[:20]))


def test_a_clock_that_is_put_back_is_told_and_every_page_keeps_its_turn(
    site: Site, tmp_path: Path, later: list[float]
) -> None:
    for path in PAPERS:
        edit(site, path, "nothing yet")
    site.pages["/"] = links(*PAPERS)
    crawl(tmp_path, site.url)
    told: list[str] = []

    def listen(event: object) -> None:
        told.extend([event.text] if isinstance(event, Notice) else [])

    for ahead in (0.0, 365 * DAY):
        later[0] = ahead
        app.recrawl(tmp_path, **FAST)
    app.recrawl(tmp_path, budget=5, listener=listen, **FAST)
    assert not told
    later[0] = 0.0
    asked(site)
    for _ in range(4):
        app.recrawl(tmp_path, budget=14, listener=listen, **FAST)
    assert asked(site) >= set(PAPERS), "those with a date to come are not left alone for a year"
    assert sum("the clock was put back" in each for each in told) == 1
    app.recrawl(tmp_path, budget=5, **FAST)
    assert len(opened(tmp_path).at(time.time()).pages) == len(PAPERS) + 1
