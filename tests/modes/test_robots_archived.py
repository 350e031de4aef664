"""robots.txt is archived: every answer to a request for it is in the crawl, is exported, and is obeyed in a replay."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.store.warc.body_reader import BodyReader
from dowse.workflows.simulate import simulate
from tests.archiving import found_by_warcio
from tests.crawling import crawl, links, opened, path_of, paths
from tests.processes import dowse
from tests.servers import Reply, Site

Serve = Callable[..., Site]

RULES = "User-agent: *\nDisallow: /secret\n"


def robots_of(folder: Path) -> list[tuple[str, int, bytes]]:
    """The answers to requests for robots.txt: path, status and body, in their order."""
    with BodyReader(folder / "warc") as reader:
        found = [(path_of(row["url"]), row["status"], reader.read(row["body"]).body) for row in app.read(folder).bodies]
    return [answer for answer in found if "robots" in answer[0]]


def times_asked(site: Site) -> int:
    return sum(hit.request.path == "/robots.txt" for hit in site.log)


def test_robots_txt_is_kept_and_is_no_page(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/robots.txt": Reply(RULES, headers={"Content-Type": "text/plain"}), "/": links("/a"), "/a": "a"}
    found = crawl(tmp_path / "out", site.url)
    assert robots_of(tmp_path / "out") == [("/robots.txt", 200, RULES.encode())]
    assert paths(found) == ["/", "/a"]
    assert found.status().pages == 2
    assert "/robots.txt" not in {path_of(row["url"]) for row in found.ledger}


@pytest.mark.parametrize("workers", [1, 2])
def test_it_is_kept_once_for_each_time_it_was_asked_for(serve: Serve, tmp_path: Path, workers: int) -> None:
    gone = Reply("not found", 404)
    pages = {"/": links(*(f"/{number}" for number in range(30))), "/robots.txt": gone, "/*": "<p>a page"}
    site = serve(pages, latency=0.01)
    crawl(tmp_path, site.url, workers=workers, dedup="off")
    asked = times_asked(site)
    assert 1 <= asked <= workers
    assert robots_of(tmp_path) == [("/robots.txt", 404, b"not found")] * asked
    app.recrawl(tmp_path)
    assert len(robots_of(tmp_path)) == times_asked(site) > asked


def test_every_hop_to_a_robots_txt_elsewhere_is_kept(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "hello", "/robots.txt": Reply("", 302, {"Location": "/more/robots"}), "/more/robots": RULES}
    crawl(tmp_path, site.url)
    assert robots_of(tmp_path) == [("/robots.txt", 302, b""), ("/more/robots", 200, RULES.encode())]


def test_it_is_kept_where_it_let_nothing_in(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "hello", "/robots.txt": "User-agent: *\nDisallow: /\n"}
    found = crawl(tmp_path, site.url)
    assert paths(found) == []
    assert len(robots_of(tmp_path)) == 1


def test_without_bodies_and_without_robots_nothing_is_kept(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "hello", "/robots.txt": RULES}
    crawl(tmp_path / "bare", site.url, bodies=False)
    crawl(tmp_path / "rude", site.url, robots="ignore")
    assert len(opened(tmp_path / "bare").bodies) == 0
    assert robots_of(tmp_path / "rude") == []


def test_exports_have_it(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<title>hello</title>", "/robots.txt": RULES}
    crawl(tmp_path / "out", site.url)
    assert dowse("export", tmp_path / "out", "bodies", "-f", tmp_path / "all.warc.gz").code == 0
    kinds = [
        (record.kind, path_of(record.fields["WARC-Target-URI"]))
        for record in found_by_warcio(tmp_path / "all.warc.gz")
        if record.kind in ("response", "request")
    ]
    assert sorted(kinds) == [(kind, path) for kind in ("request", "response") for path in ("/", "/robots.txt")]


def test_the_command_replays_it_too(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<p>boats</p>" + links("/boats"), "/boats": "<h1>boats</h1>", "/robots.txt": RULES}
    crawl(tmp_path, site.url)
    words = ("simulate", tmp_path, "--topic", "boats", "--by", "breadth", "--json")
    site.pages.clear()
    ended = dowse(*words, "--robots", "obey")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["robots"] == "obey"


def test_a_replay_obeys_it_if_it_is_asked_to(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/robots.txt": "User-agent: otherbot\nDisallow: /boats\n",
        "/": "<p>boats</p>" + links("/boats", "/fish"), "/boats": "<h1>boats</h1>", "/fish": "<h1>boats and fish</h1>",
    }  # fmt: skip
    crawl(tmp_path, site.url)

    def replayed(**options: Any) -> float:
        (result,) = simulate(tmp_path, ["breadth"], topic="boats", **options)
        return result.curve[-1] if result.curve else 0.0

    assert replayed() == replayed(robots="obey") > replayed(robots="obey", user_agent="otherbot")
