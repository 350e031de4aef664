"""Tables of the rule builder with what they have no columns for, in files and in databases, and opened again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dowse.app import read
from dowse.cli.main import main
from dowse.demo.server import DemoSite
from dowse.modes.rules.rule_places import read_rules
from tests import postgres
from tests.building import add_row, builder, choose, open_page, save
from tests.servers import Site
from tests.web_pages import web_page

TABS = """<title>tabs</title><button id=papers>Papers</button><div id=shown></div><script>
document.getElementById("papers").onclick = () => {
  const shown = document.getElementById("shown");
  shown.innerHTML = "<p><a href=/a.pdf>A</a> <a href=/b.pdf>B</a></p><button class=more>More</button>";
  document.querySelector(".more").onclick = (event) => {
    shown.insertAdjacentHTML("beforeend", "<a href=/c.pdf>C</a>"); event.target.remove(); };
};</script>"""


def test_what_has_to_be_pressed_is_recorded_and_a_crawl_presses_it(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = TABS
    with builder(tmp_path) as page:
        page.select_option("#fetch", "browser")
        frame = open_page(page, site.url)
        page.click("button:text-is('Steps')")
        frame.locator("#papers").click()
        page.click("button:has-text('Click it once')")
        page.wait_for_selector("#status:has-text('2 links')")
        frame.locator(".more").click()
        page.wait_for_selector("#step-selector:has-text('more')")
        page.click("button:has-text('until it is gone')")
        page.wait_for_selector("#status:has-text('3 links')")
        page.click("button:text-is('Links')")
        frame.locator("a").last.click()
        choose(page, "pattern", r"\.pdf$")
        add_row(page, "keep")
        page.click("button:text-is('Try it')")
        page.wait_for_selector("#tried .message:has-text('3 links kept')")
        assert "dowse run" in save(page, "papers.csv")
        page.reload()
        page.fill("#place", "papers.csv")
        page.click("button:text-is('Open')")
        page.wait_for_selector("#status:has-text('papers.csv: 1 row.')")
        assert page.input_value("#fetch") == "browser"
        steps = page.locator("section[aria-label='Fields and steps of the table'] code").all_inner_texts()
        assert steps == ["type:base => click #papers", "type:base => click-until-gone .more"]
        assert "holds rules already" in save(page, "papers.csv")
    monkeypatch.chdir(tmp_path)
    assert main(["run", "papers.csv.job.toml", "--quiet", "-o", "out"]) == 0
    with read("out") as crawl:
        assert sorted(row["anchor"] for row in crawl.kept) == ["A", "B", "C"]


def test_a_table_goes_into_postgresql_and_sqlite_and_comes_back(
    demo_site: DemoSite, tmp_path: Path, postgres_server: postgres.Server
) -> None:
    (tmp_path / "rules.csv").write_text(demo_site.rules, "utf-8")
    (tmp_path / "other.csv").write_text("name,price\n", "utf-8")
    with builder(tmp_path) as page:
        page.focus("#place")
        page.wait_for_selector("#places option", state="attached")
        assert page.locator("#places option").evaluate_all("all => all.map((each) => each.value)") == ["rules.csv"]
        page.fill("#place", "rules.csv")
        page.click("button:text-is('Open')")
        page.wait_for_selector(".rules tbody tr:nth-child(4)")
        for place in ("sqlite:///rules.db", postgres_server.database()):
            assert "4 rules written" in save(page, place)
            page.click("[aria-label='Remove row 4']")
            page.click("button:text-is('Open')")
            page.wait_for_selector(".rules tbody tr:nth-child(4)")
            named = place.replace("///", f"///{tmp_path}/") if place.startswith("sqlite") else place
            assert read_rules(named).rules == read_rules(str(tmp_path / "rules.csv")).rules


def test_a_table_with_fields_is_two_files_to_download(demo_site: DemoSite, tmp_path: Path) -> None:
    rows = [{"baseURL": demo_site.url, "ruleType": "keep", "fromType": "base", "pattern": "pdf"}]
    with web_page(tmp_path) as served, served.browser() as client:
        body = {"rows": rows, "fields": ["title=//h1"], "name": "papers.csv"}
        files = client.post("/api/builder/files", json=body).json()["files"]
        assert list(files) == ["papers.csv", "papers.csv.job.toml"]
        assert "title=//h1" in files["papers.csv.job.toml"]
        for name in ("../x.csv", "/etc/x.csv", "x.py", ".csv"):
            assert client.post("/api/builder/files", json={**body, "name": name}).status_code == 422
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["type:base => type #q = env:HOME", "type #q = file:/etc/passwd", "type #q = ask:"])
def test_no_secret_of_this_machine_is_typed_into_a_page(demo_site: DemoSite, tmp_path: Path, step: str) -> None:
    rows = [{"baseURL": demo_site.url, "ruleType": "keep", "fromType": "base", "pattern": "pdf"}]
    with web_page(tmp_path) as served, served.browser() as client:
        for path, body in (("pages", {"url": demo_site.url}), ("trial", {"rows": rows})):
            answer = client.post(f"/api/builder/{path}", json={**body, "steps": [step]})
            assert answer.status_code == 422
            assert "no secrets are filled in here" in answer.json()["message"]
    assert demo_site.requests.total() == 0


def test_what_makes_no_sense_is_said_and_breaks_nothing(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "<h1>t</h1>"
    with web_page(tmp_path) as served, served.browser() as client:
        bare = site.url.removeprefix("http://")
        shown = client.post("/api/builder/pages", json={"url": site.url}).json()
        for path, body, status in (
            ("pages", {"url": "no address/"}, 422),
            ("pages", {"url": "javascript:1", "base": site.url}, 409),
            ("pages", {"url": bare, "base": site.url}, 409),
            ("pages/brought", {"url": "file:///etc/passwd", "html": ""}, 409),
            ("open", {"place": "\0"}, 422),
            ("open", {"place": "x" * 5000}, 422),
            (f"pages/{shown['id']}/column", {"fields": []}, 422),
            (f"pages/{shown['id']}/field", {"picked": [10**30]}, 422),
        ):
            answer = client.post(f"/api/builder/{path}", json=body)
            assert (body, answer.status_code) == (body, status)
            assert answer.json()["message"]


def test_a_table_is_written_over_a_table_and_over_nothing_else(looked_at: Path) -> None:
    rows = [{"baseURL": "https://example.org/", "ruleType": "keep", "fromType": "base", "pattern": "pdf"}]
    others = {"whole/job.toml": "x = 1\n", "whole/notes.csv": "name,price\n", "whole/empty.csv": ""}
    for name, text in others.items():
        (looked_at / name).write_text(text, "utf-8")
    before = sqlite_tables(looked_at / "whole" / "crawl.db")
    refused = ["whole/job.toml", "whole/notes.csv", "sqlite:///whole/crawl.db", "sqlite:///whole/crawl.db#task"]
    with web_page(looked_at) as served, served.browser() as client:

        def saved(place: str) -> tuple[int, str]:
            answer = client.post("/api/builder/save", json={"rows": rows, "place": place, "replace": True})
            return answer.status_code, answer.text

        for place in refused:
            status, text = saved(place)
            assert (place, status) == (place, 409)
            assert "no rule table" in text
        assert saved("whole/empty.csv")[0] == 200
        assert saved("whole/empty.csv")[0] == 200
        assert saved("sqlite:///papers/crawl.db")[0] == 200, "the rules of a crawl by rules may be changed"
    assert (looked_at / "whole/job.toml").read_text("utf-8") == others["whole/job.toml"]
    assert sqlite_tables(looked_at / "whole" / "crawl.db") == before


def sqlite_tables(path: Path) -> dict[str, int]:
    """How many rows each table of a file has."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
