"""Sitemaps that nobody named: /sitemap.xml where robots.txt names none. And sitemaps that a crawl starts from."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.commands import invoke
from tests.crawling import crawl, links, opened, paths, reasons
from tests.servers import Page, Reply, Site
from tests.webs import HOSTS

ROBOTS = Reply("User-agent: *\nDisallow: /private/\n", headers={"Content-Type": "text/plain"})
LIST = "<urlset><url><loc>/hidden</loc></url></urlset>"


def sought(site: Site) -> list[str]:
    """The hosts that were asked for a sitemap."""
    return [hit.address for hit in site.log if hit.request.path == "/sitemap.xml"]


@pytest.fixture
def small(site: Site) -> Site:
    """Two pages, and one that only a sitemap knows."""
    site.pages.update({"/robots.txt": ROBOTS, "/": links("/a"), "/a": "a", "/hidden": "hidden"})
    return site


def test_a_sitemap_is_sought_where_robots_names_none(small: Site, tmp_path: Path) -> None:
    small.pages["/sitemap.xml"] = LIST
    found = crawl(tmp_path, small.url)
    assert sorted(paths(found)) == ["/", "/a", "/hidden"]
    assert reasons(found)["/sitemap.xml"] == "sitemap"
    assert {row["url"]: row["out_links"] for row in found.pages}[small.url] == 1, "the page does not link to it"


@pytest.mark.parametrize(
    "answer",
    [
        Reply("gone", status=404),
        Reply("no", status=403),
        Reply("", status=302, headers={"Location": "/"}),
        "<!doctype html><title>Not found</title><a href=/elsewhere>home</a>",
    ],
    ids=["404", "403", "sent home", "a page"],
)
def test_that_there_is_none_is_no_trouble(small: Site, tmp_path: Path, answer: Page) -> None:
    small.pages["/sitemap.xml"] = answer
    found = crawl(tmp_path, small.url)
    assert sorted(paths(found)) == ["/", "/a"]
    [row] = [row for row in found.ledger if row["url"].endswith("/sitemap.xml")]
    assert (row["state"], row["reason"]) == ("fetched", "no sitemap")
    assert "failed" not in found.status().counts
    assert len(sought(small)) == 1


def test_why_tells_that_it_was_sought(small: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl(tmp_path, small.url)
    told = invoke(capsys, "why", tmp_path, "/sitemap.xml").out
    assert "fetched (no sitemap)" in told
    assert "wanted because   robots.txt names no sitemap, and most sites have theirs here" in told
    assert "linked from" not in told
    assert "a seed" not in told


def test_one_that_may_come_is_asked_for_again(small: Site, tmp_path: Path) -> None:
    small.pages["/sitemap.xml"] = lambda request: (
        Reply("busy", 503, {"Retry-After": "0"}) if not request.visit else LIST
    )
    found = crawl(tmp_path, small.url)
    assert "/hidden" in paths(found)


@pytest.mark.parametrize(
    "options", [{"sitemaps": False}, {"depth": 3}, {"robots": "ignore"}], ids=["no sitemaps", "depth", "no robots.txt"]
)
def test_where_sitemaps_are_not_read_none_is_sought(small: Site, tmp_path: Path, options: dict[str, object]) -> None:
    crawl(tmp_path, small.url, **options)
    assert not sought(small)


def test_where_robots_names_one_no_other_is_sought(small: Site, tmp_path: Path) -> None:
    small.pages["/robots.txt"] = Reply(f"Sitemap: {small.url}named.xml", headers={"Content-Type": "text/plain"})
    small.pages["/named.xml"] = LIST
    crawl(tmp_path, small.url)
    assert not sought(small)


def test_a_seed_that_moves_to_another_host_has_its_sitemap_there(tmp_path: Path) -> None:
    with Site(addresses=HOSTS[:2]) as site:
        there = site.at(HOSTS[1])
        site.pages[f"//{HOSTS[0]}/"] = Reply("", 301, {"Location": there})
        site.pages.update({f"//{HOSTS[1]}/": "here", f"//{HOSTS[1]}/sitemap.xml": LIST, "/hidden": "hidden"})
        found = crawl(tmp_path, site.at(HOSTS[0]), allow_private=True)
        assert {row["url"] for row in found.pages} == {there, f"{there}hidden"}


def test_hosts_that_links_lead_to_are_not_asked(tmp_path: Path) -> None:
    with Site(addresses=HOSTS[:2]) as site:
        site.pages.update({f"//{HOSTS[0]}/": links(site.at(HOSTS[1])), f"//{HOSTS[1]}/": "there"})
        crawl(tmp_path, site.at(HOSTS[0]), scope="any", allow_private=True)
        assert sought(site) == [HOSTS[0]]


def test_a_crawl_from_many_hosts_asks_none(tmp_path: Path) -> None:
    hosts = [f"127.0.1.{number}" for number in range(1, 18)]
    with Site(addresses=tuple(hosts)) as site:
        site.pages["/"] = lambda request: f"page of {request.host}"
        crawl(tmp_path, *(site.at(host) for host in hosts))
        assert not sought(site)


# Sitemaps as seeds


@pytest.mark.parametrize("options", [{}, {"sitemaps": False}, {"depth": 1}], ids=["site", "no sitemaps", "depth"])
def test_a_crawl_may_start_from_a_sitemap(small: Site, tmp_path: Path, options: dict[str, object]) -> None:
    packed = gzip.compress(LIST.encode())
    small.pages["/maps/sitemap.xml.gz"] = Reply(packed, headers={"Content-Type": "application/gzip"})
    small.pages["/maps/sitemap_index.xml"] = (
        "<sitemapindex><sitemap><loc>/maps/sitemap.xml.gz</loc></sitemap></sitemapindex>"
    )
    found = crawl(tmp_path, f"{small.url}maps/sitemap_index.xml", **options)
    assert paths(found) == ["/hidden"]
    assert reasons(found)["/maps/sitemap.xml.gz"] == "sitemap"


def test_a_focus_crawl_may_too(small: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small.pages.update({"/sitemap.xml": LIST, "/hidden": "<title>otters</title>otters swim, otters eat fish"})
    words = ("--topic", "otters", "--delay", "0", "--quiet", "-o", tmp_path / "out")
    invoke(capsys, "focus", f"{small.url}sitemap.xml", *words)
    assert paths(opened(tmp_path / "out")) == ["/hidden"]
