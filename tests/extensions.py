"""A real Chromium with the browser extension, loaded unpacked, and somebody who clicks on its icon."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dowse.web.extension_pack import write
from tests.web_pages import WebPage

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

HOW = "install the package chromium: the headless shell loads no extensions (make test does this)"


def whole_browser() -> str:
    """A Chromium that loads extensions. The headless shell does not, and neither does Google's Chrome from a folder."""
    from playwright.sync_api import sync_playwright

    found = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
    if found is None:
        with sync_playwright() as playwright:
            found = playwright.chromium.executable_path
    assert Path(found).exists(), HOW
    return found


class Browser(NamedTuple):
    """A browser in which the extension is loaded, by its id."""

    context: BrowserContext
    id: str

    def click_icon(self, page: Page) -> int:
        """Click the icon of the extension while a tab is shown; the number of the tab, as the side panel has it."""
        page.bring_to_front()
        browser = self.context.browser
        assert browser is not None
        session = browser.new_browser_cdp_session()
        only_tabs = {"filter": [{"type": "tab"}, {"exclude": True}]}
        tabs = session.send("Target.getTargets", only_tabs)["targetInfos"]
        target = next(tab["targetId"] for tab in tabs if tab["url"] == page.url)
        session.send("Extensions.triggerAction", {"id": self.id, "targetId": target})
        for _ in range(100):
            panels = [
                each for each in session.send("Target.getTargets")["targetInfos"] if "/panel.html?" in each["url"]
            ]
            if panels:
                break
            page.wait_for_timeout(50)
        number = int(panels[0]["url"].rpartition("=")[2])
        # A driver cannot see into a side panel, so its page is opened in a tab in its place.
        self.context.service_workers[0].evaluate(f"chrome.sidePanel.setOptions({{ tabId: {number}, enabled: false }})")
        return number

    def panel(self, tab: int, served: WebPage) -> Page:
        """The panel for a tab, connected to a web page that is served."""
        panel = self.context.new_page()
        panel.goto(f"chrome-extension://{self.id}/panel.html?tab={tab}")
        panel.fill("#code", f"{served.url}#{served.log_ins.begin(bearer=True)}")
        panel.click("button:text-is('Connect')")
        return panel


@contextmanager
def extended_browser(folder: Path) -> Iterator[Browser]:
    """A browser with the extension, which is packed into a folder. Errors of its panel fail the test."""
    from playwright.sync_api import sync_playwright

    extension = write(folder)[0]
    arguments = ["--headless=new", "--no-sandbox", "--enable-unsafe-extension-debugging"]
    arguments += [f"--disable-extensions-except={extension}", f"--load-extension={extension}"]
    errors: list[str] = []
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder / "profile",
            headless=False,  # the old way of it, which loads no extensions; the argument above asks for the new one
            executable_path=whole_browser(),
            args=arguments,
            viewport={"width": 1000, "height": 900},
        )
        context.set_default_timeout(30_000)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        try:
            worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
            yield Browser(context, worker.url.split("/")[2])
        finally:
            context.close()
    assert errors == []
