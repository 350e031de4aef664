"""kill -9 at any moment of a watch: it goes on, no change is lost to the crawl, and none is told twice."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawling import crawl, links, opened
from tests.processes import Running, dowse, running, wait_until
from tests.servers import Reply, Request, Site

Serve = Callable[..., Site]


def changed_site(serve: Serve, folder: Path) -> Site:
    """A crawl of a site that has changed since."""
    site = serve({"/": links(*(f"/{number}" for number in range(30))), "/*": lambda request: f"<p>{request.path}"})
    crawl(folder, site.url)
    site.pages["/*"] = lambda request: f"<p>{request.path} and more"
    return site


def urls_of(requests: list[Request]) -> list[str]:
    return [change["url"] for request in requests for change in json.loads(request.body)["changes"]]


def test_killed_in_the_middle_of_a_run_it_goes_on_and_tells_every_change_once(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    site = changed_site(serve, folder)
    hook = serve({"/": Reply(status=204)})
    options = ("watch", folder, "--every", "1h", "--notify-webhook", hook.url)
    already = len(site.asked())
    site.latency = 0.2
    with running(*options) as watch:
        wait_until(lambda: len(site.asked()) >= already + 10)
        watch.kill_all()
    assert hook.asked() == []
    site.latency = 0.0
    with running(*options) as watch:
        wait_until(hook.asked)
        watch.signal_all(signal.SIGINT)
        watch.ended()
    urls = urls_of(hook.asked())
    assert len(urls) == len(set(urls)) == 30
    opened(folder)


def test_killed_under_a_budget_it_goes_on_with_what_is_left_of_it(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    site = changed_site(serve, folder)
    already = len(site.asked())
    options = ("watch", folder, "--every", "1h", "--budget", "12")
    site.latency = 0.3
    with running(*options) as watch:
        wait_until(lambda: len(site.asked()) >= already + 4)
        watch.kill_all()
    out = len(site.asked()) - already
    site.latency = 0.0
    with running(*options) as watch:
        line = watch.process.stdout.readline() if watch.process.stdout else ""
        watch.signal_all(signal.SIGINT)
    assert ": went on, " in line
    assert len(site.asked()) - already <= 12 + out
    opened(folder)


def test_killed_while_a_webhook_has_it_the_change_is_never_sent_again(serve: Serve, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    changed_site(serve, folder)
    watches: list[Running] = []

    def take_and_kill(_request: Request) -> Reply:
        os.killpg(watches[0].process.pid, signal.SIGKILL)
        return Reply(status=204)

    hook = serve({"/": take_and_kill})
    options = ("watch", folder, "--every", "1s", "--notify-webhook", hook.url)
    with running(*options) as watch:
        watches.append(watch)
        wait_until(lambda: not watch.is_running)
    hook.pages["/"] = Reply(status=204)
    with running(*options) as watch:
        time.sleep(4)
        watch.signal_all(signal.SIGINT)
        ended = watch.ended()
    assert len(hook.asked()) == 1
    assert "a webhook notification may not have arrived, and is not sent again: " in ended.err


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.1, 0.2, 0.4, 0.8])
def test_killed_at_any_moment_no_change_is_told_twice(serve: Serve, tmp_path: Path, delay: float) -> None:
    """The site has something new at each look, and the watch is killed again and again."""
    site = serve()
    looks = threading.Lock()
    seen = [0]

    def front(_request: Request) -> str:
        with looks:
            seen[0] += 1
            return links(*(f"/{number}" for number in range(seen[0])))

    site.pages |= {"/": front, "/*": lambda request: f"<p>{request.path}"}
    crawl(tmp_path / "out", site.url)
    hook = serve({"/": Reply(status=204)})
    options = ("watch", tmp_path / "out", "--every", "1s", "--notify-webhook", hook.url, "--only-kinds", "added")
    for _ in range(3):
        before = seen[0]
        with running(*options) as watch:
            wait_until(lambda before=before: seen[0] > before)  # type: ignore[misc]
            time.sleep(delay)
            watch.kill_all()
    assert dowse("watch", tmp_path / "out", "--once", *options[4:]).code == 0
    urls = urls_of(hook.asked())
    assert len(urls) == len(set(urls))
    opened(tmp_path / "out")
