"""Ctrl-C: the first stops cleanly, the second at once; both say how to go on, and nothing is lost."""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import hostile
from tests.crawling import links, opened
from tests.processes import dowse, running, wait_for_requests, wait_until
from tests.servers import Site

Serve = Callable[..., Site]

PAGES = 150
FAST = ("--delay", "0", "--per-host", "8")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_crawl_goes_on_as_if_nothing_had_been(serve: Serve, tmp_path: Path, workers: int) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.05)
    site.pages["/*"] = lambda request: links(request.path)
    folder = tmp_path / "a crawl"
    with running("site", site.url, "-o", folder, *FAST, "--workers", str(workers)) as crawl:
        wait_for_requests(site, 30)
        crawl.signal_all(signal.SIGINT)
        start = time.monotonic()
        ended = crawl.ended()
        assert time.monotonic() - start < 15
    assert (ended.code, ended.err.splitlines()[-1]) == (130, f"stopped; continue with: dowse resume '{folder}'")
    assert "Traceback" not in ended.err
    summary = opened(folder).status()
    assert (summary.stop_reason, sum(summary.counts.values())) == ("interrupted", PAGES + 1)
    assert summary.counts["not_reached"] > 0
    assert summary.pages == len(site.asked()), "what was under way came home"
    assert dowse("resume", folder, "--quiet").code == 0
    assert opened(folder).status().counts == {"fetched": PAGES + 1}
    assert set(Counter(site.paths()).values()) == {1}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_second_interrupt_ends_at_once_though_a_server_says_nothing(
    serve: Serve, tmp_path: Path, workers: int
) -> None:
    site = serve({"/": links("/silent", "/quick"), "/silent": hostile.silent(), "/quick": "quick"})
    folder = tmp_path / "crawl"
    with running("site", site.url, "-o", folder, *FAST, "--workers", str(workers)) as crawl:
        wait_for_requests(site, 3)
        crawl.signal_all(signal.SIGINT)
        time.sleep(0.3)
        assert crawl.is_running, "the first Ctrl-C waits for what is under way"
        crawl.signal_all(signal.SIGINT)
        start = time.monotonic()
        ended = crawl.ended()
        assert time.monotonic() - start < 10
        wait_until(lambda: not crawl.has_group(), seconds=15)  # no worker is left behind
    assert (ended.code, ended.err.splitlines()[-1]) == (130, f"stopped; continue with: dowse resume {folder}")
    assert "Traceback" not in ended.err
    site.pages["/silent"] = "here"
    assert dowse("resume", folder, "--quiet").code == 0
    assert opened(folder).status().counts == {"fetched": 3}


@pytest.mark.parametrize("moment", [0.0, 0.2, 0.5])
def test_an_interrupt_while_workers_start_is_as_clean(site: Site, tmp_path: Path, moment: float) -> None:
    site.pages["/"] = "one page"
    with running("site", site.url, "-o", tmp_path / "crawl", "--workers", "2") as crawl:
        wait_until((tmp_path / "crawl" / "crawl.db").exists)
        time.sleep(moment)
        crawl.signal_all(signal.SIGINT)
        ended = crawl.ended()
    assert "Traceback" not in ended.err
    assert ended.code in (0, 130)  # a machine that is fast enough is done by then


def test_one_interrupt_does_not_wait_for_a_silent_server_for_ever(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links("/silent", "/quick"), "/silent": hostile.silent(), "/quick": "quick"})
    with running("site", site.url, "-o", tmp_path / "crawl", *FAST) as crawl:
        wait_for_requests(site, 3)
        crawl.signal_all(signal.SIGINT)
        assert crawl.ended(timeout=6).code == 130
    assert opened(tmp_path / "crawl").status().counts == {"fetched": 2, "not_reached": 1}
