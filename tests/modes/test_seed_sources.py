"""Seeds that others list: sitemaps on servers and in files, the tables of other crawls, and indexes of web archives."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import JobError
from tests.commands import invoke
from tests.crawling import crawl, links, opened, paths
from tests.servers import CUT, Reply, Request, Site

ROWS: list[tuple[str, ...]] = [
    ("org,example)/", "http://example.org/", "text/html", "200"),
    ("org,example)/a", "http://example.org/a", "text/html", "200"),
    ("org,example)/a", "https://example.org/a", "text/html", "200"),
    ("org,example)/gone", "http://example.org/gone", "text/html", "404"),
    ("org,example)/x.pdf", "http://example.org/x.pdf", "application/pdf", "200"),
    ("org,example,sub)/s?a=2&b=1", "http://sub.example.org/s?b=1&a=2", "text/html", "200"),
]
PAGES = ("http://example.org/", "http://example.org/a", "http://sub.example.org/s?b=1&a=2")


def seeds_of(source: object, *named: str, **options: object) -> tuple[str, ...]:
    return make_job("site", named, seeds_from=source, **options).seeds


def refusal(source: object, **options: object) -> str:
    with pytest.raises(JobError) as caught:
        seeds_of(source, retries=0, **options)
    return str(caught.value)


def urlset(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def index(*urls: str) -> str:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>"


# Sitemaps


def test_a_sitemap_and_all_that_it_names(site: Site) -> None:
    site.pages["/sitemap.xml"] = index("/one.xml", "/two.xml.gz", "/three.txt", "/one.xml")
    site.pages["/one.xml"] = urlset("https://a.example/1", "/2", "mailto:me@a.example", "https://me:it@a.example/")
    packed = gzip.compress(urlset("https://b.example/3").encode())
    site.pages["/two.xml.gz"] = Reply(packed, headers={"Content-Type": "application/gzip"})
    site.pages["/three.txt"] = Reply("https://c.example/4\n", headers={"Content-Type": "text/plain"})
    expected = ("https://a.example/1", f"{site.url}2", "https://b.example/3", "https://c.example/4")
    assert seeds_of(f"{site.url}sitemap.xml") == expected
    assert sorted(site.paths()) == ["/one.xml", "/sitemap.xml", "/three.txt", "/two.xml.gz"]


def test_a_list_that_moved_and_one_that_broke_off(site: Site) -> None:
    whole = urlset("https://a.example/1", "https://a.example/2").encode()

    def broken(request: Request) -> Reply:
        return Reply([whole[:-20], CUT] if request.visit == 0 else whole)

    site.pages.update({"/old.xml": Reply("", 301, {"Location": "/new.xml"}), "/new.xml": broken})
    assert seeds_of(f"{site.url}old.xml") == ("https://a.example/1", "https://a.example/2")
    assert site.paths() == ["/old.xml", "/new.xml", "/new.xml"]


def test_a_list_is_read_whole_or_not_at_all(site: Site) -> None:
    site.pages["/sitemap.xml"] = index("/one.xml", "/gone.xml")
    site.pages["/one.xml"] = urlset("https://a.example/1")
    assert refusal(f"{site.url}sitemap.xml") == (
        f"seeds_from: {site.url}gone.xml could not be fetched: http: status 404"
    )
    site.pages["/page"] = "<html><body>no list"
    assert refusal(f"{site.url}page").startswith(f"seeds_from: {site.url}page is no list of URLs, or broken: ")
    site.pages["/chain*"] = lambda request: index(f"{request.path}0")
    assert "more than 5 lists, each of which names the next" in refusal(f"{site.url}chain.xml")
    assert len([path for path in site.paths() if path.startswith("/chain")]) == 6


def test_a_list_on_a_server_needs_its_scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal("example.org/sitemap.xml").endswith("; for a list on a server write https://example.org/sitemap.xml")


def test_a_sitemap_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sitemap.xml.gz"
    file.write_bytes(gzip.compress(urlset("https://a.example/1").encode()))
    assert seeds_of(file) == ("https://a.example/1",)
    file.write_text(index("https://a.example/one.xml"))
    assert "is an index of sitemaps: give its address" in refusal(file)


def test_passwords_go_to_the_hosts_of_seeds_only(site: Site) -> None:
    site.pages["/sitemap.xml"] = urlset("https://a.example/1")
    options = {"auth": "me:it", "header": ["X-Key: 1"], "user_agent": "tester/1"}
    seeds_of(f"{site.url}sitemap.xml", "https://a.example/", **options)
    seeds_of(f"{site.url}sitemap.xml", site.url, **options)
    without, with_them = (hit.request.headers for hit in site.log)
    assert without["user-agent"] == with_them["user-agent"] == "tester/1"
    assert "authorization" not in without
    assert "x-key" not in without
    assert "authorization" in with_them
    assert with_them["x-key"] == "1"


def test_a_crawl_from_a_sitemap(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages.update({"/map.xml": urlset("/a", "/b"), "/a": links("/inner"), "/b": "b", "/inner": "inner"})
    words = ("-i", f"{site.url}map.xml", "--depth", "0", "--delay", "0", "--quiet")
    assert invoke(capsys, "site", *words, "-o", tmp_path / "out").code == 0
    assert sorted(paths(opened(tmp_path / "out"))) == ["/a", "/b"]
    site.pages["/more.xml"] = urlset("/inner")
    app.resume(tmp_path / "out", seeds_from=f"{site.url}more.xml")
    assert sorted(paths(opened(tmp_path / "out"))) == ["/a", "/b", "/inner"]


# Other crawls


def test_the_results_or_a_table_of_another_crawl(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "https://other.example/"), "/a": "a"})
    crawl(tmp_path / "one", site.url, sitemaps=False)
    assert seeds_of(tmp_path / "one") == (site.url, f"{site.url}a")
    assert seeds_of(f"{tmp_path}/one:ledger") == (site.url, f"{site.url}a", "https://other.example/")
    crawl(tmp_path / "part", site.url, store_only=["/a$"])
    assert seeds_of(tmp_path / "part") == (f"{site.url}a",)


def test_the_results_of_a_crawl_for_files(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/x.pdf", "/a")
    site.pages.update({"/a": "a", "/x.pdf": Reply(b"%PDF-1.4 ", headers={"Content-Type": "application/pdf"})})
    app.start(make_job("files", site.url, type=["pdf"], output=str(tmp_path / "one"), delay=0.0))
    assert seeds_of(tmp_path / "one") == (f"{site.url}x.pdf",)


def test_what_is_no_crawl_or_no_table(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "only this"
    crawl(tmp_path / "one", site.url)
    assert refusal(tmp_path).startswith(f"seeds_from: there is no crawl in {tmp_path}")
    assert refusal(f"{tmp_path}/one:kept").startswith(f"seeds_from: the crawl in {tmp_path}/one has no table kept; it")
    assert refusal(f"{tmp_path}/none:kept") == f"seeds_from: {tmp_path}/none:kept: No such file or directory"


# Web archives, in the forms that their servers answer in


def objects(rows: list[tuple[str, ...]]) -> str:
    names = ("urlkey", "url", "mime", "status")
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def arrays(rows: list[tuple[str, ...]]) -> str:
    lines = [["urlkey", "original", "mimetype", "statuscode"], *rows]
    return "[" + ",\n".join(json.dumps(line) for line in lines) + "]\n"


def test_a_server_without_pages(site: Site) -> None:
    """pywb over a plain index: it knows no pages, and answers what it was not asked."""
    site.pages["/cdx"] = lambda request: objects(ROWS)
    assert seeds_of(f"cdx:{site.url}cdx?url=*.example.org") == PAGES
    assert [request.query.get("page") for request in site.asked()] == [None, "0"]
    assert {request.query["url"] for request in site.asked()} == {"*.example.org"}


def test_a_server_with_pages(site: Site) -> None:
    """Common Crawl: pages of an index in blocks."""

    def answer(request: Request) -> str:
        if "showNumPages" in request.query:
            return '{"pages": 3, "pageSize": 5, "blocks": 15}'
        start = 2 * int(request.query["page"])
        return objects(ROWS[start : start + 2])

    site.pages["/cdx"] = answer
    assert seeds_of(f"cdx:{site.url}cdx?url=*.example.org") == (*PAGES[:2], "https://example.org/a", PAGES[2])
    assert seeds_of(f"cdx:{site.url}cdx?url=*.example.org&limit=1") == PAGES[:1]
    assert [request.query.get("page") for request in site.asked()] == [None, "0", "1", "2", None, "0"]


def test_a_server_that_answers_in_arrays(site: Site) -> None:
    """The Wayback Machine: one array, and a bare number of pages."""
    site.pages["/cdx"] = lambda request: "1\n" if "showNumPages" in request.query else arrays(ROWS)
    assert seeds_of(f"cdx:{site.url}cdx?url=example.org&matchType=domain") == PAGES
    asked = site.asked()[1].target
    assert "filter=statuscode%3A200&filter=mimetype%3Atext%2Fhtml&collapse=urlkey&output=json" in asked


def test_filters_of_the_user_replace_the_usual_ones(site: Site) -> None:
    site.pages["/cdx"] = lambda request: objects(ROWS[4:5])
    assert seeds_of(f"cdx:{site.url}cdx?url=example.org/*&filter==mime:application/pdf") == (ROWS[4][1],)
    assert site.asked()[1].target.count("filter=") == 1


def test_what_is_no_cdx_server(site: Site) -> None:
    site.pages["/cdx"] = "<html><body>welcome"
    assert refusal(f"cdx:{site.url}cdx?url=example.org") == (
        f"seeds_from: {site.url}cdx?url=example.org: what came is no answer of a CDX server"
    )
    assert "expected a query to a CDX server, such as" in refusal(f"cdx:{site.url}cdx")
    site.pages["/cdx"] = ""
    assert refusal(f"cdx:{site.url}cdx?url=example.org").startswith("seeds: there are none in cdx:")
