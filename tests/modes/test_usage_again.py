"""What pages may be used for changes while they stay as they are: a later visit heeds it and writes it down."""

from __future__ import annotations

from pathlib import Path

import pytest

import dowse
from dowse import app
from dowse.app import Crawl
from tests.crawling import FAST, crawl, links, opened, path_of, paths, reasons, states
from tests.servers import Page, Reply, Request, Site

BODY = "<title>A</title><h1>A</h1>" + links("/b")


def page(body: str = BODY, etag: str = "", **said: str) -> Page:
    """A page with these headers, also in its 304."""
    headers = {"Content-Type": "text/html", **{name.replace("_", "-"): value for name, value in said.items()}}
    headers |= {"ETag": etag} if etag else {}

    def answer(request: Request) -> Reply:
        is_same = bool(etag) and request.headers.get("if-none-match") == etag
        return Reply(status=304, headers=headers) if is_same else Reply(body, headers=headers)

    return answer


def crawled(site: Site, folder: Path, **options: object) -> Crawl:
    return crawl(folder, site.url, extract=["heading=//h1"], **options)


def usage(found: Crawl) -> str:
    return next(str(row["usage"]) for row in found.pages if path_of(row["url"]) == "/a")


@pytest.mark.parametrize("bodies", [True, False])
@pytest.mark.parametrize(
    ("etag", "body"), [("", BODY), ('"1"', BODY), ("", "<h1>changed</h1>")], ids=["same", "304", "changed"]
)
def test_a_page_that_now_forbids_the_use_is_kept_no_longer(
    site: Site, tmp_path: Path, etag: str, body: str, bodies: bool
) -> None:
    site.pages |= {"/": links("/a"), "/a": page(etag=etag), "/b": "<h1>B</h1>"}
    before = crawled(site, tmp_path, use=["train-ai"], bodies=bodies)
    assert {path_of(row["url"]) for row in before.records} == {"/a", "/b"}
    site.pages["/a"] = page(body, etag, Content_Usage="train-ai=n")
    app.recrawl(tmp_path, **FAST)
    found = opened(tmp_path)
    assert (states(found)["/a"], reasons(found)["/a"]) == ("robots", "usage")
    assert sorted(paths(found)) == ["/", "/b"]
    assert {path_of(row["url"]) for row in found.records} == {"/b"}
    with pytest.raises(dowse.CrawlError, match="no page is stored"):
        found.page("/a")
    assert not [each for each in found.stored_pages() if path_of(each.url) == "/a"]
    app.recrawl(tmp_path, **FAST)
    assert sorted(paths(opened(tmp_path))) == ["/", "/b"]


@pytest.mark.parametrize("etag", ["", '"1"'], ids=["same", "304"])
def test_what_is_said_of_an_unchanged_page_is_written_down(site: Site, tmp_path: Path, etag: str) -> None:
    body = "<meta name=robots content=noai>" + BODY
    site.pages |= {"/": links("/a"), "/a": page(body, etag), "/b": "<h1>B</h1>"}
    assert usage(crawled(site, tmp_path)) == "ai-use=n, train-ai=n"
    site.pages["/a"] = page(body, etag, Content_Signal="search=yes")
    app.recrawl(tmp_path, **FAST)
    assert (usage(opened(tmp_path)), reasons(opened(tmp_path))["/a"]) == ("search=y, ai-use=n, train-ai=n", "unchanged")
    site.pages["/a"] = page(body, etag, Content_Signal="search=no")
    app.recrawl(tmp_path, **FAST)
    found = opened(tmp_path)
    assert usage(found) == "search=n, ai-use=n, train-ai=n"
    assert {path_of(row["url"]): row["usage"] for row in found.ledger}["/a"] == usage(found)
    assert found.page("/a").title == "A"


def test_what_is_no_longer_said_is_gone(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a"), "/a": page(Content_Usage="train-ai=n"), "/b": "<h1>B</h1>"}
    site.pages["/robots.txt"] = "User-agent: *\nContent-Usage: /a search=n\n"
    assert usage(crawled(site, tmp_path)) == "search=n, train-ai=n"
    site.pages["/robots.txt"] = "User-agent: *\nAllow: /\n"
    site.pages["/a"] = page()
    app.recrawl(tmp_path, **FAST)
    assert usage(opened(tmp_path)) == ""
