"""What pages say of themselves, as columns of the table of pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse import app
from dowse.config import make_job
from tests.commands import invoke
from tests.crawling import crawl, links
from tests.servers import Site

COLUMNS = ("description", "canonical", "h1", "language", "words")
SAID = """<html lang="en-GB"><head><title>Cider</title><meta name="Keywords" content="apple">
    <meta name=" Description " content=" How cider\n is made "><link rel=canonical href="/cider"></head>
    <body><h1><img src=logo.png></h1><h1>Making  <b>cider</b></h1><p>Press the apples.</p></body></html>"""


def shop(site: Site) -> None:
    site.pages.update({"/": links("/a", "/b"), "/a": SAID, "/b": "nothing more"})


def described(found: app.Crawl, path: str) -> list[object]:
    (row,) = [row for row in found.pages if str(row["url"]).endswith(path)]
    return [row[name] for name in COLUMNS]


def expected(site: Site) -> list[object]:
    return ["How cider is made", site.at("127.0.0.1", "/cider"), "Making cider", "en-GB", 5]


def test_columns_while_the_crawl_runs(site: Site, tmp_path: Path) -> None:
    shop(site)
    found = crawl(tmp_path, site.url, describe=True)
    assert described(found, "/a") == expected(site)
    assert described(found, "/b") == [None, None, None, None, 2]
    assert len(found.records) == 0
    assert found.fields() == []
    assert len(found.records_of("about")) == 3
    assert str(found.pages.to_arrow().schema.field("words").type) == "int64"


def test_columns_of_a_crawl_that_is_there(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop(site)
    found = crawl(tmp_path, site.url)
    assert not set(COLUMNS) & set(found.pages.columns)
    ended = invoke(capsys, "extract", tmp_path, "--describe")
    assert (ended.code, ended.out) == (0, f"descriptions: columns of dowse export {tmp_path} pages\n")
    assert described(app.read(tmp_path), "/a") == expected(site)
    assert invoke(capsys, "extract", tmp_path, "--keywords", "2").code == 0
    assert described(app.read(tmp_path), "/a") == expected(site)


def test_columns_beside_those_of_a_mode(site: Site, tmp_path: Path) -> None:
    shop(site)
    app.start(make_job("focus", site.url, topic="cider", output=str(tmp_path), describe=True, delay=0.0))
    found = app.read(tmp_path)
    assert described(found, "/a") == expected(site)
    assert "relevance" in found.pages.columns
