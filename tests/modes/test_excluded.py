"""--exclude holds for every request, whatever it is made for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from tests.crawling import FAST, crawl, links, opened, reasons, states
from tests.hostile import redirect
from tests.servers import Page, Reply, Site

Serve = Callable[..., Site]
EXCLUDE: dict[str, Any] = {"exclude": ("/private",)}
OUT = "/private/logout"
ATOM = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='{}'/></entry></feed>"
SITEMAP = "<urlset><url><loc>{}</loc></url></urlset>"
INDEX = "<sitemapindex><sitemap><loc>{}</loc></sitemap></sitemapindex>"


def feed(text: str) -> Reply:
    return Reply(text.format(OUT), headers={"Content-Type": "application/atom+xml"})


FEED_LINK = "<link rel=alternate type='application/atom+xml' href='{}'>"

WAYS: dict[str, dict[str, Page]] = {
    "a link": {"/": links(OUT)},
    "a refresh": {"/": f"<meta http-equiv=refresh content='0; url={OUT}'>"},
    "a frame": {"/": f"<iframe src={OUT}></iframe>"},
    "a canonical address": {"/": f"<link rel=canonical href={OUT}>one"},
    "a redirect": {"/": links("/go"), "/go": redirect(OUT)},
    "a redirect of the seed": {"/": redirect(OUT)},
    "two redirects": {"/": links("/go"), "/go": redirect("/on"), "/on": redirect(OUT)},
    "a feed": {"/": FEED_LINK.format(OUT)},
    "a feed that redirects": {"/": FEED_LINK.format("/feed"), "/feed": redirect(OUT)},
    "an entry of a feed": {"/": FEED_LINK.format("/feed"), "/feed": feed(ATOM)},
    "an entry of a page that is a feed": {"/": links("/feed"), "/feed": feed(ATOM)},
    "a sitemap of robots.txt": {"/": "one", "/robots.txt": f"Sitemap: {OUT}"},
    "a sitemap that redirects": {"/": "one", "/robots.txt": "Sitemap: /map", "/map": redirect(OUT)},
    "an entry of a sitemap": {"/": "one", "/robots.txt": "Sitemap: /map", "/map": feed(SITEMAP)},
    "a sitemap of an index": {"/": "one", "/robots.txt": "Sitemap: /map", "/map": feed(INDEX)},
    "a robots.txt that redirects": {"/": "one", "/robots.txt": redirect(OUT)},
    "another spelling": {"/": links("/a?utm_source=1", "/a?utm_source=/private"), "/a": "one"},
}


@pytest.mark.parametrize("way", WAYS)
def test_no_way_leads_to_what_is_excluded(site: Site, tmp_path: Path, way: str) -> None:
    site.pages.update({**WAYS[way], "/private/*": links("/private/more")})
    found = crawl(tmp_path, site.url, **EXCLUDE)
    assert not [request.target for request in site.asked() if "/private" in request.target]
    listed = {path: reason for path, reason in reasons(found).items() if path == OUT}
    assert set(listed.values()) <= {"exclude /private"}


def test_a_feed_that_is_excluded_is_in_the_ledger(site: Site, tmp_path: Path) -> None:
    site.pages.update(WAYS["a feed"])
    found = crawl(tmp_path, site.url, **EXCLUDE)
    assert (states(found)[OUT], reasons(found)[OUT]) == ("out_of_scope", "exclude /private")


def test_lists_need_not_be_included(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": "one", "/robots.txt": "Sitemap: /map.xml.gz", "/docs/a": "page"})
    site.pages["/map.xml.gz"] = Reply(SITEMAP.format("/docs/a"), headers={"Content-Type": "application/xml"})
    assert states(crawl(tmp_path, site.url, include=("/docs/",)))["/docs/a"] == "fetched"


@pytest.mark.parametrize("again", [app.resume, app.recrawl, app.retry])
def test_what_is_excluded_later_is_not_asked_for_again(
    site: Site, tmp_path: Path, again: Callable[..., object]
) -> None:
    site.pages.update({"/": links("/private/a", "/private/b", *(f"/{number}" for number in range(20)))})
    site.pages.update({"/private/a": links("/private/c"), "/private/b": Reply("no", status=404), "/*": "page"})
    app.start(make_job("site", site.url, output=str(tmp_path), **{**FAST, "max_pages": 8, "per_host": 1}))
    before = len(site.asked())
    again(tmp_path, **EXCLUDE)
    assert not [request.target for request in site.asked()[before:] if "/private" in request.target]
    assert states(opened(tmp_path))["/private/a"] == "fetched", "what was fetched stays"


def test_scripts_of_rendered_pages_are_held_to_it(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = (
        "<p id=x>one<script>"
        f"fetch('{OUT}').catch(() => 0); fetch('/go').catch(() => 0); new Image().src = '{OUT}';"
        f"navigator.sendBeacon('{OUT}'); fetch('/fine').then(r => r.text()).then(t => x.textContent = t);"
        "</script>"
        f"<iframe src={OUT}></iframe><script src={OUT}></script>"
    )
    site.pages.update({"/go": redirect(OUT), "/fine": "well", "/private/*": "out"})
    crawl(tmp_path, site.url, **EXCLUDE, fetch="browser", images=True)
    asked = [request.target for request in site.asked()]
    assert "/fine" in asked
    assert not [target for target in asked if "/private" in target]
