"""Tables of a site: one frame for each, and those that many pages have told from those of a page."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import dowse
from dowse import app
from dowse.core.errors import CrawlError
from dowse.store.duplicates.repeated_tables import LEAST_PAGES
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, path_of
from tests.ruling import crawl_by, follow
from tests.servers import Site

Capture = pytest.CaptureFixture[str]

CHART = "<table><caption>Chart</caption><tr><th>Rank<th>Film<tr><td>1<td>Tangled<tr><td>2<td>Skyline</table>"


def film(number: int, side: str = CHART) -> str:
    """A page about a film: its own table, with a hole in its first row, and one that is the same on all pages."""
    rows = f"<tr><td>Ann {number}<td><td>Queen<tr><td>Bob {number}<td>as himself<td>King"
    return f"<title>{number}</title><table><tr><th>Actor<th>Note<th>Role{rows}</table>{side}"


def films(site: Site, number: int) -> None:
    site.pages["/"] = links(*(f"/{n}" for n in range(number)))
    site.pages.update({f"/{n}": film(n) for n in range(number)})


def test_every_table_is_a_frame_of_its_own(site: Site, tmp_path: Path) -> None:
    films(site, 2)
    found = crawl(tmp_path, site.url, tables=True)
    assert [(path_of(row["url"]), row["table"], row["caption"], row["rows"]) for row in found.tables] == [
        ("/0", 1, None, 2), ("/0", 2, "Chart", 2), ("/1", 1, None, 2), ("/1", 2, "Chart", 2),
    ]  # fmt: skip
    assert [row["columns"] for row in found.tables][:2] == [["Actor", "Note", "Role"], ["Rank", "Film"]]
    assert len(found.tables) == 4
    frame = found.table("/1", 1).to_pandas()
    assert list(frame.columns) == ["Actor", "Note", "Role"]
    assert frame["Actor"].tolist() == ["Ann 1", "Bob 1"]
    assert frame["Note"].isna().tolist() == [True, False]
    every = list(found.each_table())
    assert [(path_of(table.url), table.number, table.caption, len(table)) for table in every][1] == (
        "/0",
        2,
        "Chart",
        2,
    )
    assert every[0].to_polars().rows()[0] == ("Ann 0", None, "Queen")
    assert repr(every[1]) == f"<table 2 of {site.url}0: 2 rows of Rank, Film>"
    with pytest.raises(CrawlError, match="no table 7 was taken from /1"):
        found.table("/1", 7)
    with pytest.raises(CrawlError, match=r"crawl\.tables lists"):
        found.table("/nowhere")


def test_a_frame_of_many_columns_names_a_few(site: Site, tmp_path: Path) -> None:
    heads = "".join(f"<th>{n}x" for n in range(40))
    site.pages["/"] = f"<table><tr>{heads}<tr>{'<td>y' * 40}</table>"
    found = crawl(tmp_path, site.url, tables=True)
    assert repr(found.table("/")) == (
        f"<table 1 of {site.url}: 1 row of 0x, 1x, 2x, 3x, 4x, 5x, 6x, 7x, 8x, 9x, 10x, 11x and 28 more>"
    )


def test_numbers_of_tables_and_lists_stay_numbers(site: Site, tmp_path: Path) -> None:
    items = "".join(f"<li><h3>Thing {n}</h3><b class=table>seat {n}</b><b class=list>{n}</b></li>" for n in range(3))
    site.pages["/"] = f"<ul>{items}</ul><table><tr><th>list<th>kind<tr><td>a<td>b</table>"
    schema = crawl(tmp_path, site.url, tables=True, lists=True).records.to_arrow().schema
    assert (str(schema.field("table").type), str(schema.field("list").type)) == ("int64", "int64")


def test_the_list_of_tables_is_a_table(site: Site, tmp_path: Path, capsys: Capture) -> None:
    films(site, 1)
    crawl(tmp_path, site.url, tables=True)
    out = invoke(capsys, "export", tmp_path, "tables", "--to", "csv").out
    assert out.splitlines()[0] == "url,table,caption,rows,columns"
    assert out.splitlines()[2].endswith(',2,Chart,2,"[""Rank"",""Film""]"')


def test_a_table_that_many_pages_have_is_kept_once(site: Site, tmp_path: Path, capsys: Capture) -> None:
    films(site, LEAST_PAGES)
    found = crawl(tmp_path, site.url, tables=True)
    assert [path_of(row["url"]) for row in found.records if row["caption"] == "Chart"] == ["/0", "/0"]
    assert len(found.records) == 2 * LEAST_PAGES + 2
    assert len(found.records_of("repeated")) == 2 * (LEAST_PAGES - 1)
    assert {count.kind for count in found.fields()} == {"table"}
    shown = invoke(capsys, "status", tmp_path).out
    assert "left out but for one: 10 rows" in shown
    assert "--kind repeated" in shown
    assert "repeated" not in found.report(tmp_path / "report.html").read_text()


def test_a_table_that_few_pages_of_many_have_stays(site: Site, tmp_path: Path) -> None:
    films(site, 10 * LEAST_PAGES + 1)
    for number in range(LEAST_PAGES, 10 * LEAST_PAGES + 1):
        site.pages[f"/{number}"] = film(number, "")
    found = crawl(tmp_path, site.url, tables=True)
    assert len(found.records_of("repeated")) == 0


def test_what_many_pages_have_is_told_anew_each_time(site: Site, tmp_path: Path) -> None:
    films(site, LEAST_PAGES)
    found = crawl(tmp_path, site.url)
    found.extract(tables=True)
    assert len(found.records_of("repeated")) == 2 * (LEAST_PAGES - 1)
    found.extract(tables=True)
    assert len(found.records_of("repeated")) == 2 * (LEAST_PAGES - 1)
    for number in range(3):
        site.pages[f"/{number}"] = film(number, "")
    again = dowse.recrawl(str(tmp_path))
    assert len(again.records_of("repeated")) == 0
    assert len(again.records_of("table")) == 2 * LEAST_PAGES + 2 * (LEAST_PAGES - 3)


def test_a_page_that_is_fetched_again_whole_has_its_tables_once(site: Site, tmp_path: Path) -> None:
    """Its rows of before are of the kind `repeated`, those that come are tables again."""
    pages = [f"/{number}" for number in range(2 * LEAST_PAGES)]
    films(site, len(pages))
    site.pages["/"] = links(*pages, "/hub")
    site.pages["/hub"] = links(*pages)
    rules = (
        follow(site.url, way, pattern) for way, pattern in (("base>a", "/\\d"), ("base>hub", "/hub"), ("hub>b", "/\\d"))
    )
    crawl_by(tmp_path, *rules, tables=True, bodies=False, max_pages=len(pages) + 1)
    found = dowse.open(str(tmp_path / "out"))
    assert len(found.records_of("repeated")) == 2 * (len(pages) - 1)
    app.resume(tmp_path / "out", **FAST, max_pages=0)
    assert len(found.records_of("repeated")) == 2 * (len(pages) - 1)
    assert len(found.records_of("table")) == 2 * len(pages) + 2


def test_a_crawl_that_has_a_table_twice_can_be_ended(site: Site, tmp_path: Path) -> None:
    films(site, LEAST_PAGES)
    found = crawl(tmp_path, site.url, tables=True)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection, connection:
        connection.execute(
            "INSERT INTO record (task, kind, key, fields)"
            " SELECT task, 'table', key, fields FROM record WHERE kind = 'repeated'"
        )
    app.resume(tmp_path, **FAST)
    assert len(found.records_of("repeated")) == 2 * (LEAST_PAGES - 1)
    assert len(found.records_of("table")) == 2 * LEAST_PAGES + 2
