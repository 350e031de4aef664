"""What a crawl says of its time: what it waits for, how long it was at work, how often a URL was asked for."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import msgspec

from dowse import app
from dowse.core.politeness import HostState
from tests.crawling import crawl, links, opened
from tests.processes import dowse, running, wait_for_requests
from tests.servers import Reply, Site


def test_a_long_wait_is_told_with_its_host_its_end_and_its_reason(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a", "/b")
    site.pages["/robots.txt"] = "User-agent: *\nCrawl-delay: 5\n"
    site.pages["/*"] = lambda request: links(request.path)
    ended = dowse("site", site.url, "-o", tmp_path / "crawl")
    assert ended.code == 0
    waits = [line for line in ended.err.splitlines() if line.startswith("waiting until ")]
    assert [wait.partition(" for ")[2] for wait in waits] == [
        f"{site.url.split('/')[2]}: its robots.txt asks for 5 s between requests"
    ]


def test_resume_does_not_wait_for_a_clock_that_was_ahead(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a", "/b", "/c")
    site.pages["/*"] = lambda request: links(request.path)
    crawl(tmp_path, site.url, max_pages=1, sitemaps=False)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as database, database:
        [(text,)] = database.execute("SELECT politeness FROM host").fetchall()
        state, day = msgspec.json.decode(text, type=HostState), 86_400.0
        moved = msgspec.structs.replace(state, last_request=state.last_request + day, not_before=state.not_before + day)
        database.execute("UPDATE host SET politeness = ?", (msgspec.json.encode(moved).decode(),))
    assert dowse("resume", tmp_path, "--max-pages", "0", "--quiet").code == 0
    assert opened(tmp_path).status().counts == {"fetched": 4}


def test_the_time_of_a_crawl_is_that_of_its_runs(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links(*(f"/{number}" for number in range(10)))
    site.pages["/*"] = lambda request: links(request.path)
    first = crawl(tmp_path, site.url, max_pages=3).status().elapsed
    time.sleep(3)
    started = time.monotonic()
    assert dowse("resume", tmp_path, "--max-pages", "0", "--quiet").code == 0
    second = time.monotonic() - started
    assert first < opened(tmp_path).status().elapsed < first + second


def test_a_run_that_is_killed_has_noted_its_time_up_to_the_last_seconds(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links(*(f"/{number}" for number in range(100)))
    site.pages["/*"] = lambda request: links(request.path)
    with running("site", site.url, "-o", tmp_path / "crawl", "--delay", "0.3") as command:
        wait_for_requests(site, 2)
        time.sleep(5)
        command.kill_all()
    assert app.read(tmp_path / "crawl").status().elapsed > 2


def test_a_crawl_that_never_noted_its_time_tells_it_as_before(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a")
    site.pages["/a"] = "a"
    crawl(tmp_path, site.url, sitemaps=False)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as database, database:
        database.execute("DELETE FROM meta WHERE name = 'worked'")
        database.execute("UPDATE visit SET fetched_at = 1000 + 7 * id")
    assert opened(tmp_path).status().elapsed == 7


def test_every_request_is_an_attempt(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/gone", "/broken", "/closed", "/here")
    site.pages["/here"] = "here"
    site.pages["/broken"] = Reply("no", status=408)
    site.pages["/robots.txt"] = "User-agent: *\nDisallow: /closed\n"
    found = crawl(tmp_path, site.url, retries=1, sitemaps=False)
    attempts = {row["url"].rpartition("/")[2]: row["attempts"] for row in found.ledger}
    assert attempts == {"": 1, "gone": 1, "broken": 2, "closed": 0, "here": 1}
