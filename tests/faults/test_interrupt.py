"""Ctrl-C and its like: the first stops cleanly, the second at once; both say how to go on, and nothing is lost."""

from __future__ import annotations

import _thread
import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import dowse as dowse_api
from dowse import app
from dowse.config import make_job
from dowse.engine.events import Event, Stopped
from tests import hostile
from tests.crawling import links, opened
from tests.processes import dowse, running, wait_for_requests, wait_until
from tests.servers import Request, Site

Serve = Callable[..., Site]

PAGES = 150
FAST = ("--delay", "0", "--per-host", "8", "--no-sitemaps")


@pytest.mark.parametrize(
    ("number", "workers"),
    [(signal.SIGINT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 1), (signal.SIGTERM, 2), (signal.SIGHUP, 1)],
)
def test_an_interrupted_crawl_goes_on_as_if_nothing_had_been(
    serve: Serve, tmp_path: Path, number: signal.Signals, workers: int
) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.05)
    was_sent = threading.Event()

    def page(request: Request) -> str:
        """Slow once there is something to interrupt, so that the crawl cannot end first."""
        site.latency = 0.05 if was_sent.is_set() or len(site.asked()) < 30 else 1.0
        return links(request.path)

    site.pages["/*"] = page
    folder = tmp_path / "a crawl"
    with running("site", site.url, "-o", folder, *FAST, "--workers", str(workers)) as crawl:
        wait_for_requests(site, 30)
        crawl.signal_all(number)
        was_sent.set()
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


@pytest.mark.parametrize(
    ("first", "second", "workers"),
    [
        (signal.SIGINT, signal.SIGINT, 1),
        (signal.SIGINT, signal.SIGINT, 2),
        (signal.SIGTERM, signal.SIGTERM, 1),
        (signal.SIGHUP, signal.SIGINT, 1),
    ],
)
def test_a_second_interrupt_ends_at_once_though_a_server_says_nothing(
    serve: Serve, tmp_path: Path, first: signal.Signals, second: signal.Signals, workers: int
) -> None:
    site = serve({"/": links("/silent", "/quick"), "/silent": hostile.silent(), "/quick": "quick"})
    folder = tmp_path / "crawl"
    with running("site", site.url, "-o", folder, *FAST, "--workers", str(workers)) as crawl:
        wait_for_requests(site, 3)
        crawl.signal_all(first)
        time.sleep(0.3)
        assert crawl.is_running, "the first Ctrl-C waits for what is under way"
        crawl.signal_all(second)
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


def test_a_crawl_that_is_to_outlive_its_terminal_does(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(20)))}, latency=0.05)
    site.pages["/*"] = lambda request: links(request.path)
    words = [sys.executable, "-m", "dowse", "site", site.url, "-o", str(tmp_path / "crawl"), "--delay", "0.05"]
    words.append("--no-sitemaps")
    with subprocess.Popen(["nohup", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as command:
        wait_for_requests(site, 5)
        command.send_signal(signal.SIGHUP)
        assert command.wait(30) == 0
    assert opened(tmp_path / "crawl").status().counts == {"fetched": 21}


_SCRIPT = """
import signal, sys, dowse

if len(sys.argv) > 3:
    signal.signal(signal.SIGTERM, lambda number, frame: print("mine", flush=True))
for number in range(3):
    print("crawl", number, flush=True)
    dowse.site(sys.argv[1], output=f"{sys.argv[2]}/{number}", delay=0.0, concurrency=2)
"""


@pytest.fixture
def many(serve: Serve) -> Site:
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.05)
    site.pages["/*"] = lambda request: links(request.path)
    return site


def script(*words: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _SCRIPT, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_script_ends_with_the_crawl_that_was_interrupted(many: Site, tmp_path: Path, number: signal.Signals) -> None:
    with script(many.url, tmp_path) as process:
        wait_for_requests(many, 10)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (out, process.returncode != 0) == ("crawl 0\n", True), "the next crawl does not begin"
    assert err.splitlines()[-1] == (
        f"dowse.core.errors.CrawlInterrupted: the crawl was stopped; dowse.resume('{tmp_path / '0'}') goes on with it"
    )
    found = opened(tmp_path / "0")
    assert (found.stop_reason, found.status().pages) == ("interrupted", len(many.asked())), "it ended cleanly"


def test_a_signal_that_a_script_answers_itself_is_left_to_it(many: Site, tmp_path: Path) -> None:
    with script(many.url, tmp_path, "mine") as process:
        wait_for_requests(many, 10)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert out.splitlines() == ["crawl 0", "mine"]


def test_an_interrupt_is_a_keyboard_interrupt(many: Site, tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt, match="the crawl was stopped"):
        dowse_api.site(many.url, output=str(tmp_path), delay=0.1, max_time=30)
    timer.join()
    assert signal.getsignal(signal.SIGINT) is before, "as it was"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_when_a_crawl_has_just_ended_is_not_lost(
    site: Site, tmp_path: Path, number: signal.Signals
) -> None:
    """Its pages are all there, but the event loop is not done with the signal, and is closed a moment later."""
    site.pages["/"] = "one page"

    def listener(event: Event) -> None:
        if isinstance(event, Stopped):
            signal.raise_signal(number)

    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt, match="the crawl was stopped"):
            app.start(make_job("site", [site.url], output=str(tmp_path), delay=0.0), listener)
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    assert opened(tmp_path).stop_reason == "complete"


def test_an_interrupt_of_a_loop_that_runs_already_stops_the_crawl(many: Site, tmp_path: Path) -> None:
    """As in a notebook: the crawl has a thread of its own, and the interrupt comes while this one waits for it."""

    async def cell() -> None:
        timer = threading.Timer(1.0, _thread.interrupt_main)
        timer.start()
        try:
            dowse_api.site(many.url, output=str(tmp_path), delay=0.1, max_time=30)
        finally:
            timer.join()

    with closing(asyncio.new_event_loop()) as loop, pytest.raises(KeyboardInterrupt, match="the crawl was stopped"):
        loop.run_until_complete(cell())
    assert not [thread for thread in threading.enumerate() if thread.name == "dowse"]
    assert opened(tmp_path).stop_reason == "interrupted"


def test_one_interrupt_does_not_wait_for_a_silent_server_for_ever(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links("/silent", "/quick"), "/silent": hostile.silent(), "/quick": "quick"})
    with running("site", site.url, "-o", tmp_path / "crawl", *FAST) as crawl:
        wait_for_requests(site, 3)
        crawl.signal_all(signal.SIGINT)
        assert crawl.ended(timeout=6).code == 130
    assert opened(tmp_path / "crawl").status().counts == {"fetched": 2, "not_reached": 1}
