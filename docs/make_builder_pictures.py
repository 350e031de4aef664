"""Make the pictures of the rule builder and of the extension, with the clicks of the tests.

PYTHONPATH=. python docs/make_builder_pictures.py        needs the extras of the tests, and a whole Chromium
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page

from dowse.demo import DemoSite
from tests.building import ONE, add_row, arrived, builder, choose, open_page, step_into
from tests.extensions import extended_browser
from tests.web_pages import web_page

PICTURES = Path(__file__).parent / "img"
SCREEN = (1280, 900)
PANEL = 380


def rows_and_fields(folder: Path, site: DemoSite) -> None:
    """A row that is being made, and a field with its column."""
    with builder(folder) as page:
        frame = open_page(page, f"{site.url}consultations/")
        frame.locator("main a", has_text=ONE).click()
        choose(page, "class", "results")
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURES / "builder.png")
        add_row(page, "follow", "consultation")
        step_into(page, "consultation")
        page.click("button:text-is('Fields')")
        frame.locator("dd", has_text="INT-2026-01").click()
        page.wait_for_selector("#column tr:nth-child(8)")
        page.evaluate("document.getElementById('panel').scrollTo(0, 330)")
        page.screenshot(path=PICTURES / "builder-fields.png")


def live_page(folder: Path, site: DemoSite) -> None:
    """The panel of the extension beside a page. A driver cannot picture both at once, so they are put together."""
    with web_page(folder) as served, extended_browser(folder / "browser") as browser:
        live = browser.context.new_page()
        live.set_viewport_size({"width": SCREEN[0] - PANEL, "height": SCREEN[1]})
        live.goto(f"{site.url}consultations/")
        panel = browser.panel(browser.click_icon(live), served)
        panel.set_viewport_size({"width": PANEL, "height": SCREEN[1]})
        arrived(panel)
        live.locator("main a", has_text=ONE).click()
        panel.wait_for_selector(".count")
        both = browser.context.new_page()
        both.set_viewport_size({"width": SCREEN[0], "height": SCREEN[1]})
        images = "".join(f'<img src="data:image/png;base64,{pictured(each)}">' for each in (live, panel))
        both.set_content(
            f"<style>body{{margin:0;display:flex;overflow:hidden}}img+img{{border-left:1px solid #999}}</style>{images}"
        )
        both.screenshot(path=PICTURES / "extension.png")


def pictured(page: Page) -> str:
    return b64encode(page.screenshot()).decode()


def main() -> None:
    with TemporaryDirectory() as name, DemoSite(8765) as site:
        rows_and_fields(Path(name), site)
        live_page(Path(name), site)


if __name__ == "__main__":
    main()
