"""Crawls for forms that follow the pages of lists, too."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from tests.servers import Answer, Request, Site


def page(body: str, title: str) -> str:
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


def listed(request: Request) -> Answer:
    number = int(request.query.get("page", "1"))
    items = "".join(
        f"<p>About the kettle {number}-{each} <a href=/item/{number}-{each}>item {number}-{each}</a></p>"
        for each in range(10)
    )
    others = "".join(f"<a href=/list?page={each}>{each}</a> " for each in range(1, 4) if each != number)
    return page(f"{items}{others}<a href=/list?page={number % 3 + 1}>Next</a>", f"List {number}")


@pytest.mark.parametrize("paging", [False, True])
def test_links_have_the_words_around_them(tmp_path: Path, paging: bool) -> None:
    """The ranking learns from them. Links that paging takes out of a page do not put the others in disorder."""
    pages: dict[str, Any] = {
        "/": page("<a href=/list>List</a>", "Home"),
        "/list": listed,
        "*": page("nothing here", "Item"),
    }
    with Site(pages) as site:
        options = {"delay": 0.0, "robots": "ignore", "max_pages": 2, "paging": paging}
        job = make_job("forms", [site.url], output=str(tmp_path / "out"), **options)
        app.start(job)
    with closing(sqlite3.connect(tmp_path / "out" / "crawl.db")) as database:
        query = "SELECT words FROM link_words JOIN task ON task.id = link_words.task WHERE url LIKE '%/item/%'"
        words = [row[0] for row in database.execute(query)]
    assert len(words) == 10
    assert all("kettle" in each.split() for each in words)
