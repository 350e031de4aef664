"""Recrawls and retries of a crawl for a topic that ended by itself: what changed counts once, what waited waits on."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.engine.events import Event, Stopped, Visited
from dowse.store.folder import DATABASE
from tests.crawling import opened, path_of, states
from tests.modes.test_focus import focus, served, web
from tests.servers import Reply, Site

DULL = {f"/dull/{number}.html": f"<title>Fish {number}</title><p>Fish in the river." for number in range(20)}
GOOD = {f"/sort/n{number}.html": f"<title>Sorting {number}</title><p>To sort with a heap." for number in range(20)}


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as site:
        yield site


def crawl(folder: Path, site: Site, **options: Any) -> dowse.Crawl:
    found = focus(folder, site.url, **{"by": "keywords", "patience": 20, **options})
    assert found.stop_reason == "saturated"
    return found


def grow(site: Site, pages: dict[str, str], words: str) -> None:
    """Add a page that matches and leads to these."""
    links = "".join(f"<p><a href={path}>{words}</a>" for path in pages)
    site.pages["/"] = f"{web()['/']}<p><a href=/sort/new.html>heap sort, new</a>"
    site.pages |= {"/sort/new.html": f"<title>Sorting anew</title><p>To sort with a heap.{links}", **pages}


def visits(folder: Path, act: Callable[..., object], heard: Callable[[int], object] = bool) -> list[str]:
    """The paths that a run asks for, in order; `heard` is told how many there are so far."""
    asked: list[str] = []

    def listener(event: Event) -> None:
        if isinstance(event, Visited):
            asked.append(path_of(event.url))
            heard(len(asked))

    with suppress(KeyboardInterrupt):
        act(folder, listener)
    return asked


@pytest.mark.parametrize("by", ["keywords", "learned"])
def test_a_page_that_changed_counts_once(by: str, site: Site, tmp_path: Path) -> None:
    before = crawl(tmp_path, site, by=by).standing().prospect
    site.pages |= {path: f"{page}<p>A line more." for path, page in web().items()}
    heard: list[Event] = []
    app.recrawl(tmp_path, heard.append)
    found = opened(tmp_path)
    assert found.stop_reason == "saturated"
    assert [event.progress.found.number for event in heard if isinstance(event, Stopped) and event.progress.found] == [
        found.standing().prospect.matched
    ]
    assert found.standing().prospect.pages == before.pages
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        (unknown,) = connection.execute("SELECT count(*) FROM judgement WHERE worth = '{}'").fetchone()
    assert unknown == 1, "that of the seed; what the others were worth is told by their first visits"


def test_what_new_pages_link_to_rests_also_where_the_recrawl_was_stopped(site: Site, tmp_path: Path) -> None:
    for name in ("whole", "parts"):
        crawl(tmp_path / name, site)
    grow(site, DULL, "a fish")
    whole = visits(tmp_path / "whole", app.recrawl)
    met = whole.index("/sort/new.html") + 1
    assert met < len(whole)

    def stop(number: int) -> None:
        if number == met + 1:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert len(visits(tmp_path / "parts", app.recrawl, stop)) < len(whole)
    finally:
        signal.signal(signal.SIGINT, before)
    visits(tmp_path / "parts", app.resume)
    found = {name: opened(tmp_path / name) for name in ("whole", "parts")}
    assert states(found["parts"]) == states(found["whole"])
    assert {state for path, state in states(found["whole"]).items() if path in DULL} == {"not_reached"}
    assert not DULL.keys() & visits(tmp_path / "whole", app.recrawl), "they are new no more"


def test_it_goes_on_when_all_else_was_visited(site: Site, tmp_path: Path) -> None:
    crawl(tmp_path, site)
    grow(site, GOOD, "heap sort")
    slow, text = "/sort/5.html", str(site.pages["/sort/5.html"])
    site.pages[slow] = lambda _request: Reply(body=f"{text}<p>A line more.", delay=0.3)
    asked = visits(tmp_path, lambda *given: app.recrawl(*given, concurrency=4, per_host=4))
    assert GOOD.keys() <= set(asked)
    assert slow in takewhile(lambda path: path not in GOOD, asked)


def test_a_retry_of_a_recrawl_that_was_stopped_tries_what_failed_and_nothing_else(site: Site, tmp_path: Path) -> None:
    gone = "<p><a href=/sort/gone.html>heap sort</a>"
    site.pages["/"] = f"{web()['/']}{gone}"
    crawl(tmp_path, site)
    grow(site, GOOD, "heap sort")

    def stop(event: Event) -> None:
        if isinstance(event, Visited) and path_of(event.url) == "/sort/new.html":
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            app.recrawl(tmp_path, stop)
    finally:
        signal.signal(signal.SIGINT, before)
    assert states(opened(tmp_path))["/sort/gone.html"] == "failed"
    waiting = states(opened(tmp_path))
    assert GOOD.keys() < {path for path, state in waiting.items() if state in ("waiting", "not_reached")}
    assert visits(tmp_path, app.retry) == ["/sort/gone.html"]
    assert states(opened(tmp_path)) == waiting, "what waits has not failed"
    assert GOOD.keys() <= set(visits(tmp_path, app.resume))


def test_a_retry_of_a_crawl_that_has_enough_tries_all_that_failed(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = f"{web()['/']}{''.join(f'<p><a href={path}>a heap of fish</a>' for path in DULL)}"
    before = states(crawl(tmp_path, site, by="learned"))
    failed = sorted(path for path in DULL if before[path] == "failed")
    assert failed
    assert sorted(visits(tmp_path, app.retry)) == failed
    after = opened(tmp_path)
    assert (after.stop_reason, states(after)) == ("saturated", before)


def test_feeds_that_wait_do_not_keep_a_crawl_going(site: Site, tmp_path: Path) -> None:
    feed = '<?xml version="1.0"?><rss version="2.0"><channel><title>Answers</title></channel></rss>'
    feeds = {f"{path}/feed": feed for path in web()}
    link = '<link rel=alternate type="application/rss+xml" href="{}/feed">'
    site.pages |= {path: f"{link.format(path)}{page}" for path, page in web().items()} | feeds
    crawl(tmp_path, site, sitemaps=True)
