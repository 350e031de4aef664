"""Pages of a crawl while it runs: they come at once, wait for whoever takes them, and the crawl ends with the loop."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.crawls.stored_pages import read_page
from dowse.documents.document_reader import DocumentReader
from dowse.parse.page import Page as ReadPage
from dowse.python import page_stream
from tests.crawling import links, opened, path_of
from tests.servers import Page, Reply, Request, Site

Serve = Callable[..., Site]

SLOW = 30.0
"""Seconds after which something that should have come has not."""


def many(serve: Serve, number: int = 300) -> Site:
    """A site with so many pages, all linked from its home page."""
    pages: dict[str, Page] = {"/": links(*(f"/{each}" for each in range(number)))}
    pages |= {f"/{each}": f"<title>{each}</title><h1>number {each}</h1>" for each in range(number)}
    return serve(pages)


def wait_until_still(site: Site) -> int:
    """How many requests a server has had, when no more come."""
    before, end = -1, time.monotonic() + SLOW
    while len(site.asked()) != before and time.monotonic() < end:
        before = len(site.asked())
        time.sleep(1.0)
    return before


# Pages come


def test_a_page_comes_while_others_are_still_awaited(serve: Serve, tmp_path: Path) -> None:
    seen = threading.Event()

    def later(request: Request) -> str:
        return "late" if seen.wait(SLOW) else "too late"

    site = serve({"/": links("/late"), "/late": later})
    found = []
    for page in dowse.stream(site.url, delay=0.0, output=tmp_path / "out"):
        found.append((path_of(page.url), page.text))
        seen.set()
    assert [path for path, _text in found] == ["/", "/late"]
    assert found[1][1] == "late"


def test_every_page_comes_once_and_can_be_read(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)
    pages = list(dowse.stream(site.url, delay=0.0, extract=["heading=//h1"], output=tmp_path / "out"))
    crawl = opened(tmp_path / "out")
    assert sorted(page.url for page in pages) == sorted(crawl.pages["url"])
    one = next(page for page in pages if page.title == "7")
    assert (one.status, one.headers["content-type"], one.html) == (
        200,
        "text/html; charset=utf-8",
        "<title>7</title><h1>number 7</h1>",
    )
    assert [record.fields for record in one.records] == [{"heading": "number 7"}]
    assert crawl.stop_reason == "complete"


def test_pages_of_worker_processes_come_too(serve: Serve, tmp_path: Path) -> None:
    site = many(serve, 40)
    pages = list(dowse.stream(site.url, delay=0.0, workers=2, output=tmp_path / "out"))
    assert len(pages) == 41
    assert {page.title for page in pages} >= {str(number) for number in range(40)}


def test_it_crawls_in_every_mode(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": links("/pears", "/plums", "/a.pdf"), "/pears": "<title>pears</title>pears and more pears"})
    site.pages["/plums"] = "plums"
    site.pages["/a.pdf"] = Reply(b"%PDF-1.4", headers={"Content-Type": "application/pdf"})
    table = tmp_path / "rules.csv"
    table.write_text(f"baseURL,ruleType,fromType,toType,pattern\n{site.url},follow,base,next,pears\n")
    rules = [path_of(page.url) for page in dowse.stream(str(table), mode="rules", output=tmp_path / "rules")]
    assert rules == ["/", "/pears"]
    topic = dowse.stream(site.url, "pears", mode="focus", delay=0.0, output=tmp_path / "focus")
    assert {path_of(page.url) for page in topic} == {"/", "/pears", "/plums", "/a.pdf"}
    wanted = dowse.stream(site.url, "pdf", mode="files", delay=0.0, output=tmp_path / "files")
    assert "/a.pdf" in {path_of(page.url) for page in wanted}


def test_what_is_not_kept_does_not_come(serve: Serve, tmp_path: Path) -> None:
    site = many(serve, 20)
    pages = dowse.stream(site.url, delay=0.0, store_only=r"/1\d?$", output=tmp_path / "out")
    assert {path_of(page.url)[:2] for page in pages} == {"/1"}


# Whoever reads slowly is waited for


def test_the_crawl_does_not_hurry_ahead_of_its_reader(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)
    pages = dowse.stream(site.url, delay=0.0, per_host=4, concurrency=4, sitemaps=False, output=tmp_path / "out")
    taken = 0
    for _ in pages:
        taken += 1
        if taken in (1, 20):
            asked = wait_until_still(site)
            assert asked <= taken + 8, "more than twice as many as there are requests at a time wait"
    assert taken == 301


# The end of the loop is the end of the crawl


def test_leaving_the_loop_stops_the_crawl_cleanly_and_it_goes_on_later(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)
    taken = []
    for page in dowse.stream(site.url, delay=0.0, extract=["heading=//h1"], output=tmp_path / "out"):
        taken.append(page)
        if len(taken) == 10:
            wait_until_still(site)  # others come meanwhile
            break
    crawl = opened(tmp_path / "out")
    assert crawl.stop_reason == "interrupted"
    assert 10 < len(crawl.pages) < 301
    taken += list(dowse.stream(output=tmp_path / "out", resume=True))
    assert sorted(page.url for page in taken) == sorted(crawl.pages["url"]), "each once, also those that had come"
    assert all(page.records for page in taken if page.title != "links")
    assert list(dowse.stream(output=tmp_path / "out", resume=True)) == []
    asked = [path for path in site.paths() if path != "/robots.txt"]
    assert len(asked) == len(set(asked)), "nothing is fetched twice"


def test_a_block_ends_it_too(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)
    with dowse.stream(site.url, delay=0.0, output=tmp_path / "out") as pages:
        for page in pages:
            assert page.title == "links"
            wait_until_still(site)
            break
    assert pages.crawl.stop_reason == "interrupted"
    assert not page_stream._running
    assert len(list(dowse.stream(output=tmp_path / "out", resume=True))) == 300


def fail_at_a_page(pages: dowse.Stream) -> None:
    for _ in pages:
        raise ValueError("my own mistake")


def test_a_mistake_in_the_loop_ends_it_too(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)
    with pytest.raises(ValueError, match="my own mistake"):
        fail_at_a_page(dowse.stream(site.url, delay=0.0, output=tmp_path / "out"))
    assert opened(tmp_path / "out").stop_reason == "interrupted"


def test_whoever_leaves_an_async_for_can_go_on_at_once(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)

    async def read() -> int:
        async for _ in dowse.stream(site.url, delay=0.0, output=tmp_path / "out"):
            break
        # The event loop has had no turn since, in which it could have closed the stream.
        return len(dowse.resume(tmp_path / "out").pages)

    assert asyncio.run(read()) == 301


def test_whoever_still_reads_a_stream_that_was_taken_over_is_told(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)
    pages = iter(dowse.stream(site.url, delay=0.0, output=tmp_path / "out"))
    next(pages)
    assert len(dowse.site(site.url, output=tmp_path / "out", resume=True).pages) == 301
    with pytest.raises(dowse.CrawlError, match="a later call of this program has taken over the crawl in"):
        list(pages)


SCRIPT = """
import sys, dowse
pages = iter(dowse.stream(sys.argv[1], delay=0.0, concurrency=2, output=sys.argv[2]))
print(next(pages).title)
"""


def test_a_script_that_takes_no_more_pages_ends(serve: Serve, tmp_path: Path) -> None:
    site = many(serve)
    words = [sys.executable, "-c", SCRIPT, site.url, str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "links\n", "")
    assert opened(tmp_path / "out").stop_reason == "interrupted"


INTERRUPTED = """
import os, signal, sys, threading, dowse
try:
    for number, page in enumerate(dowse.stream(sys.argv[1], delay=1.0, output=sys.argv[2])):
        if number == 1:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
except KeyboardInterrupt as interrupt:
    print(interrupt)
"""


def test_an_interrupt_stops_the_crawl_first(serve: Serve, tmp_path: Path) -> None:
    site = many(serve, 2_000)
    words = [sys.executable, "-c", INTERRUPTED, site.url, str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == f"the crawl was stopped; dowse.resume('{tmp_path / 'out'}') goes on with it\n", done.stderr
    assert opened(tmp_path / "out").stop_reason == "interrupted"


KILLED = """
import os, signal, sys, time, dowse
for number, page in enumerate(dowse.stream(sys.argv[1], delay=0.0, concurrency=4, output=sys.argv[2])):
    print(page.url, flush=True)
    time.sleep(0.05)
    if number == 20:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("is_gone_on_with", [False, True])
def test_no_page_is_lost_by_a_kill(serve: Serve, tmp_path: Path, is_gone_on_with: bool) -> None:
    site = many(serve, 63)
    words = [sys.executable, "-c", KILLED, site.url, str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    taken = done.stdout.split()
    assert (done.returncode, len(taken)) == (-signal.SIGKILL, 21), done.stderr
    if is_gone_on_with:
        assert len(dowse.resume(tmp_path / "out").pages) == 64
    later = [page.url for page in dowse.stream(output=tmp_path / "out", resume=True)]
    assert len(later) == len(set(later)) < 64, "it does not begin from the start"
    assert {*taken, *later} == set(opened(tmp_path / "out").pages["url"])
    assert len({*taken, *later}) == 64
    assert list(dowse.stream(output=tmp_path / "out", resume=True)) == []


def test_trouble_of_the_crawl_is_raised_in_the_loop(site: Site, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    pages = dowse.stream(site.url, output=tmp_path / "file")
    with pytest.raises(dowse.CrawlError, match="cannot be the folder of a crawl: it is a file"):
        list(pages)


def test_a_crawl_without_a_page_warns(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="no page could be fetched") as said:
        assert list(dowse.stream("http://127.0.0.1:9/", retries=0, output=tmp_path / "out")) == []
    assert said[0].filename == __file__


def test_a_stream_that_goes_on_reads_pages_as_the_crawl_does(site: Site, tmp_path: Path) -> None:
    russian = Reply("<h1>груши".encode("windows-1251"), headers={"Content-Type": "text/html; charset=utf-8"})
    site.pages.update({"/": links("/a"), "/a": russian})
    dowse.site(site.url, delay=0.0, charset="windows-1251", max_pages=1, output=tmp_path / "out")
    (page,) = dowse.stream(output=tmp_path / "out", resume=True, max_pages=0)
    assert page.text.strip() == "груши"
    dowse.site(site.url, bodies=False, max_pages=1, output=tmp_path / "bare")
    with pytest.raises(dowse.JobError, match="bodies: the pages of a stream are read from the crawl's folder"):
        dowse.stream(site.url, output=tmp_path / "bare", resume=True)


def test_pages_are_read_aside_from_the_loop_of_the_reader(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = many(serve, 5)
    turned, readers = threading.Event(), set[DocumentReader]()

    def read_when_the_loop_has_turned(*parts: Any) -> ReadPage:
        assert turned.wait(SLOW), "the loop stands still while a page is read"
        readers.add(parts[-1])
        return read_page(*parts)

    monkeypatch.setattr(page_stream, "read_page", read_when_the_loop_has_turned)

    async def turn() -> None:
        while not readers:
            await asyncio.sleep(0.2)
            turned.set()

    async def read() -> list[str]:
        turning = asyncio.create_task(turn())
        async with dowse.stream(site.url, delay=0.0, output=tmp_path / "out") as pages:
            found = [page.url async for page in pages]
        await turning
        return found

    assert len(asyncio.run(read())) == 6
    (documents,) = readers
    assert isinstance(documents, DocumentReader), "one for all pages, so that its processes are used again"


# What it is given


def test_what_is_wrong_with_the_job_is_told_before_the_loop(site: Site, tmp_path: Path) -> None:
    with pytest.raises(dowse.JobError, match="did you mean max_pages"):
        dowse.stream(site.url, max_page=3)  # type: ignore[call-overload]
    with pytest.raises(dowse.JobError, match="bodies: the pages of a stream are read from the crawl's folder"):
        dowse.stream(site.url, bodies=False)
    site.pages["/"] = "home"
    dowse.site(site.url, output=tmp_path / "out")
    with pytest.raises(dowse.CrawlError, match="already holds a crawl: add resume=True"):
        dowse.stream(site.url, output=tmp_path / "out")
    assert len(list(dowse.stream(site.url, output=tmp_path / "out", replace=True))) == 1


def test_nothing_is_fetched_before_the_loop_and_it_runs_once(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "home"
    pages = dowse.stream(site.url, output=tmp_path / "out")
    assert repr(pages) == f"<dowse stream {tmp_path / 'out'}>"
    assert (site.asked(), (tmp_path / "out").exists()) == ([], False)
    assert len(list(pages)) == 1
    with pytest.raises(dowse.CrawlError, match="the pages of a stream come once"):
        list(pages)


# In a program with an event loop


def test_pages_come_to_an_event_loop_that_does_other_things_meanwhile(serve: Serve, tmp_path: Path) -> None:
    turns, seen = 0, threading.Event()

    def later(request: Request) -> str:
        return "late" if seen.wait(SLOW) else "too late"

    site = serve({"/": links("/late"), "/late": later})

    async def others() -> None:
        nonlocal turns
        while not seen.is_set():
            turns += 1
            await asyncio.sleep(0.01)
            if turns == 50:
                seen.set()

    async def read() -> list[str]:
        beside = asyncio.create_task(others())
        texts = [page.text async for page in dowse.stream(site.url, delay=0.0, output=tmp_path / "out")]
        await beside
        return texts

    assert asyncio.run(read())[1] == "late"
    assert turns == 50


@pytest.mark.parametrize("in_block", [True, False])
def test_leaving_a_loop_with_async_for_stops_the_crawl(serve: Serve, tmp_path: Path, in_block: bool) -> None:
    site = many(serve)

    async def read() -> None:
        pages = dowse.stream(site.url, delay=0.0, output=tmp_path / "out")
        if in_block:
            async with pages:
                async for _ in pages:
                    break
            assert pages.crawl.stop_reason == "interrupted"
        else:
            async for _ in pages:
                break

    asyncio.run(read())
    assert len(dowse.resume(str(tmp_path / "out")).pages) == 301


def test_trouble_reaches_an_event_loop(site: Site, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    async def read() -> None:
        async for _ in dowse.stream(site.url, output=tmp_path / "file"):
            pass

    with pytest.raises(dowse.CrawlError, match="cannot be the folder of a crawl: it is a file"):
        asyncio.run(read())
