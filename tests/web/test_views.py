"""Every view in a real browser: axe finds nothing, nothing is wider than the screen, no script fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from dowse.fetch.chromium import check_browser
from tests.servers import Site
from tests.web_pages import WebPage, web_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCREENS = ((1280, "light"), (390, "dark"))
VIEWS = {
    "list": "/",
    "new": "/new",
    "new-topic": "/new?mode=focus",
    "new-rules": "/new?mode=rules",
    "duplicate": "/new?like={whole}",
    "overview": "/crawls/{whole}",
    "overview-rules": "/crawls/{papers}",
    "overview-topic": "/crawls/{topic}",
    "pages": "/crawls/{whole}/tables/pages?sort=title&descending=true",
    "ledger": "/crawls/{whole}/tables/ledger?column=state&value=fetched",
    "records": "/crawls/{whole}/tables/records",
    "kept": "/crawls/{papers}/tables/kept?words=pdf",
    "story": "/crawls/{papers}/story?url=/documents/international/programme-2026.pdf",
    "graph": "/crawls/{topic}/graph",
    "copies": "/crawls/{whole}/copies",
    "changes": "/crawls/{whole}/changes",
    "schedule": "/crawls/{whole}/schedule",
    "search": "/crawls/{whole}/search?q=flood",
    "downloads": "/crawls/{whole}/downloads",
    "access": "/access",
    "builder": "/builder",
    "missing": "/crawls/nothing",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=check_browser(), args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def tab(browser: Browser, looking: WebPage) -> Iterator[Page]:
    page = entered(browser, looking)
    yield page
    page.close()


def entered(browser: Browser, served: WebPage) -> Page:
    """A tab of somebody who is logged in."""
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.link())
    page.wait_for_url(re.compile(r"/$"))
    return page


def troubles(page: Page, width: int, scheme: str) -> list[str]:
    """What axe finds on a screen, and whether the page is wider than that."""
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    told = [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
    width = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return told + ([f"{width} pixels too wide"] if width > 0 else [])


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_is_for_everybody(name: str, tab: Page, looking: WebPage, crawl_ids: dict[str, str]) -> None:
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(looking.url + VIEWS[name].format(**crawl_ids))
    for fold in tab.locator("details").all()[:3]:
        fold.evaluate("fold => { fold.open = true }")
    assert [trouble for screen in SCREENS for trouble in troubles(tab, *screen)] == []
    assert errors == []


@pytest.mark.parametrize("view", ["downloads", "tables/records"])
def test_names_are_not_written_letter_under_letter_on_a_small_screen(
    tab: Page, looking: WebPage, crawl_ids: dict[str, str], view: str
) -> None:
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto(f"{looking.url}/crawls/{crawl_ids['whole']}/{view}")
    lines = """all => all.map(each => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return [each.textContent, range.getClientRects().length];
    })"""
    counted = tab.eval_on_selector_all("th[scope=row]", lines)
    assert counted
    assert [name for name, count in counted if count > 1] == []


def test_a_first_visit_explains_itself(browser: Browser, tmp_path: Path) -> None:
    with web_page(tmp_path) as served:
        page = entered(browser, served)
        assert "There is no crawl in" in page.inner_text("main")
        assert page.is_enabled("#demo")
        assert troubles(page, 390, "light") == []
        page.close()


def test_the_graph_is_zoomed_and_filtered(tab: Page, looking: WebPage, crawl_ids: dict[str, str]) -> None:
    tab.goto(f"{looking.url}/crawls/{crawl_ids['topic']}/graph")
    tab.click("text=Zoom in")
    assert tab.get_attribute("#graph", "viewBox") not in ("0 0 1000.0 640.0", "0 0 1000 640")
    tab.click("button:text-is('Whole')")
    assert tab.get_attribute("#graph", "viewBox") == "0 0 1000 640"
    circles = tab.locator("#graph .circles a:not(.off)")
    everything = circles.count()
    tab.fill("#least", "0.5")
    best = circles.count()
    assert 0 < best < everything
    tab.fill("#least", "0")
    tab.select_option("#kind", index=1)
    assert 0 < circles.count() < everything


def test_a_view_is_used_by_keyboard_alone(tab: Page, looking: WebPage, crawl_ids: dict[str, str]) -> None:
    tab.goto(f"{looking.url}/crawls/{crawl_ids['whole']}/tables/pages")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the content"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    tab.focus("#words")
    tab.keyboard.type("topics")
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile("words=topics"))
    assert tab.locator("table.data tbody tr").count() > 1
    tab.focus("table.data thead a >> nth=0")
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile("sort=url"))
    assert tab.locator("th[aria-sort=ascending]").inner_text().startswith("url")


def test_a_crawl_is_deleted_after_a_question(browser: Browser, site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<title>One</title><p>x"
    with web_page(tmp_path) as served:
        page = entered(browser, served)
        page.click("nav >> text=New crawl")
        page.fill("#seeds", site.url)
        page.fill("#name", "no name")
        page.press("#name", "Tab")
        page.wait_for_selector("#p-name:has-text('without spaces')")
        page.wait_for_selector("#job:has-text('marked with ✗')")
        page.fill("#name", "mine")
        page.click("button:text-is('Start the crawl')")
        page.wait_for_url(re.compile("/crawls/mine-"))
        page.wait_for_selector("#state:text-is('done')")
        page.click("#acts >> button:has-text('Delete')")
        page.click("dialog >> text=Keep it")
        assert (tmp_path / "mine" / "crawl.db").exists()
        page.click("#acts >> button:has-text('Delete')")
        page.click("dialog >> text=Delete it")
        page.wait_for_url(re.compile(r"/$"))
        page.wait_for_selector("text=There is no crawl in")
        page.close()
    assert list(tmp_path.iterdir()) == []
