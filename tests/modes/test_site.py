"""Whole-site crawls of real servers: complete, once, in order, within bounds."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from dowse import app
from dowse.core.errors import CrawlError
from tests import manners
from tests.crawling import crawl, links, opened, paths, reasons, states
from tests.hostile import redirect, redirect_chain, redirect_loop
from tests.servers import Reply, Site
from tests.traps import TRAPS, Trap
from tests.webs import HOSTS, Web, random_web, webs

Serve = Callable[..., Site]


def asked(site: Site) -> Counter[str]:
    """How often each address was asked for."""
    return Counter(request.host + request.target for request in site.asked())


@settings(max_examples=25)
@given(webs())
def test_every_reachable_page_is_fetched_exactly_once(web: Web) -> None:
    with tempfile.TemporaryDirectory() as folder, Site() as site:
        site.pages.update(web.pages(site.port))
        found = crawl(Path(folder), site.url, dedup="off")
        assert set(asked(site)) == web.expected(HOSTS[0])
        assert set(asked(site).values()) == {1}
        fetched = {row["url"] for row in found.pages}
        assert fetched == {site.at(*_split(place)) for place in web.expected(HOSTS[0], kinds=("page", "copy"))}


def _split(place: str) -> tuple[str, str]:
    host, slash, path = place.partition("/")
    return host, slash + path


@pytest.mark.parametrize("workers", [1, 2])
def test_one_process_and_several_find_the_same(serve: Serve, tmp_path: Path, workers: int) -> None:
    web = random_web(Random(7), 300, HOSTS)
    site = serve(addresses=HOSTS)
    site.pages.update(web.pages(site.port))
    found = crawl(tmp_path, site.url, scope="any", allow_private=True, dedup="off", workers=workers)
    assert set(asked(site)) == web.expected()
    assert set(asked(site).values()) == {1}
    assert found.status().stop_reason == "complete"


def test_breadth_first_and_depth_first_orders(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/1", "/2"), "/1": links("/1/1", "/1/2"), "/2": links("/2/1"),
                       "/1/1": links("/1/1/1"), "/1/2": "a", "/2/1": "b", "/1/1/1": "c"})  # fmt: skip
    one_at_a_time = {"per_host": 1, "concurrency": 1}
    breadth = crawl(tmp_path / "b", site.url, order="breadth", **one_at_a_time)
    depth = crawl(tmp_path / "d", site.url, order="depth", **one_at_a_time)
    assert paths(breadth) == ["/", "/1", "/2", "/1/1", "/1/2", "/2/1", "/1/1/1"]
    assert paths(depth) == ["/", "/1", "/1/1", "/1/1/1", "/1/2", "/2", "/2/1"]


def test_depth_counts_from_the_seed(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/1"), "/1": links("/2"), "/2": links("/3"), "/3": "end"})
    found = crawl(tmp_path, site.url, depth=2)
    assert [(row["url"].rpartition("/")[2], row["depth"]) for row in found.pages] == [("", 0), ("1", 1), ("2", 2)]
    assert reasons(found)["/3"] == "depth 2"


def test_a_url_refused_for_its_depth_is_taken_when_found_nearer(site: Site, tmp_path: Path) -> None:
    # Depth-first reaches /far by the long way first, where it is too deep.
    site.pages.update({"/": links("/1", "/4"), "/1": links("/2"), "/2": links("/far"), "/4": links("/far", "/4")})
    site.pages["/far"] = "here"
    found = crawl(tmp_path, site.url, order="depth", depth=2, per_host=1, concurrency=1)
    assert states(found)["/far"] == "fetched"


def test_limits_are_kept_to_the_page_and_lifted_on_resume(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links(*(f"/{number}" for number in range(50)))
    site.pages["/*"] = lambda request: links(request.path)
    found = crawl(tmp_path, site.url, max_pages=10, sitemaps=False)
    assert found.status().pages == len(list(found.pages)) == 10
    assert found.status().stop_reason == "max_pages"
    assert found.status().counts["not_reached"] == 41
    assert set(reasons(found).values()) == {"", "max_pages"}
    app.resume(tmp_path, max_pages=0)
    assert opened(tmp_path).status().counts == {"fetched": 51}
    assert set(asked(site).values()) == {1}, "what was fetched before is not fetched again"


def test_a_crawl_stops_at_its_time(serve: Serve, tmp_path: Path) -> None:
    numbered = {"/*": lambda request: links(f"/{int(request.path[1:] or 0) + 1}"), "/robots.txt": ""}
    site = serve(numbered, latency=0.05)
    found = crawl(tmp_path, site.url, max_time=1.0, sitemaps=False)
    assert found.status().stop_reason == "max_time"
    assert found.status().pages < 30


def test_scope_keeps_to_the_host_and_says_so(serve: Serve, tmp_path: Path) -> None:
    site = serve(addresses=HOSTS[:2])
    site.pages.update({"//127.0.0.1/": links(site.at("127.0.0.2", "/other"), "/a.zip", "/a", "mailto:x@example.org"),
                       "//127.0.0.1/a": "a", "//127.0.0.2/other": "other"})  # fmt: skip
    found = crawl(tmp_path, site.url)
    assert states(found) == {"/": "fetched", "/a": "fetched", "/other": "out_of_scope", "/a.zip": "out_of_scope"}
    assert (reasons(found)["/other"], reasons(found)["/a.zip"]) == ("host", "extension .zip")


def test_include_and_exclude(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a/1", "/a/2", "/b/1"), "/*": lambda request: links(request.path)})
    found = crawl(tmp_path, site.url, include=("/a/",), exclude=("2$",))
    assert states(found) == {"/": "fetched", "/a/1": "fetched", "/a/2": "out_of_scope", "/b/1": "out_of_scope"}
    assert reasons(found)["/a/2"] == "exclude 2$"
    assert reasons(found)["/b/1"] == "include"


def test_a_link_to_a_private_address_that_was_not_named_is_refused(serve: Serve, tmp_path: Path) -> None:
    site = serve(addresses=HOSTS[:2])
    site.pages.update({"//127.0.0.1/": links(site.at("127.0.0.2", "/"), "/hop"), "//127.0.0.2/": "secret"})
    site.pages["//127.0.0.1/hop"] = redirect(site.at("127.0.0.2", "/inside"))
    found = crawl(tmp_path, site.url, scope="any")
    refused = {row["url"]: row["reason"] for row in found.ledger if row["state"] == "failed"}
    assert refused == {site.at("127.0.0.2", "/"): "blocked_address", site.at("127.0.0.2", "/inside"): "blocked_address"}
    assert {request.host for request in site.asked()} == {"127.0.0.1"}


# Redirects


def test_every_hop_of_a_redirect_is_a_url_of_its_own(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/chain/0", "/end"), "/end": "the end", **redirect_chain(3, "/end")})
    found = crawl(tmp_path, site.url)
    assert set(asked(site).values()) == {1}, "the end is fetched once, by whichever way it was found"
    assert paths(found) == ["/", "/end"]
    story = found.why(site.at("127.0.0.1", "/chain/0"))
    assert story is not None
    assert story.redirected_to == site.at("127.0.0.1", "/chain/1")


def test_a_seed_that_moved_takes_its_scope_along(serve: Serve, tmp_path: Path) -> None:
    site = serve(addresses=HOSTS[:2])
    site.pages["//127.0.0.1/"] = redirect(site.at("127.0.0.2", "/home"))
    site.pages.update({"//127.0.0.2/home": links("/next"), "//127.0.0.2/next": "here"})
    found = crawl(tmp_path, site.url, allow_private=True)
    assert paths(found) == ["/home", "/next"]


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_redirect_loop_ends_and_is_called_one(site: Site, tmp_path: Path, length: int) -> None:
    site.pages.update({"/": links("/loop/0", "/fine"), "/fine": "fine", **redirect_loop(length)})
    found = crawl(tmp_path, site.url)
    assert "redirect loop" in reasons(found).values()
    assert len(site.asked()) <= 2 + 2 * length + 1
    assert states(found)["/fine"] == "fetched"


def test_a_redirect_that_only_wants_its_cookie_back(site: Site, tmp_path: Path) -> None:
    def wall(request: Any) -> Any:
        if "seen=1" in request.headers.get("cookie", ""):
            return "inside"
        return Reply(status=302, headers={"Location": "/wall", "Set-Cookie": "seen=1"})

    site.pages.update({"/": links("/wall"), "/wall": wall})
    found = crawl(tmp_path, site.url)
    assert paths(found) == ["/", "/wall"]


def test_too_many_redirects(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/chain/0"), "/end": "end", **redirect_chain(12, "/end")})
    found = crawl(tmp_path, site.url, max_redirects=5)
    assert "redirect 302" in reasons(found).values()
    assert "/end" not in states(found)


# Duplicates


def test_a_mirror_is_recorded_and_its_links_are_not_followed(site: Site, tmp_path: Path) -> None:
    body = links("/deeper")
    site.pages.update({"/": links("/a", "/b"), "/a": body, "/b": body, "/deeper": "x"})
    found = crawl(tmp_path, site.url, per_host=1)
    assert states(found) == {"/": "fetched", "/a": "fetched", "/b": "duplicate", "/deeper": "fetched"}
    story = found.why(site.at("127.0.0.1", "/b"))
    assert story is not None
    assert story.duplicate_of == site.at("127.0.0.1", "/a")
    assert states(crawl(tmp_path / "off", site.url, dedup="off"))["/b"] == "fetched"


def test_tracking_parameters_do_not_make_another_page(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a?utm_source=x", "/a", "/a?utm_source=y#part", "/a?id=1")
    site.pages["/*"] = lambda request: links(request.target)
    found = crawl(tmp_path, site.url)
    assert sum(state == "fetched" for path, state in states(found).items() if path.startswith("/a")) == 2


# Traps


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS.keys())
@pytest.mark.parametrize("dedup", ["exact", "off"])
def test_traps_end_by_themselves_and_the_ledger_says_so(site: Site, tmp_path: Path, trap: Trap, dedup: str) -> None:
    site.pages.update({"/": links(trap.start, "/fine"), "/fine": "fine", **trap.pages})
    found = crawl(tmp_path, site.url, dedup=dedup, max_pages=6000)
    assert found.status().stop_reason == "complete"
    assert states(found)["/fine"] == "fetched"
    assert any(reason.startswith("trap") for reason in reasons(found).values())


# Going again


def test_retry_runs_what_failed_and_nothing_else(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/broken", *(f"/{number}" for number in range(20)))
    site.pages["/broken"] = manners.refused_at_first(1, links("/new"), status=404)
    site.pages["/*"] = lambda request: links(request.path)
    crawl(tmp_path, site.url, max_pages=5)
    before = len(site.asked())
    while "/broken" not in site.paths():
        app.resume(tmp_path, max_pages=opened(tmp_path).status().pages + 1)
        before = len(site.asked())
    app.retry(tmp_path)
    assert site.paths()[before:] == ["/broken"]
    found = opened(tmp_path)
    assert states(found)["/broken"] == "fetched"
    assert states(found)["/new"] == "not_reached"


def test_recrawl_processes_only_what_changed(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/same", "/tagged", "/changing")
    site.pages["/same"] = "always the same"
    site.pages["/tagged"] = manners.revalidated("tagged", etag='"1"')
    site.pages["/changing"] = lambda request: links(f"/news{request.visit}")
    site.pages["/news0"] = "old news"
    site.pages["/news1"] = "new news"
    crawl(tmp_path, site.url)
    app.recrawl(tmp_path)
    found = opened(tmp_path)
    assert {path: reason for path, reason in reasons(found).items() if reason} == {
        "/": "unchanged", "/same": "unchanged", "/tagged": "unchanged", "/news0": "unchanged",
        "/changing": "changed"}  # fmt: skip
    assert states(found)["/news1"] == "fetched"
    story = found.why(site.at("127.0.0.1", "/tagged"))
    assert story is not None
    assert [visit["status"] for visit in story.visits] == [200, 304]
    assert len([row for row in found.links if row["url"] == site.url]) == 3, "an unchanged page keeps its links"


def test_failures_that_may_pass_are_tried_again(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/flaky", "/gone")
    site.pages["/flaky"] = manners.refused_at_first(1, "here after all", status=503, retry_after="1")
    found = crawl(tmp_path, site.url)
    assert states(found)["/flaky"] == "fetched"
    assert (states(found)["/gone"], reasons(found)["/gone"]) == ("failed", "http 404")
    assert asked(site)["127.0.0.1/gone"] == 1, "a 404 is final"


def test_a_new_crawl_does_not_overwrite_an_old_one(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = "one page"
    crawl(tmp_path, site.url)
    with pytest.raises(CrawlError, match="dowse resume"):
        crawl(tmp_path, site.url)


def test_the_story_of_a_url(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a"), "/a": links("/", "/b"), "/b": Reply("no", status=410)})
    found = crawl(tmp_path, site.url)
    story = found.why(site.at("127.0.0.1", "/b#somewhere"))
    assert story is not None
    assert (story.state, story.reason, story.depth) == ("failed", "http 410", 2)
    assert story.parents == [(site.at("127.0.0.1", "/a"), "to /b")]
    assert [visit["status"] for visit in story.visits] == [410]
    assert found.why(site.at("127.0.0.1", "/never")) is None


def test_pages_and_links_are_tables(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/a#again"), "/a": "<title> A  page </title>ok"})
    found = crawl(tmp_path, site.url)
    assert [(row["title"], row["out_links"]) for row in found.pages] == [("links", 1), ("A page", 0)]
    assert [(row["url"], row["target"], row["anchor"]) for row in found.links] == [
        (site.url, site.at("127.0.0.1", "/a"), "to /a")
    ]
