"""The rule builder for everybody: axe finds nothing, the keyboard does all, and it fits a telephone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dowse.demo.server import DemoSite
from tests.building import ONE, add_row, arrived, builder, choose, faults, open_page, step_into

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (1280, 390)


def test_axe_finds_nothing(demo_site: DemoSite, tmp_path: Path) -> None:
    with builder(tmp_path) as page:
        assert faults(page) == []
        frame = open_page(page, f"{demo_site.url}consultations/")
        frame.locator("main a", has_text=ONE).click()
        choose(page, "class", "results")
        assert faults(page) == []
        add_row(page, "follow", "consultation")
        page.click("button:text-is('Try it')")
        page.wait_for_selector("#tried .message")
        step_into(page, "consultation")
        page.click("button:text-is('Fields')")
        frame.locator("dd").first.click()
        page.wait_for_selector("#column tr")
        assert faults(page) == []
        page.click("button:text-is('Steps')")
        frame.locator("h1").click()
        page.wait_for_selector("#step-selector")
        page.get_by_label("Pattern of row 1").fill("(")
        page.wait_for_selector("[aria-invalid]")
        assert faults(page) == []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing is beside the screen"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_row_and_a_field_are_made_with_the_keyboard_alone(demo_site: DemoSite, tmp_path: Path) -> None:
    with builder(tmp_path) as page:
        page.focus("#url")
        page.keyboard.type(f"{demo_site.url}consultations/")
        press(page, "Enter")
        arrived(page)
        frame = page.frame_locator("#page-frame")
        frame.locator("main a", has_text=ONE).focus()
        press(page, "Enter")
        page.wait_for_selector(".count:has-text('11 links taken')")
        page.focus("input[value=follow]")
        press(page, "ArrowDown")  # keep
        page.wait_for_selector("#to-type", state="detached")
        assert page.evaluate("document.activeElement.value") == "keep"
        page.focus(".offer[data-value=main]")
        press(page, "Space")
        page.wait_for_selector(".offer[data-value=main][aria-pressed=true]")
        assert page.evaluate("document.activeElement.dataset.value") == "main"
        page.focus("button:text-is('Add row')")
        press(page, "Enter")
        page.wait_for_selector(".rules tbody input")
        page.focus("button:text-is('Fields')")
        press(page, "Enter")
        assert page.evaluate("document.activeElement.textContent") == "Fields"
        frame.locator("main a", has_text=ONE).focus()
        page.wait_for_selector("#hovered:has-text('a: Port state')")
        press(page, "ArrowUp", "Enter")
        page.wait_for_selector("#hovered:has-text('td: Port state')")
        page.wait_for_selector("#column td")
        assert page.locator("#column td").first.inner_text() == ONE
        page.focus("#wider")
        press(page, "Enter")
        page.wait_for_selector("#column td:has-text('INT-2026-01')")
        assert page.evaluate("document.activeElement.id") == "wider"
