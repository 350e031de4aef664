"""kill -9 while a search index is being made: the next search goes on, and finds everything once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dowse.store.search.index_file import SEARCH
from tests.crawling import crawl, links, opened
from tests.processes import running, wait_until
from tests.servers import Site

PAGES = 1_500
MORE = "<p>And more words." * 40


def indexed(folder: Path) -> int:
    """Pages that are in the index for good."""
    if not (folder / SEARCH).exists():
        return 0
    with closing(sqlite3.connect(folder / SEARCH, timeout=10)) as database:
        try:
            return int(database.execute("SELECT count(*) FROM page").fetchone()[0])
        except sqlite3.OperationalError:  # its tables are not made yet
            return 0


@pytest.mark.parametrize("least", [0, 1])
def test_killed_while_it_is_made_it_goes_on(site: Site, tmp_path: Path, least: int) -> None:
    """Before the first pages are written, and after some are."""
    site.pages |= {
        "/": "<title>Start</title>" + links(*(f"/{number}" for number in range(PAGES))),
        "/*": lambda request: (
            f"<title>Page {request.path}</title><p>Here is number n{request.path[1:]}" + "<p>And more words." * 40
        ),
    }
    folder = tmp_path / "out"
    crawl(folder, site.url)
    with running("search", folder, "number") as search:
        wait_until(lambda: (folder / SEARCH).exists() and indexed(folder) >= least)
        search.kill_all()
    kept = indexed(folder)
    assert kept < PAGES + 1, "it was done before it was killed"
    found = opened(folder)
    assert found.index().read == PAGES + 1 - kept
    assert found.search("number", limit=5).total == PAGES
    assert [row["title"] for row in found.search("n777")] == ["Page /777"]
    with closing(sqlite3.connect(folder / SEARCH)) as database:
        database.execute("INSERT INTO words (words) VALUES ('integrity-check')")
