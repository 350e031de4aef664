"""Crawls of older versions: read without a change to them, brought up to date when they are written to."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.config import make_job
from dowse.core.errors import CrawlError
from dowse.core.model import Candidate, Outcome
from dowse.core.record import Record
from dowse.core.url_keys import UrlKeys
from dowse.crawl import read
from dowse.modes.files.bookkeeping import NamedFiles
from dowse.modes.rules.bookkeeping import PageTypes
from dowse.store import versions
from dowse.store.best_first.leads import Leads
from dowse.store.bookkeeping import Bookkeeping
from dowse.store.crawl_store import CrawlStore
from dowse.store.database import Database
from dowse.store.schema import MIGRATIONS, SCHEMA_VERSION, TABLES
from tests.unit.store.best_first.test_leads import CountingRanker

MADE_BEFORE = sorted(Path(__file__).parent.glob("schema_*.sql"))
"""A small crawl as each older version left it: `.dump` of its crawl.db."""

JOB = make_job("site", "http://a.example/", delay=0.0, per_host=4, retries=0)
ADDED = ("ALTER TABLE record ADD COLUMN weather TEXT NOT NULL DEFAULT 'fine'", "CREATE TABLE errand (id INTEGER)")


@pytest.fixture(params=MADE_BEFORE, ids=lambda path: path.stem)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        connection.executescript(request.param.read_text(encoding="utf-8"))
    return tmp_path


@pytest.fixture
def a_later_dowse(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the next version had a column and a table more."""
    record = TABLES[TABLES.index("CREATE TABLE record") :]
    record = record[: record.index("    UNIQUE")]
    tables = TABLES.replace(record, f"{record}    weather TEXT NOT NULL DEFAULT 'fine',\n") + f";\n{ADDED[1]}"
    monkeypatch.setattr(versions, "TABLES", tables)
    monkeypatch.setattr(versions, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    monkeypatch.setattr(versions, "MIGRATIONS", {**MIGRATIONS, SCHEMA_VERSION + 1: ADDED})


def query(folder: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(folder / "crawl.db")) as connection:
        return connection.execute(statement).fetchall()


def tables(folder: Path) -> tuple[list[Any], list[Any]]:
    """Every column of every table with its type and default, in order; and what else is there."""
    columns = """SELECT made.name, made.type, field.* FROM sqlite_master AS made, pragma_table_info(made.name) AS field
        ORDER BY 1, field.cid"""
    return query(folder, columns), query(folder, "SELECT type, name, tbl_name FROM sqlite_master ORDER BY 1, 2")


@pytest.mark.parametrize("later", [False, True])
def test_a_crawl_brought_up_to_date_and_a_new_one_have_the_same_tables(
    folder: Path, later: bool, request: pytest.FixtureRequest
) -> None:
    if later:
        request.getfixturevalue("a_later_dowse")
    # Older crawls have the tables of all modes.
    everything: list[Bookkeeping] = [Leads(CountingRanker()), NamedFiles(), PageTypes(())]
    CrawlStore(folder, JOB, bookkeeping=everything).close()
    CrawlStore(folder / "new", JOB, bookkeeping=everything).close()
    columns, others = tables(folder)
    # The dump of another version may spell the defaults of columns otherwise; what they are is the same.
    assert columns == tables(folder / "new")[0]
    assert {row for row in others if "sqlite_" not in row[1]} == {
        row for row in tables(folder / "new")[1] if "sqlite_" not in row[1]
    }


@pytest.mark.usefixtures("a_later_dowse")
def test_an_older_crawl_can_be_read_and_exported_and_is_left_alone(folder: Path) -> None:
    before = (folder / "crawl.db").read_bytes()
    crawl = dowse.open(str(folder))
    assert [page["url"] for page in crawl.pages][:2] == ["http://a.example/", "http://a.example/one"]
    assert [record["title"] for record in crawl.records] == ["Home", "One"]
    assert len(crawl.ledger) == 7
    assert len(crawl.links) == 7
    story = crawl.why("/one")
    assert story is not None
    assert story.parents == [("http://a.example/", "One")]
    crawl.export("pages", folder / "pages.csv")
    assert crawl.reader.connection.execute("SELECT DISTINCT weather FROM record").fetchall() == [("fine",)]
    assert crawl.reader.connection.execute("SELECT count(*) FROM errand").fetchone() == (0,)
    crawl.close()
    assert (folder / "crawl.db").read_bytes() == before


@pytest.mark.usefixtures("a_later_dowse")
def test_an_older_crawl_goes_on_in_a_later_dowse(folder: Path) -> None:
    store = CrawlStore(folder, JOB)
    store.revisit()
    found = Candidate(UrlKeys(JOB.urls).request("http://a.example/new"))
    for task in store.lease(2e9, 1).tasks:
        record = Record("fields", "", {"title": "Anew"})
        store.commit([Outcome(task, 2e9, status=200, digest=21, candidates=[found], records=[record])], 2e9)
    store.finish("interrupted", 2e9)
    store.close()
    assert query(folder, "SELECT value FROM meta WHERE name = 'schema'") == [(str(SCHEMA_VERSION + 1),)]
    assert {(row["title"], row["url"]) for row in dowse.open(str(folder)).records} == {
        ("Anew", "http://a.example/"),
        ("One", "http://a.example/one"),
    }
    assert {weather for (weather,) in query(folder, "SELECT weather FROM record")} == {"fine"}


def test_a_step_that_fails_leaves_the_crawl_as_it_was(
    folder: Path, a_later_dowse: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tables(folder)
    monkeypatch.setattr(versions, "MIGRATIONS", {**MIGRATIONS, SCHEMA_VERSION + 1: (*ADDED, "no statement")})
    with pytest.raises(sqlite3.OperationalError):
        CrawlStore(folder, JOB)
    assert tables(folder) == before
    ((version,),) = query(folder, "SELECT value FROM meta WHERE name = 'schema'")
    assert int(version) <= SCHEMA_VERSION


def test_a_crawl_that_is_too_old_is_refused_with_the_way_out(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as connection, connection:
        connection.execute("UPDATE meta SET value = '3' WHERE name = 'schema'")
    for opened in (read, lambda place: CrawlStore(place, JOB)):
        with pytest.raises(CrawlError, match=r"schema 3 .*use the version it was made with"):
            opened(folder)


def test_a_crawl_that_cannot_be_gone_on_with_stays_as_it_was(folder: Path) -> None:
    class Unreadable(Bookkeeping):
        def load(self, connection: Database) -> None:
            raise CrawlError("saved by another version of dowse")

    before = query(folder, "SELECT * FROM meta"), tables(folder)
    with pytest.raises(CrawlError, match="another version"):
        CrawlStore(folder, JOB, bookkeeping=[Unreadable()])
    assert (query(folder, "SELECT * FROM meta"), tables(folder)) == before, "the version that made it can go on"
