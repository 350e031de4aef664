"""One process at a time runs a crawl; any number may read it."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlError, CrawlLocked
from dowse.store.crawl_store import CrawlStore
from tests.commands import invoke
from tests.crawling import links, opened
from tests.processes import dowse, running, wait_for_requests
from tests.servers import Site

Serve = Callable[..., Site]
Capture = pytest.CaptureFixture[str]

PAGES = 200
FAST = ("--delay", "0", "--per-host", "4", "--no-sitemaps", "--quiet")


@pytest.fixture
def slow_site(serve: Serve) -> Site:
    """Twenty seconds of work, or as long as a test takes that then sets its latency to 0."""
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.4)
    site.pages["/*"] = lambda request: links(request.path)
    return site


def test_a_second_process_is_refused_and_does_no_harm(slow_site: Site, tmp_path: Path, capsys: Capture) -> None:
    with running("site", slow_site.url, "-o", tmp_path, *FAST) as first:
        wait_for_requests(slow_site, 10)
        for command in ("resume", "retry", "recrawl"):
            ended = invoke(capsys, command, tmp_path)
            assert (ended.code, ended.out) == (3, "")
            assert ended.err.startswith(f"dowse: error: another process is running the crawl in {tmp_path};")
        refused = dowse("resume", tmp_path)
        assert (refused.code, "another process" in refused.err) == (3, True)
        assert invoke(capsys, "site", slow_site.url, "-o", tmp_path).code == 3
        with pytest.raises(CrawlLocked):
            app.resume(tmp_path)
        assert first.is_running
        slow_site.latency = 0.0
        assert first.ended().code == 0
    assert opened(tmp_path).status().counts == {"fetched": PAGES + 1}
    assert set(Counter(slow_site.paths()).values()) == {1}


def test_a_crawl_can_be_read_while_it_runs(slow_site: Site, tmp_path: Path, capsys: Capture) -> None:
    with running("site", slow_site.url, "-o", tmp_path, *FAST) as crawl:
        wait_for_requests(slow_site, 30)
        status = json.loads(invoke(capsys, "status", tmp_path, "--json").out)
        assert status["stop_reason"] == "running"
        assert sum(status["counts"].values()) == sum(row["count"] for row in status["ledger"]) == PAGES + 1
        assert {"waiting", "fetched"} <= set(status["counts"]) <= {"waiting", "out", "fetched"}
        assert "running now" in invoke(capsys, "status", tmp_path).out
        story = json.loads(invoke(capsys, "why", tmp_path, f"{slow_site.url}{PAGES - 1}", "--json").out)
        assert (story["state"], story["parents"]) == ("waiting", [[slow_site.url, f"to /{PAGES - 1}"]])
        rows = list(csv.DictReader(io.StringIO(invoke(capsys, "export", tmp_path, "ledger").out)))
        assert len(rows) == PAGES + 1
        assert 1 <= len(invoke(capsys, "export", tmp_path, "pages", "--to", "jsonl").out.splitlines()) < PAGES
        assert crawl.is_running, "all of this was during the crawl"
        slow_site.latency = 0.0
        assert crawl.ended().code == 0
    assert opened(tmp_path).status().counts == {"fetched": PAGES + 1}


def test_the_lock_of_a_killed_process_is_free(slow_site: Site, tmp_path: Path) -> None:
    with running("site", slow_site.url, "-o", tmp_path, *FAST) as crawl:
        wait_for_requests(slow_site, 10)
        crawl.kill_all()
    assert app.read(tmp_path).status().stop_reason == "killed"
    slow_site.latency = 0.0
    app.resume(tmp_path)
    assert opened(tmp_path).status().counts == {"fetched": PAGES + 1}


def test_a_crawl_that_could_not_be_opened_leaves_no_lock(tmp_path: Path) -> None:
    job = make_job("site", "http://127.0.0.1/", output=str(tmp_path))
    (tmp_path / "crawl.db").write_bytes(b"not a database" * 1000)
    with pytest.raises(CrawlError, match="file is not a database") as caught:
        CrawlStore(tmp_path, job)
    (tmp_path / "crawl.db").unlink()
    CrawlStore(tmp_path, job).close()
    assert caught.tb, "what is only released when the error is forgotten would still be held here"
