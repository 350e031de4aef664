"""What a recrawl writes down of the changes it saw."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.store.crawl_store import CrawlStore
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.servers import Reply, Site


def changes(folder: Path) -> list[tuple[str, str, str, Any, Any]]:
    """Kind, what, path, before and after of each."""
    connection = sqlite3.connect(folder / "crawl.db")
    query = """SELECT change.kind, change.what, task.url, change.before, change.after
        FROM change JOIN task ON task.id = change.task ORDER BY change.id"""
    rows = [
        (kind, what, path_of(url), *(json.loads(part) if part else None for part in parts))
        for kind, what, url, *parts in connection.execute(query)
    ]
    connection.close()
    return rows


def again(folder: Path, **options: Any) -> list[tuple[str, str, str]]:
    """The changes that one more visit of all pages brings."""
    before = len(changes(folder)) if (folder / "crawl.db").stat().st_size and _has_changes(folder) else 0
    app.recrawl(folder, **{**FAST, "retries": 0, **options})
    opened(folder)
    return [row[:3] for row in changes(folder)[before:]]


def _has_changes(folder: Path) -> bool:
    connection = sqlite3.connect(folder / "crawl.db")
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'change'").fetchone()
    connection.close()
    return found is not None


def test_pages_that_are_new_changed_gone_and_moved_are_told(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": links("/a", "/b", "/c", "/d"),
        "/a": "<p>Fish and nets.",
        "/b": "<p>1,204 views<p>Boats",
        "/c": "<p>Rivers are long.",
        "/d": "<p>Lakes are deep.",
    }
    crawl(tmp_path, site.url)
    assert again(tmp_path) == []
    site.pages |= {
        "/": links("/a", "/b", "/c", "/d", "/e"),
        "/a": "<p>Fish and large nets.",
        "/b": "<p>1,377 views<p>Boats",
        "/e": "<p>Seas are salt.",
        "/d": Reply(status=301, headers={"Location": "/lakes"}),
        "/lakes": "<p>Lakes are deep.",
    }
    del site.pages["/c"]
    told = again(tmp_path)
    assert sorted(told) == [
        ("added", "page", "/e"),
        ("changed", "page", "/"),
        ("changed", "page", "/a"),
        ("moved", "page", "/d"),
        ("unreachable", "page", "/c"),
    ]
    assert again(tmp_path) == [("removed", "page", "/c")]
    assert again(tmp_path) == []
    site.pages["/c"] = "<p>Rivers are long."
    assert ("added", "page", "/c") in again(tmp_path)


def test_a_page_that_is_gone_and_there_elsewhere_has_moved(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/old"), "/old": "<p>Whales are no fish at all."}
    crawl(tmp_path, site.url)
    del site.pages["/old"]
    site.pages |= {"/": links("/old", "/new"), "/new": "<p>Whales are no fish at all."}
    assert ("moved", "page", "/old") in again(tmp_path)
    (after,) = [row[4] for row in changes(tmp_path) if row[0] == "moved"]
    assert path_of(after) == "/new"


def test_a_server_that_is_silent_has_removed_nothing(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a"), "/a": "<p>Fish"}
    crawl(tmp_path, site.url)
    pages = dict(site.pages)
    for path in pages:
        site.pages[path] = Reply(status=503)
    assert set(again(tmp_path)) == {("unreachable", "page", "/"), ("unreachable", "page", "/a")}
    assert again(tmp_path) == []
    site.pages |= pages
    assert again(tmp_path) == []


def test_a_saying_that_is_never_the_same_is_told_thrice_and_no_more(site: Site, tmp_path: Path) -> None:
    def page(saying: str, text: str = "Fish") -> str:
        return f"<h1>Today</h1><p>{saying}</p><p>{text}</p>"

    site.pages |= {"/": page("Early birds")}
    crawl(tmp_path, site.url)
    told = []
    for saying in ("Still waters", "New brooms", "Old dogs", "Hot iron", "Many hands"):
        site.pages["/"] = page(saying)
        told.append(len(again(tmp_path)))
    assert told == [1, 1, 1, 0, 0]
    site.pages["/"] = page("Good fences", "Fish and nets")
    assert again(tmp_path) == [("changed", "page", "/")]


def test_fields_that_changed_are_told_with_what_they_were(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a"), "/a": "<h1>Net</h1><b>10</b>"}
    crawl(tmp_path, site.url, extract=["name=//h1", "price=//b"])
    site.pages["/a"] = "<h1>Net</h1><b>12</b>"
    again(tmp_path)
    assert [row[3:] for row in changes(tmp_path) if row[1] == "record"] == [({"price": "10"}, {"price": "12"})]


def test_a_server_in_trouble_has_moved_nothing(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "<p>Fish in rivers.", "/b": "<p>Fish in rivers."}
    crawl(tmp_path, site.url)
    site.pages["/a"] = Reply(status=500)
    assert again(tmp_path) == [("unreachable", "page", "/a")]


def test_a_page_that_was_missing_and_moves_has_moved_once(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "<p>Fish and nets.", "/b": "<p>Boats."}
    crawl(tmp_path, site.url)
    site.pages["/b"] = Reply(status=404)
    again(tmp_path)
    site.pages["/b"] = Reply(status=301, headers={"Location": "/a"})
    assert again(tmp_path) == [("moved", "page", "/b")]
    assert again(tmp_path) == []


def test_records_of_a_page_that_was_missing_once_are_not_new(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a"), "/a": "<h1>Net</h1>"}
    crawl(tmp_path, site.url, extract=["name=//h1"])
    page = site.pages["/a"]
    site.pages["/a"] = Reply(status=404)
    again(tmp_path)
    site.pages["/a"] = page
    assert again(tmp_path) == []


def test_records_of_a_page_that_became_a_copy_are_not_told(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "<h1>Net</h1>", "/b": "<h1>Boat</h1>"}
    crawl(tmp_path, site.url, extract=["name=//h1"])
    site.pages["/b"] = site.pages["/a"]
    assert again(tmp_path) == [("changed", "page", "/b")]


def test_a_run_that_was_killed_before_its_end_tells_moves_when_it_goes_on(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages |= {"/": links("/old"), "/old": "<p>Whales are no fish at all."}
    crawl(tmp_path, site.url)
    site.pages |= {"/": links("/new"), "/new": site.pages["/old"], "/old": Reply(status=404)}

    class Killed(BaseException):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(CrawlStore, "finish", killed)
        with pytest.raises(Killed):
            app.recrawl(tmp_path, **FAST)
    app.resume(tmp_path, **FAST)
    assert ("moved", "page", "/old") in [row[:3] for row in changes(tmp_path)]
    assert ("added", "page", "/new") not in [row[:3] for row in changes(tmp_path)]


def test_a_crawl_without_a_page_can_be_visited_again(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = Reply(status=500)
    crawl(tmp_path, site.url, retries=0)
    site.pages["/"] = "<p>Fish"
    assert again(tmp_path) == [("added", "page", "/")]


def sent_to(site: Site, target: str, status: int = 302) -> dict[str, Any]:
    """Every page leads there; what they were before."""
    before = dict(site.pages)
    site.pages |= {path: Reply(status=status, headers={"Location": target.format(path=path)}) for path in before}
    site.pages["/closed"] = "<title>Closed</title><p>We are working on it, and will be back soon."
    return before


@pytest.mark.parametrize("target", ["/closed", "/closed?from={path}"])
def test_a_site_that_sends_everybody_to_a_notice_has_moved_nothing(site: Site, tmp_path: Path, target: str) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "<h1>Fish</h1><p>Nets", "/b": "<h1>Boats</h1>"}
    crawl(tmp_path, site.url, extract=["name=//h1"])
    assert again(tmp_path) == []
    before = sent_to(site, target)
    assert sorted(again(tmp_path)) == [("unreachable", "page", path) for path in ("/", "/a", "/b")]
    assert again(tmp_path) == []
    for found in (opened(tmp_path), opened(tmp_path).at("2900-01-01")):
        assert {path_of(row["url"]) for row in found.pages} > {"/", "/a", "/b"}
        assert [row["name"] for row in found.records] == ["Fish", "Boats"]
    site.pages = {**site.pages, **before, "/a": "<h1>Fish</h1><p>Large nets"}
    del site.pages["/closed"]
    assert again(tmp_path) == [("changed", "page", "/a")]
    assert again(tmp_path) == [], "that the notice is gone is no news"


def test_under_a_budget_each_page_that_is_sent_to_the_notice_is_as_those_before(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "<h1>Fish</h1>", "/b": "<h1>Boats</h1>"}
    crawl(tmp_path, site.url)
    sent_to(site, "/closed")
    for _ in range(4):
        app.recrawl(tmp_path, budget=2, **FAST)
    assert {row["kind"] for row in opened(tmp_path).changes()} == {"unreachable"}


@pytest.mark.parametrize(("status", "others"), [(301, True), (302, False)])
def test_a_redirect_for_good_or_of_one_page_is_a_move(site: Site, tmp_path: Path, status: int, others: bool) -> None:
    site.pages |= {"/": links("/a", "/b"), "/a": "<h1>Fish</h1>", "/b": "<h1>Boats</h1>"}
    crawl(tmp_path, site.url)
    before = sent_to(site, "/closed", status)
    site.pages |= {path: page for path, page in before.items() if path == "/" or (path == "/b" and not others)}
    assert {kind for kind, *_ in again(tmp_path)} == {"moved"}
