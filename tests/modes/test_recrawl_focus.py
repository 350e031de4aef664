"""Recrawls of a crawl for a topic that ended by itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.engine.events import Event, Stopped
from dowse.store.folder import DATABASE
from tests.crawling import opened
from tests.modes.test_focus import focus, served, web
from tests.servers import Site


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as site:
        yield site


def crawl(folder: Path, site: Site, **options: Any) -> dowse.Crawl:
    found = focus(folder, site.url, **{"by": "keywords", "patience": 20, **options})
    assert found.stop_reason == "saturated"
    return found


@pytest.mark.parametrize("by", ["keywords", "learned"])
def test_a_page_that_changed_counts_once(by: str, site: Site, tmp_path: Path) -> None:
    before = crawl(tmp_path, site, by=by).standing().prospect
    site.pages |= {path: f"{page}<p>A line more." for path, page in web().items()}
    heard: list[Event] = []
    app.recrawl(tmp_path, heard.append)
    found = opened(tmp_path)
    assert found.stop_reason == "saturated"
    assert [event.progress.found.number for event in heard if isinstance(event, Stopped) and event.progress.found] == [
        found.standing().prospect.matched
    ]
    assert found.standing().prospect.pages == before.pages
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        (unknown,) = connection.execute("SELECT count(*) FROM judgement WHERE worth = '{}'").fetchone()
    assert unknown == 1, "that of the seed; what the others were worth is told by their first visits"


def test_feeds_that_wait_do_not_keep_a_crawl_going(site: Site, tmp_path: Path) -> None:
    feed = '<?xml version="1.0"?><rss version="2.0"><channel><title>Answers</title></channel></rss>'
    feeds = {f"{path}/feed": feed for path in web()}
    link = '<link rel=alternate type="application/rss+xml" href="{}/feed">'
    site.pages |= {path: f"{link.format(path)}{page}" for path, page in web().items()} | feeds
    crawl(tmp_path, site, sitemaps=True)
