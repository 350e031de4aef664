"""The bundled sample site: it is what the tutorials say, always the same, and every corner of it is there."""

from __future__ import annotations

import http.client
import re
import threading
import urllib.robotparser
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from dowse.demo import DemoSite
from dowse.demo.pdf import pdf
from tests.client import ask


def test_about_150_pages_and_their_papers(demo_site: DemoSite) -> None:
    kinds = [document.media_type for document in demo_site.documents.values() if document.status == 200]
    assert 140 <= sum(kind.startswith("text/html") for kind in kinds) <= 170
    assert kinds.count("application/pdf") > 100


def test_every_link_but_one_leads_somewhere(demo_site: DemoSite) -> None:
    dead = set()
    for document in demo_site.documents.values():
        for href in re.findall(rb'href="(/[^"?#]*)', document.body):
            if demo_site.answer(href.decode()).status == 404:
                dead.add(href.decode())
    assert dead == {"/consultations/withdrawn.html"}


def test_the_site_is_the_same_every_time(demo_site: DemoSite) -> None:
    with DemoSite() as other:
        assert other.url != demo_site.url
        changed = {path for path in other.documents if other.documents[path] != demo_site.documents[path]}
    assert changed == {"/robots.txt", "/sitemap.xml", "/news/feed.xml"}, "only these name the site's own address"


def test_the_way_to_the_international_papers(demo_site: DemoSite) -> None:
    home, topic, consultation = (
        demo_site.documents[path].body.decode()
        for path in (
            "/",
            "/topics/international/",
            "/consultations/international/effectiveness-of-development-aid.html",
        )
    )
    assert 'href="/topics/international/"' in home[home.index('class="topic-list"') :]
    assert 'href="/consultations/international/effectiveness-of-development-aid.html"' in topic[topic.index("<main>") :]
    assert 'href="/documents/international/programme-2026.pdf"' in topic
    assert 'href="/documents/international/effectiveness-of-development-aid-discussion-paper.pdf"' in consultation


def test_corners(demo_site: DemoSite) -> None:
    assert ask(demo_site.url, "/old")[0] == 301
    assert ask(demo_site.url, "/old")[1]["location"] == "/consultations/"
    assert ask(demo_site.url, "/consultations/withdrawn.html")[0] == 404
    assert ask(demo_site.url, "/mirror/contact.html")[2] == ask(demo_site.url, "/contact.html")[2]
    _, headers, french = ask(demo_site.url, "/fr/bienvenue.html")
    assert headers["content-type"] == "text/html"
    assert "écoute" in french.decode("iso-8859-1")
    with pytest.raises(UnicodeDecodeError):
        french.decode("utf-8")


def test_robots_sitemap_and_feed(demo_site: DemoSite) -> None:
    robots = urllib.robotparser.RobotFileParser()
    robots.parse(ask(demo_site.url, "/robots.txt")[2].decode().splitlines())
    assert not robots.can_fetch("anyone", f"{demo_site.url}internal/rota.html")
    assert robots.can_fetch("anyone", demo_site.url)
    assert robots.site_maps() == [f"{demo_site.url}sitemap.xml"]
    sitemap = ElementTree.fromstring(ask(demo_site.url, "/sitemap.xml")[2])
    listed = {str(entry[0].text) for entry in sitemap}
    assert f"{demo_site.url}archive/first-year.html" in listed
    assert not any("/internal/" in url for url in listed)
    feed = ElementTree.fromstring(ask(demo_site.url, "/news/feed.xml")[2])
    for url in [*listed, *(str(item.findtext("link")) for item in feed.iter("item"))]:
        assert demo_site.answer(urlsplit(url).path).status == 200


def test_tracking_parameters_change_nothing(demo_site: DemoSite) -> None:
    news = demo_site.documents["/news/"].body.decode()
    tracked = re.search(r'href="(/news/[^"?]*)(\?utm_source=[^"]*)"', news)
    assert tracked
    assert ask(demo_site.url, tracked[1])[2] == ask(demo_site.url, (tracked[1] + tracked[2]).replace("&amp;", "&"))[2]


def test_the_search_form_finds(demo_site: DemoSite) -> None:
    assert b'<form action="/search" method="get"' in ask(demo_site.url, "/search")[2]
    found = ask(demo_site.url, "/search?q=ferry")[2]
    assert found.count(b'class="entry"') == 2
    assert b"Ferry timetable for the outer islands" in found
    assert b"&lt;script&gt;" in ask(demo_site.url, "/search?q=%3Cscript%3E")[2]


def test_conditional_and_head_requests(demo_site: DemoSite) -> None:
    _, headers, body = ask(demo_site.url, "/")
    status, _, nothing = ask(demo_site.url, "/", {"If-None-Match": headers["etag"]})
    assert (status, nothing) == (304, b"")
    assert ask(demo_site.url, "/", {"If-None-Match": '"other"'})[0] == 200
    status, headers, nothing = ask(demo_site.url, "/", method="HEAD")
    assert (headers["content-length"], nothing) == (str(len(body)), b"")
    assert demo_site.requests["/"] == 4


def test_stopping_does_not_wait_for_idle_clients() -> None:
    before = threading.active_count()
    with DemoSite() as site:
        idle = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=5)
        idle.request("GET", "/")
        idle.getresponse().read()
    assert idle.sock.recv(1) == b"", "the server has hung up"
    idle.close()
    assert threading.active_count() <= before + 1


def test_a_pdf_has_a_true_table_of_offsets() -> None:
    document = pdf("A (title) with \\ and \u2019", ["A paragraph that is long enough to be wrapped. " * 5])
    assert document.startswith(b"%PDF-1.4")
    table = int(document.split(b"startxref\n")[1].split()[0])
    assert document[table:].startswith(b"xref\n")
    offsets = [int(line[:10]) for line in document[table:].split(b"\n")[3:] if line.endswith(b" n ")]
    assert [document[offset:].split(b" ", 1)[0] for offset in offsets] == [
        b"%d" % n for n in range(1, len(offsets) + 1)
    ]
    stream = re.search(rb"/Length (\d+) >>\nstream\n(.*)\nendstream", document, re.DOTALL)
    assert stream
    assert len(stream[2]) == int(stream[1])
