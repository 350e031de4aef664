"""Make the pictures of the README and the manual: the report of a crawl, the story of one URL, the web page.

python docs/make_pictures.py        needs the extra [browser] and Chromium
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from rich.console import Console

import dowse
from dowse.demo import DemoSite
from dowse.fetch.chromium import check_browser

PICTURES = Path(__file__).parent / "img"
PAPER = "/documents/international/programme-2026.pdf"
WIDTH = 80


def typed(folder: Path, *words: str) -> str:
    """A command and what it prints, as on a terminal."""
    command = [sys.executable, "-m", "dowse", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    return f"$ dowse {' '.join(words)}\n{done.stdout}"


def terminal(text: str) -> str:
    """A terminal with a text in it, as SVG. The font is the reader's: nothing is loaded from elsewhere."""
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(text, markup=False, highlight=False, end="")
    return re.sub(r"@font-face \{.*?\}", "", console.export_svg(title="dowse", unique_id="dowse"), flags=re.DOTALL)


def screenshot(page: Path, picture: Path) -> None:
    """The first screen of an HTML file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=check_browser())
        tab = browser.new_page(viewport={"width": 1200, "height": 800})
        tab.goto(page.as_uri())
        tab.screenshot(path=picture)
        browser.close()


def web_page(folder: Path, site: str, picture: Path) -> None:
    """The web page with a crawl that is under way, started on it."""
    command = [sys.executable, "-m", "dowse", "serve", str(folder), "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
        assert server.stdout is not None
        link = re.search(r"http\S+", server.stdout.readline())
        assert link is not None
        browser = playwright.chromium.launch(executable_path=check_browser())
        tab = browser.new_page(viewport={"width": 1200, "height": 900})
        tab.goto(link[0])
        tab.wait_for_url(re.compile(r"/$"))
        tab.click("nav >> text=New crawl")
        tab.fill("#seeds", site)
        tab.fill("#name", "consultations")
        tab.fill("#o-delay", "0.1")
        tab.click("button:text-is('Start the crawl')")
        tab.wait_for_selector("#state:text-is('running')")
        tab.wait_for_timeout(6_000)
        tab.screenshot(path=picture)
        tab.click("button:text-is('Pause')")
        tab.wait_for_selector("#state:text-is('paused')")
        browser.close()
        server.terminate()


def main() -> None:
    with TemporaryDirectory() as name, DemoSite(8765) as site:
        folder = Path(name)
        (folder / "rules.csv").write_text(site.rules, encoding="utf-8")
        dowse.rules(str(folder / "rules.csv"), output=str(folder / "papers"), delay=0.0)
        dowse.site(site.url, output=str(folder / "tarnmoor"), delay=0.0, extract=["title=//h1", "state=css:.badge"])
        story = typed(folder, "why", "papers", PAPER)
        (PICTURES / "why.svg").write_text(terminal(story), encoding="utf-8")
        dowse.open(str(folder / "tarnmoor")).report(str(folder / "report.html"))
        screenshot(folder / "report.html", PICTURES / "report.png")
        crawls = folder / "crawls"
        crawls.mkdir()
        web_page(crawls, site.url, PICTURES / "web.png")


if __name__ == "__main__":
    main()
