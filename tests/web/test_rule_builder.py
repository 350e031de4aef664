"""The rule builder in a real browser: tables made by clicking do what tables written by hand do."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from dowse.demo.server import DemoSite
from tests.building import ONE, add_row, builder, choose, make_the_four_rules, open_page, save, step_into
from tests.crawling import opened
from tests.ruling import crawl_table, kept
from tests.web_pages import web_page


def test_the_table_of_the_consultations_is_made_by_clicking(demo_site: DemoSite, tmp_path: Path) -> None:
    """And a crawl by it keeps what a crawl by the written table keeps."""
    served = tmp_path / "served"
    served.mkdir()
    written = tmp_path / "written.csv"
    written.write_text(demo_site.rules, "utf-8")
    with builder(served) as page:
        make_the_four_rules(page, open_page(page, f"{demo_site.url}consultations/"))
        page.wait_for_selector("section[data-checked='0']")
        assert page.locator(".graph .name").all_text_contents() == ["base", "topLevel", "secondLevel"]
        page.wait_for_selector(".problems li", state="detached")
        page.fill("#most-pages", "50")
        page.click("button:text-is('Try it')")
        page.wait_for_selector("#tried .message")
        assert page.inner_text("#tried .message") == "27 links kept on 13 pages. That is all there is."
        assert page.locator(".rules td.number").all_inner_texts() == ["11 on 1", "26 on 11", "10 on 11", "1 on 1"]
        assert "4 rules written" in save(page, "clicked.csv")
        page.click("button:text-is('Start the crawl')")
        page.wait_for_selector("#saved a")
        page.evaluate("location.assign(document.querySelector('#saved a').href)")
        page.wait_for_selector("#state:text-is('done')")
    started = opened(served / "clicked")
    assert len(kept(started)) == 27
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
        assert page.input_value("#to-type") == "international"
        page.click("button:text-is('Start over')")
        frame.locator("main a", has_text=ONE).click()
        frame.locator("main a", has_text="Plain labels").click()
        page.wait_for_selector(".count:has-text('80 links')")
        assert page.input_value("#to-type") == "consultations"  # what the addresses of all of them share


def test_one_steps_into_the_page_that_was_clicked_though_others_come_first(demo_site: DemoSite, tmp_path: Path) -> None:
    with builder(tmp_path) as page:
        frame = open_page(page, f"{demo_site.url}consultations/")
        frame.locator("main a", has_text="Effectiveness of development aid").click()
        page.wait_for_selector(".count:has-text('11 links')")
        add_row(page, "follow", "consultation")
        step_into(page, "consultation")
        assert frame.locator("h1").inner_text() == "Effectiveness of development aid"
        page.click("button:text-is('Save')")
        assert "such as consultations.csv" in page.inner_text("#saved .message")


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


@pytest.mark.parametrize(
    "place", ["../out.csv", "/tmp/out.csv", "sqlite:///../out.db", "sqlite:///in#/../../out.db#rules"]
)
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


def test_a_job_file_that_is_there_is_not_written_over_unasked(tmp_path: Path) -> None:
    (tmp_path / "rules.csv.job.toml").write_text("precious")
    rows = [{"baseURL": "http://localhost/", "ruleType": "keep", "fromType": "base", "pattern": "x"}]
    asked = {"rows": rows, "place": "rules.csv", "fields": ["title=//h1"]}
    with web_page(tmp_path) as page, page.browser() as client:
        assert client.post("/api/builder/save", json=asked).status_code == 409
        assert [file.name for file in tmp_path.iterdir()] == ["rules.csv.job.toml"]
        assert (tmp_path / "rules.csv.job.toml").read_text() == "precious"
        assert client.post("/api/builder/save", json=asked | {"replace": True}).status_code == 200


@pytest.mark.parametrize("secret", ["file:/etc/hostname", "ask:"])
def test_steps_read_no_file_of_the_machine_and_ask_nobody(tmp_path: Path, secret: str) -> None:
    step = [f"type #password = {secret}"]
    rows = [{"baseURL": "http://localhost:9/", "ruleType": "keep", "fromType": "base", "pattern": "x"}]
    with web_page(tmp_path) as page, page.browser() as client:
        for path, asked in (
            ("pages", {"url": "http://localhost:9/", "steps": step}),
            ("trial", {"rows": rows, "steps": step}),
            ("open", {"place": f"postgresql://localhost:9/db?password={secret}"}),
        ):
            answer = client.post(f"/api/builder/{path}", json=asked)
            assert (answer.status_code, answer.json()["key"]) == (422, "step" if "steps" in asked else "table")
    assert list(tmp_path.iterdir()) == []


def test_a_field_is_picked_and_its_column_fills_from_other_pages(demo_site: DemoSite, tmp_path: Path) -> None:
    with builder(tmp_path) as page:
        frame = open_page(page, f"{demo_site.url}consultations/")
        frame.locator("main a", has_text=ONE).click()
        choose(page, "class", "results")
        add_row(page, "follow", "consultation")
        step_into(page, "consultation")
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
