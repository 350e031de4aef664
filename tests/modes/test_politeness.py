"""Manners towards real servers, by the real clock: how hard a host is asked, and what it may forbid or offer."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from email.utils import formatdate
from itertools import pairwise
from pathlib import Path

import pytest

from dowse.core import retry_dates
from dowse.fetch import robots as robots_fetcher
from tests import hostile, manners
from tests.crawling import crawl, links, paths, reasons, states
from tests.servers import Hit, Page, Reply, Request, Site
from tests.webs import HOSTS

Serve = Callable[..., Site]

ROOM = 0.4
"""Seconds by which a busy machine may note a request late, so that the time to the next one looks shorter."""


def numbered(pages: int, answer: Page | None = None) -> dict[str, Page]:
    """A start with links to that many pages."""
    return {"/": links(*(f"/{number}" for number in range(pages))), "/*": answer or (lambda found: links(found.path))}


def hits(site: Site, host: str = HOSTS[0]) -> list[Hit]:
    """The requests for pages of one host."""
    return [hit for hit in site.log if hit.request.host == host and hit.request.path != "/robots.txt"]


def times(site: Site, host: str = HOSTS[0]) -> list[float]:
    return [hit.time for hit in hits(site, host)]


# How many at once, and how often


@pytest.mark.parametrize("workers", [1, 2])
def test_the_limit_of_a_host_is_kept_and_used(serve: Serve, tmp_path: Path, workers: int) -> None:
    site = serve(numbered(40), latency=0.2)
    crawl(tmp_path, site.url, per_host=3, workers=workers, sitemaps=False)
    starts = times(site)
    assert len(starts) == 41
    # Every answer takes 200 ms, so whatever began less than that before a request was surely still under way.
    under_way = [sum(1 for other in starts if start - 0.198 < other <= start) for start in starts]
    assert max(under_way) == 3
    assert sum(under_way) / len(under_way) > 1.5


def test_a_delay_lies_between_the_starts_of_requests(serve: Serve, tmp_path: Path) -> None:
    site = serve(numbered(4), latency=0.02)
    crawl(tmp_path, site.url, delay=0.5, sitemaps=False)
    starts = times(site)
    assert len(starts) == 5
    assert starts[-1] - starts[0] > 4 * 0.5 - ROOM
    assert min(later - earlier for earlier, later in pairwise(starts)) > 0.5 - ROOM


def test_without_a_delay_of_its_own_a_crawl_follows_the_pace_of_the_host(serve: Serve, tmp_path: Path) -> None:
    site = serve(numbered(8), latency=0.1)
    crawl(tmp_path, site.url, delay=-1.0, sitemaps=False)
    starts = times(site)
    assert len(starts) == 9
    assert starts[-1] - starts[0] > 8 * 0.1 - ROOM


@pytest.mark.parametrize(("robots", "delay"), [("obey", 0.2), ("ignore", 10.0)])
def test_the_crawl_delay_of_a_host(serve: Serve, tmp_path: Path, robots: str, delay: float) -> None:
    site = serve(numbered(5))
    site.pages["/robots.txt"] = Reply(f"User-agent: *\nCrawl-delay: {delay}\n", headers={"Content-Type": "text/plain"})
    crawl(tmp_path, site.url, robots=robots, sitemaps=False)
    starts = times(site)
    assert len(starts) == 6
    took = starts[-1] - starts[0]
    assert took > 5 * delay - ROOM if robots == "obey" else took < 10


def in_seconds(_: Request) -> Reply:
    return Reply("slower!", status=429, headers={"Retry-After": "2"})


def as_a_date(_: Request) -> Reply:
    # Dates have no fractions, so this is two to three seconds away.
    return Reply("slower!", status=429, headers={"Retry-After": formatdate(time.time() + 3, usegmt=True)})


@pytest.mark.parametrize("complaint", [in_seconds, as_a_date])
def test_a_complaint_slows_its_host_and_no_other(serve: Serve, tmp_path: Path, complaint: Page) -> None:
    site = serve(addresses=HOSTS[:2], latency=0.01)
    site.pages.update({f"//{HOSTS[0]}/": links("/busy", "/a", "/b"), f"//{HOSTS[0]}/busy": complaint})
    site.pages.update(numbered(10))
    found = crawl(tmp_path, site.at(HOSTS[0]), site.at(HOSTS[1]), per_host=1, retries=0, sitemaps=False)
    _first, refused, *rest = times(site)
    assert len(rest) == 2
    assert rest[0] - refused > 2 - ROOM, "nothing is asked of it for as long as it wanted"
    assert rest[1] - rest[0] > 1 - ROOM, "and then it is asked less often"
    others = times(site, HOSTS[1])
    assert len(others) == 11
    assert others[-1] < rest[0], "the other host was done before it was asked again"
    assert reasons(found)["/busy"] == "http 429"


@pytest.mark.parametrize("trouble", [hostile.silent(), hostile.drip(b"<p>and so on" * 1000, 0.3)])
def test_a_host_that_takes_for_ever_holds_nobody_back(serve: Serve, tmp_path: Path, trouble: Page) -> None:
    site = serve(addresses=HOSTS[:2])
    site.pages.update({f"//{HOSTS[1]}/": links(*(f"/slow/{number}" for number in range(50))), "/slow/*": trouble})
    site.pages.update(numbered(40))
    found = crawl(
        tmp_path, site.at(HOSTS[1]), site.at(HOSTS[0]), per_host=4, concurrency=8, max_time=3.0, sitemaps=False
    )
    assert found.status().stop_reason == "max_time"
    assert len(hits(site)) == 41
    slow = [hit.request.path for hit in hits(site, HOSTS[1]) if hit.request.path.startswith("/slow")]
    assert len(slow) == 4


# What a host forbids


@pytest.mark.parametrize("robots", ["obey", "ignore"])
def test_the_rules_of_robots_txt(site: Site, tmp_path: Path, robots: str) -> None:
    site.pages.update({"/": links("/private/a", "/private/open", "/open"), "/*": lambda found: links(found.path)})
    site.pages["/robots.txt"] = manners.ROBOTS["private area"]
    found = crawl(tmp_path, site.url, robots=robots)
    obeyed = robots == "obey"
    assert states(found) == {
        "/": "fetched", "/private/a": "robots" if obeyed else "fetched", "/private/open": "fetched", "/open": "fetched"
    }  # fmt: skip
    assert ("/private/a" in site.paths()) is not obeyed
    assert ("/robots.txt" in [hit.request.path for hit in site.log]) is obeyed


TAGS: dict[str, tuple[Page, str]] = {
    # the page, and what becomes of its link to /next
    "meta nofollow": ('<meta name="robots" content="nofollow"><a href="/next">next</a>', "nofollow"),
    "meta none": ('<meta name="ROBOTS" content="None"><a href="/next">next</a>', "nofollow"),
    "meta for us": ('<meta name="dowse" content="nofollow"><a href="/next">next</a>', "nofollow"),
    "meta for another": ('<meta name="otherbot" content="nofollow"><a href="/next">next</a>', ""),
    "header": (Reply('<a href="/next">next</a>', headers={"X-Robots-Tag": "noindex, nofollow"}), "nofollow"),
    "header for another": (Reply('<a href="/next">next</a>', headers={"X-Robots-Tag": "otherbot: nofollow"}), ""),
    "rel nofollow": ('<a href="/next" rel="external nofollow">next</a>', "nofollow"),
    "rel nofollow on one of two": ('<a href="/next" rel="nofollow">next</a><a href="/next">again</a>', ""),
    "noindex": ('<meta name="robots" content="noindex"><a href="/next">next</a>', ""),
}


@pytest.mark.parametrize(("page", "reason"), TAGS.values(), ids=TAGS.keys())
def test_robots_tags(site: Site, tmp_path: Path, page: Page, reason: str) -> None:
    site.pages.update({"/": page, "/next": "next"})
    found = crawl(tmp_path / "obey", site.url)
    assert (states(found)["/next"], reasons(found)["/next"]) == (
        ("out_of_scope", "nofollow") if reason else ("fetched", "")
    )
    ignored = crawl(tmp_path / "ignore", site.url, robots="ignore")
    assert states(ignored)["/next"] == "fetched"


def test_a_page_that_wants_no_index_is_marked(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/b"), "/a": Reply("a", headers={"X-Robots-Tag": "noindex"}), "/b": "b"})
    assert reasons(crawl(tmp_path / "obey", site.url)) == {"/": "", "/a": "noindex", "/b": ""}
    assert reasons(crawl(tmp_path / "ignore", site.url, robots="ignore"))["/a"] == ""


def test_robots_txt_that_is_out_of_order_for_a_while(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(robots_fetcher, "TROUBLE_LASTS", (0.3,))
    monkeypatch.setitem(retry_dates.STATUS_WAITS, 503, (0.5,))
    site.pages["/robots.txt"] = manners.in_turn(manners.ROBOTS["overloaded"], manners.ROBOTS["private area"])
    site.pages.update({"/": links("/a", "/private/b"), "/a": "a", "/private/b": "b"})
    found = crawl(tmp_path, site.url, sitemaps=False)
    assert [hit.request.path for hit in site.log] == ["/robots.txt", "/robots.txt", "/", "/a"]
    assert states(found) == {"/": "fetched", "/a": "fetched", "/private/b": "robots"}
    story = found.why(site.url)
    assert story is not None
    assert [(visit["status"], visit["detail"]) for visit in story.visits] == [
        (503, "robots.txt answered 503"),
        (200, ""),
    ]


# What a host offers


def urlset(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def xml(body: str | bytes) -> Reply:
    return Reply(body, headers={"Content-Type": "application/xml"})


@pytest.mark.parametrize("sitemaps", [True, False])
def test_the_sitemaps_that_robots_txt_names(site: Site, tmp_path: Path, sitemaps: bool) -> None:
    site.pages["/robots.txt"] = manners.sitemap_line(site.at(HOSTS[0], "/index.xml"))
    places = [site.at(HOSTS[0], f"/maps/{name}") for name in ("plain.xml", "packed.xml.gz")]
    site.pages["/index.xml"] = xml(f"<sitemapindex>{''.join(f'<sitemap><loc>{p}</loc></sitemap>' for p in places)}"
                                   "</sitemapindex>")  # fmt: skip
    site.pages["/maps/plain.xml"] = xml(urlset(site.at(HOSTS[0], "/only/in/plain"), "http://example.org/elsewhere"))
    packed = gzip.compress(urlset(site.at(HOSTS[0], "/only/in/packed")).encode())
    site.pages["/maps/packed.xml.gz"] = Reply(packed, headers={"Content-Type": "application/x-gzip"})
    site.pages.update({"/": links("/linked"), "/*": lambda found: links(found.path)})
    found = crawl(tmp_path, site.url, sitemaps=sitemaps)
    expected = {"/", "/linked", "/only/in/plain", "/only/in/packed"} if sitemaps else {"/", "/linked"}
    assert set(paths(found)) == expected, "and sitemaps are not pages"
    assert states(found).get("/elsewhere") == ("out_of_scope" if sitemaps else None)


def test_the_feeds_of_a_page(site: Site, tmp_path: Path) -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" hreflang="de" href="/de">'
    )
    site.pages["/"] = head + links("/linked")
    site.pages["/feed"] = Reply(
        "<rss><channel><item><link>/old/news</link></item><item><link>/news</link></item></channel></rss>",
        headers={"Content-Type": "application/rss+xml"},
    )
    site.pages["/*"] = lambda found: links(found.path)
    found = crawl(tmp_path, site.url)
    assert {"/", "/linked", "/old/news", "/news"} <= set(paths(found))
    assert "/feed" not in paths(found)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_long_sitemap_is_taken_in_whole(site: Site, tmp_path: Path, workers: int) -> None:
    site.pages["/robots.txt"] = manners.sitemap_line(site.at(HOSTS[0], "/map.xml"))
    site.pages["/map.xml"] = xml(urlset(*(site.at(HOSTS[0], f"/page/{number}/") for number in range(3000))))
    site.pages.update({"/": links("/linked"), "/*": lambda found: links(found.path)})
    found = crawl(tmp_path, site.url, max_pages=40, workers=workers)
    counts = found.status().counts
    assert sum(counts.values()) == 3000 + 3
    assert counts["not_reached"] == 3002 - 40
    assert len(found.pages) == 40
    story = found.why(site.at(HOSTS[0], "/page/2999/"))
    assert story is not None
    assert story.parents == [(site.at(HOSTS[0], "/map.xml"), "")]
