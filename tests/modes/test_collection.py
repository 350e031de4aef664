"""A collection of bounded size, and pages that matter more than others in a recrawl."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.core.errors import CrawlError, JobError
from dowse.store.old_versions import Pruning
from tests.crawling import FAST, crawl, links, opened, path_of, reasons
from tests.servers import Site

HUBS = [f"/hub/{number}" for number in range(5)]
LEAVES = [f"/leaf/{number}" for number in range(20)]


@pytest.fixture
def web(site: Site) -> Site:
    """Every page links to the hubs, which the front page names last."""
    pages = {path: f"<h1>{path}</h1><p>All of {path}.{links(*HUBS)}" for path in (*LEAVES, *HUBS)}
    site.pages |= {"/": links(*LEAVES, *HUBS), **pages}
    return site


def recrawl(folder: Path, **options: Any) -> app.Summary:
    return app.recrawl(folder, **{**FAST, **options})


def paths(folder: Path) -> set[str]:
    return {path_of(row["url"]) for row in opened(folder).pages}


def test_a_full_collection_lets_the_least_important_go_for_others(web: Site, tmp_path: Path) -> None:
    crawl(tmp_path, web.url, collection=10, extract=["name=//h1"])
    assert len(paths(tmp_path)) == 10
    assert not paths(tmp_path) >= set(HUBS), "so that there is something to do"
    recrawl(tmp_path)
    found = opened(tmp_path)
    assert len(paths(tmp_path)) == 10
    assert paths(tmp_path) >= {"/", *HUBS}
    assert {path_of(row["url"]) for row in found.records} == paths(tmp_path) - {"/"}
    assert found.upkeep is not None
    assert found.upkeep.let_go
    assert found.upkeep.quality > 0.99
    assert recrawl(tmp_path).stop_reason == "collection"
    assert len(paths(tmp_path)) == 10


def test_a_crawl_that_goes_on_keeps_to_the_size_that_a_recrawl_gave_it(web: Site, tmp_path: Path) -> None:
    crawl(tmp_path, web.url, max_pages=15)
    recrawl(tmp_path, collection=10, budget=3)
    assert "budget" in reasons(opened(tmp_path)).values(), "so that links wait"
    app.resume(tmp_path, max_pages=0, **FAST)
    assert len(paths(tmp_path)) == 10


def test_what_was_let_go_is_known_and_can_come_back(web: Site, tmp_path: Path) -> None:
    crawl(tmp_path, web.url, collection=10, extract=["name=//h1"])
    recrawl(tmp_path)
    gone = next(path for path in LEAVES if reasons(opened(tmp_path)).get(path) == "collection is full")
    weights = tmp_path / "weights.csv"
    weights.write_text(f"url,weight\n{web.url.rstrip('/')}{gone},50\n")
    recrawl(tmp_path, weights=str(weights))
    found = opened(tmp_path)
    assert gone in paths(tmp_path)
    assert len(paths(tmp_path)) == 10
    assert gone in {path_of(row["url"]) for row in found.records}
    assert found.job.revisits.weights == str(weights), "the next recrawl has it too"


def at(folder: Path, moment: float) -> tuple[set[str], set[str]]:
    """Pages as they were, and pages that had records."""
    found = app.read(folder).at(moment)
    tables = found.pages, found.records
    then: list[set[str]] = [{path_of(row["url"]) for row in table} for table in tables]
    return then[0], then[1]


@pytest.mark.parametrize("tables", ["file", "postgres"])
def test_what_was_let_go_was_there_before_and_is_there_again_later(
    web: Site, tmp_path: Path, tables: str, request: pytest.FixtureRequest
) -> None:
    store = request.getfixturevalue("postgres_server").database() if tables == "postgres" else ""
    crawl(tmp_path, web.url, collection=10, extract=["name=//h1"], store=store)
    moments, then = [time.time()], [paths(tmp_path)]
    recrawl(tmp_path)
    moments, then = [*moments, time.time()], [*then, paths(tmp_path)]
    gone = next(iter(then[0] - then[1]))
    weights = tmp_path / "weights.csv"
    weights.write_text(f"url,weight\n{web.url.rstrip('/')}{gone},50\n")
    recrawl(tmp_path, weights=str(weights))
    moments, then = [*moments, time.time()], [*then, paths(tmp_path)]
    assert gone in then[2] - then[1]
    for moment, pages in zip(moments, then, strict=True):
        assert at(tmp_path, moment) == (pages, pages - {"/"})
    earlier = app.read(tmp_path).at(moments[1])
    with pytest.raises(CrawlError, match="collection is full"):
        earlier.page(gone)
    assert gone not in {path_of(row["url"]) for row in earlier.nodes}
    assert app.read(tmp_path).at(moments[0]).page(gone).text


def test_prune_frees_what_was_let_go(web: Site, tmp_path: Path) -> None:
    web.pages |= {path: f"<p>{random.Random(path).randbytes(5_000).hex()}" for path in LEAVES}
    crawl(tmp_path, web.url)
    recrawl(tmp_path, collection=10)
    gone = set(LEAVES) - paths(tmp_path)
    with Pruning(tmp_path, 1) as pruning:
        plan = pruning.plan()
        assert (plan.versions, plan.pages) == (len(gone), len(gone))
        assert pruning.run() > 0.6 * plan.size
        assert pruning.plan().versions == 0
    found = opened(tmp_path)
    assert all(found.page(path).text for path in paths(tmp_path))
    assert [version.location for version in found.history(next(iter(gone)))] == [""]
    recrawl(tmp_path, collection=0)
    assert len(paths(tmp_path)) == 26
    assert all(opened(tmp_path).page(path).text for path in paths(tmp_path))


def test_of_two_pages_the_one_is_visited_that_matters(web: Site, tmp_path: Path) -> None:
    crawl(tmp_path, web.url)
    weights = tmp_path / "weights.csv"
    weights.write_text("/leaf/1[0-9]$,100\n.,0\n")
    web.log.clear()
    recrawl(tmp_path, weights=str(weights), budget=10)
    asked = {hit.request.path for hit in web.log} - {"/robots.txt", "/sitemap.xml"}
    assert len(asked & {f"/leaf/{number}" for number in range(10, 20)}) >= 9


def test_the_freshness_of_an_earlier_recrawl_is_not_told_of_a_whole_one(web: Site, tmp_path: Path) -> None:
    crawl(tmp_path, web.url)
    recrawl(tmp_path, budget=3)
    assert opened(tmp_path).upkeep is not None
    recrawl(tmp_path)
    assert opened(tmp_path).upkeep is None


def test_by_pagerank_hubs_come_first(web: Site, tmp_path: Path) -> None:
    crawl(tmp_path, web.url)
    web.log.clear()
    recrawl(tmp_path, weights="pagerank", budget=6)
    assert {hit.request.path for hit in web.log} >= set(HUBS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no rows"),
        ("/a,1\n/b\n", "line 2: expected a URL or a regular expression"),
        ("/a,much\n", "line 1"),
        ("/a,-1\n", "line 1"),
        ("(,1\n", "not a regular expression"),
    ],
)
def test_weights_that_cannot_be_read_are_told_before_anything_is_asked_for(
    web: Site, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "weights.csv"
    file.write_text(text)
    with pytest.raises(JobError, match=message):
        crawl(tmp_path / "out", web.url, weights=str(file))
    assert not web.log
    with pytest.raises(JobError, match="cannot be read"):
        crawl(tmp_path / "out", web.url, weights="nowhere.csv")


def test_a_collection_that_is_bounded_no_more_has_all_pages_again(web: Site, tmp_path: Path) -> None:
    crawl(tmp_path, web.url)
    recrawl(tmp_path, collection=10)
    assert len(paths(tmp_path)) == 10
    recrawl(tmp_path, collection=20)
    assert len(paths(tmp_path)) == 20
    recrawl(tmp_path, collection=0)
    assert len(paths(tmp_path)) == 26
