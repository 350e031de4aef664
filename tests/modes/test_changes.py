"""What changed, as people are told: tables, commands, and the versions of a page."""

from __future__ import annotations

import json
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlError, JobError
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.ruling import crawl_by, keep
from tests.servers import Reply, Request, Site

AGAIN: dict[str, Any] = {**FAST, "retries": 0}

HOME = "<title>Home</title><p>Welcome" + links("/a", "/b", "/old", "/gone")


def again(folder: Path) -> app.Crawl:
    app.recrawl(folder, **AGAIN)
    return opened(folder)


@pytest.fixture
def changed(site: Site, tmp_path: Path) -> app.Crawl:
    """A crawl with a page of each kind of change."""
    site.pages |= {
        "/": HOME,
        "/a": "<title>Nets</title><p>Fish and nets are sold here.<p>1,204 views<p>Ask for Ann.",
        "/b": "<title>Boats</title><p>1,204 views<p>Boats",
        "/old": "<title>Lakes</title><p>Lakes are deep.",
        "/gone": "<title>Rivers</title><p>Rivers are long.",
    }
    crawl(tmp_path / "out", site.url)
    site.pages |= {
        "/": HOME + '<p><a href="/new">to /new</a>',
        "/a": "<title>Nets</title><p>Fish and large nets are sold here.<p>1,377 views<p>Ask for Bob.",
        "/b": "<title>Boats</title><p>1,377 views<p>Boats",
        "/new": "<title>Seas</title><p>Seas are salt.",
        "/old": Reply(status=301, headers={"Location": "/lakes"}),
        "/lakes": "<title>Lakes</title><p>Lakes are deep.",
    }
    del site.pages["/gone"]
    again(tmp_path / "out")
    return again(tmp_path / "out")


def kinds(rows: Any) -> set[tuple[str, str]]:
    return {(row["kind"], path_of(row["url"])) for row in rows}


def test_changes_are_a_table_with_the_lines_that_differ(changed: app.Crawl) -> None:
    rows = changed.changes()
    assert kinds(rows) == {
        ("added", "/new"),
        ("changed", "/"),
        ("changed", "/a"),
        ("moved", "/old"),
        ("removed", "/gone"),
    }
    (nets,) = [row for row in rows if path_of(row["url"]) == "/a"]
    assert nets["title"] == "Nets"
    assert nets["before"] == "Fish and nets are sold here.\nAsk for Ann."
    assert nets["after"] == "Fish and large nets are sold here.\nAsk for Bob."
    assert len(rows) == 5
    frame = rows.to_pandas()
    assert str(frame["at"].dtype).startswith("datetime64")


def test_changes_are_asked_for_by_date_kind_and_thing(changed: app.Crawl) -> None:
    assert kinds(changed.changes(kind="added")) == {("added", "/new")}
    assert kinds(changed.changes(kind=["added", "removed"])) == {("added", "/new"), ("removed", "/gone")}
    assert len(changed.changes(since="1 hour")) == 5
    assert len(changed.changes(since="2900-01-01")) == len(changed.changes(what="file")) == 0
    last = max(row["at"] for row in changed.changes())
    assert kinds(changed.changes(since=last)) == {("removed", "/gone")}
    with pytest.raises(JobError, match="since: 'soon' is no point in time"):
        changed.changes(since="soon")
    with pytest.raises(JobError, match="there is no 'new'"):
        changed.changes(kind="new")


def test_words_that_no_change_has_are_told_with_those_that_there_are(
    changed: app.Crawl, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--kind", "--what"):
        told = invoke(capsys, "changes", changed.directory, option, "foo")
        assert told.code == 2
        assert "there is no 'foo'; there are " in told.err
    assert "page, record, kept, file and thread" in told.err
    with pytest.raises(JobError, match="what: there is no 'pages'"):
        changed.changes(what=["page", "pages"])


def test_the_command_shows_the_words_that_changed_within_80_columns(
    changed: app.Crawl, capsys: pytest.CaptureFixture[str]
) -> None:
    told = invoke(capsys, "changes", changed.directory)
    assert told.code == 0
    assert "Fish and {+large +}nets are sold here." in told.out
    assert "Ask for [-Ann-]{+Bob+}." in told.out
    assert "views" not in told.out
    assert told.out.startswith("5 changes: 1 added, 2 changed, 1 removed, 1 moved\n")
    assert max(map(len, told.out.splitlines())) <= 80
    some = json.loads(invoke(capsys, "changes", changed.directory, "--kind", "moved", "--json").out)
    assert some["counts"]["moved"] == len(some["changes"]) == 1
    assert path_of(some["changes"][0]["after"]) == "/lakes"
    assert invoke(capsys, "changes", changed.directory, "--since", "2900-01-01").out.startswith("nothing changed since")


def test_changes_are_exported_as_every_other_table(
    changed: app.Crawl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = invoke(capsys, "export", changed.directory, "changes", "--to", "jsonl").out
    rows = [json.loads(line) for line in out.splitlines()]
    assert {row["kind"] for row in rows} == {"added", "changed", "removed", "moved"}
    assert rows[0]["at"].endswith("Z")
    invoke(capsys, "changes", changed.directory, "--kind", "added", "-f", tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_text().count("\n") == 2
    assert changed.export("changes", tmp_path / "c.parquet") == 5


def test_a_crawl_that_was_not_visited_again_says_so(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/"] = "<p>Fish"
    found = crawl(tmp_path, site.url)
    assert list(found.changes()) == []
    told = invoke(capsys, "changes", tmp_path)
    assert told.code != 0
    assert f"run dowse recrawl {tmp_path} first" in told.err
    with pytest.raises(CrawlError, match="/ has 1 version, so there is nothing to compare"):
        found.diff("/")


def test_the_history_of_a_page_has_its_versions_and_how_often_each_was_seen(
    changed: app.Crawl, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/a"] = "<title>Nets</title><p>Fish and large nets are sold here.<p>2 views<p>Ask for Bob."
    found = again(changed.directory)
    versions = found.history("/a")
    assert [(each.number, each.visits, each.added, each.removed) for each in versions] == [(1, 1, 0, 0), (2, 3, 2, 1)]
    assert [each.fate for each in found.history("/gone")] == ["removed"]
    assert [each.visits for each in found.history("/b")] == [4]
    told = invoke(capsys, "history", changed.directory, "/a").out
    assert "2 added, 1 removed" in told
    assert max(map(len, told.splitlines())) <= 80
    assert len(json.loads(invoke(capsys, "history", changed.directory, "/a", "--json").out)["versions"]) == 2


def test_two_versions_are_compared_word_by_word(
    changed: app.Crawl, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/a"] = "<title>Nets</title><p>Fish and large nets were sold here.<p>5 views<p>Ask for Bob."
    found = again(changed.directory)
    assert str(found.diff("/a")) == "- Fish and large nets are sold here.\n+ Fish and large nets were sold here."
    assert "+ Ask for Bob." in str(found.diff("/a", 1, 3))
    told = invoke(capsys, "diff", changed.directory, "/a").out
    assert "Fish and large nets [-are-]{+were+} sold here." in told
    assert "Ann" in invoke(capsys, "diff", changed.directory, "/a", "--from", "1", "--to", "2").out
    assert "/a has 3 versions, and no version 9" in invoke(capsys, "diff", changed.directory, "/a", "--to", "9").err


def test_fields_of_records_are_shown_with_what_they_were(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages |= {"/": links("/a"), "/a": "<h1>Net</h1><b>10</b>"}
    crawl(tmp_path, site.url, extract=["name=//h1", "price=//b"])
    site.pages["/a"] = "<h1>Net</h1><b>12</b>"
    found = again(tmp_path)
    (row,) = found.changes(what="record")
    assert (json.loads(row["before"]), json.loads(row["after"])) == ({"price": "10"}, {"price": "12"})
    assert "price: [-10-] {+12+}" in invoke(capsys, "changes", tmp_path).out


def test_links_that_rules_keep_are_told_when_they_are_new(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = '<p><a href="/one.pdf">One</a>'
    crawl_by(tmp_path, keep(site.url, "base", "pdf"))
    site.pages["/"] = '<p><a href="/one.pdf">One</a><a href="/two.pdf">Two</a>'
    found = again(tmp_path / "out")
    (row,) = found.changes(what="kept")
    assert (row["kind"], path_of(row["url"]), row["title"]) == ("added", "/two.pdf", "Two")
    assert json.loads(row["after"]) == {"anchor": "Two", "found_on": site.url}
    assert again(tmp_path / "out").changes(what="kept").to_dicts() == [row]


def test_files_are_told_as_files(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def pdf(text: bytes) -> Reply:
        return Reply(b"%PDF-1.4 \x00" + text, headers={"content-type": "application/pdf"})

    site.pages |= {"/": links("/one.pdf"), "/one.pdf": pdf(b"one")}
    app.start(make_job("files", [site.url], output=str(tmp_path), type="pdf", **FAST))
    site.pages |= {"/": links("/one.pdf", "/two.pdf"), "/one.pdf": pdf(b"other"), "/two.pdf": pdf(b"two")}
    found = again(tmp_path)
    assert kinds(found.changes(what="file")) == {("changed", "/one.pdf"), ("added", "/two.pdf")}
    assert kinds(found.changes(what="page")) == {("changed", "/")}
    assert "file  http" in invoke(capsys, "changes", tmp_path).out


def test_a_crawl_can_be_read_as_it_was(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": links("/a", "/b", "/gone"),
        "/a": "<title>Nets</title><h1>Net</h1><b>10</b>",
        "/b": "<title>Boats</title><h1>Boat</h1>",
        "/gone": "<title>Rivers</title><h1>River</h1>",
    }
    crawl(tmp_path, site.url, extract=["name=//h1", "price=//b"])
    moments = [time.time()]
    site.pages |= {
        "/": links("/a", "/b", "/new"),
        "/a": "<title>Large nets</title><h1>Net</h1><b>12</b>",
        "/new": "<title>Seas</title><h1>Sea</h1>",
    }
    del site.pages["/gone"]
    found = again(tmp_path)
    moments.append(time.time())
    site.pages["/a"] = Reply(status=503)
    found = again(tmp_path)
    first, second = (found.at(moment) for moment in moments)

    def titles(crawl: app.Crawl) -> dict[str, str]:
        return {path_of(row["url"]): row["title"] for row in crawl.pages}

    def prices(crawl: app.Crawl) -> dict[str, Any]:
        return {path_of(row["url"]): (row["name"], row["price"]) for row in crawl.records}

    assert titles(first) == {"/": "links", "/a": "Nets", "/b": "Boats", "/gone": "Rivers"}
    assert titles(second) == {"/": "links", "/a": "Large nets", "/b": "Boats", "/new": "Seas"} == titles(found)
    assert prices(first) == {"/a": ("Net", "10"), "/b": ("Boat", None), "/gone": ("River", None)}
    assert prices(second) == {"/a": ("Net", "12"), "/b": ("Boat", None), "/new": ("Sea", None)} == prices(found)
    assert (first.page("/a").title, second.page("/a").title) == ("Nets", "Large nets")
    assert first.page("/a").records[0].fields["price"] == "10"
    assert [path_of(row["target"]) for row in first.links] == ["/a", "/b", "/gone"]
    assert len(first.nodes) == len(first.edges) + 1 == 4
    assert titles(found.at(date.today())) == titles(found)
    assert titles(found.at("2020-01-01")) == {}
    with pytest.raises(CrawlError, match="the table ledger is not known as it was"):
        _ = first.ledger


def test_a_page_with_other_bytes_is_found_at_its_new_address(site: Site, tmp_path: Path) -> None:
    text = " ".join(f"Notice {number} of the board about boats and nets." for number in range(9))
    page = f"<title>Fees</title><nav>{{}}</nav><p>{text}<p>1,234 views"
    site.pages |= {"/": links("/fees", "/other"), "/fees": page.format("a"), "/other": "<title>Fees</title><p>Eels."}
    crawl(tmp_path, site.url)
    del site.pages["/fees"], site.pages["/other"]
    site.pages |= {"/": links("/2027/fees", "/new"), "/2027/fees": page.format("b").replace("1,234", "1,300")}
    site.pages["/new"] = "<title>Fees</title><p>Quite another page, on the fees of the year that has just begun."
    again(tmp_path)
    rows = {path_of(row["url"]): (row["kind"], row["after"] or "") for row in opened(tmp_path).changes(what="page")}
    assert rows["/fees"][0] == "moved"
    assert path_of(rows["/fees"][1]) == "/2027/fees"
    assert rows["/new"][0] == "added"
    assert rows["/other"][0] == "unreachable"
    assert "/2027/fees" not in rows
    again(tmp_path)
    kinds_now = {(row["kind"], path_of(row["url"])) for row in opened(tmp_path).changes(what="page")}
    assert ("removed", "/fees") not in kinds_now, "where it is was told"
    assert ("removed", "/other") in kinds_now


def test_kept_links_have_the_date_they_were_first_seen_at(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/"] = links("/a.pdf")
    crawl_by(tmp_path, keep(site.url, "base")).close()
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 86_400.0)
    site.pages["/"] = links("/a.pdf", "/b.pdf")
    again(tmp_path / "out")
    head, *lines = (tmp_path / "out" / "keep.csv").read_text().splitlines()
    assert head.endswith(",first_seen")
    first, second = (date.fromisoformat(line.rpartition(",")[2][:10]) for line in lines)
    assert (second - first).days == 1


def test_pages_in_whose_place_one_page_stands_are_missing(site: Site, tmp_path: Path) -> None:
    texts = {f"/{name}": f"<title>{name}</title><h1>{name}</h1><p>All there is to say of {name}." for name in "abcd"}
    site.pages |= {"/": links(*texts), **texts}
    crawl(tmp_path, site.url, extract=["name=//h1"])
    for name in "ab":
        site.pages[f"/{name}"] = f"<title>Welcome</title><h1>Welcome</h1><p>Welcome to us!<p>1,3{ord(name)} views"
    site.pages["/c"] = "<title>Welcome</title><h1>c</h1><p>Something else altogether has been written about c."
    again(tmp_path)
    assert kinds(opened(tmp_path).changes()) == {("unreachable", "/a"), ("unreachable", "/b"), ("changed", "/c")}
    again(tmp_path)
    assert {("removed", "/a"), ("removed", "/b")} < kinds(opened(tmp_path).changes())
    site.pages["/a"] = texts["/a"]
    again(tmp_path)
    assert kinds(opened(tmp_path).changes(kind="added")) == {("added", "/a")}


@pytest.mark.parametrize("shown", ["what is shown for robots.txt", "the front page", "a title that says so"])
def test_one_page_alone_is_missing_if_what_stands_there_is_known_to_stand_for_nothing(
    site: Site, tmp_path: Path, shown: str
) -> None:
    texts = {f"/{name}": f"<title>{name}</title><h1>{name}</h1><p>All there is to say of {name}." for name in "abc"}
    site.pages |= {"/": HOME + links(*texts), **texts}

    def anything(request: Request) -> str:
        return f"<title>Oh no</title><h1>Oh no</h1><p>We looked for {request.path} everywhere.<p>Try the menu."

    if shown == "what is shown for robots.txt":
        site.pages["/*"] = anything
    crawl(tmp_path, site.url)
    lost = "<title>Page not found</title><h1>Oh no</h1><p>Try the menu."
    site.pages["/a"] = {"the front page": site.pages["/"], "a title that says so": lost}.get(shown, anything)
    site.pages["/b"] = "<title>b anew</title><h1>b</h1><p>Something else altogether has been written about b."
    again(tmp_path)
    assert kinds(opened(tmp_path).changes()) == {("unreachable", "/a"), ("changed", "/b")}
    again(tmp_path)
    assert kinds(opened(tmp_path).changes()) == {("removed", "/a"), ("changed", "/b")}


@pytest.mark.parametrize("stands_there", ["<title>Lost</title><p>There is no such page.", HOME])
def test_pages_in_whose_place_the_same_bytes_stand_have_not_moved_there(
    site: Site, tmp_path: Path, stands_there: str
) -> None:
    texts = {
        f"/{name}": f"<title>{name}</title><p>All there is to say of {name}." for name in ("a", "b", "old", "gone")
    }
    site.pages |= {"/": HOME, **texts}
    crawl(tmp_path, site.url)
    site.pages |= dict.fromkeys(["/a", "/b"], stands_there)
    again(tmp_path)
    assert kinds(opened(tmp_path).changes()) == {("unreachable", "/a"), ("unreachable", "/b")}
    again(tmp_path)
    assert kinds(opened(tmp_path).changes(kind=["removed", "moved"])) == {("removed", "/a"), ("removed", "/b")}


def test_a_site_behind_a_notice_has_removed_nothing_and_is_as_it_was_afterwards(site: Site, tmp_path: Path) -> None:
    texts = {
        f"/{name}": f"<title>{name}</title><p>All there is to say of {name}." for name in ("a", "b", "old", "gone")
    }
    site.pages |= {"/": HOME, **texts}
    crawl(tmp_path, site.url)
    before = dict(site.pages)
    site.pages |= dict.fromkeys(["/", *texts], "<title>Closed</title><p>We are back in a few hours.")
    for _ in range(3):
        again(tmp_path)
        assert {row["kind"] for row in opened(tmp_path).changes()} == {"unreachable"}
    site.pages |= before
    again(tmp_path)
    assert kinds(opened(tmp_path).changes()) == {("unreachable", path) for path in ("/", *texts)}
    assert len(opened(tmp_path).pages) == 5
