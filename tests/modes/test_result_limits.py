"""Limits on results, whatever a mode calls a result, and on the pages that one seed leads to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.app import Crawl
from dowse.config import make_job
from tests.commands import invoke
from tests.crawling import FAST, crawl, links, opened, paths, reasons
from tests.ruling import crawl_by, follow, keep
from tests.servers import Reply, Request, Site

PAGES = 40
ONE_BY_ONE: dict[str, Any] = {"concurrency": 1, "per_host": 1, "delay": 0.0, "sitemaps": False}


@pytest.fixture
def many(site: Site) -> Site:
    """A page with links to forty, each with a heading, a file and words of its own."""

    def page(request: Request) -> Reply | str:
        name = request.path.strip("/")
        if name.endswith(".pdf"):
            return Reply(f"%PDF-1.4 {name}", headers={"Content-Type": "application/pdf"})
        topic = "otters swim and otters eat fish" if int(name) % 2 else "nothing of that"
        return f"<title>{name}</title><h1>Page {name}</h1><p>{topic} {name}<a href=/{name}.pdf>file {name}</a>"

    site.pages.update({"/": links(*(f"/{number}" for number in range(PAGES))), "/*": page})
    site.pages["/robots.txt"] = Reply("", headers={"Content-Type": "text/plain"})
    return site


def run(folder: Path, mode: str, start: Any, **options: Any) -> Crawl:
    app.start(make_job(mode, start, output=str(folder), **{**ONE_BY_ONE, **options}))
    return opened(folder)


def test_pages_are_the_results_of_a_site(many: Site, tmp_path: Path) -> None:
    found = run(tmp_path, "site", many.url, max_results=5)
    assert (found.stop_reason, len(found.pages)) == ("max_results", 5)
    app.resume(tmp_path, max_results=8)
    assert (opened(tmp_path).stop_reason, len(opened(tmp_path).pages)) == ("max_results", 8)
    app.resume(tmp_path, max_results=0)
    assert (opened(tmp_path).stop_reason, len(opened(tmp_path).pages)) == ("complete", PAGES + 1)


def test_records_are_where_they_are_taken(many: Site, tmp_path: Path) -> None:
    found = run(tmp_path, "site", many.url, extract=["heading=//h1"], describe=True, max_results=5)
    assert (found.stop_reason, len(found.records)) == ("max_results", 5)
    assert len(found.pages) == 6, "the first has no heading"
    app.resume(tmp_path, max_results=7)
    assert len(opened(tmp_path).records) == 7


def test_files_are_those_of_a_crawl_for_files(many: Site, tmp_path: Path) -> None:
    found = run(tmp_path, "files", many.url, type=["pdf"], max_results=4)
    assert (found.stop_reason, len(found.files)) == ("max_results", 4)


def test_matches_are_those_of_a_focus_crawl(many: Site, tmp_path: Path) -> None:
    found = run(tmp_path, "focus", many.url, topic="otters", match="any", max_results=4)
    assert (found.stop_reason, len(found.matched)) == ("max_results", 4)
    app.resume(tmp_path, max_results=8)
    assert len(opened(tmp_path).matched) == 8


def test_kept_links_are_those_of_rules(many: Site, tmp_path: Path) -> None:
    rules = (follow(many.url, "base>item", r"/\d+$"), keep(many.url, "item", r"\.pdf$"))
    found = crawl_by(tmp_path, *rules, **ONE_BY_ONE, max_results=4)
    assert (found.stop_reason, len(found.kept)) == ("max_results", 4)


def test_what_is_under_way_still_counts(many: Site, tmp_path: Path) -> None:
    many.latency = 0.05
    found = run(tmp_path, "site", many.url, max_results=5, concurrency=4, per_host=4)
    assert found.stop_reason == "max_results"
    assert 5 <= len(found.pages) < 5 + 4


def test_a_recrawl_looks_at_all_that_is_known(many: Site, tmp_path: Path) -> None:
    run(tmp_path, "site", many.url, max_results=5)
    many.log.clear()
    app.recrawl(tmp_path)
    assert len([path for path in many.paths() if path != "/"]) >= 4


def test_the_command_says_how_to_go_on(many: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--concurrency", "1", "--delay", "0", "--no-sitemaps", "--max-results", "3", "-o", tmp_path / "out")
    ended = invoke(capsys, "site", many.url, *words)
    assert (ended.code, "stopped at the limit of max_results" in ended.out) == (0, True)
    assert f"  dowse resume {tmp_path / 'out'} --max-results 6\n" in ended.out


# Pages of one seed


@pytest.fixture
def branches(site: Site) -> Site:
    """Three seeds with ten pages each; those of /c are linked from /b too."""
    for name in "abc":
        site.pages[f"/{name}"] = links(*(f"/{name}/{number}" for number in range(10)))
        for number in range(10):
            site.pages[f"/{name}/{number}"] = f"page {name} {number}"
    site.pages["/b"] = links(*(f"/{name}/{number}" for name in "bc" for number in range(10)))
    return site


def of_each(found: Crawl) -> dict[str, int]:
    return {name: len([path for path in paths(found) if path.startswith(f"/{name}")]) for name in "abc"}


def test_a_seed_has_so_many_pages_and_no_more(branches: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path, f"{branches.url}a", f"{branches.url}c", seed_pages=4)
    assert (of_each(found), found.stop_reason) == ({"a": 4, "b": 0, "c": 4}, "complete")
    left = [path for path, reason in reasons(found).items() if reason == "seed_pages 4"]
    assert len(left) == 14
    app.resume(tmp_path, seed_pages=6)
    assert of_each(opened(tmp_path)) == {"a": 6, "b": 0, "c": 6}
    app.resume(tmp_path, seed_pages=0)
    assert of_each(opened(tmp_path)) == {"a": 11, "b": 0, "c": 11}


def test_a_page_that_fails_is_none(branches: Site, tmp_path: Path) -> None:
    for number in range(6):
        branches.pages[f"/a/{number}"] = Reply("gone", status=404)
    found = crawl(tmp_path, f"{branches.url}a", seed_pages=4)
    assert of_each(found)["a"] == 4


def test_another_seed_may_have_what_one_has_no_room_for(branches: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path, f"{branches.url}c", f"{branches.url}b", seed_pages=11, **{**FAST, "per_host": 1})
    assert of_each(found) == {"a": 0, "b": 11, "c": 11}


def test_each_seed_of_a_focus_crawl(branches: Site, tmp_path: Path) -> None:
    seeds = [f"{branches.url}a", f"{branches.url}c"]
    found = run(tmp_path, "focus", seeds, topic="page", seed_pages=4, concurrency=8, per_host=8)
    assert of_each(found) == {"a": 4, "b": 0, "c": 4}


def test_a_recrawl_visits_the_same_pages(branches: Site, tmp_path: Path) -> None:
    crawl(tmp_path, f"{branches.url}a", seed_pages=4)
    before = sorted(paths(opened(tmp_path)))
    branches.log.clear()
    app.recrawl(tmp_path)
    assert sorted(paths(opened(tmp_path))) == before
    assert sorted({path for path in branches.paths() if path != "/sitemap.xml"}) == before


def test_a_lower_limit_leaves_what_there_is(branches: Site, tmp_path: Path) -> None:
    crawl(tmp_path, f"{branches.url}a", seed_pages=6, max_pages=5)
    app.resume(tmp_path, seed_pages=3, max_pages=0)
    assert of_each(opened(tmp_path))["a"] == 5
