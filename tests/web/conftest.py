"""Crawls to look at on the web page: made once for all tests that only look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dowse.app import recrawl, start
from dowse.config import make_job
from dowse.demo.server import DemoSite
from tests.servers import Site
from tests.web_pages import WebPage, web_page

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
"""What a page may have for a title, a link, or an address."""


@pytest.fixture(scope="session")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a crawl of a site that was visited again, one by rules, one for a topic, one of a
    hostile page."""
    folder = tmp_path_factory.mktemp("looked-at")
    with DemoSite() as site:
        table = folder / "rules.csv"
        table.write_text(site.rules, encoding="utf-8")
        fields = ["title=//h1", "state=css:.badge"]
        plain = {"delay": 0.0, "max_pages": 30}
        start(make_job("site", site.url, output=str(folder / "whole"), extract=fields, dedup="near", **plain))
        recrawl(folder / "whole", budget=5)
        start(make_job("rules", (), table=str(table), output=str(folder / "papers"), delay=0.0))
        start(make_job("focus", site.url, topic="flood", output=str(folder / "topic"), patience=0, **plain))
    text = HOSTILE.replace("<", "&lt;")
    page = f'<title>{text}</title><a href="/?{HOSTILE}">{text}</a><h1>{text}</h1><p>flood'
    with Site({"/": page}) as hostile:
        start(make_job("site", hostile.url, output=str(folder / "hostile"), extract=["title=//h1"], delay=0.0))
        hostile.pages["/"] = page + f"<p>{text} and more of it"
        recrawl(folder / "hostile")
    return folder


@pytest.fixture(scope="session")
def looking(looked_at: Path) -> Iterator[WebPage]:
    """The page over that folder."""
    with web_page(looked_at) as served:
        yield served


@pytest.fixture(scope="session")
def crawl_ids(looking: WebPage) -> dict[str, str]:
    """The ids of its crawls, by their names."""
    with looking.browser() as client:
        return {line["name"]: line["id"] for line in client.get("/api/crawls").json()["crawls"]}
