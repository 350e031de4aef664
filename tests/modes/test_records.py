"""Fields of pages as records: taken during a crawl, taken again from the stored pages, exported, and replaced."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.app import extract
from dowse.core.errors import CrawlError, CrawlLocked, JobError
from dowse.store.folder import lock
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, path_of
from tests.servers import Reply, Site


def item(number: int) -> str:
    tags = "".join(f"<i class=tag>t{tag}</i>" for tag in range(number))
    return f"<!doctype html><h1>Item {number}<span> new</span></h1><b class=price>{number}.50 EUR</b>{tags}"


def shop(site: Site, items: int = 3) -> None:
    names = [f"/items/{number}" for number in range(items)]
    site.pages.update({"/": links(*names) + "<h1>Shop</h1>", **{name: item(n) for n, name in enumerate(names)}})


def titles(folder: Path) -> dict[str, object]:
    return {path_of(row["url"]): row.get("title") for row in app.read(folder).records}


@pytest.mark.parametrize("workers", [1, 2])
def test_fields_are_taken_while_the_crawl_runs(site: Site, tmp_path: Path, workers: int) -> None:
    shop(site)
    fields = ("title=//h1", "price:number=css:.price", "tags[]=css:.tag")
    options = {"exclude_from": ("title=//span",), "on": ("/items/",), "workers": workers}
    found = crawl(tmp_path, site.url, extract=fields, **options)
    rows = sorted(found.records, key=lambda row: str(row["url"]))
    assert found.records.columns == ["url", "title", "price", "tags"]
    assert len(found.records) == 3
    assert rows == [
        {"url": site.url + "items/0", "title": "Item 0", "price": 0.5, "tags": None},
        {"url": site.url + "items/1", "title": "Item 1", "price": 1.5, "tags": ["t0"]},
        {"url": site.url + "items/2", "title": "Item 2", "price": 2.5, "tags": ["t0", "t1"]},
    ]


def test_a_field_that_no_page_has_is_told(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    fields = ("--extract", "title=//h1", "--extract", "no=//h7")
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "c", "--delay", "0", "--no-sitemaps", *fields)
    assert ended.code == 0
    line = next(line for line in ended.out.splitlines() if line.split()[:1] == ["no"])
    assert line.split()[1] == "0"
    assert "none: see selector, type" in line
    status = json.loads(invoke(capsys, "status", tmp_path / "c", "--json").out)
    assert status["records"] == 4
    assert {field["name"]: field["records"] for field in status["fields"]} == {"title": 4, "no": 0}


def test_a_field_that_no_page_was_searched_for_is_not_called_wrong(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(site)
    crawl(tmp_path, site.url)
    resumed = invoke(capsys, "resume", tmp_path, "--extract", "title=//h1", "--extract", "no=//h7").out
    assert [line.split(maxsplit=2)[2] for line in resumed.splitlines() if line[:8].split() in (["title"], ["no"])] == [
        "none yet"
    ] * 2
    assert f"pages of earlier runs are searched by: dowse extract {tmp_path}\n" in resumed
    searched = invoke(capsys, "extract", tmp_path).out
    assert "none: see selector, type" in searched
    assert "dowse extract" not in searched


def test_a_field_that_would_take_too_long_is_told(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.pages["/"] = links("/small") + "<h1>Large</h1>" + "<p>x" * 2_000
    site.pages["/small"] = "<h1>Small</h1><p>x<p>y"
    fields = ["--extract", "title=//h1", "--extract", "second=//p[count(preceding-sibling::p) = 1]"]
    ended = invoke(capsys, "site", site.url, "-o", tmp_path, "--delay", "0", *fields)
    assert "  second: not read to the end on 1 page\n" in ended.out
    found = opened(tmp_path)
    assert [(row["title"], row["second"]) for row in found.records] == [("Large", None), ("Small", "y")]
    assert [row["url"] for row in found.records_of("unfinished")] == [site.url]
    story = invoke(capsys, "why", tmp_path, "/")
    assert "second: the page is too large for this XPath" in story.out
    assert "not looked for to the end" in found.report().read_text()
    assert found.extract(extract=["second=//p[2]"]).records == 2
    assert len(found.records_of("unfinished")) == 0


def test_a_crawl_without_fields_says_nothing_of_them(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(site)
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "c", "--delay", "0")
    assert "records" not in ended.out
    assert "fields" not in json.loads(invoke(capsys, "status", tmp_path / "c", "--json").out)
    assert list(app.read(tmp_path / "c").records) == []


def test_records_as_csv_and_as_json_lines(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    site.pages["/items/2"] = "<h1>=danger\r\n, \u00e9</h1><i class=tag>a</i><i class=tag>b</i>"
    crawl(tmp_path, site.url, extract=("title=//h1", "tags[]=css:.tag"), on=("/items/2",))
    row = {"url": site.url + "items/2", "title": "'=danger , \u00e9", "tags": '["a","b"]'}
    assert list(csv.DictReader(io.StringIO(invoke(capsys, "export", tmp_path, "records").out))) == [row]
    text = invoke(capsys, "export", tmp_path, "records", "--to", "jsonl").out
    assert json.loads(text) == {"url": row["url"], "title": "=danger , \u00e9", "tags": ["a", "b"]}
    assert json.loads(invoke(capsys, "export", tmp_path, "records", "--to", "json").out) == [json.loads(text)]
    none = invoke(capsys, "export", tmp_path, "records", "--kind", "article", "--to", "json")
    assert (none.code, json.loads(none.out)) == (0, [])


def test_a_kind_that_there_is_not_costs_no_file(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    crawl(tmp_path / "c", site.url, tables=True)
    file = tmp_path / "mine.csv"
    file.write_text("mine", encoding="utf-8")
    ended = invoke(capsys, "export", tmp_path / "c", "records", "--kind", "tables", "-f", file)
    assert ended.code == 2
    assert "there are fields, article, data, table, list" in ended.err
    assert file.read_text(encoding="utf-8") == "mine"
    with pytest.raises(JobError, match="no records of kind 'tables'; there are fields, article"):
        opened(tmp_path / "c").records_of("tables")


def test_a_page_that_changed_has_the_record_of_what_it_says_now(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1", "new=css:h2"))
    site.pages["/items/1"] = "<h2>Sold</h2>"
    site.pages["/items/2"] = "<p>nothing to take"
    app.recrawl(tmp_path, **FAST)
    rows = {path_of(row["url"]): (row["title"], row["new"]) for row in opened(tmp_path).records}
    assert rows == {"/": ("Shop", None), "/items/0": ("Item 0 new", None), "/items/1": (None, "Sold")}


def test_a_page_that_became_a_mirror_has_no_record_of_its_own(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    site.pages["/items/2"] = item(1)
    app.recrawl(tmp_path, **FAST)
    assert set(titles(tmp_path)) == {"/", "/items/0", "/items/1"}


def test_a_page_that_is_gone_takes_its_record_with_it(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    site.pages["/items/1"] = Reply(status=410)
    site.pages["/items/2"] = Reply(status=500)
    app.recrawl(tmp_path, **FAST, retries=0)
    assert set(titles(tmp_path)) == {"/", "/items/0", "/items/2"}


def test_fields_for_some_pages_leave_the_records_of_others(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    result = extract(tmp_path, extract=("price:number=css:.price",), on=("/items/[12]",))
    assert (result.pages, result.records) == (2, 2)
    rows = {path_of(row["url"]): (row["title"] is not None, row["price"]) for row in opened(tmp_path).records}
    assert rows == {"/": (True, None), "/items/0": (True, None), "/items/1": (True, 1.5), "/items/2": (True, 2.5)}
    assert opened(tmp_path).job.extract.on == ()


def test_new_fields_from_stored_pages_ask_the_site_for_nothing(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1", "tag=css:.tag"), exclude_from=("title=css:span",))
    asked = len(site.paths())
    result = extract(tmp_path, extract=("price:number=css:.price", "tag=css:.tag:last-of-type"))
    assert (result.pages, result.records, result.unreadable) == (4, 4, [])
    assert len(site.paths()) == asked
    found = opened(tmp_path)
    rows = {path_of(row["url"]): row for row in found.records}
    assert (rows["/items/2"]["title"], rows["/items/2"]["price"], rows["/items/2"]["tag"]) == ("Item 2", 2.5, "t1")
    assert found.job.extract.extract == ("title=css:h1", "price:number=css:.price", "tag=css:.tag:last-of-type")


def test_what_is_added_later_holds_for_a_crawl_that_goes_on(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, max_pages=2)
    extract(tmp_path, extract=("title=css:h1",))
    assert len(titles(tmp_path)) == 2
    app.resume(tmp_path, max_pages=0, **FAST)
    assert set(titles(tmp_path)) == {"/", "/items/0", "/items/1", "/items/2"}


def test_a_reading_that_fails_leaves_the_records_as_they_were(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    before = titles(tmp_path)

    def stop(done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        extract(tmp_path, stop, extract=("title=css:b",))
    assert titles(tmp_path) == before
    assert opened(tmp_path).job.extract.extract == ("title=css:h1",)
    with lock(tmp_path), pytest.raises(CrawlLocked):
        extract(tmp_path, extract=("title=css:b",))


def test_pages_that_cannot_be_read_are_named(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    crawl(tmp_path, site.url)
    (file,) = (tmp_path / "warc").iterdir()
    file.write_bytes(file.read_bytes()[:-700])
    ended = invoke(capsys, "extract", tmp_path, "--extract", "title=css:h1")
    assert ended.code == 1
    kept = titles(tmp_path)
    assert 0 < len(kept) < 4
    damaged = [line.split()[1] for line in ended.err.splitlines() if line.startswith("damaged: ")]
    assert {path_of(url.rstrip(":")) for url in damaged} == {"/", "/items/0", "/items/1", "/items/2"} - kept.keys()
    assert f"{len(damaged)} of 4 stored pages could not be read" in ended.err
    assert file.name in ended.err
    assert opened(tmp_path).job.extract.extract == ("title=css:h1",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "nothing to extract"),
        (("--extract", "title=//h1["), "character"),
        (("--exclude-from", "title=//b"), "title"),
        (("--extract", "url=//h1"), "url"),
        (("--depth", "3"), "No such option"),
    ],
)
def test_what_cannot_be_extracted_is_refused(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], words: str
) -> None:
    shop(site)
    crawl(tmp_path, site.url)
    ended = invoke(capsys, "extract", tmp_path, *options)
    assert ended.code == 2
    assert words in ended.err


def test_pages_that_cannot_be_read_keep_their_records(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    before = titles(tmp_path)
    for file in (tmp_path / "warc").iterdir():
        file.unlink()
    assert len(extract(tmp_path, extract=("title=css:b",)).unreadable) == 4
    assert titles(tmp_path) == before
    assert opened(tmp_path).job.extract.extract == ("title=css:h1",)


def test_what_is_no_longer_asked_for_goes(site: Site, tmp_path: Path) -> None:
    shop(site)
    site.pages["/items/1"] = item(1) + "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>"
    found = crawl(tmp_path, site.url, extract=("title=css:h1", "tag=css:.tag"), tables=True)
    assert {row["kind"] for row in found.records} == {"fields", "table"}
    extract(tmp_path, tables=False, extract=())
    assert list(found.records) == []
    extract(tmp_path, extract=("tag=css:.tag",))
    assert found.records.columns == ["url", "tag"]


def test_columns_are_those_asked_for_in_that_order(site: Site, tmp_path: Path) -> None:
    shop(site)
    fields = ("title=css:h1", "tags[]=css:.tag", "price:number=css:.price", "author=css:.author", "all=css:body")
    found = crawl(tmp_path, site.url, extract=fields)
    assert found.records.columns == ["url", "title", "tags", "price", "author", "all"]
    assert {row["author"] for row in found.records} == {None}


def test_a_crawl_that_goes_on_adds_fields_to_those_it_has(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",), max_pages=2)
    app.resume(tmp_path, max_pages=0, extract=("price:number=css:.price",), **FAST)
    assert opened(tmp_path).job.extract.extract == ("title=css:h1", "price:number=css:.price")
    assert None not in titles(tmp_path).values()


def test_only_options_of_extracting_are_taken(site: Site, tmp_path: Path) -> None:
    shop(site)
    found = crawl(tmp_path, site.url)
    with pytest.raises(JobError, match="max_pages: not an option of extracting"):
        found.extract(extract=["title=css:h1"], max_pages=3)  # type: ignore[call-arg]


@pytest.mark.parametrize(("table", "name"), [("bodies", "x.warc.gz"), ("bodies", "x.wacz"), ("pages", "x.md")])
def test_what_was_not_kept_cannot_be_exported(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str, name: str
) -> None:
    shop(site)
    crawl(tmp_path / "c", site.url, bodies=False)
    ended = invoke(capsys, "export", tmp_path / "c", table, "-f", tmp_path / name)
    assert ended.code == 3
    assert "--no-bodies" in ended.err
    assert not (tmp_path / name).exists()


def test_an_empty_table_is_said_to_be_empty(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",), tables=True)
    ended = invoke(capsys, "export", tmp_path, "records", "--kind", "table")
    assert (ended.code, ended.out) == (0, "url\n")
    assert "there are no table records" in ended.err
    assert invoke(capsys, "export", tmp_path, "records", "--kind", "fields").out.count("\n") == 5
    assert invoke(capsys, "export", tmp_path, "pages", "--kind", "fields").code == 2


def test_names_of_strangers_cannot_steer_the_terminal(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"<tr><td>{n}<td>{n}" for n in range(3))
    site.pages["/"] = f"<table><tr><th>Col\x1b[31mred\x07<th>\u202eb{rows}</table>"
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "c", "--delay", "0", "--tables")
    assert "Col" in ended.out
    assert not set("\x1b\x07\u202e") & set(ended.out)


def test_a_crawl_without_bodies_says_so(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url, bodies=False)
    with pytest.raises(CrawlError, match="--no-bodies"):
        extract(tmp_path, extract=("title=css:h1",))


def test_extracting_from_python(site: Site, tmp_path: Path) -> None:
    shop(site)
    crawl(tmp_path, site.url)
    found = dowse.open(str(tmp_path))
    found.extract(extract=["title=css:h1"])
    assert {row["title"] for row in found.records} == {"Shop", "Item 0 new", "Item 1 new", "Item 2 new"}


def test_fields_of_a_dictionary(site: Site, tmp_path: Path) -> None:
    shop(site)
    found = crawl(tmp_path, site.url, extract=("all=css:body",))
    found.extract({"title": "css:h1", "price:number": "css:.price", "tags[=]": "css:.tag"}, exclude_from="title=//span")
    assert found.job.extract.extract == (
        "all=css:body", "title=css:h1", "price:number=css:.price", "tags[=]=css:.tag",
    )  # fmt: skip
    found.extract({})
    assert len(found.job.extract.extract) == 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (["title=//h1"], "expected a dictionary of fields, such as {'title': '//h1'}, got \\['title=//h1'\\]"),
        ({"title": ["//h1"]}, "a field is a name and a selector, both texts; got 'title': \\['//h1'\\]"),
        ({"title=//h1": "//h2"}, "the name of a field has no =, at 'title=//h1'"),
        ({"price:money": "//h1"}, "unknown type 'money'"),
    ],
)
def test_what_is_no_dictionary_of_fields(site: Site, tmp_path: Path, fields: Any, message: str) -> None:
    shop(site)
    with pytest.raises(JobError, match=message):
        crawl(tmp_path, site.url).extract(fields)


def test_a_field_is_dropped(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    fields = ("title=css:h1", "price:number=css:.price", "all=css:body")
    crawl(tmp_path, site.url, extract=fields, exclude_from=("price=//b",))
    assert invoke(capsys, "extract", tmp_path, "--drop", "price").code == 0
    found = opened(tmp_path)
    assert found.job.extract.extract == ("title=css:h1", "all=css:body")
    assert found.job.extract.exclude_from == ()
    assert found.records.columns == ["url", "title", "all"]
    found.extract(drop=["title", "all"])
    assert len(found.records) == 0


def test_a_crawl_that_goes_on_takes_a_field_no_more(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1", "price:number=css:.price"), max_pages=1)
    ended = invoke(capsys, "resume", tmp_path, "--drop", "price", "--max-pages", "0", "--delay", "0")
    assert ended.code == 0
    found = opened(tmp_path)
    assert found.job.extract.extract == ("title=css:h1",)
    assert not [row for row in found.records if row.get("price") is not None]


def test_a_field_that_is_not_there_cannot_be_dropped(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop(site)
    crawl(tmp_path, site.url, extract=("title=css:h1",))
    for command in ("extract", "resume"):
        ended = invoke(capsys, command, tmp_path, "--drop", "prise")
        assert (ended.code, ended.err) == (
            2, "dowse: error: --drop: the crawl takes no field prise; it takes title\n",
        )  # fmt: skip


def test_pages_as_markdown(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "The bridge over the river was closed on Monday because its pillars had moved in the flood. " * 8
    menu = "<nav><a href=/>Home</a><a href=/news>News</a></nav>"
    site.pages["/"] = links("/news")
    site.pages["/news"] = f"<title>Bridge</title>{menu}<article><h1>Bridge closed</h1><p>{words}</p></article>"
    crawl(tmp_path, site.url)
    assert invoke(capsys, "export", tmp_path, "pages", "-f", tmp_path / "pages.md").code == 0
    text = (tmp_path / "pages.md").read_text()
    assert f'url: "{site.url}news"' in text
    assert "# Bridge closed" in text
    assert "pillars had moved in the flood" in text
    assert "[News]" not in text
