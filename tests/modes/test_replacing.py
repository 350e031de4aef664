"""A crawl takes the place of another: only what is surely a crawl goes, and only when the new one can start."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import dowse
from tests.crawling import links
from tests.servers import Site


@pytest.fixture
def folder(site: Site, tmp_path: Path) -> Path:
    """A folder with a crawl of three pages and its report."""
    site.pages.update({"/": links("/a", "/b"), "/a": "a", "/b": "b"})
    dowse.site(site.url, delay=0.0, output=tmp_path / "out").report()
    return tmp_path / "out"


def everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "crawl.lock")
    return {str(path): path.read_bytes() for path in files if not path.name.endswith(("-wal", "-shm"))}


def refused(site: Site, folder: Path) -> str:
    before = everything(folder)
    with pytest.raises(dowse.CrawlError, match="nothing was removed from") as refusal:
        dowse.site(site.url, delay=0.0, output=folder, replace=True)
    assert everything(folder) == before
    return str(refusal.value)


def test_a_database_of_somebody_else_is_not_removed(site: Site, tmp_path: Path) -> None:
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / "thesis.warc.gz").write_bytes(b"mine")
    (tmp_path / "report.html").write_text("mine")
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as database, database:
        database.execute("CREATE TABLE thesis (chapter TEXT)")
    assert "is not a crawl of dowse" in refused(site, tmp_path)
    (tmp_path / "crawl.db").write_text("no database at all, but a long text about crawls " * 100)
    assert "crawl.db" in refused(site, tmp_path)


def test_a_crawl_of_a_newer_version_is_not_removed(site: Site, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as database, database:
        database.execute("UPDATE meta SET value = '999' WHERE name = 'schema'")
    assert "install a newer dowse" in refused(site, folder)


def test_a_crawl_that_was_ended_before_it_began_is_replaced(site: Site, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "crawl.db")) as database, database:
        database.execute("DELETE FROM meta WHERE name = 'job'")
    assert len(dowse.site(site.url, delay=0.0, output=folder, replace=True).pages) == 3
    (folder / "crawl.db").write_bytes(b"")
    assert len(dowse.site(site.url, delay=0.0, output=folder, replace=True).pages) == 3


UNGUARDED = """
import sys, dowse
site, first, second = sys.argv[1:]
dowse.site(site, delay=0.0, output=first, replace=True)
dowse.site(site, delay=0.0, output=second, replace=True, workers=2)
"""


def test_a_script_whose_workers_cannot_start_loses_no_crawl(site: Site, folder: Path, tmp_path: Path) -> None:
    script, first = tmp_path / "script.py", tmp_path / "first"
    script.write_text(UNGUARDED)
    words = [sys.executable, str(script), site.url, str(first), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert "a worker process could not start; in a script, call dowse under `if __name__" in done.stderr
    assert "this is a worker process" in done.stderr
    assert len(dowse.open(folder).pages) == 3
    assert len(dowse.open(first).pages) == 3
    assert site.paths().count("/a") == 2, "once for each crawl: no worker process crawls again"


def test_a_crawl_is_replaced_by_one_with_worker_processes(site: Site, folder: Path) -> None:
    found = dowse.site(site.url, delay=0.0, output=folder, replace=True, workers=2, max_pages=2)
    assert len(found.pages) == 2
    assert not (folder / "report.html").exists()
