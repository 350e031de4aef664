"""Crawls of forums that make trouble: every thread is found, few pages are asked for, and what is wrong is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from tests.crawling import opened
from tests.forums import TROUBLES
from tests.servers import Site

EMPTY = "1 page: it has neither threads nor posts"
TOLD = {
    "log-in": "1 page: it asks for a log-in",
    "every page number": "the same as another page",
    "moved threads": "pages: it leads to another page",
    "counters": "8 threads have another number of posts than the boards say",
    "dead links": "2 pages: it could not be fetched",
}
"""What the results say of each trouble, if there is anything to say."""

POSTS = 75
MOST_ASKED = 40
"""Twelve threads on 16 pages, five pages of boards, and what has to be tried."""


def crawl(directory: Path, seed: str) -> dowse.Crawl:
    options: dict[str, Any] = {"delay": 0.0, "retries": 0, "library": False, "max_pages": 200}
    app.start(make_job("forum", [seed], output=str(directory), **options))
    return opened(directory)


@pytest.mark.parametrize("name", TROUBLES)
def test_every_thread_is_found_and_what_is_wrong_is_told(name: str, tmp_path: Path) -> None:
    forum = TROUBLES[name]
    with Site(forum.pages) as site:
        found = crawl(tmp_path / "out", site.at("127.0.0.1", "/viewtopic.php?t=3"))
    base = site.at("127.0.0.1", "")
    assert {row["url"].removeprefix(base) for row in found.frame("threads")} == set(forum.threads)
    assert len(site.paths()) <= MOST_ASKED
    notes = found.results().notes
    assert TOLD.get(name, EMPTY) in "\n".join(notes), notes
    assert ("counters" in name) == any("another number of posts" in note for note in notes)
    if name != "log-in" and name != "dead links":
        assert found.results().facts["posts"] == POSTS


STARTS = (
    "",
    "viewforum.php?f=3",
    "viewforum.php?f=4",
    "moved.php?t=9",
    "viewtopic.php?t=1&start=10",
)


@pytest.mark.parametrize("start", STARTS)
def test_any_page_leads_to_all_threads(start: str, tmp_path: Path) -> None:
    forum = TROUBLES["moved threads"]
    with Site(forum.pages) as site:
        found = crawl(tmp_path / "out", site.at("127.0.0.1", f"/{start}"))
    base = site.at("127.0.0.1", "")
    assert {row["url"].removeprefix(base) for row in found.frame("threads")} == set(forum.threads)
    assert found.results().facts["entry"].removeprefix(base) in ("/", "/index.php")
    assert found.results().facts["posts"] == POSTS, "the pages of a thread are joined, whichever came first"


def test_why_says_what_was_decided_of_a_link(tmp_path: Path) -> None:
    with Site(TROUBLES["none"].pages) as site:
        found = crawl(tmp_path / "out", site.at("127.0.0.1", "/viewtopic.php?t=3"))

    def told(path: str) -> str:
        return " ".join(str(found.why(site.at("127.0.0.1", path))).split())

    assert "(not taken for a board or thread)" in told("/profile.php?u=anna")
    assert r"pattern /profile\.php\?u=[^/?&]+ decision no page of this pattern was tried" in told("/profile.php?u=anna")
    assert "it only adds parameters to a page of the crawl" in told("/viewforum.php?f=2&sort=t")
    assert "page type a thread" in told("/viewtopic.php?t=5")
    assert "it has neither threads nor posts" in told("/viewforum.php?f=4")
