"""Which of the visited pages are in the index of a crawl, and how they are read: parts, error pages, charsets, case."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import dowse
from dowse import app
from dowse.core.errors import JobError
from dowse.parse.page import Page
from tests.commands import invoke
from tests.crawling import crawl, links, path_of, paths, reasons, states
from tests.servers import Reply, Site

Capture = pytest.CaptureFixture[str]

POSTS = r"/\d{4}/\d{2}/"


def blog(site: Site) -> None:
    """Two lists that lead to three posts."""
    site.pages.update({
        "/": links("/list/1", "/list/2"),
        "/list/1": links("/2026/01/one", "/2026/02/two"),
        "/list/2": links("/2026/03/three", "/list/1"),
        "/2026/01/one": links("/2026/02/two", "/list/1"),
        "/2026/02/two": links("/"),
        "/2026/03/three": "<title>third</title><h1>three</h1>",
    })  # fmt: skip


# Crawl through everything, keep what matches


def test_only_pages_that_match_are_kept_and_the_ledger_has_all(site: Site, tmp_path: Path) -> None:
    blog(site)
    found = crawl(tmp_path / "out", site.url, store_only=[POSTS], extract=["title=//title"])
    posts = {"/2026/01/one", "/2026/02/two", "/2026/03/three"}
    assert set(paths(found)) == posts
    assert len(found.pages) == len(found.nodes) == 3
    assert {path_of(row["url"]) for row in found.bodies} == {*posts, "/robots.txt"}
    assert {row["url"] for row in found.records} == {row["url"] for row in found.pages}
    assert {row["url"] for row in found.links} == {f"{site.url}2026/01/one", f"{site.url}2026/02/two"}
    assert [(row["url"], row["target"]) for row in found.edges] == [
        (f"{site.url}2026/01/one", f"{site.url}2026/02/two")
    ]
    assert set(states(found).values()) == {"fetched"}
    assert set(states(found)) == {"/", "/list/1", "/list/2", *posts}
    assert found.status().pages == 6  # what was asked of the site


def test_the_end_says_how_many_pages_were_kept(site: Site, tmp_path: Path, capsys: Capture) -> None:
    blog(site)
    told = invoke(capsys, "site", site.url, "--store-only", POSTS, "-o", tmp_path / "some", "--delay", "0").out
    assert "stored 3 pages, those that --store-only names" in told
    assert "Not as asked" not in told
    told = invoke(capsys, "site", site.url, "--store-only", "/9999/", "-o", tmp_path / "none", "--delay", "0").out
    assert "stored 0 pages" in told
    assert "Not as asked:\n  --store-only matches none of 6 pages, so none is stored\n" in told
    with pytest.warns(UserWarning, match="^store_only matches none of 6 pages, so none is stored$"):
        dowse.site(site.url, store_only="/9999/", delay=0, output=str(tmp_path / "python"))


def test_what_own_code_takes_is_kept_of_such_pages_only(site: Site, tmp_path: Path) -> None:
    blog(site)
    seen: list[str] = []

    def on_page(page: Page) -> dict[str, str]:
        seen.append(page.url)
        return {"address": page.url}

    found = dowse.site(site.url, output=str(tmp_path / "out"), store_only=[POSTS], on_page=on_page, delay=0.0)
    assert (len(seen), len(found.records)) == (6, 3)
    assert [(count.name, count.records) for count in found.fields()] == [("address", 3)]


def test_the_story_says_that_a_page_was_only_crawled_through(site: Site, tmp_path: Path, capsys: Capture) -> None:
    blog(site)
    crawl(tmp_path / "out", site.url, store_only=[POSTS])
    assert "not stored (store_only)" in invoke(capsys, "why", tmp_path / "out", "/list/1").out
    assert "not stored" not in invoke(capsys, "why", tmp_path / "out", "/2026/01/one").out
    invoke(capsys, "export", tmp_path / "out", "pages", "-f", tmp_path / "urls.txt")
    assert len((tmp_path / "urls.txt").read_text().splitlines()) == 3


def test_a_page_that_was_crawled_through_is_visited_again_and_links_of_it_are_found(site: Site, tmp_path: Path) -> None:
    blog(site)
    crawl(tmp_path / "out", site.url, store_only=[POSTS])
    site.pages["/list/1"] = links("/2026/01/one", "/2026/04/four")
    site.pages["/2026/04/four"] = "<title>fourth</title>"
    app.recrawl(tmp_path / "out")
    assert "/2026/04/four" in paths(app.read(tmp_path / "out"))


def test_a_pattern_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="store_only: '\\['"):
        crawl(tmp_path / "out", "https://example.org/", store_only=["["])


# Error pages


def test_error_pages_are_in_the_index_on_request(site: Site, tmp_path: Path) -> None:
    gone = Reply("<title>Not here</title>", status=404)
    site.pages.update({"/": links("/gone", "/page"), "/gone": gone, "/page": "<p>a page"})
    assert paths(crawl(tmp_path / "without", site.url)) == ["/", "/page"]
    found = crawl(tmp_path / "with", site.url, store_errors=True)
    rows = {row["url"]: row for row in found.pages}
    assert set(rows) == {site.url, f"{site.url}gone", f"{site.url}page"}
    row = rows[f"{site.url}gone"]
    assert (row["status"], row["state"], row["reason"], row["title"]) == (404, "failed", "http 404", "Not here")
    assert row["media_type"] == "text/html"
    assert {row["url"] for row in found.nodes} == {site.url, f"{site.url}page"}


# Charsets


@pytest.mark.parametrize("fields", [[], ["title=//title"]])
def test_a_charset_that_the_user_gives_is_not_doubted(site: Site, tmp_path: Path, fields: list[str]) -> None:
    """Few letters say little: nothing but the user knows that these are Cyrillic."""
    html = "<title>Яблоки</title><a href=/груша>груша</a>".encode("windows-1251")
    reply = Reply(html, headers={"Content-Type": "text/html; charset=iso-8859-1"})
    site.pages.update({"/": reply, "/%D0%B3%D1%80%D1%83%D1%88%D0%B0": "<title>Груша</title>"})
    found = crawl(tmp_path / "out", site.url, charset="cp1251", extract=fields)
    row = next(iter(found.pages))
    assert (row["title"], row["charset"], row["declared_charset"]) == ("Яблоки", "windows-1251", "iso-8859-1")
    assert next(iter(found.links))["anchor"] == "груша"
    if fields:
        assert next(iter(found.records))["title"] == "Яблоки"
        found.extract(extract=["title=//title", "link=//a"])
        assert next(iter(found.records))["link"] == "груша"


def test_a_byte_order_mark_knows_better_than_the_user(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "\ufeff<title>Äpfel</title>".encode()
    assert next(iter(crawl(tmp_path / "out", site.url, charset="koi8-r").pages))["title"] == "Äpfel"


def test_an_unknown_charset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="charset: 'klingon' is none that browsers know"):
        crawl(tmp_path / "out", "https://example.org/", charset="klingon")


# Case


def test_paths_that_do_not_care_about_case_are_one(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/About", "/about", "/ABOUT?a=B", "/about?a=b")})
    site.pages.update(dict.fromkeys(("/About", "/about"), "<p>about") | {"/ABOUT": "<p>B", "/about?a=b": "<p>b"})
    assert len(crawl(tmp_path / "plain", site.url, dedup="off").pages) == 5
    found = crawl(tmp_path / "out", site.url, dedup="off", ignore_case=True)
    assert paths(found) == ["/", "/About", "/ABOUT?a=B", "/about?a=b"]
    assert found.why("/aBoUt") is not None


# The first part of a page


@pytest.mark.parametrize("packed", [False, True])
def test_only_the_first_part_of_a_page_is_read(site: Site, tmp_path: Path, packed: bool) -> None:
    page = (links("/early") + "x" * 20_000 + links("/late")).encode()
    headers = {"Content-Encoding": "gzip"} if packed else {}
    site.pages.update({"/": Reply(gzip.compress(page) if packed else page, headers=headers), "/early": "<p>early"})
    found = crawl(tmp_path / "out", site.url, cut_body=10_000)
    assert states(found) == {"/": "fetched", "/early": "fetched"}
    assert next(iter(found.pages))["size"] == 10_000
    story = found.why("/")
    assert story is not None
    assert story.visits[0]["detail"] == "only the first 10,000 bytes were read"
    found.export("bodies", tmp_path / "all.warc.gz")
    with gzip.open(tmp_path / "all.warc.gz") as records:
        assert records.read().count(b"WARC-Truncated: length") == 1


def test_pages_that_begin_alike_are_no_mirrors_when_they_are_cut(site: Site, tmp_path: Path) -> None:
    head = "<title>the same</title>" + "<p>menu" * 2_000
    site.pages.update({"/": links("/a", "/b"), "/a": f"{head}one", "/b": f"{head}two"})
    found = crawl(tmp_path / "out", site.url, cut_body=5_000)
    assert set(states(found).values()) == {"fetched"}
    app.recrawl(tmp_path / "out")
    assert reasons(app.read(tmp_path / "out"))["/a"] == "unchanged"


def test_a_page_larger_than_the_limit_is_no_failure_when_it_is_cut(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a") + "x" * 50_000, "/a": "<p>a"})
    assert states(crawl(tmp_path / "whole", site.url, max_body=20_000)) == {"/": "failed"}
    assert states(crawl(tmp_path / "cut", site.url, max_body=20_000, cut_body=1_000)) == {
        "/": "fetched",
        "/a": "fetched",
    }


def test_sitemaps_and_files_are_read_whole(site: Site, tmp_path: Path) -> None:
    entries = "".join(f"<url><loc>{site.url}{number}</loc></url>" for number in range(200))
    site.pages.update({f"/{number}": f"<p>{number}" for number in range(200)})
    site.pages.update({
        "/robots.txt": "#" * 3_000 + f"\nSitemap: {site.url}map.xml\n",
        "/map.xml": Reply(f"<urlset>{entries}</urlset>", headers={"Content-Type": "application/xml"}),
        "/": links("/text"),
        "/text": Reply("t" * 3_000, headers={"Content-Type": "text/plain"}),
    })  # fmt: skip
    found = crawl(tmp_path / "out", site.url, cut_body=1_000)
    sizes = {row["url"]: row["size"] for row in found.pages}
    assert len(sizes) == 202
    assert sizes[f"{site.url}text"] == 3_000
