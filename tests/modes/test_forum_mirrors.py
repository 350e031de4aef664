"""Crawls of mirrored boards: files with parameters in their names, dead links, other languages and charsets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.modes.test_forum import crawl
from tests.servers import Page, Site

mirrored = pytest.importorskip("benchmarks.forum_mirrored", reason="the benchmarks are not installed")
serving = pytest.importorskip("benchmarks.forum_mirrors.mirror_serving", reason="the benchmarks are not installed")
names = pytest.importorskip("benchmarks.forum_mirrors.names", reason="the benchmarks are not installed")

THREADS = 30
MIRRORS = [
    pytest.param(mirrored.PhpBB3, "wget", 10, id="phpbb3 by wget"),
    pytest.param(mirrored.VBulletin3, "windows", 10, id="vbulletin for windows, in Arabic"),
    pytest.param(mirrored.Discourse, "wget", 10, id="discourse by wget"),
    pytest.param(mirrored.BareArchive, "live", 10, id="a bare archive"),
]


@pytest.mark.parametrize(("make", "scheme", "missing"), MIRRORS)
def test_a_mirror_is_crawled_with_its_posts(make: Any, scheme: str, missing: int, tmp_path: Path) -> None:
    truth = mirrored.truth_of(serving.Mirror(mirrored.made(make, THREADS), scheme, missing))
    with serving.served(truth.mirror) as base:
        address = truth.mirror.manner.thread_addresses(truth.threads[0]["pages"][0][1])[0]
        found = crawl(tmp_path / "out", base + truth.mirror.manner.folder + names.named(address, scheme))
        visited = [row["final_url"] or row["url"] for row in found.frame("ledger") if row["status"]]
    pages = mirrored.fetched(visited, truth)
    read = mirrored.posts_right(list(found.frame("posts")), truth)
    assert pages.coverage >= 0.9
    assert pages.effectiveness >= 0.75, "a small board is over before all is learned"
    assert pages.duplicates <= 0.1
    assert read.right >= 0.9 * read.all


def test_a_manual_is_no_forum(tmp_path: Path) -> None:
    """Its pages have titles, texts and links in lists, and no posts."""
    links = "".join(
        f"<li><a href=/chapter-{number}.html>Chapter {number} of the whole</a></li>" for number in range(200)
    )
    text = "<title>{}</title><h1>{}</h1>" + "<p>All that can be said about it, in many words and long ones.</p>" * 9
    pages: dict[str, Page] = {"/": text.format("Manual", "Manual") + f"<ul>{links}</ul>"}
    for number in range(200):
        title = f"Chapter {number}"
        onward = f"<a href=/>Up</a> <a href=/chapter-{number + 1}.html>Next: chapter {number + 1}</a>"
        pages[f"/chapter-{number}.html"] = text.format(title, title) + onward
    with Site(pages) as site:
        found = crawl(tmp_path / "out", site.url)
    assert len(site.paths()) < 60
    assert "does not look like a forum" in found.results().trouble or "no thread" in found.results().trouble
