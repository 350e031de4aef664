"""Crawls for forms of applications that nobody here wrote, with the names of Unicode characters as their records."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dowse
from benchmarks.search_apps import Package, datasette, roundup, sqlite_web
from dowse import app
from dowse.config import make_job
from tests.crawling import opened

QUICK: dict[str, Any] = {
    "delay": 0.0,
    "retries": 0,
    "robots": "ignore",
    "depth": 2,
    "barren_pages": 10,
    "harvest": True,
}


def characters(first: int, most: int) -> list[Package]:
    """Arrows and signs, by their numbers and names."""
    named = ((number, unicodedata.name(chr(number), "")) for number in range(first, first + 2 * most))
    return [Package(f"u{number:x}", name.lower()) for number, name in named if name][:most]


ARROWS = characters(0x2190, 300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("applications")


def harvested(directory: Path, url: str, **options: Any) -> dowse.Crawl:
    app.start(make_job("forms", [url], output=str(directory), **{**QUICK, **options}))
    return opened(directory)


def found_in(crawl: dowse.Crawl, records: list[Package]) -> set[str]:
    """The records whose descriptions stand in the table of records."""
    rows = [" ".join(map(str, row.values())).lower() for row in crawl.records]
    return {record.name for record in records if any(record.description in row for row in rows)}


@pytest.fixture(scope="module")
def tables(folder: Path) -> Iterator[str]:
    (folder / "datasette").mkdir()
    with datasette(folder / "datasette", ARROWS) as url:
        yield url


def test_the_tables_of_datasette_are_harvested(tables: str, tmp_path: Path) -> None:
    crawl = harvested(tmp_path / "out", tables)
    assert len(found_in(crawl, ARROWS)) == len(ARROWS)
    assert max(row["records"] for row in crawl.frame("forms")) >= len(ARROWS)


def test_sql_is_never_sent(folder: Path, tmp_path: Path) -> None:
    """All that sqlite-web has are forms for SQL, for new tables and for files."""
    place = folder / "sqlite-web"
    place.mkdir()
    with sqlite_web(place, ARROWS) as url:
        crawl = harvested(tmp_path / "out", url)
    assert not list(crawl.queries), "nothing was asked"
    assert all(row["reason"] for row in crawl.frame("forms"))
    log = (place / "server.log").read_text(encoding="utf-8")
    assert '"GET / HTTP' in log
    assert "POST" not in log


def test_the_issues_of_roundup_are_harvested(folder: Path, tmp_path: Path) -> None:
    place = folder / "roundup"
    place.mkdir()
    with roundup(place, ARROWS[:150]) as url:
        crawl = harvested(tmp_path / "out", url)
    assert len(found_in(crawl, ARROWS[:150])) == 150
    reasons = {row["type"]: row["reason"] for row in crawl.frame("forms")}
    assert "password" in reasons["login"]
