"""No more files to open: the machine's trouble, which costs no page anything but time."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawling import links, opened
from tests.processes import dowse_under, running, wait_for_requests
from tests.servers import Reply, Site

Serve = Callable[..., Site]

PAGES = 150
FAST = ("--delay", "0", "--per-host", "64", "--retries", "0", "--no-sitemaps")


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_few_files_may_be_open(serve: Serve, tmp_path: Path, workers: str, host: str) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.02)
    site.pages["/*"] = lambda request: links(request.path)
    url = site.url.replace("127.0.0.1", host)
    ended = dowse_under("ulimit -n 64", "site", url, "-o", tmp_path / "crawl", *FAST, "--workers", workers)
    assert ended.code == 0
    assert "Traceback" not in ended.err
    assert opened(tmp_path / "crawl").status().counts == {"fetched": PAGES + 1}


def test_the_limit_that_may_be_raised_is(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.02)
    site.pages["/*"] = lambda request: links(request.path)
    ended = dowse_under("ulimit -S -n 64", "site", site.url, "-o", tmp_path / "crawl", *FAST)
    assert (ended.code, "at a time" in ended.err) == (0, False)
    assert opened(tmp_path / "crawl").status().counts == {"fetched": PAGES + 1}


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can be changed on Linux only")
def test_a_crawl_waits_until_files_can_be_opened_again(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.1)
    site.pages["/*"] = lambda request: Reply(links(request.path), headers={"Connection": "close"})
    with running("site", site.url, "-o", tmp_path / "crawl", *FAST, "--concurrency", "8") as command:
        wait_for_requests(site, 20)
        number = command.process.pid
        before = resource.prlimit(number, resource.RLIMIT_NOFILE)
        resource.prlimit(number, resource.RLIMIT_NOFILE, (3, before[1]))
        time.sleep(3)
        resource.prlimit(number, resource.RLIMIT_NOFILE, before)
        ended = command.ended()
    assert ended.code == 0
    assert "paused: no more files or connections can be opened (ulimit -n is 3)" in ended.err
    assert "Traceback" not in ended.err
    found = opened(tmp_path / "crawl")
    assert found.status().counts == {"fetched": PAGES + 1}
    assert {row["attempts"] for row in found.ledger} == {1}
