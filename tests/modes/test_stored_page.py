"""A page of a crawl, read from its folder by its URL."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

import dowse
from dowse.app import Crawl
from dowse.core.errors import CrawlError, JobError, SeveralMeant
from tests.crawling import crawl, links
from tests.servers import Reply, Site

HTML = "<title>Pears</title><h1>Pears</h1><p>Of <b>pears</b> and plums.</p><a href=/plum>plums</a>"


@pytest.fixture
def found(site: Site, tmp_path: Path) -> Crawl:
    site.pages.update({
        "/": links("/pear", "/old", "/gone", "/a/x.html", "/b/x.html", "/fish.txt", "http://elsewhere.invalid/"),
        "/pear": HTML, "/old": Reply(status=301, headers={"Location": "/older"}),
        "/older": Reply(status=302, headers={"Location": "/pear"}),
        "/a/x.html": "a", "/b/x.html": "b", "/plum": "plum",
        "/fish.txt": Reply("fish", headers={"Content-Type": "text/plain"}),
    })  # fmt: skip
    return crawl(tmp_path, site.url, extract=("heading=//h1",), user_agent="pearbot")


def test_a_page_can_be_read_as_it_came(found: Crawl, site: Site) -> None:
    asked = len(site.asked())
    page = found.page("/pear")
    assert (page.url, page.status, page.title) == (site.at("127.0.0.1", "/pear"), 200, "Pears")
    assert page.html == HTML
    assert "Of pears and plums." in page.text
    assert page.markdown.startswith("# Pears\n\nOf **pears** and plums.")
    assert [(link.url, link.text) for link in page.links] == [(site.at("127.0.0.1", "/plum"), "plums")]
    assert page.headers["content-type"].startswith("text/html")
    assert [record.fields for record in page.records] == [{"heading": "Pears"}]
    assert len(site.asked()) == asked, "nothing is fetched"


@pytest.mark.parametrize("name", ["pear", "old", "/old"])
def test_it_is_named_as_in_why_and_redirects_are_followed(found: Crawl, site: Site, name: str) -> None:
    assert found.page(name).url == site.at("127.0.0.1", "/pear")


def test_what_is_no_html_is_a_page_too(found: Crawl) -> None:
    assert found.page("fish.txt").text == "fish"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("http://elsewhere.invalid/", r"no page is stored for http://elsewhere.invalid/: it is out of scope"),
        ("/never", "/never was never seen in this crawl"),
    ],
)
def test_a_page_that_is_not_there_is_told_with_its_reason(found: Crawl, name: str, reason: str) -> None:
    with pytest.raises(CrawlError, match=reason):
        found.page(name)


def test_what_a_server_said_with_a_bad_status_is_stored_too(found: Crawl) -> None:
    assert found.page("/gone").status == 404


def test_what_is_meant_must_be_clear(found: Crawl) -> None:
    with pytest.raises(SeveralMeant):
        found.page("x.html")
    with pytest.raises(JobError, match="not a URL"):
        found.page("no url at all")


def test_a_crawl_without_bodies_says_so(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "home"
    with pytest.raises(CrawlError, match="it is fetched; the crawl was made with bodies=False"):
        crawl(tmp_path, site.url, bodies=False).page("/")


def test_markdown_leaves_out_what_all_pages_of_the_site_say(site: Site, tmp_path: Path) -> None:
    """As an export of all pages does, which reads some of them first."""
    menu = "<div><p>Home of fruit</p><p>All about our garden and its trees</p><p>Write to the gardener</p></div>"
    for number in range(30):
        words = f"Tree number {number} bears fruit of kind {number * 7} and grows {number} steps from the gate."
        site.pages[f"/{number}"] = f"<title>{number}</title>{menu}<div><h1>Tree {number}</h1><p>{words}</p></div>"
    site.pages["/"] = links(*(f"/{number}" for number in range(30)))
    found = crawl(tmp_path, site.url)
    found.export("markdown", tmp_path / "all.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    exported = {row["url"]: row["markdown"] for row in rows}
    page = found.page("/7")
    assert "Write to the gardener" in page.text
    assert "Tree number 7 bears fruit" in page.markdown
    assert "Write to the gardener" not in page.markdown
    assert page.markdown == exported[page.url]


def test_a_crawl_lets_go_of_its_files_when_its_block_ends(found: Crawl, tmp_path: Path) -> None:
    copy = shutil.copytree(found.directory, tmp_path / "copy")  # which nobody else in this process has open

    def open_files() -> list[str]:
        links = [entry.path for entry in os.scandir("/proc/self/fd")]
        return [name for link in links if os.path.lexists(link) and (name := os.readlink(link)).startswith(str(copy))]

    with dowse.open(str(copy)) as again:
        assert again.page("/pear").title == "Pears"
        assert open_files()
    assert open_files() == []
    assert repr(again) == f"<dowse crawl {copy}, closed>"


def test_a_crawl_that_was_closed_says_so(found: Crawl) -> None:
    with dowse.open(found.directory) as again:
        pages = again.pages
    for read in (lambda: len(again.pages), lambda: list(pages), lambda: again.why("/"), lambda: again.page("/")):
        with pytest.raises(dowse.CrawlError, match=r"it is closed; open the crawl again with dowse\.open\(DIR\)"):
            read()
