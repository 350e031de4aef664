"""kill -9 at any moment: the crawl goes on where it was, loses nothing and fetches again only what was under way."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dowse import app
from dowse.config import make_job
from dowse.engine.events import Event, Visited
from tests.crawling import FAST, links, opened, states
from tests.processes import dowse, running, wait_for_requests, wait_until
from tests.servers import Site
from tests.webs import HOSTS, Web, random_web

Serve = Callable[..., Site]

CONCURRENCY = 8
SLOWLY = (
    "--delay",
    "0",
    "--per-host",
    "4",
    "--concurrency",
    str(CONCURRENCY),
    "--dedup",
    "off",
    "--no-sitemaps",
    "--quiet",
)


def asked(site: Site) -> Counter[str]:
    return Counter(request.host + request.target for request in site.asked())


def kill_and_resume(site: Site, folder: Path, workers: int, kills: int, longest: float) -> list[tuple[int, set[str]]]:
    """Start the crawl and kill it that many times, at moments when it is at work.

    The answer has one entry a kill: how many requests the site had seen, and which URLs the crawl had as done by then.
    """
    chance = Random(20)
    marks: list[tuple[int, set[str]]] = []
    words: tuple[str | Path, ...] = ("site", site.url, "-o", folder, *SLOWLY, "--workers", str(workers))
    for _ in range(kills):
        before = len(site.asked())
        with running(*words) as crawl:
            wait_for_requests(site, before + 1)
            time.sleep(chance.uniform(0, longest))
            assert crawl.is_running, "the crawl was over before it could be killed: give it more pages"
            crawl.kill_all()
        done = {row["url"] for row in app.read(folder).ledger if row["state"] == "fetched"}
        marks.append((len(site.asked()), done))
        words = ("resume", folder, "--quiet")
    return marks


@pytest.mark.parametrize(("workers", "kills", "longest"), [(1, 20, 0.25), (2, 3, 0.6)])
def test_killed_again_and_again(serve: Serve, tmp_path: Path, workers: int, kills: int, longest: float) -> None:
    web = random_web(Random(5), 600)
    site = serve(latency=0.04)
    site.pages.update(web.pages(site.port))
    marks = kill_and_resume(site, tmp_path / "crawl", workers, kills, longest)
    site.latency = 0.0  # the rest may be quick
    assert dowse("resume", tmp_path / "crawl", "--quiet").code == 0
    check_complete(site, web, tmp_path / "crawl")
    again = sum(asked(site).values()) - len(asked(site))
    assert again <= kills * CONCURRENCY
    for number, done in marks:
        later = {site.at(request.host, request.target) for request in site.asked()[number:]}
        assert not later & done, "what was written down as done is not fetched again"
    assert marks[0][1] < marks[-1][1]


def check_complete(site: Site, web: Web, folder: Path) -> None:
    """All that can be reached was asked for and is in the ledger, once."""
    found = opened(folder)
    assert found.status().stop_reason == "complete"
    assert set(asked(site)) == web.expected(HOSTS[0])
    fetched = Counter(row["url"] for row in found.pages)
    assert set(fetched) == {f"http://{_with_port(place, site)}" for place in web.expected(kinds=("page", "copy"))}
    assert set(fetched.values()) == {1}
    assert set(states(found).values()) == {"fetched", "failed"}


def _with_port(place: str, site: Site) -> str:
    host, slash, path = place.partition("/")
    return f"{host}:{site.port}{slash}{path}"


def test_workers_leave_when_their_crawl_is_killed(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(200))), "/*": "page"}, latency=0.05)
    with running("site", site.url, "-o", tmp_path / "crawl", *SLOWLY, "--workers", "2") as crawl:
        wait_for_requests(site, 5)
        crawl.process.send_signal(signal.SIGKILL)  # to the first process alone
        crawl.process.wait(10)
        wait_until(lambda: not crawl.has_group(), seconds=5)


@pytest.mark.parametrize("workers_killed", [1, 2])
def test_a_worker_that_dies_is_replaced_and_its_pages_are_tried_again(
    serve: Serve, tmp_path: Path, workers_killed: int
) -> None:
    site = serve({"/": links(*(f"/{number}" for number in range(150)))}, latency=0.02)
    site.pages["/*"] = lambda request: links(request.path)
    pages = 0

    def listen(event: Event) -> None:
        nonlocal pages
        pages += isinstance(event, Visited)
        if pages == 20:
            pages += 1
            for worker in multiprocessing.active_children()[:workers_killed]:
                worker.kill()

    app.start(make_job("site", site.url, output=str(tmp_path / "crawl"), **FAST, workers=2, sitemaps=False), listen)
    found = opened(tmp_path / "crawl")
    assert (found.status().stop_reason, found.status().counts) == ("complete", {"fetched": 151})
    retried = [row["url"] for row in found.ledger if row["attempts"] > 1]
    # What was out, and what went out to the second one before its end was noticed.
    assert 1 <= len(retried) <= FAST["per_host"] * workers_killed
    story = found.why(retried[0])
    assert story is not None
    assert [visit["failure"] for visit in story.visits] == ["crash", ""]
    assert story.visits[0]["detail"] == "the worker process ended with status -9"
