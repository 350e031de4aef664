"""Keywords of pages as a column, by their weights over the whole crawl."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from dowse import app
from tests.commands import invoke
from tests.crawling import crawl, path_of
from tests.servers import Site

Capture = pytest.CaptureFixture[str]

MENU = "<nav>home products contact</nav>"


def shop(site: Site) -> None:
    site.pages.update({
        "/": f"{MENU}<a href=/apple>apple</a> <a href=/pear>pear</a> <a href=/more>more</a>",
        "/apple": f"<html lang=en><title>Apple</title>{MENU}<p>Apple, apple cider and a cider press of 1812",
        "/pear": f"<html lang=en><title>Pear</title>{MENU}<p>the juice of a pear and pear tarte",
        "/more": f"<html lang=de>{MENU}<p>der Apfel und die Birne",
    })  # fmt: skip


def keywords(found: app.Crawl) -> dict[str, str]:
    return {path_of(row["url"]): row["keywords"] for row in found.pages}


def test_words_that_few_pages_have_are_keywords_and_those_of_the_menu_are_not(site: Site, tmp_path: Path) -> None:
    shop(site)
    found = crawl(tmp_path / "out", site.url, keywords=3)
    assert keywords(found) == {
        "/": "apple, pear",
        "/apple": "cider, apple, press",
        "/pear": "pear, juice, tarte",
        "/more": "apfel, birne",
    }
    assert not len(found.records)
    assert not found.fields()


def test_the_words_of_links_that_touch_are_apart(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = (
        "<title>menu</title><nav><a href=#a>Apples</a><a href=#b>P<b>ea</b>rs</a></nav><a href=#c>Plum</a>s"
    )
    found = crawl(tmp_path / "out", site.url, keywords=9)
    assert keywords(found) == {"/": "apples, menu, pears, plums"}


def test_keywords_can_be_had_from_stored_pages_and_are_exported(site: Site, tmp_path: Path, capsys: Capture) -> None:
    shop(site)
    found = crawl(tmp_path / "out", site.url)
    assert "keywords" not in found.pages.columns
    told = invoke(capsys, "extract", tmp_path / "out", "--keywords", "1")
    assert (told.code, told.out) == (0, f"keywords: a column of dowse export {tmp_path / 'out'} pages\n")
    invoke(capsys, "export", tmp_path / "out", "pages", "-f", tmp_path / "pages.csv")
    with (tmp_path / "pages.csv").open(newline="") as file:
        assert {path_of(row["url"]): row["keywords"] for row in csv.DictReader(file)}["/more"] == "apfel"
    assert len(app.read(tmp_path / "out").records_of("words")) == 4


def test_the_columns_of_a_mode_stay(site: Site, tmp_path: Path) -> None:
    from dowse.config import make_job

    shop(site)
    job = make_job("focus", site.url, topic="cider", output=str(tmp_path / "out"), keywords=2, delay=0.0)
    app.start(job)
    assert {"keywords", "relevance", "matched"} <= set(app.read(tmp_path / "out").pages.columns)
