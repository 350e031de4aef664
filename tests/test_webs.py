"""Random webs and traps, walked over HTTP with the standard library: they must be what they claim to be."""

from __future__ import annotations

import http.client
import re
from html import unescape
from itertools import islice
from random import Random
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from hypothesis import given, settings

from tests.servers import Site
from tests.traps import TRAPS, Trap
from tests.webs import HOSTS, Web, random_web, webs

LINK = re.compile(r'href=(?:"([^"]*)"|([^\s>]+))')


def walk(url: str, limit: int, hosts: tuple[str, ...] = HOSTS) -> dict[str, tuple[int, bytes]]:
    """Every address found from here, breadth first, with its status and body."""
    found = {url: (0, b"")}
    waiting = [url]
    for source in islice(waiting, limit):
        parts = urlsplit(source)
        connection = http.client.HTTPConnection(parts.netloc, timeout=5)
        connection.request("GET", parts._replace(scheme="", netloc="").geturl() or "/")
        response = connection.getresponse()
        found[source] = response.status, (body := response.read())
        connection.close()
        hrefs = [unescape(quoted or bare).strip() for quoted, bare in LINK.findall(body.decode())]
        for href in [*hrefs, response.getheader("location", "#")]:
            target = urldefrag(urljoin(source, href)).url
            if target not in found and urlsplit(target).hostname in hosts:
                found[target] = (0, b"")
                waiting.append(target)
    return found


def check(web: Web, hosts: tuple[str, ...]) -> None:
    """The walk asks for the expected places, once each, and their answers are of the expected kind."""
    with Site(addresses=web.hosts) as site:
        site.pages |= web.pages(site.port)
        found = walk(site.at(web.places[0].host), 1000, hosts)
        asked = [request.host + request.path for request in site.asked()]
    assert sorted(asked) == sorted(web.expected(*hosts))
    statuses = {re.sub(r"^http://([^:]+):\d+", r"\1", url): status for url, (status, _) in found.items()}
    assert {place for place in statuses if statuses[place] == 200} == web.expected(*hosts, kinds=("page", "copy"))
    assert {place for place in statuses if statuses[place] == 404} == web.expected(*hosts, kinds=("dead",))


@settings(max_examples=25)
@given(web=webs())
def test_a_walk_finds_what_the_data_says(web: Web) -> None:
    check(web, ("127.0.0.1",))


@pytest.mark.parametrize("hosts", [HOSTS, HOSTS[:1], HOSTS[:2]])
def test_a_large_web_over_several_hosts(hosts: tuple[str, ...]) -> None:
    web = random_web(Random(7), 300, HOSTS)
    assert {place.kind for place in web.places} == {"page", "copy", "redirect", "dead"}
    assert 20 < len(web.reachable(*hosts)) < 300
    check(web, hosts)


def test_the_same_seed_makes_the_same_web() -> None:
    assert random_web(Random(3), 50, HOSTS) == random_web(Random(3), 50, HOSTS)
    assert random_web(Random(3), 50, HOSTS) != random_web(Random(4), 50, HOSTS)


def test_copies_are_copies_to_the_byte() -> None:
    web = random_web(Random(7), 300, HOSTS)
    pages = web.pages(8000)
    copies = [place for place in web.places if place.kind == "copy"]
    assert copies
    for copy in copies:
        original = web.places[copy.original]
        assert pages[f"//{copy.host}{copy.path}"] == pages[f"//{original.host}{original.path}"]


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_a_trap_has_no_end_and_no_two_pages_alike(trap: Trap) -> None:
    with Site(dict(trap.pages)) as site:
        found = walk(urljoin(site.url, trap.start), limit=150)
    fetched = [body for status, body in found.values() if status == 200]
    assert len(fetched) == 150, "every address is answered, and there is always another"
    assert len(found) > 150
    assert len(set(fetched)) == 150
