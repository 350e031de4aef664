"""The site as data: the index, the link graph, data frames, and the files they are exported to."""

from __future__ import annotations

import csv
import gc
import gzip
import io
import json
import sqlite3
import subprocess
import sys
import warnings
import weakref
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import networkx
import numpy
import openpyxl
import polars
import pyarrow.parquet
import pytest

import dowse
from dowse import app
from dowse.app import Crawl
from dowse.export.formats import FORMATS, TABLES_OF_ROWS
from dowse.export.losses import Losses
from tests.commands import invoke
from tests.crawling import crawl, links, path_of
from tests.servers import Reply, Site

Capture = pytest.CaptureFixture[str]

ELSEWHERE = {
    **dict.fromkeys(("matched", "crawled", "waiting"), "focus"),
    **dict.fromkeys(("kept", "followed"), "rules run"),
    "files": "files",
}
"""Tables that a crawl of a site does not have, and the command whose crawls have them."""
"""Tables that only crawls for a topic have."""


def web(site: Site) -> None:
    """Seven pages: /a and /b link to /c, /b by way of two redirects; /twin is a mirror of /c."""
    site.pages.update({
        "/": links("/a", "/b", "/", "/b#top", "/missing", "http://elsewhere.invalid/"),
        "/a": links("/c", "/", "/old") + '<a rel="nofollow" href="/b">b</a>',
        "/b": links("/old", "/twin"),
        "/old": Reply("", status=301, headers={"Location": "/older"}),
        "/older": Reply("", status=302, headers={"Location": "/c"}),
        "/c": "<title>C &amp; co</title>the end",
        "/twin": "<title>C &amp; co</title>the end",
        "/only": Reply("", status=301, headers={"Location": "/landing"}),
        "/landing": "landed",
    })  # fmt: skip


@pytest.fixture
def found(site: Site, tmp_path: Path) -> Crawl:
    web(site)
    fields = ["title=//title", "targets[]=//a/@href", "count:number=re:to /(c)?"]
    return crawl(tmp_path / "crawl", site.url, f"{site.url}only", extract=fields)


# The index


def test_the_index_says_who_links_where_and_what_redirected(found: Crawl) -> None:
    rows = {path_of(row["url"]): row for row in found.pages}
    assert {path: row["in_links"] for path, row in rows.items()} == {
        "/": 1, "/a": 1, "/b": 2, "/c": 2, "/twin": 2, "/landing": 0,
    }, "pages that link there, also by redirects and copies; not how often, and not itself"  # fmt: skip
    assert {path: row["out_links"] for path, row in rows.items()} == {
        "/": 5, "/a": 4, "/b": 2, "/c": 0, "/twin": 0, "/landing": 0,
    }, "different links, wherever they lead"  # fmt: skip
    assert path_of(rows["/landing"]["redirected_from"]) == "/only"
    assert rows["/a"]["redirected_from"] is None
    assert (rows["/twin"]["state"], path_of(rows["/twin"]["duplicate_of"])) == ("duplicate", "/c")
    assert rows["/c"]["digest"] == rows["/twin"]["digest"]
    assert (rows["/c"]["charset"], rows["/c"]["media_type"], rows["/c"]["status"]) == ("UTF-8", "text/html", 200)


def test_what_a_page_declares_is_kept_beside_what_it_is(site: Site, tmp_path: Path) -> None:
    html = {"Content-Type": "text/html"}
    site.pages.update({
        "/": Reply(links("/a", "/b", "/c"), headers=html),
        "/a": Reply('<meta charset="ISO-8859-1">ä'.encode("latin-1"), headers=html),
        "/b": Reply('<meta http-equiv=Content-Type content="text/html; charset=Klingon">b', headers=html),
        "/c": Reply("<meta charset=latin1>c", headers={"Content-Type": "text/html; charset=UTF-8"}),
    })  # fmt: skip
    found = {path_of(row["url"]): (row["declared_charset"], row["charset"]) for row in crawl(tmp_path, site.url).pages}
    assert found["/a"] == ("iso-8859-1", "windows-1252")
    assert found["/b"][0] == "klingon"
    assert found["/c"] == ("utf-8", "UTF-8")
    assert found["/"][0] == ""


def test_a_page_found_by_redirects_names_the_first_of_them(site: Site, tmp_path: Path) -> None:
    web(site)
    rows = {path_of(row["url"]): row for row in crawl(tmp_path, f"{site.url}old").pages}
    assert path_of(rows["/c"]["redirected_from"]) == "/old"
    assert path_of(rows["/c"]["found_on"]) == "/older"


def test_the_ledger_says_where_redirects_ended(found: Crawl) -> None:
    ends = {path_of(row["url"]): row["final_url"] and path_of(row["final_url"]) for row in found.ledger}
    assert (ends["/old"], ends["/older"], ends["/only"]) == ("/c", "/c", "/landing")
    assert {ends[path] for path in ("/", "/c", "/missing")} == {None}


def test_a_redirect_in_a_circle_ends_where_it_was_given_up(site: Site, tmp_path: Path) -> None:
    site.pages.update({
        "/": links("/round"),
        "/round": Reply("", status=301, headers={"Location": "/about"}),
        "/about": Reply("", status=301, headers={"Location": "/round"}),
    })  # fmt: skip
    found = crawl(tmp_path, site.url, sitemaps=False)
    assert [row["in_links"] for row in found.pages] == [0]
    ends = {path_of(row["url"]): row["final_url"] for row in found.ledger}
    assert ends == {"/": None, "/round": None, "/about": f"{site.url}round"}
    assert len(found.edges) == len(list(found.edges)) == 0


def test_a_recrawl_that_stops_early_loses_no_page(site: Site, found: Crawl) -> None:
    def told() -> list[Any]:
        now = dowse.open(str(found.directory))
        tables = [sorted(map(str, table.rows())) for table in (now.links, now.edges, now.records)]
        survey = now.survey()
        degrees = sorted((row["url"], row["in_degree"], round(row["pagerank"], 9)) for row in now.nodes)
        levels = [level.pages for level in survey.levels]
        return [{row["url"] for row in now.pages}, *tables, degrees, survey.pages, levels, survey.copies]

    before = told()
    app.recrawl(found.directory, max_pages=1)
    assert {"fetched", "not_reached"} == {row["state"] for row in dowse.open(str(found.directory)).pages}
    assert told() == before
    app.resume(found.directory, max_pages=0)
    assert told() == before


# The graph


def test_the_graph_has_the_pages_and_the_links_between_them(found: Crawl) -> None:
    graph = found.graph()
    assert {path_of(url) for url in graph} == {"/", "/a", "/b", "/c", "/landing"}, "copies are one node"
    assert {(path_of(source), path_of(target)) for source, target in graph.edges} == {
        ("/", "/a"), ("/", "/b"), ("/a", "/c"), ("/a", "/"), ("/a", "/b"), ("/b", "/c"),
    }  # fmt: skip
    by_path = {path_of(url): url for url in graph}
    assert graph.edges[by_path["/a"], by_path["/c"]] == {"anchor": "to /c", "nofollow": False}, "the first of two links"
    assert graph.edges[by_path["/a"], by_path["/b"]] == {"anchor": "b", "nofollow": True}
    node = graph.nodes[by_path["/c"]]
    assert (node["title"], node["status"], node["depth"], node["state"]) == ("C & co", 200, 2, "fetched")


@pytest.mark.parametrize("dedup", ["exact", "near"])
def test_the_home_page_is_one_node_whatever_its_address(site: Site, tmp_path: Path, dedup: str) -> None:
    """Every page links to /index.html, which is the home page once more."""
    home = "<title>Home</title>" + links("/a", "/b", "/index.html")
    below = {path: f"<title>{path}</title>" + links("/index.html", "/b") for path in ("/a", "/b")}
    site.pages |= {"/": home, "/index.html": home, **below}
    found = crawl(tmp_path, site.url, dedup=dedup)
    nodes = {path_of(row["url"]): (row["in_degree"], row["out_degree"]) for row in found.nodes}
    assert nodes == {"/": (2, 2), "/a": (1, 2), "/b": (2, 1)}
    best = max(found.nodes, key=lambda row: row["pagerank"])
    assert (path_of(best["url"]), len(found.nodes), len(found.edges)) == ("/", 3, 5)
    assert sum(row["pagerank"] for row in found.nodes) == pytest.approx(1.0)
    assert {row["url"] for row in found.edges} | {row["target"] for row in found.edges} == set(found.graph())
    copy = next(row for row in found.pages if path_of(row["url"]) == "/index.html")
    assert (path_of(copy["duplicate_of"]), copy["in_links"]) == ("/", 2)
    assert [path_of(row.url) for row in found.survey().links.most_linked if row.value == 2] == ["/", "/b"]
    assert len(found.links) == 7, "links are as the pages have them"


def test_degrees_and_ranks_are_those_of_networkx(found: Crawl) -> None:
    graph = found.graph()
    ranks = numpy.linalg.matrix_power(networkx.google_matrix(graph), 200)[0]
    for row, rank in zip(found.nodes, ranks, strict=True):
        assert row["in_degree"] == graph.in_degree(row["url"])
        assert row["out_degree"] == graph.out_degree(row["url"])
        assert row["pagerank"] == pytest.approx(rank, abs=1e-8)
    assert len(found.edges) == len(list(found.edges)) == graph.number_of_edges()


@pytest.mark.parametrize(("form", "read"), [("graphml", networkx.read_graphml), ("gexf", networkx.read_gexf)])
def test_graph_files_hold_the_graph(found: Crawl, tmp_path: Path, capsys: Capture, form: str, read: Any) -> None:
    file = tmp_path / f"site.{form}"
    assert invoke(capsys, "export", found.directory, "links", "-f", file).code == 0
    written, graph = read(file), found.graph()
    assert set(written.edges) == set(graph.edges)
    for url, attributes in graph.nodes(data=True):
        assert {name: written.nodes[url].get(name, "") for name in attributes} == attributes


def test_a_crawl_under_way_is_measured_again(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a"), "/a": links("/b"), "/b": links("/a", "/b")})
    found = crawl(tmp_path, site.url, max_pages=2)
    pages = found.pages
    assert {path_of(row["url"]): row["in_links"] for row in pages} == {"/": 0, "/a": 1}
    dowse.resume(str(tmp_path), max_pages=0)
    assert {path_of(row["url"]): row["in_links"] for row in pages} == {"/": 0, "/a": 2, "/b": 1}


def test_a_table_that_is_being_read_keeps_the_moment(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a"), "/a": links("/b"), "/b": links("/a", "/b")})
    found = crawl(tmp_path, site.url, max_pages=2)
    nodes = found.nodes.rows()
    next(nodes)
    dowse.resume(str(tmp_path), max_pages=0)
    assert len(list(found.pages)) == 2
    assert [row[-1] for row in nodes] == [pytest.approx(0.6491, abs=1e-4)]
    assert len(list(found.pages)) == 3


# Data frames


def test_a_table_is_a_data_frame_with_types(found: Crawl) -> None:
    frame = found.pages.to_pandas()
    assert list(frame.columns) == found.pages.columns
    assert len(frame) == len(found.pages) == 6
    assert str(frame["fetched_at"].dtype) == "datetime64[us, UTC]"
    assert abs(frame["fetched_at"].max() - datetime.now(UTC)) < timedelta(minutes=5)
    assert {str(frame[name].dtype) for name in ("status", "size", "in_links")} == {"int64"}
    assert found.links.to_pandas()["nofollow"].sum() == 1
    ledger = found.ledger.to_pandas()
    assert str(ledger["status"].dtype) == "Int64", "missing for what was not asked for, but no broken numbers"
    assert ledger["status"].isna().sum() == 1


def test_arrow_pandas_and_polars_say_the_same(found: Crawl) -> None:
    for frame in (found.pages, found.links, found.nodes, found.edges, found.records, found.ledger):
        rows = frame.to_arrow().to_pylist()
        assert frame.to_polars().to_dicts() == rows
        assert [row["url"] for row in frame.to_pandas().to_dict("records")] == [row["url"] for row in rows]
        assert [row["url"] for row in frame] == [row["url"] for row in rows]


def test_pandas_takes_over_the_memory_of_arrow(found: Crawl) -> None:
    whole = found.pages.to_arrow()
    address = whole.column("size").chunk(0).buffers()[1].address
    assert whole.to_pandas(split_blocks=True)["size"].to_numpy().__array_interface__["data"][0] == address
    assert found.pages.to_pandas()["size"].to_numpy().flags.owndata is False


def test_records_have_the_types_of_their_values(found: Crawl) -> None:
    frame = found.records.to_polars()
    assert frame.schema["title"] == polars.String
    assert frame.schema["targets"] == polars.List(polars.String)
    assert frame["targets"].to_list()[0][:2] == ["/a", "/b"]


def test_dates_are_dates_in_data_frames_and_texts_in_files(site: Site, tmp_path: Path, capsys: Capture) -> None:
    when = ("<b>1 March 2026</b>", "<b>2026-02-28</b><i>2026-02-28 10:00+02:00</i>")
    site.pages.update({"/": links("/a") + when[0], "/a": when[1]})
    found = crawl(tmp_path, site.url, extract=("day:date=//b", "moment:date=//i", "days:date[]=//b", "text=//b"))
    types = {field.name: str(field.type) for field in found.records.to_arrow().schema}
    assert types["day"] == "date32[day]"
    assert types["moment"] == "timestamp[us, tz=UTC]"
    assert types["text"] == "string"
    assert types["days"].startswith("list<")
    frame = found.records.to_pandas()
    assert frame["day"].dtype.kind == frame["moment"].dtype.kind == "M"
    assert str(frame["moment"].max()) == "2026-02-28 08:00:00+00:00"
    assert found.records.to_polars()["day"].to_list() == [date(2026, 3, 1), date(2026, 2, 28)]
    assert [row["day"] for row in found.records] == ["2026-03-01", "2026-02-28"]
    assert "2026-02-28T10:00:00+02:00" in invoke(capsys, "export", tmp_path, "records", "--to", "csv").out
    found.export("records", tmp_path / "records.parquet")
    assert pyarrow.parquet.read_schema(tmp_path / "records.parquet").field("day").type == "date32[day]"


def shelf(*tags: tuple[str, ...]) -> str:
    """A page with a list of things, each with its tags, and a title for machines."""
    items = (
        f"<li><h3>Thing number {n}</h3>{''.join(f'<b class=tag>{tag}</b>' for tag in each)}</li>"
        for n, each in enumerate(tags)
    )
    return f"<meta property=og:tag content=shelf><meta property=og:title content=Shelf><ul>{''.join(items)}</ul>"


def test_a_column_holds_one_type_for_each_kind_of_record(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/many") + shelf(("a",), ("b",), ("c",)) + "<h1>Some</h1>"
    many = shelf(("a",), ("b", "c"), ("d", "e", "f")).replace("<ul>", "<meta property=og:tag content=many><ul>")
    site.pages["/many"] = many + "<h1>Many</h1>"
    found = crawl(tmp_path, site.url, lists=True, data=True, extract=["tag=//h1"])
    listed = found.records_of("list")
    tags = [["a"], ["b"], ["c"], ["a"], ["b", "c"], ["d", "e", "f"]]
    assert [row["tag"] for row in listed] == tags
    assert listed.to_polars()["tag"].to_list() == tags
    assert listed.to_pandas()["tag"].tolist() == tags
    assert found.records_of("data").to_polars()["og:tag"].to_list() == [["shelf"], ["shelf", "many"]]
    for form in ("parquet", "jsonl", "csv"):
        with open(tmp_path / f"list.{form}", "wb") as stream:
            app.export(found, "records", form, stream, Losses(), "list")
    assert pyarrow.parquet.read_table(tmp_path / "list.parquet")["tag"].to_pylist() == tags
    assert polars.read_ndjson(tmp_path / "list.jsonl")["tag"].to_list() == tags
    rows = csv.DictReader((tmp_path / "list.csv").read_text().splitlines())
    assert [json.loads(row["tag"]) for row in rows] == tags

    everything = found.records.to_pandas().set_index("kind")
    assert list(everything.loc["fields", "tag"]) == ["Some", "Many"]  # as they are, whatever other kinds hold
    assert list(everything.loc["list", "title"])[:2] == ["Thing number 0", "Thing number 1"]
    assert everything.loc["list", "tag"].iloc[4] == '["b","c"]'


def test_a_field_that_is_called_like_a_column_keeps_its_own(found: Crawl) -> None:
    with closing(sqlite3.connect(found.directory / "crawl.db")) as database, database:
        database.execute(
            "INSERT INTO record (task, kind, key, fields) VALUES (1, 'data', '', '{\"url\": \"its own\"}')"
        )
    frame = found.records_of("data").to_pandas()
    assert frame.to_dict("records")[0]["record_url"] == "its own"
    assert frame["url"][0].startswith("http://")
    assert "kind" in found.records.columns


def test_the_first_rows_and_what_a_notebook_shows(found: Crawl) -> None:
    assert len(found.pages.head(2)) == len(found.pages.head(2).to_pandas()) == len(list(found.pages.head(2))) == 2
    assert len(found.pages.head(100)) == 6
    assert len(found.pages.head(4).head(9)) == 4
    with pytest.raises(ValueError, match="head takes a number of rows, not -1"):
        found.pages.head(-1)
    assert found.pages.head(1)._repr_html_().count("<tr>") == 2
    assert "6 rows" in found.pages._repr_html_()
    assert repr(found.edges) == "<6 rows of url, target, anchor, nofollow>"


def test_an_empty_table_is_a_data_frame(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "alone"
    found = crawl(tmp_path, site.url)
    assert found.links.to_pandas().empty
    assert found.records.to_polars().columns == ["url"]
    assert [row["pagerank"] for row in found.nodes] == [1.0]
    assert found.graph().number_of_edges() == 0


def test_readers_close_what_they_opened(found: Crawl) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pages = dowse.open(str(found.directory)).pages  # the crawl itself is gone by now
        assert len(list(pages)) == 6
        connection = weakref.ref(pages._table._connection)  # type: ignore[attr-defined]
        del pages
        gc.collect()
    assert connection() is None, "nothing holds it that cannot be freed"


def test_nobody_pays_for_data_frames_who_has_none(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "alone"
    code = f"""
import sys, dowse
list(dowse.site({site.url!r}, output={str(tmp_path / "out")!r}).ledger)
print([name for name in ("pyarrow", "pandas", "polars", "networkx", "numpy") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "[]\n"


def test_every_column_is_in_the_manual(found: Crawl) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "ways" / "data.md").read_text(encoding="utf-8")
    sections = dict(zip(("pages", "others"), manual.split("\n### ")[1:], strict=True))
    for name in ("pages", "links", "nodes", "edges", "ledger"):
        section = sections.get(name, sections["others"])
        for column in getattr(found, name).columns:
            assert f"`{column}`" in section, f"{name} has a column {column}"
    for table, forms in FORMATS.items():
        assert f"`{table}`" in manual
        assert all(f"`{form}`" in manual for form in forms)


# Files


@pytest.mark.parametrize(("table", "command"), ELSEWHERE.items())
def test_tables_that_only_other_crawls_have(found: Crawl, capsys: Capture, table: str, command: str) -> None:
    ended = invoke(capsys, "export", found.directory, table)
    assert (ended.code, ended.out) == (3, "")
    assert f"not made by dowse {command}; what it found is in the table pages" in ended.err


@pytest.mark.parametrize("table", TABLES_OF_ROWS)
def test_every_table_goes_to_every_file_of_rows(found: Crawl, tmp_path: Path, capsys: Capture, table: str) -> None:
    texts = {}
    for form in ("csv", "jsonl", "parquet"):
        file = tmp_path / f"rows.{form}"
        assert invoke(capsys, "export", found.directory, table, "-f", file).code == 0
        texts[form] = file
    rows = [json.loads(line) for line in texts["jsonl"].read_text(encoding="utf-8").splitlines()]
    columns = found.frame(table).columns
    if table != "records":  # of which JSON lines leave out what a page does not have
        assert [list(row) for row in rows] == [columns] * len(rows)
    assert pyarrow.parquet.read_table(texts["parquet"]).column("url").to_pylist() == [row["url"] for row in rows]
    with texts["csv"].open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        assert [row["url"] for row in reader] == [row["url"] for row in rows]
        assert reader.fieldnames == columns


def test_times_in_text_are_those_of_the_data_frame(found: Crawl, capsys: Capture) -> None:
    text = invoke(capsys, "export", found.directory, "pages").out
    times = [datetime.fromisoformat(row["fetched_at"]) for row in csv.DictReader(io.StringIO(text))]
    assert times == found.pages.to_arrow().column("fetched_at").to_pylist()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("pages", "--to", "gexf"), "parquet, sqlite, xlsx, txt or markdown, not as gexf"),
        (("pages", "-f", "pages.graphml"), "parquet, sqlite, xlsx, txt or markdown, not as graphml"),
        (("bodies", "--to", "parquet"), "bodies can be had as warc or wacz, not as parquet"),
        (
            ("links", "--to", "wacz"),
            "parquet, sqlite, xlsx, txt, graphml or gexf, not as wacz",
        ),
        (("all", "-f", "all.csv"), "all can be had as sqlite or xlsx, not as csv"),
        (("pages", "--to", "csv.gz", "--excel"), "only csv is written for Excel in particular; xlsx is its own format"),
        (("pages", "-f", "no/such/folder/pages.csv"), "no/such/folder/pages.csv cannot be written: No such file"),
    ],
)
def test_a_wrong_wish_is_answered(found: Crawl, capsys: Capture, words: tuple[str, ...], message: str) -> None:
    ended = invoke(capsys, "export", found.directory, *words)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_the_same_rows_compressed_and_for_excel(found: Crawl, tmp_path: Path, capsys: Capture) -> None:
    plain = invoke(capsys, "export", found.directory, "pages").out
    file = tmp_path / "pages.csv.gz"
    assert invoke(capsys, "export", found.directory, "pages", "-f", file).code == 0
    assert gzip.decompress(file.read_bytes()).decode() == plain
    for_excel = tmp_path / "pages.csv"
    assert invoke(capsys, "export", found.directory, "pages", "-f", for_excel, "--excel").code == 0
    assert for_excel.read_bytes().startswith(b"\xef\xbb\xbfurl,")
    assert found.export("pages", tmp_path / "again.csv", excel=True) == len(found.pages)
    assert (tmp_path / "again.csv").read_bytes() == for_excel.read_bytes()


@pytest.mark.parametrize("form", ["sqlite", "xlsx"])
def test_tables_in_one_file(found: Crawl, tmp_path: Path, capsys: Capture, form: str) -> None:
    everything, alone = tmp_path / f"all.{form}", tmp_path / f"links.{form}"
    assert invoke(capsys, "export", found.directory, "all", "-f", everything).code == 0
    assert found.export("links", alone) == len(found.links)
    expected = {name: rows for name in TABLES_OF_ROWS if (rows := len(found.frame(name)))}
    assert "tables" not in expected, "no page had one"
    assert _counts(everything) == expected
    assert _counts(alone) == {"links": expected["links"]}


def _counts(file: Path) -> dict[str, int]:
    if file.suffix == ".xlsx":
        return {sheet.title: sheet.max_row - 1 for sheet in openpyxl.load_workbook(file)}
    with closing(sqlite3.connect(file)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master")]
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


def test_a_missing_library_costs_no_file(
    found: Crawl, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pages.parquet"
    file.write_bytes(b"precious")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ended = invoke(capsys, "export", found.directory, "pages", "-f", file)
    assert (ended.code, ended.err) == (3, "dowse: error: Parquet needs pyarrow: pip install 'dowse-crawler[data]'\n")
    assert file.read_bytes() == b"precious"
