"""Crawls that are started from the page: live in a real browser, paused, resumed, and found again by another server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dowse.app import read, start
from dowse.config import make_job
from dowse.fetch.chromium import check_browser
from dowse.store.folder import is_running
from dowse.workflows import started_crawls
from tests.servers import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = 60
TOPICAL = {
    "/": "<title>Start</title>" + "".join(f"<p><a href=/{number}.html>{number}</a>" for number in range(12)),
    **{f"/{number}.html": f"<title>Owls {number}</title><p>A nest of an owl. " * 3 for number in range(4)},
    **{f"/{number}.html": f"<title>Part {number}</title><p>The rest of it, {number}." for number in range(4, 12)},
}


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """`dowse serve` in a session of its own; all of that is killed in the end, as by a terminal that is closed."""
    command = [sys.executable, "-m", "dowse", "serve", str(folder), "--port", "0", "--no-open"]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder.parent / "state")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        yield found[0]
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=30)


@contextmanager
def tab(link: str) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=check_browser(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(link)
        page.wait_for_url(re.compile(r"/$"))
        yield page
        browser.close()
    assert errors == []


def long_site(site: Site) -> None:
    """Pages in a row, each linked from the one before, so that a crawl takes its time."""
    for number in range(PAGES):
        after = f"<a href=/{number + 1}>next</a>" if number + 1 < PAGES else ""
        site.pages["/" if not number else f"/{number}"] = f"<title>Page {number}</title><h1>{number}</h1>{after}"


def fill_and_start(page: Page, url: str, delay: str) -> None:
    page.click("nav >> text=New crawl")
    page.fill("#seeds", url)
    page.fill("#o-max_pages", "-5")
    page.locator("#o-max_pages").blur()
    page.wait_for_selector("#p-max_pages:has-text('must be at least 0, got -5')")
    page.fill("#o-max_pages", "0")
    page.fill("#o-delay", delay)
    page.fill("#name", "mine")
    page.locator("#name").blur()
    page.wait_for_selector("#p-max_pages", state="hidden")
    page.wait_for_selector(f"#job:has-text('delay = {delay}')")
    page.click("button:text-is('Start the crawl')")
    page.wait_for_url(re.compile("/crawls/mine-"))
    page.wait_for_selector("#state:text-is('running')")


def wait_for_pages(page: Page, most: int) -> None:
    """Until the page shows more pages than these, without being loaded again."""
    until = time.monotonic() + 60
    while int(page.inner_text("[data-number=pages]")) <= most:
        assert time.monotonic() < until, "no page came"
        page.wait_for_timeout(100)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that is served. What still runs in it when a test fails is ended."""
    made = tmp_path / "served"
    made.mkdir()
    yield made
    for crawl in made.iterdir():
        started_crawls.stop(crawl)


def test_a_crawl_is_started_paused_and_resumed_and_outlives_its_server(site: Site, folder: Path) -> None:
    long_site(site)
    mine = folder / "mine"
    with serving(folder) as link, tab(link) as page:
        fill_and_start(page, site.url, "0.2")
        wait_for_pages(page, 3)
        assert page.locator("#newest tbody tr").count() > 0
        page.click("button:text-is('Pause')")
        page.wait_for_selector("#state:text-is('paused')")
        assert not is_running(mine)
        before = read(mine).status().pages
        assert 3 < before < PAGES
        page.click("button:text-is('Resume')")
        page.wait_for_selector("#state:text-is('running')")
        wait_for_pages(page, before)
    # The page is closed and its server killed.
    assert is_running(mine)
    run = started_crawls.find(mine)
    assert run is not None
    assert run.is_running
    with serving(folder) as link, tab(link) as page:
        page.click("text=mine")
        page.wait_for_selector("#state:text-is('running')")
        page.click("button:text-is('Pause')")
        page.wait_for_selector("#state:text-is('paused')")
        half_way = read(mine).status().pages
        assert half_way >= before
    options = ("--delay", "0")
    started_crawls.go_on(mine, "resume", *options)
    until = time.monotonic() + 60
    while is_running(mine) and time.monotonic() < until:
        time.sleep(0.1)
    with read(mine) as crawl:
        assert crawl.stop_reason == "complete"
        assert sorted(row["url"] for row in crawl.pages) == sorted(
            site.url + (str(number) if number else "") for number in range(PAGES)
        )
    paths = [hit.request.path for hit in site.log if hit.request.path not in ("/robots.txt", "/sitemap.xml")]
    assert len(paths) - len(set(paths)) <= 1, "a pause costs no page a second visit"


def test_answers_are_given_and_taken_back_by_clicks(tmp_path: Path) -> None:
    from playwright.sync_api import expect

    with Site(dict(TOPICAL)) as site:
        start(make_job("focus", [site.url], topic="nest of an owl", output=str(tmp_path / "owls"), delay=0.0))
    with serving(tmp_path) as link, tab(link) as page:
        page.get_by_role("link", name="owls").click()
        page.get_by_role("link", name="On topic?").click()
        first = page.locator("li[data-url]").first.get_attribute("data-url")
        page.get_by_role("button", name="No:").first.click()
        said = page.locator("tr[data-url]")
        expect(said).to_have_count(1)
        expect(said).to_have_attribute("data-url", str(first))
        expect(page.locator(f"li[data-url='{first}']")).to_have_count(0)
        page.get_by_role("button", name="Take back").click()
        expect(said).to_have_count(0)
        expect(page.locator(f"li[data-url='{first}']")).to_have_count(1)
    with read(tmp_path / "owls") as crawl:
        assert crawl.labels() == []
