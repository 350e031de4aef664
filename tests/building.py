"""The rule builder as somebody uses it: a tab with its page, and the clicks that make rows, fields and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dowse.fetch.chromium import check_browser
from tests.web_pages import web_page

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ONE = "Port state measures for foreign fishing vessels"


@contextmanager
def builder(folder: Path) -> Iterator[Page]:
    """A tab with the rule builder, over a folder that is served. Errors of its scripts fail the test."""
    from playwright.sync_api import sync_playwright

    errors: list[str] = []
    with web_page(folder) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=check_browser(), args=["--no-sandbox"])
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_default_timeout(30_000)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(served.link())
            page.wait_for_url(re.compile(r"/$"))
            page.goto(f"{served.url}/builder")
            yield page
        finally:
            browser.close()
    assert errors == []


def open_page(page: Page, url: str) -> FrameLocator:
    """Open a page in the frame; the frame, when it can be clicked."""
    page.fill("#url", url)
    page.click("button:has-text('Open page')")
    arrived(page)
    return page.frame_locator("#page-frame")


def arrived(panel: Page) -> None:
    """Wait until the page that is shown can be clicked."""
    panel.wait_for_selector("#status:has-text('Click one that you want')")


def choose(page: Page, column: str, value: str) -> None:
    """Press the button of a choice, and wait until it is the choice."""
    button = page.locator(f".offer[data-column='{column}']").filter(has_text=value).and_(
        page.locator(f'.offer[data-value="{value.replace(chr(92), chr(92) * 2)}"]')
    )  # fmt: skip
    button.click()
    button.and_(page.locator("[aria-pressed=true]")).wait_for()


def whole_page(page: Page) -> None:
    page.locator(".offer", has_text="the whole page").click()
    page.wait_for_selector(".offer[aria-pressed=true]:has-text('the whole page')")


def add_row(page: Page, kind: str, to_type: str = "") -> None:
    page.check(f"input[name=rule-type][value={kind}]")
    if to_type:
        page.fill("#to-type", to_type)
    before = page.locator(".rules tbody tr:has(input)").count()
    page.click("button:has-text('Add row')")
    page.wait_for_selector(f".rules tbody tr:has(input):nth-child({before + 1})")


def save(page: Page, place: str) -> str:
    page.fill("#place", place)
    with page.expect_response("**/api/builder/save"):
        page.click("button:text-is('Save')")
    page.wait_for_selector("#saved .message")
    return page.inner_text("#saved")


def step_into(panel: Page, name: str) -> None:
    panel.click(f"#panel button:has-text('Step into {name}')")
    panel.wait_for_selector(f"#panel strong:text-is('{name}')")
    arrived(panel)


def make_the_four_rules(panel: Page, shown: Page | FrameLocator) -> None:
    """The table of the consultations, by clicks on its first page, which is shown."""
    shown.locator("main a", has_text=ONE).click()
    choose(panel, "class", "results")
    choose(panel, "pattern", "international")
    assert panel.inner_text(".count").startswith("11 links taken")
    add_row(panel, "follow", "topLevel")
    step_into(panel, "topLevel")
    shown.locator("a", has_text="Discussion paper (PDF)").click()
    whole_page(panel)
    choose(panel, "pattern", r"\.pdf$")
    add_row(panel, "keep")
    shown.locator("main a", has_text="International affairs").click()
    choose(panel, "tag", "main")
    choose(panel, "pattern", "/topics/international/")
    add_row(panel, "follow", "secondLevel")
    step_into(panel, "secondLevel")
    shown.locator("a", has_text="PDF").first.click()
    whole_page(panel)
    choose(panel, "pattern", r"\.pdf$")
    add_row(panel, "keep")


def faults(page: Page) -> list[str]:
    """What axe finds in both themes, the frame left out: the page in it is somebody else's."""
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        found += Axe().run(page, context={"exclude": ["#page-frame"]}).response["violations"]
    return [f"{fault['id']}: {node['html']}" for fault in found for node in fault["nodes"]]
