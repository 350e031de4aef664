"""Corners in which a crawl once lost, repeated or let in something it should not have."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import JobError
from dowse.engine.events import Event, Notice
from dowse.parse.links import MOST_LINKS
from tests import manners
from tests.crawling import crawl, links, opened, paths, reasons, states
from tests.hostile import hang_up, redirect
from tests.servers import Reply, Request, Site
from tests.traps import sort_permutations

Serve = Callable[..., Site]
HOSTS = ("127.0.0.1", "127.0.0.2")
FEED = '<rss version="2.0"><channel><item><link>{}</link></item></channel></rss>'
RSS = {"Content-Type": "application/rss+xml"}


@pytest.mark.parametrize("delay", [0.0, -1.0])
@pytest.mark.parametrize("workers", [1, 2])
def test_two_links_to_one_url_that_was_refused_before(site: Site, tmp_path: Path, delay: float, workers: int) -> None:
    site.pages["/"] = '<a rel=nofollow href="/x">x</a>' + links("/b")
    site.pages.update({"/b": links("/x", "/x?utm_source=1"), "/x": "found after all"})
    found = crawl(tmp_path, site.url, delay=delay, workers=workers, max_time=20.0)
    assert found.status().stop_reason == "complete"
    assert found.status().pages == 4
    assert states(found) == {"/": "fetched", "/b": "fetched", "/x": "fetched", "/x?utm_source=1": "duplicate"}


def test_a_feed_that_redirects_does_not_widen_the_scope(serve: Serve, tmp_path: Path) -> None:
    site = serve(addresses=HOSTS)
    site.pages["//127.0.0.1/"] = '<link rel="alternate" type="application/rss+xml" href="/feed">' + links("/a")
    site.pages["//127.0.0.1/a"] = "a"
    site.pages["//127.0.0.1/feed"] = redirect(site.at("127.0.0.2", "/feed"))
    site.pages["//127.0.0.2/feed"] = Reply(FEED.format(site.at("127.0.0.2", "/other")), headers=RSS)
    site.pages["//127.0.0.2/other"] = "not asked for"
    found = crawl(tmp_path, site.url, allow_private=True)
    assert paths(found) == ["/", "/a"]
    assert {request.host for request in site.asked()} == {"127.0.0.1"}


def test_a_redirect_to_another_spelling_of_the_same_url(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/news")
    site.pages["/news"] = redirect("/news?utm_source=home")
    site.pages["/news?utm_source=home"] = links("/deeper")
    site.pages["/deeper"] = "deeper"
    found = crawl(tmp_path, site.url)
    assert paths(found) == ["/", "/news?utm_source=home", "/deeper"]


def test_spellings_that_redirect_to_each_other_end(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a")
    site.pages["/a"] = redirect("/a?utm_source=1")
    site.pages["/a?utm_source=1"] = redirect("/a")
    found = crawl(tmp_path, site.url, max_redirects=4)
    assert states(found) == {"/": "fetched", "/a": "failed"}
    assert len(site.asked()) <= 6


def test_robots_txt_that_fails_once_is_asked_for_again(site: Site, tmp_path: Path) -> None:
    site.pages["/robots.txt"] = manners.in_turn(hang_up(), hang_up(), Reply("User-agent: *\nDisallow: /private\n"))
    site.pages.update({"/": links("/private"), "/private": "x"})
    found = crawl(tmp_path, site.url)
    assert states(found) == {"/": "fetched", "/private": "robots"}


def test_a_limit_on_depth_is_exact_although_a_page_is_slow(site: Site, tmp_path: Path) -> None:
    # /x is two clicks away over the slow page and three over the others, which answer at once.
    site.pages["/"] = links("/slow", "/1")
    site.pages["/slow"] = Reply(links("/x", "/slow"), delay=0.7)
    site.pages.update({"/1": links("/2"), "/2": links("/x"), "/x": links("/y"), "/y": "three clicks away"})
    found = crawl(tmp_path, site.url, depth=3)
    assert {row["url"][-2:]: row["depth"] for row in found.pages}["/x"] == 2
    assert states(found)["/y"] == "fetched"


def test_a_trap_gets_no_new_allowance_when_a_crawl_goes_on(site: Site, tmp_path: Path) -> None:
    trap = sort_permutations()
    site.pages.update({"/": links(trap.start), **trap.pages})
    whole = len(list(crawl(tmp_path / "whole", site.url, parameter_combinations=40).pages))
    crawl(tmp_path / "parts", site.url, parameter_combinations=40, max_pages=10)
    for limit in (20, 30, 0):
        app.resume(tmp_path / "parts", max_pages=limit)
    assert len(list(opened(tmp_path / "parts").pages)) == whole


def test_a_recrawl_without_changes_still_has_its_pages(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = manners.revalidated(links("/a"), etag='"é1"')
    site.pages["/a"] = manners.revalidated("a", last_modified="Thu, 01 Jan 2026 00:00:00 GMT")
    crawl(tmp_path, site.url, sitemaps=False)
    summary = app.recrawl(tmp_path)
    assert (summary.pages, summary.counts) == (2, {"fetched": 2})
    assert set(reasons(opened(tmp_path)).values()) == {"unchanged"}


def test_an_error_page_does_not_answer_for_the_page(site: Site, tmp_path: Path) -> None:
    def broken_at_first(request: Request) -> Reply:
        if request.visit == 0:
            return Reply("broken", status=501, headers={"ETag": '"1"'})
        if "if-none-match" in request.headers:
            return Reply(status=304)
        return Reply(links("/next"))

    site.pages.update({"/": links("/a"), "/a": broken_at_first, "/next": "next"})
    crawl(tmp_path, site.url)
    app.retry(tmp_path)
    app.resume(tmp_path)
    assert paths(opened(tmp_path)) == ["/", "/a", "/next"]


def test_a_304_that_nobody_asked_for_is_a_failure(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a"), "/a": Reply(status=304)})
    assert states(crawl(tmp_path, site.url, retries=0))["/a"] == "failed"


def test_a_limit_on_a_retry_loses_no_failure(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/1", "/2", "/3")
    for number in (1, 2, 3):
        site.pages[f"/{number}"] = manners.refused_at_first(1, f"page {number}", status=404)
    crawl(tmp_path, site.url, sitemaps=False)
    app.retry(tmp_path, max_pages=1)
    found = opened(tmp_path)
    assert found.status().counts == {"fetched": 2, "failed": 2}
    assert sorted(reasons(found).values()) == ["", "", "not retried", "not retried"]
    assert found.job.limits.max_pages == 0, "the limit was for that run only"


def test_a_retry_says_when_it_found_more(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a")
    site.pages["/a"] = manners.in_turn(Reply("gone", status=404), redirect("/b"))
    site.pages.update({"/b": links("/c"), "/c": "c"})
    crawl(tmp_path, site.url)
    app.retry(tmp_path)
    found = opened(tmp_path)
    assert states(found)["/b"] == "fetched", "where the page was sent to belongs to the retry"
    assert (states(found)["/c"], found.status().stop_reason) == ("not_reached", "retried")
    app.resume(tmp_path)
    assert states(opened(tmp_path))["/c"] == "fetched"


def test_a_crawl_that_goes_on_with_other_rules_reconsiders_what_it_refused(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/1", "/no"), "/1": links("/2"), "/2": links("/3"), "/3": "3", "/no": "no"})
    crawl(tmp_path, site.url, depth=1, exclude=("/no$",))
    app.resume(tmp_path, depth=2, exclude=())
    found = opened(tmp_path)
    assert states(found) == {"/": "fetched", "/1": "fetched", "/no": "fetched", "/2": "fetched", "/3": "out_of_scope"}
    assert reasons(found)["/3"] == "depth 2"
    with pytest.raises(JobError, match="sort_query"):
        app.resume(tmp_path, sort_query=True)


def test_crawl_delay_holds_from_the_first_request(site: Site, tmp_path: Path) -> None:
    site.pages["/robots.txt"] = "User-agent: *\nCrawl-delay: 0.6\n"
    site.pages["/*"] = lambda request: links(request.path)
    crawl(tmp_path, *(site.at("127.0.0.1", f"/{number}") for number in range(4)))
    times = [hit.time for hit in site.log if hit.request.path != "/robots.txt"]
    assert min(later - earlier for earlier, later in pairwise(times)) > 0.2


def test_links_beyond_what_is_read_of_a_page_are_told(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "".join(f"<a href=http://other.example/{number}>x</a>" for number in range(MOST_LINKS + 500))
    told: list[Event] = []
    app.start(make_job("site", site.url, output=str(tmp_path), delay=0.0), told.append)
    notices = [event.text for event in told if isinstance(event, Notice)]
    assert notices == [f"{site.url} has too many links: 500 are left out"]
    story = opened(tmp_path).why("/")
    assert story is not None
    assert story.visits[-1]["detail"] == "about 500 links too many left out"
