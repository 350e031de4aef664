"""What servers say of kept links: a HEAD request for each, by the same engine, and no page more."""

from __future__ import annotations

from pathlib import Path

import pytest

import dowse
from dowse import app
from tests.commands import invoke
from tests.ruling import checked, crawl_by, follow, keep
from tests.servers import Answer, Reply, Request, Site

PDF = {"Content-Type": "application/pdf", "Content-Length": "12345", "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"}


def only_head(asked: Request) -> Answer:
    return Reply("", 200, PDF) if asked.method == "HEAD" else Reply("it was fetched", 500)


@pytest.fixture
def pages(site: Site) -> Site:
    site.pages |= {
        "/": "<a href=/a.pdf>A</a> <a href=/list>List</a> <a href=/secret/x.pdf>X</a>",
        "/list": "<a href=/a.pdf>A</a> <a href=/moved.pdf>M</a> <a href=/gone.pdf>G</a> <a href=/also.pdf>M</a>",
        "/a.pdf": only_head,
        "/new.pdf": only_head,
        "/moved.pdf": Reply("", 301, {"Location": "/new.pdf"}),
        "/also.pdf": Reply("", 301, {"Location": "/new.pdf"}),
        "/robots.txt": "User-agent: *\nDisallow: /secret/",
    }
    return site


def crawl(site: Site, folder: Path, **options: object) -> dowse.Crawl:
    rules = [
        follow(site.url, "base>list", "/list"),
        keep(site.url, "list", r"\.pdf$"),
        keep(site.url, "base", r"\.pdf$"),
    ]
    return crawl_by(folder, *rules, **options)


def test_kept_links_have_type_size_and_date(pages: Site, tmp_path: Path) -> None:
    found = crawl(pages, tmp_path, head=True, robots="obey")
    facts = {row["url"].removeprefix(pages.url): row for row in found.kept}
    for name in ("a.pdf", "moved.pdf", "also.pdf"):
        row = facts[name]
        assert (row["media_type"], row["size"], row["last_modified"]) == (
            "application/pdf",
            12345,
            "2015-10-21T07:28:00+00:00",
        )
    for name in ("gone.pdf", "secret/x.pdf"):
        assert (facts[name]["media_type"], facts[name]["size"]) == ("", None)
    asked = [(each.method, each.path) for each in pages.asked() if each.path.endswith(".pdf")]
    assert sorted(asked) == [
        ("HEAD", path) for path in ("/a.pdf", "/also.pdf", "/gone.pdf", "/moved.pdf", "/new.pdf")
    ], "each once, none fetched, none that robots.txt forbids"
    assert "2015-10-21" in (tmp_path / "out" / "keep.csv").read_text()


def test_what_was_only_asked_about_is_no_page(pages: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = crawl(pages, tmp_path, head=True)
    assert found.status().pages == 2
    assert sorted(row["url"] for row in found.pages) == [pages.url, f"{pages.url}list"]
    assert len(list(found.instructions())) == 2
    told = invoke(capsys, "why", tmp_path / "out", f"{pages.url}a.pdf").out
    assert "kept by          rule" in told
    assert "type, size and date of a kept link" in told


def test_a_limit_on_pages_is_not_used_up(pages: Site, tmp_path: Path) -> None:
    found = crawl(pages, tmp_path, head=True, max_pages=2)
    assert found.status().pages == 2


def test_a_recrawl_asks_again(pages: Site, tmp_path: Path) -> None:
    crawl(pages, tmp_path, head=True)
    pages.pages["/a.pdf"] = Reply("", 200, {**PDF, "Content-Length": "99"})
    dowse.recrawl(str(tmp_path / "out"), delay=0.0)
    sizes = {row["url"].removeprefix(pages.url): row["size"] for row in checked(tmp_path / "out").kept}
    assert (sizes["a.pdf"], sizes["moved.pdf"]) == (99, 12345)


def test_nothing_is_asked_unless_it_is_wanted(pages: Site, tmp_path: Path) -> None:
    crawl(pages, tmp_path)
    assert not [each for each in pages.asked() if each.method == "HEAD"]


def test_a_file_may_be_larger_than_what_would_be_downloaded(pages: Site, tmp_path: Path) -> None:
    pages.pages["/a.pdf"] = Reply("", 200, {**PDF, "Content-Length": "5000000000"})
    found = crawl(pages, tmp_path, head=True)
    sizes = {row["url"].removeprefix(pages.url): row["size"] for row in found.kept}
    assert sizes["a.pdf"] == 5_000_000_000


@pytest.mark.parametrize(
    ("name", "nonsense"),
    [
        ("size", {"Content-Length": "9223372036854775808"}),
        ("size", {"Content-Length": "9" * 30}),
        ("last_modified", {"Last-Modified": "Wed, 21 Oct 2015 07:28:00 +99999999999999"}),
    ],
)
def test_a_number_beyond_all_measure_is_none(pages: Site, tmp_path: Path, name: str, nonsense: dict[str, str]) -> None:
    pages.pages["/a.pdf"] = Reply("", 200, {**PDF, **nonsense})
    found = crawl(pages, tmp_path, head=True)
    facts = {row["url"].removeprefix(pages.url): row for row in found.kept}
    assert (facts["a.pdf"]["media_type"], facts["a.pdf"][name] or "") == ("application/pdf", "")
    assert facts["moved.pdf"]["size"] == 12345


def test_other_rules_about_urls_leave_what_waits(pages: Site, tmp_path: Path) -> None:
    pages.pages |= {"/": "<a href=/only.pdf>A</a> <a href=/list>List</a>", "/only.pdf": only_head}
    crawl(pages, tmp_path, head=True, max_pages=1)
    assert not [each for each in pages.asked() if each.method == "HEAD"]
    app.resume(tmp_path / "out", exclude=["/other/"], max_pages=0)
    sizes = {row["url"].removeprefix(pages.url): row["size"] for row in checked(tmp_path / "out").kept}
    assert sizes["only.pdf"] == 12345
