"""What the page shows of the inside of a crawl is what the crawl has, a part at a time."""

from __future__ import annotations

import io
import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from dowse.app import read
from dowse.export.formats import FORMATS, ROWS
from dowse.modes.registry import offered_modes
from dowse.store.folder import take_over
from dowse.store.reading.table_window import Window, look_through
from dowse.store.reading.tables import Table
from dowse.web.crawl_lines import CrawlLines
from dowse.web.inside_pages import ABOUT_TABLES
from dowse.web.seldom_made import SeldomMade
from dowse.web.served_folders import ServedFolders
from tests.web_pages import WebPage, web_page


@pytest.fixture(scope="module")
def client(looking: WebPage) -> Iterator[httpx.Client]:
    with looking.browser() as browser:
        yield browser


def rows(client: httpx.Client, crawl: str, table: str, **asked: Any) -> dict[str, Any]:
    answer = client.get(f"/api/crawls/{crawl}/tables/{table}", params=asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def column(found: dict[str, Any], name: str) -> list[Any]:
    place = found["columns"].index(name)
    return [row[place] for row in found["rows"]]


def test_a_table_is_had_in_parts(client: httpx.Client, looked_at: Path, crawl_ids: dict[str, str]) -> None:
    with read(looked_at / "whole") as crawl:
        urls = crawl.pages["url"]
        titles = crawl.pages["title"]
    parts = [rows(client, crawl_ids["whole"], "pages", offset=start, limit=7) for start in range(0, len(urls), 7)]
    assert [url for part in parts for url in column(part, "url")] == urls
    assert {part["total"] for part in parts} == {len(urls)}
    found = rows(client, crawl_ids["whole"], "pages", sort="title", descending=True, limit=200)
    assert column(found, "title") == sorted(titles, reverse=True)
    words = rows(client, crawl_ids["whole"], "pages", words="CONSULT international", limit=200)
    assert words["total"] == len(words["rows"]) > 0
    for row in words["rows"]:
        assert {"consult", "international"} <= {
            word for word in ("consult", "international") if word in str(row).lower()
        }
    assert rows(client, crawl_ids["whole"], "pages", words="100% _x_")["total"] == 0
    html = rows(client, crawl_ids["whole"], "pages", column="status", value="200")
    assert html["total"] == len(urls)


@pytest.mark.parametrize("table", ["records", "links", "nodes", "edges", "ledger"])
def test_other_tables_too(client: httpx.Client, looked_at: Path, crawl_ids: dict[str, str], table: str) -> None:
    with read(looked_at / "whole") as crawl:
        first = [row["url"] for row in crawl.frame(table)][2:5]
        number = len(crawl.frame(table))
    found = rows(client, crawl_ids["whole"], table, offset=2, limit=3)
    assert (column(found, "url"), found["total"]) == (first, number)
    sorted_rows = rows(client, crawl_ids["whole"], table, sort="url", limit=200)
    assert column(sorted_rows, "url") == sorted(column(sorted_rows, "url"))


def test_a_column_that_is_not_there_is_told(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    for name in ("nothing", 'url" DESC; DROP TABLE task; --'):
        answer = client.get(f"/api/crawls/{crawl_ids['whole']}/tables/pages", params={"sort": name})
        assert (answer.status_code, answer.json()["key"]) == (422, "sort")
    assert client.get(f"/api/crawls/{crawl_ids['whole']}/tables/kept").status_code == 404
    assert client.get(f"/api/crawls/{crawl_ids['papers']}/tables/kept").status_code == 200


def test_a_long_table_that_is_no_query_is_not_sorted(looked_at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.store.reading.table_window.MOST_SORTED", 10)
    with read(looked_at / "whole") as crawl:
        table = crawl.links.source
        assert isinstance(table, Table)
        assert not look_through(table, Window()).sortable
        with pytest.raises(Exception, match="too many to be put in order"):
            look_through(table, Window(sort="url"))


def test_the_story_is_the_way_from_the_seed(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    asked = {"url": "/documents/international/programme-2026.pdf"}
    story = client.get(f"/api/crawls/{crawl_ids['papers']}/story", params=asked).json()
    assert [step["depth"] for step in story["path"]] == [0, 1, 2, 3]
    assert story["path"][-1]["url"] == story["url"]
    facts = [dict(map(tuple, step["facts"])) for step in story["path"]]
    assert facts[1]["page type"].startswith("topLevel, by rule 1")
    assert facts[3]["kept by"].startswith("rule 4")
    shown = client.get(f"/crawls/{crawl_ids['papers']}/story", params=asked).text
    assert shown.count('class="stop"') == 4
    missing = client.get(f"/api/crawls/{crawl_ids['papers']}/story", params={"url": "/never"})
    assert missing.status_code == 404


def test_scores_are_parts_of_the_story_of_a_topic(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    best = column(rows(client, crawl_ids["topic"], "matched"), "url")[0]
    story = client.get(f"/api/crawls/{crawl_ids['topic']}/story", params={"url": best}).json()
    assert any("relevance" in name for name, _ in story["path"][-1]["facts"])


def test_a_person_says_of_pages_whether_they_are_on_topic(
    client: httpx.Client, looked_at: Path, crawl_ids: dict[str, str]
) -> None:
    path = f"/api/crawls/{crawl_ids['topic']}/labels"
    before = client.get(path).json()
    doubts = [abs(each["relevance"] - 0.5) for each in before["asked"]]
    assert (before["topic"], before["said"], doubts) == ("flood", [], sorted(doubts))
    url = before["asked"][-1]["url"]
    said = client.post(path, json={"url": url, "wanted": True}).json()
    assert [(each["url"], each["wanted"]) for each in said["said"]] == [(url, True)]
    assert url not in [each["url"] for each in said["asked"]]
    with read(looked_at / "topic") as crawl:
        assert url in list(crawl.matched["url"])
    assert client.post(path, json={"url": url, "wanted": None}).json() == before
    assert "could be taken back" in client.post(path, json={"url": url, "wanted": None}).json()["message"]
    assert client.post(path, json={"url": "/never", "wanted": True}).status_code == 409
    assert client.post(path, json={"url": url}).status_code == 422


def test_only_crawls_for_a_topic_ask(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    assert f"/crawls/{crawl_ids['topic']}/labels" in client.get(f"/crawls/{crawl_ids['topic']}").text
    assert "/labels" not in client.get(f"/crawls/{crawl_ids['whole']}").text
    answer = client.get(f"/api/crawls/{crawl_ids['whole']}/labels")
    assert (answer.status_code, "has no topic" in answer.json()["message"]) == (409, True)


def test_the_graph_has_the_links_of_the_crawl(client: httpx.Client, looked_at: Path, crawl_ids: dict[str, str]) -> None:
    graph = client.get(f"/api/crawls/{crawl_ids['topic']}/graph", params={"most": 200}).json()
    with read(looked_at / "topic") as crawl:
        edges = {(row["url"], row["target"]) for row in crawl.edges}
        # a page that brought no text has none
        relevance = {row["url"]: row["relevance"] for row in crawl.pages if row["relevance"] is not None}
    urls = [node["url"] for node in graph["nodes"]]
    assert {(urls[one], urls[other]) for one, other in graph["edges"]} <= edges
    assert len(graph["edges"]) > 0.9 * len(edges)
    assert graph["scored"]
    scores = {node["url"]: node["score"] for node in graph["nodes"] if node["score"] is not None}
    assert scores.keys() == relevance.keys() & set(urls)
    assert all(abs(score - relevance[url]) < 0.001 for url, score in scores.items())
    few = client.get(f"/api/crawls/{crawl_ids['topic']}/graph", params={"least": 0.5}).json()
    assert {node["url"] for node in few["nodes"]} == {url for url, worth in relevance.items() if worth >= 0.5}
    types = client.get(f"/api/crawls/{crawl_ids['papers']}/graph").json()["kinds"]
    assert set(types) == {"base", "topLevel", "secondLevel"}


def test_words_are_found_and_marked(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    found = client.get(f"/api/crawls/{crawl_ids['whole']}/search", params={"q": "consultations"}).json()
    assert found["total"] > 0
    assert "<mark>" in client.get(f"/crawls/{crawl_ids['whole']}/search", params={"q": "consultations"}).text


def test_a_date_that_is_none_is_told_in_the_form(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    asked = {"q": "consultations", "since": "yesterday"}
    answer = client.get(f"/crawls/{crawl_ids['whole']}/search", params=asked)
    assert answer.status_code == 200
    for text in ("is no point in time", 'value="yesterday"', 'value="consultations"'):
        assert text in answer.text
    assert client.get(f"/api/crawls/{crawl_ids['whole']}/search", params=asked).status_code == 422


def test_every_table_that_can_be_downloaded_says_what_is_in_it(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    pages = [client.get(f"/crawls/{crawl}/downloads").text for crawl in crawl_ids.values()]
    assert all('<span class="small"></span>' not in page for page in pages)
    assert {name for mode in offered_modes() for name in mode.tables} <= ABOUT_TABLES.keys()


def test_markup_in_what_is_typed_is_text(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    evil = "<script>alert(1)</script>"
    for path in (f"search?q={evil}", f"tables/pages?words={evil}", f"changes?since=2026-01-01&kind=added&x={evil}"):
        assert evil not in client.get(f"/crawls/{crawl_ids['whole']}/{path}").text


HOSTILE_VIEWS = (
    "", "live", "tables/pages", "tables/records", "tables/ledger", "tables/links", "story?url=/", "graph", "copies",
    "changes", "search?q=flood",
)  # fmt: skip


@pytest.mark.parametrize("view", HOSTILE_VIEWS)
def test_markup_of_pages_is_text_in_every_view(client: httpx.Client, crawl_ids: dict[str, str], view: str) -> None:
    path = f"/crawls/{crawl_ids['hostile']}/{view}".rstrip("/")
    answer = client.get(path if "url=" not in view else f"{path}/")
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "<img" not in answer.text
    if view not in ("tables/ledger", "copies"):
        assert "&lt;script&gt;alert(1)" in answer.text


# Files


FILES = [
    (table, format_)
    for table, formats in {**FORMATS, "kept": ROWS}.items()
    for format_ in formats
    if format_ in ("csv", "xlsx", "parquet", "gexf", "wacz", "folder", "atom", "sqlite") or table == "bodies"
]


@pytest.mark.parametrize(("table", "format_"), FILES, ids=str)
def test_every_export_is_a_file(client: httpx.Client, crawl_ids: dict[str, str], table: str, format_: str) -> None:
    crawl = crawl_ids["papers" if table == "kept" else "whole"]
    answer = client.get(f"/api/crawls/{crawl}/files/{table}/{format_}")
    assert answer.status_code == 200, answer.text
    assert answer.content
    assert "attachment" in answer.headers["content-disposition"]
    if format_ == "folder":
        names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
        assert names
        assert not any(name.startswith(("/", "..")) for name in names)


@pytest.mark.parametrize(
    "path",
    [
        "files/..%2f..%2fcrawl.db/csv",
        "files/pages/..%2f..%2fcrawl.db",
        "files/pages/%2fetc%2fpasswd",
        "files/../tables/csv",
        "files/nothing/csv",
        "files/pages/exe",
        "tables/..%2fcrawl.db",
    ],
)
def test_no_path_leads_out_of_the_exports(looking: WebPage, crawl_ids: dict[str, str], path: str) -> None:
    with looking.browser() as client:
        url = f"{looking.url}/api/crawls/{crawl_ids['whole']}/{path}"
        answer = client.send(httpx.Request("GET", url, headers=dict(client.headers)))
        assert answer.status_code in (401, 404, 422)
        assert b"SQLite" not in answer.content


def test_the_report_opens_and_runs_nothing(client: httpx.Client, crawl_ids: dict[str, str]) -> None:
    answer = client.get(f"/api/crawls/{crawl_ids['whole']}/report")
    assert "report of a crawl" in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "script-src" not in answer.headers["content-security-policy"]


def test_what_takes_long_to_make_of_a_running_crawl_is_not_made_all_the_time(tmp_path: Path) -> None:
    database = tmp_path / "crawl" / "crawl.db"
    database.parent.mkdir()
    database.touch()
    now, made = 0.0, 0
    folders = ServedFolders([tmp_path])
    (place,), lines = folders.places(), CrawlLines(folders, lambda: now)

    def slow() -> int:
        nonlocal now, made
        now += 3.0
        made += 1
        return made

    assert lines.remembered(place, slow) == 1
    for written in range(1, 30):
        now += 1.0
        database.write_bytes(b"x" * written)
        assert lines.remembered(place, slow) == 1
    now += 1.0
    assert lines.remembered(place, slow) == 2
    now += 1_000.0
    assert lines.remembered(place, slow) == 2  # nothing was written since


@pytest.mark.skipif(sys.platform == "darwin", reason="file names are texts there")
def test_a_folder_whose_name_is_no_text_is_listed(tmp_path: Path) -> None:
    strange = os.path.join(os.fsencode(tmp_path), b"caf\xe9")
    os.mkdir(strange)
    with open(os.path.join(strange, b"crawl.db"), "wb"):
        pass
    with web_page(tmp_path) as page, page.browser() as browser:
        (line,) = browser.get("/api/crawls").json()["crawls"]
        assert line["name"] == "caf\ufffd"
        assert browser.get(f"/crawls/{line['id']}").status_code == 200
        assert browser.get(f"/api/crawls/{line['id']}/search?q=x").status_code == 409


def test_a_crawl_whose_database_is_out_of_reach_does_not_hide_the_others(looked_at: Path, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "crawl.store").write_text('{"store": "postgresql://nobody@127.0.0.1:1/none", "schema": "away"}')
    with web_page(looked_at, tmp_path) as served, served.browser() as client:
        lines = {line["name"]: line for line in client.get("/api/crawls").json()["crawls"]}
        assert "a database that you have not named here before" in lines["away"]["trouble"]
        assert lines["whole"]["trouble"] == ""
        assert client.get("/").status_code == 200
        assert "not named here before" in client.get(f"/crawls/{lines['away']['id']}").text


def test_a_crawl_that_begins_or_ends_is_counted_at_once_however_long_that_takes(looked_at: Path) -> None:
    now = 0.0
    folders = ServedFolders([looked_at])
    lines = CrawlLines(folders, lambda: now)
    place = next(place for place in folders.places() if place.name == "whole")
    assert lines.of(place).state == "done"
    with closing(take_over(place.directory)):
        assert lines.of(place).state == "running"
    assert lines.of(place).state == "done"


def test_while_one_counts_the_others_do_with_what_there_is() -> None:
    made: SeldomMade[str] = SeldomMade(lambda: 0.0)
    place, meanwhile = Path("crawl"), []

    def count() -> str:
        meanwhile.append(made.get(place, ("newer",), lambda: "counted twice"))
        return "new"

    assert made.get(place, ("old",), lambda: "old") == "old"
    assert made.get(place, ("new",), count) == "new"
    assert meanwhile == ["old"]
    with pytest.raises(ZeroDivisionError):
        made.get(place, ("newest",), lambda: str(1 / 0))
    assert made.get(place, ("newest",), lambda: "newest") == "newest"
