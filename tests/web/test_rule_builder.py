"""The rule builder in a real browser: tables made by clicking do what tables written by hand do."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dowse.demo.server import DemoSite
from dowse.fetch.chromium import check_browser
from tests.ruling import crawl_table, kept
from tests.web_pages import web_page

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page

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
    page.fill("#url", url)
    page.click("button:has-text('Open page')")
    return arrived(page)


def arrived(page: Page) -> FrameLocator:
    """The frame, when the page in it can be clicked."""
    page.wait_for_selector("#status:has-text('Click one that you want')")
    return page.frame_locator("#page-frame")


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


def step_into(page: Page, name: str) -> FrameLocator:
    page.click(f"#panel button:has-text('Step into {name}')")
    page.wait_for_selector(f"#panel strong:text-is('{name}')")
    return arrived(page)


def make_the_four_rules(page: Page, site: DemoSite) -> None:
    frame = open_page(page, f"{site.url}consultations/")
    frame.locator("main a", has_text=ONE).click()
    choose(page, "class", "results")
    choose(page, "pattern", "international")
    assert page.inner_text(".count").startswith("11 links taken")
    add_row(page, "follow", "topLevel")
    frame = step_into(page, "topLevel")
    frame.locator("a", has_text="Discussion paper (PDF)").click()
    whole_page(page)
    choose(page, "pattern", r"\.pdf$")
    add_row(page, "keep")
    frame.locator("main a", has_text="International affairs").click()
    choose(page, "tag", "main")
    choose(page, "pattern", "/topics/international/")
    add_row(page, "follow", "secondLevel")
    frame = step_into(page, "secondLevel")
    frame.locator("a", has_text="PDF").first.click()
    whole_page(page)
    choose(page, "pattern", r"\.pdf$")
    add_row(page, "keep")


def test_the_table_of_the_consultations_is_made_by_clicking(demo_site: DemoSite, tmp_path: Path) -> None:
    """And a crawl by it keeps what a crawl by the written table keeps."""
    served = tmp_path / "served"
    served.mkdir()
    written = tmp_path / "written.csv"
    written.write_text(demo_site.rules, "utf-8")
    with builder(served) as page:
        make_the_four_rules(page, demo_site)
        page.wait_for_selector("section[data-checked='0']")
        assert page.locator(".graph .name").all_text_contents() == ["base", "topLevel", "secondLevel"]
        page.wait_for_selector(".problems li", state="detached")
        page.fill("#most-pages", "50")
        page.click("button:text-is('Try it')")
        page.wait_for_selector("#tried .message")
        assert page.inner_text("#tried .message") == "27 links kept on 13 pages. That is all there is."
        assert page.locator(".rules td.number").all_inner_texts() == ["11 on 1", "26 on 11", "10 on 11", "1 on 1"]
        assert "4 rules written" in save(page, "clicked.csv")
    with (served / "clicked.csv").open(encoding="utf-8") as made, written.open(encoding="utf-8") as wanted:
        rows = [{name: row[name] for name in row if not name.startswith("filter")} for row in csv.DictReader(made)]
        assert rows == list(csv.DictReader(wanted))
    clicked = crawl_table(tmp_path / "clicked", str(served / "clicked.csv"))
    by_hand = crawl_table(tmp_path / "by_hand", str(written))
    assert sorted(kept(clicked)) == sorted(kept(by_hand))
    assert len(kept(clicked)) == 27


def test_a_second_click_teaches_and_shift_refuses(demo_site: DemoSite, tmp_path: Path) -> None:
    with builder(tmp_path) as page:
        frame = open_page(page, f"{demo_site.url}consultations/")
        frame.locator("main a", has_text=ONE).click()
        page.wait_for_selector(".count:has-text('1 clicked')")
        marked = frame.locator("[data-dowse-mark~=taken]")
        assert marked.count() == 11
        frame.locator("main a", has_text="Effectiveness of development aid").click()
        page.wait_for_selector(".count:has-text('2 clicked')")
        page.wait_for_selector(".count:has-text('10 links')")
        frame.locator("main td a").last.click(modifiers=["Shift"])
        page.wait_for_selector(".count:has-text('1 refused')")
        assert frame.locator("[data-dowse-mark~=unwanted]").count() == 1


def test_a_table_that_is_there_is_opened_and_checked_while_one_types(demo_site: DemoSite, tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text(demo_site.rules.replace("topLevel,,", "toplevel,,"), "utf-8")
    with builder(tmp_path) as page:
        page.fill("#place", "old.csv")
        page.click("button:text-is('Open')")
        page.wait_for_selector(".problems li:has-text('did you mean topLevel?')")
        cell = page.get_by_label("From type of row 2")
        cell.fill("topLevel")
        page.wait_for_selector(".problems li", state="detached")
        pattern = page.get_by_label("Pattern of row 2")
        pattern.fill("(pdf")
        page.wait_for_selector(".problems .bad:has-text('in row 2, Pattern')")
        assert pattern.get_attribute("aria-invalid") == "true"
        assert "nothing was written" in save(page, "old.csv")
        pattern.fill(r"\.pdf$")
        page.wait_for_selector("section[data-checked='0']")
        assert "holds rules already" in save(page, "old.csv")
        page.check("text=replace what is there")
        assert "4 rules written" in save(page, "old.csv")
    assert (tmp_path / "old.csv").read_text("utf-8").count("topLevel") == 3


@pytest.mark.parametrize("place", ["../out.csv", "/tmp/out.csv", "sqlite:///../out.db"])
def test_nothing_is_written_outside_of_the_served_folder(demo_site: DemoSite, tmp_path: Path, place: str) -> None:
    served = tmp_path / "served"
    served.mkdir()
    rows = [
        {"baseURL": demo_site.url, "ruleType": "keep", "fromType": "base", "pattern": "x"},
    ]
    with web_page(served) as page, page.browser() as client:
        answer = client.post("/api/builder/save", json={"rows": rows, "place": place})
        assert answer.status_code == 422
        assert "outside" in answer.json()["message"]
        assert client.post("/api/builder/open", json={"place": place}).status_code == 422
        kept_here = client.post("/api/builder/save", json={"rows": rows, "place": "sqlite:///rules.db#papers"})
        assert kept_here.json()["rules"] == 1
        opened = client.post("/api/builder/open", json={"place": "sqlite:///rules.db#papers"}).json()["rows"]
        assert [row["pattern"] for row in opened] == ["x"]


def test_a_field_is_picked_and_its_column_fills_from_other_pages(demo_site: DemoSite, tmp_path: Path) -> None:
    with builder(tmp_path) as page:
        frame = open_page(page, f"{demo_site.url}consultations/")
        frame.locator("main a", has_text=ONE).click()
        choose(page, "class", "results")
        add_row(page, "follow", "consultation")
        frame = step_into(page, "consultation")
        page.click("button:text-is('Fields')")
        frame.locator("dd", has_text="INT-2026-01").click()
        page.wait_for_selector("#column tr:nth-child(8)")
        assert page.locator("#column td").all_inner_texts()[:3] == ["INT-2026-01", "INT-2026-02", "INT-2026-03"]
        page.fill("#field-name", "reference")
        page.press("#field-name", "Enter")
        page.wait_for_selector("#column td:has-text('INT-2026-02')")
        page.click("button:text-is('Add field')")
        frame.locator("main h2").nth(0).click()
        frame.locator("main h2").nth(1).click()
        page.wait_for_selector("#column td:has-text('|')")
        assert page.locator("#column td").first.inner_text().startswith("Why we are asking | What we propose")
        page.click("button:text-is('Add field')")
        page.click("button:text-is('Links')")
        frame.locator("a", has_text="Discussion paper (PDF)").click()
        choose(page, "pattern", r"\.pdf$")
        add_row(page, "keep")
        answer = save(page, "papers.csv")
        assert "dowse run" in answer
    job = (tmp_path / "papers.csv.job.toml").read_text("utf-8")
    assert "reference=//dt[normalize-space()='Reference']/following-sibling::dd[1]" in job
    assert "field1[]=css:" in job
