"""A real browser for tests of what is shown: pages from servers, or from files with the network off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dowse.fetch.chromium import check_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page


@contextmanager
def tab(*, offline: bool = False) -> Iterator[Page]:
    """A tab of a browser that is started for it. `offline`: it has files, and nothing else."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=check_browser(), args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport={"width": 800, "height": 600}, offline=offline)
            yield context.new_page()
        finally:
            browser.close()
