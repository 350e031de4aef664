"""A limit on what is received, over all runs of a crawl."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse import app
from tests.commands import invoke
from tests.crawling import crawl, links, opened
from tests.servers import Reply, Request, Site

SIZE = 10_000
PAGES = 30
ONE_BY_ONE = {"concurrency": 1, "per_host": 1, "delay": 0.0}


@pytest.fixture
def heavy(site: Site) -> Site:
    """A small page with links to thirty large ones."""

    def large(request: Request) -> Reply:
        return Reply(f"page {request.path} ".ljust(SIZE, "."))

    site.pages.update({"/": links(*(f"/{number}" for number in range(PAGES))), "/*": large})
    site.pages["/robots.txt"] = Reply("", headers={"Content-Type": "text/plain"})
    return site


def test_a_crawl_stops_when_enough_has_come_and_goes_on_with_more(heavy: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path, heavy.url, max_bytes=5 * SIZE, **ONE_BY_ONE)
    assert found.stop_reason == "max_bytes"
    assert 5 * SIZE <= found.status().bytes_received < 6 * SIZE
    app.resume(tmp_path, max_bytes=12 * SIZE)
    found = opened(tmp_path)
    assert found.stop_reason == "max_bytes"
    assert 12 * SIZE <= found.status().bytes_received < 13 * SIZE
    app.resume(tmp_path, max_bytes=0)
    found = opened(tmp_path)
    assert (found.stop_reason, found.status().pages) == ("complete", PAGES + 1)


def test_what_is_under_way_still_comes_in(heavy: Site, tmp_path: Path) -> None:
    heavy.latency = 0.05
    found = crawl(tmp_path, heavy.url, max_bytes=5 * SIZE, concurrency=4, per_host=4)
    assert found.stop_reason == "max_bytes"
    assert found.status().bytes_received < (5 + 4 + 1) * SIZE


def test_a_crawl_that_is_complete_says_so(heavy: Site, tmp_path: Path) -> None:
    assert crawl(tmp_path, heavy.url, max_bytes=1_000 * SIZE).stop_reason == "complete"
    heavy.pages["/"] = "only this".ljust(SIZE, ".")
    assert crawl(tmp_path / "one", heavy.url, max_bytes=1, sitemaps=False).stop_reason == "complete"


def test_a_recrawl_may_receive_as_much_again(heavy: Site, tmp_path: Path) -> None:
    crawl(tmp_path, heavy.url, **ONE_BY_ONE)
    before = opened(tmp_path).status().bytes_received
    app.recrawl(tmp_path, max_bytes=5 * SIZE)
    found = opened(tmp_path)
    assert found.stop_reason == "max_bytes"
    assert 5 * SIZE <= found.status().bytes_received - before < 6 * SIZE


def test_retries_have_a_limit_of_their_own(heavy: Site, tmp_path: Path) -> None:
    failing = {f"/{number}": Reply("no", status=500) for number in range(10)}
    heavy.pages.update(failing)
    crawl(tmp_path, heavy.url, max_bytes=1_000 * SIZE, retries=0, **ONE_BY_ONE)
    for path in failing:
        del heavy.pages[path]
    app.retry(tmp_path, max_bytes=3 * SIZE)
    found = opened(tmp_path)
    assert found.status().counts["failed"] == 7
    assert found.job.limits.max_bytes == 1_000 * SIZE, "the crawl keeps its own"
    app.retry(tmp_path)
    assert "failed" not in opened(tmp_path).status().counts


def test_the_command_says_how_to_go_on(heavy: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--concurrency", "1", "--delay", "0", "--max-bytes", str(5 * SIZE))
    ended = invoke(capsys, "site", heavy.url, "-o", tmp_path / "out", *words)
    assert ended.code == 0
    assert "stopped at the limit of max_bytes" in ended.out
    hint = next(line for line in ended.out.splitlines() if "--max-bytes" in line)
    assert hint.startswith("  dowse resume ")
    assert int(hint.split()[-1]) == 2 * opened(tmp_path / "out").status().bytes_received
