"""The browser extension in a real Chromium: the same panel, on the page that somebody sees there."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

import dowse.web
from dowse.demo.server import DemoSite
from dowse.web.extension_pack import SHARED, extension_files, packed
from tests.building import add_row, arrived, faults, make_the_four_rules, save, step_into
from tests.extensions import Browser, extended_browser
from tests.ruling import crawl_table, kept
from tests.servers import Page, Reply, Request, Site
from tests.web_pages import web_page


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with extended_browser(tmp_path_factory.mktemp("extension")) as running:
        yield running


@pytest.fixture
def browser(running: Browser) -> Iterator[Browser]:
    yield running
    for page in running.context.pages[1:]:
        page.close()


def test_the_table_of_the_consultations_is_made_on_the_live_page(
    browser: Browser, demo_site: DemoSite, tmp_path: Path
) -> None:
    served = tmp_path / "served"
    served.mkdir()
    written = tmp_path / "written.csv"
    written.write_text(demo_site.rules, "utf-8")
    with web_page(served) as page:
        live = browser.context.new_page()
        live.goto(f"{demo_site.url}consultations/")
        panel = browser.panel(browser.click_icon(live), page)
        arrived(panel)
        make_the_four_rules(panel, live)
        panel.set_viewport_size({"width": 390, "height": 900})
        assert faults(panel) == []
        assert panel.evaluate("document.documentElement.scrollWidth") <= 390
        assert "4 rules written" in save(panel, "clicked.csv")
        with panel.expect_download() as loading:
            panel.click("button:text-is('Download')")
        assert loading.value.suggested_filename == "clicked.csv"
        assert loading.value.path().read_text("utf-8") == (served / "clicked.csv").read_text("utf-8")
        panel.reload()
        panel.wait_for_selector("#status:has-text('Your table is here again')")
        assert panel.locator(".rules tbody tr").count() == 4
    clicked = crawl_table(tmp_path / "clicked", str(served / "clicked.csv"))
    by_hand = crawl_table(tmp_path / "by_hand", str(written))
    assert sorted(kept(clicked)) == sorted(kept(by_hand))
    assert len(kept(clicked)) == 27


def private(text: str) -> Page:
    """A page for those who are logged in."""

    def answer(request: Request) -> Reply:
        is_known = "member=yes" in request.headers.get("cookie", "")
        headers = {"content-type": "text/html", "set-cookie": "member=yes"}
        return Reply(text, headers=headers) if is_known or request.path == "/" else Reply("who are you?", status=403)

    return answer


def test_pages_are_read_as_the_user_is_logged_in_and_columns_fill_that_way(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    links = "".join(f"<li><a href=/item/{number}>Item {number}</a>" for number in (1, 2, 3))
    site.pages["/"] = private(f"<main><ul class=items>{links}</ul></main>")
    site.pages |= {
        f"/item/{number}": private(f"<h1>Item {number}</h1><p class=price>{number}0") for number in (1, 2, 3)
    }
    with web_page(tmp_path) as page:
        live = browser.context.new_page()
        live.goto(site.url)
        panel = browser.panel(browser.click_icon(live), page)
        arrived(panel)
        live.locator("li a").first.click()
        add_row(panel, "follow", "item")
        step_into(panel, "item")
        assert live.url.endswith("/item/1")
        panel.click("button:text-is('Fields')")
        live.locator(".price").click()
        panel.wait_for_selector("#column tr:nth-child(3)")
        assert panel.locator("#column td").all_inner_texts() == ["10", "20", "30"]
    assert {hit.request.headers.get("user-agent", "")[:5] for hit in site.log} == {"Mozil"}, "dowse asked for nothing"


MORE = """<title>more</title><ul id=list><li><a href=/1>one</a></ul><button id=more>Load more</button>
<script>let count = 1; const button = document.getElementById("more"); button.onclick = () => {
  count += 1; document.getElementById("list").insertAdjacentHTML("beforeend", `<li><a href=/${count}>${count}</a>`);
  if (count === 3) button.remove(); }</script>"""


def test_what_is_pressed_on_the_page_becomes_a_step_and_the_page_is_let_go_at_the_end(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    site.pages |= {"/": MORE, "/1": "<h1>the first", "/3": "<h1>the third"}
    with web_page(tmp_path) as page:
        live = browser.context.new_page()
        live.goto(site.url)
        panel = browser.panel(browser.click_icon(live), page)
        arrived(panel)
        panel.click("button:text-is('Steps')")
        live.locator("#more").click()
        panel.wait_for_selector("#step-selector")
        assert live.locator("li").count() == 1, "a click that points presses nothing"
        script = "document.body.dispatchEvent(new MouseEvent('mousedown', { cancelable: true }))"
        assert live.evaluate(script), "what scripts of the page do is not held"
        panel.click("button:has-text('until it is gone')")
        panel.wait_for_selector("ol li:has-text('type:base => click-until-gone #more')")
        panel.wait_for_selector("#status:has-text('3 links')")
        panel.click("button:text-is('Links')")
        live.locator("li a").last.click()
        panel.wait_for_selector(".count:has-text('3 links taken')")
        assert live.url == site.url, "a click that points leads nowhere"
        panel.click("button:text-is('Browse')")
        live.locator("li a").last.click()
        live.wait_for_selector("h1:has-text('the third')")
        panel.wait_for_selector("#status:has-text('another page')")
        live.goto(site.url)
        panel.click("button:text-is('Read this page')")
        arrived(panel)
        live.locator("li a").first.click()
        live.wait_for_selector("[data-dowse-mark~=wanted]")
        panel.close()
        live.wait_for_selector("[data-dowse-mark~=wanted]", state="detached")
        live.locator("li a").first.click()
        live.wait_for_selector("h1:has-text('the first')")


def test_a_page_is_seen_only_after_a_click_on_the_icon(browser: Browser, site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<a href=/a>a</a>"
    with web_page(tmp_path) as page:
        live = browser.context.new_page()
        live.goto(site.url)
        tab = browser.click_icon(live)
        live.goto(site.at("localhost"))  # what was allowed was another site
        panel = browser.panel(tab, page)
        panel.wait_for_selector("#status:has-text('click on its icon')")
        assert panel.evaluate("chrome.runtime.getManifest().host_permissions") is None
        granted = panel.evaluate("chrome.permissions.getAll()")
        assert sorted(granted["permissions"]) == ["activeTab", "scripting", "sidePanel"]
        assert granted["origins"] == []


def test_a_code_that_is_wrong_or_old_connects_to_nothing(browser: Browser, tmp_path: Path) -> None:
    with web_page(tmp_path) as page:
        panel = browser.context.new_page()
        panel.goto(f"chrome-extension://{browser.id}/panel.html?tab=1")
        for code, trouble in (("nonsense", "is no code"), (f"{page.url}#guessed", "does not know the code")):
            panel.fill("#code", code)
            panel.click("button:text-is('Connect')")
            panel.wait_for_selector(f"#status:has-text('{trouble}')")
        assert panel.evaluate("localStorage.getItem('code')") is None


def test_the_pack_has_one_source_of_each_file_and_is_what_the_page_gives(tmp_path: Path) -> None:
    files = extension_files()
    manifest = json.loads(files["manifest.json"])
    assert manifest["manifest_version"] == 3
    assert manifest["permissions"] == ["activeTab", "scripting", "sidePanel"]
    own = {path.name for path in (Path(dowse.web.__file__).parent / "extension").iterdir()}
    assert own.isdisjoint(SHARED)
    with web_page(tmp_path) as page, page.browser() as client, page.stranger() as stranger:
        given = client.get("/builder/extension.zip").content
        assert given == packed()
        assert stranger.get("/builder/extension.zip").status_code == 401
    with zipfile.ZipFile(BytesIO(given)) as archive:
        assert {name.partition("/")[2] for name in archive.namelist()} == set(files)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://chrome-extension.example"])
def test_only_extensions_may_read_the_api_from_elsewhere(tmp_path: Path, origin: str) -> None:
    with web_page(tmp_path) as page, page.program() as program, page.stranger() as stranger, page.browser() as user:
        assert "access-control-allow-origin" not in program.get("/api/crawls", headers={"origin": origin}).headers
        asked = {"origin": origin, "access-control-request-method": "POST"}
        assert "access-control-allow-origin" not in stranger.options("/api/crawls", headers=asked).headers
        own = {"origin": "chrome-extension://abc"}
        assert program.get("/api/crawls", headers=own).headers["access-control-allow-origin"] == own["origin"]
        assert stranger.options("/api/crawls", headers=own).status_code == 204
        assert stranger.get("/api/crawls", headers=own).status_code == 401
        assert "access-control-allow-credentials" not in program.get("/api/crawls", headers=own).headers
        assert "access-control-allow-origin" not in user.get("/", headers=own).headers
