"""A mode that wants other requests than links: they are made as proposed, in one run and in several."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.modes.test_toy_mode import FAST, dowse
from tests.servers import Answer, Reply, Request, Site

LAST = 4


def results(asked: Request) -> Answer:
    if asked.method != "POST":
        return Reply("only by POST", status=405)
    number = asked.headers["x-asking"]
    if number == "2":
        return Reply(status=307, headers={"Location": "/find"})  # the same question, at another place
    return f"<title>{'no more' if number == str(LAST) else 'results'}</title>{asked.body.decode()}"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({"/": "<title>start</title>", "/search": results}) as running:
        running.pages["/find"] = lambda asked: f"<title>found</title>{asked.method} {asked.body.decode()}"
        yield running


def asked_of(site: Site) -> list[tuple[str, str, str, str | None]]:
    return [(each.method, each.path, each.body.decode(), each.headers.get("content-type")) for each in site.asked()]


def post(path: str, number: int) -> tuple[str, str, str, str]:
    return "POST", path, f"q=apple&page={number}", "application/x-www-form-urlencoded"


EXPECTED = [
    ("GET", "/", "", None),
    post("/search", 1),
    post("/search", 2),
    post("/find", 2),
    post("/search", 3),
    post("/search", 4),
]


def test_requests_are_made_as_proposed(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended = dowse("asking", site.url, "--word", "apple", "-o", out, *FAST)
    assert ended.code == 0, ended.err
    assert asked_of(site) == EXPECTED
    told = dowse("why", out, "/search").out
    assert "request          POST q=apple&page=1\n" in told
    assert "wanted because   page 1 of the results\n" in told
    assert "POST q=apple&page=3, fetched: page 3 of the results\n" in told
    assert json.loads(dowse("why", out, "/search", "--json").out)["asked"]["method"] == "POST"


def test_resuming_goes_on_with_the_same_requests(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    dowse("asking", site.url, "--word", "apple", "-o", out, *FAST, "--max-pages", "1")
    assert asked_of(site) == EXPECTED[:1]
    for pages in ("2", "3", "0"):
        assert dowse("resume", out, "--max-pages", pages).code == 0
    assert asked_of(site) == EXPECTED


def test_several_processes_ask_the_same(site: Site, tmp_path: Path) -> None:
    dowse("asking", site.url, "--word", "apple", "-o", tmp_path / "out", "--workers", "2", *FAST)
    assert asked_of(site) == EXPECTED


def test_a_simulation_gets_the_answer_to_each_of_them(site: Site, tmp_path: Path) -> None:
    out, labels = tmp_path / "out", tmp_path / "labels.csv"
    labels.write_text("url\n/find\n", encoding="utf-8")
    dowse("asking", site.url, "--word", "apple", "-o", out, *FAST)
    asked = len(site.asked())
    ended = dowse("simulate", out, "--mode", "asking", "--word", "apple", "--truth", labels, "--json")
    (simulated,) = json.loads(ended.out)["rankers"]
    assert simulated["found"]["value"] == 1.0
    assert len(simulated["curve"]) == 5, "the start, three pages of results and one at another place"
    assert len(site.asked()) == asked


def test_robots_txt_and_scope_hold_for_them(site: Site, tmp_path: Path) -> None:
    site.pages["/robots.txt"] = Reply("User-agent: *\nDisallow: /search", headers={"Content-Type": "text/plain"})
    out = tmp_path / "out"
    dowse("asking", site.url, "--word", "apple", "-o", out, *FAST)
    assert asked_of(site) == EXPECTED[:1]
    story = json.loads(dowse("why", out, "/search", "--json").out)
    assert (story["state"], story["asked"]["why"]) == ("robots", "page 1 of the results")
    other = tmp_path / "other"
    dowse("asking", site.url, "--word", "apple", "-o", other, *FAST, "--robots", "ignore", "--exclude", "search")
    assert json.loads(dowse("why", other, "/search", "--json").out)["reason"] == "exclude search"
