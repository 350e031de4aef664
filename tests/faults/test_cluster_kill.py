"""kill -9 of a worker, a node, the engine and all: the crawl ends with the pages of one that nobody disturbed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.crawling import links, opened
from tests.processes import Running, dowse, running, wait_for_requests, wait_until
from tests.ray_clusters import Nodes, is_asking, kill_worker
from tests.servers import Site

Serve = Callable[..., Site]

HOSTS = tuple(f"127.0.0.{number}" for number in range(1, 13))
PAGES = 20
AT_ONCE = 16
SLOWLY = ("--delay", "0", "--per-host", "2", "--concurrency", str(AT_ONCE), "--robots", "ignore", "--no-sitemaps")
QUIETLY = ("--dedup", "off", "--quiet", "--retries", "0")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    with closing(Nodes(2)) as cluster:
        yield cluster


@pytest.fixture
def web(serve: Serve) -> Site:
    """The same pages on twelve hosts, slow enough to be disturbed."""
    site = serve({"/": links(*(f"/{number}" for number in range(PAGES)))}, latency=0.15, addresses=HOSTS)
    site.pages["/*"] = lambda request: links(f"{request.path}")
    return site


def crawl_on(nodes: Nodes, web: Site, folder: Path) -> tuple[str, ...]:
    seeds = [web.at(host) for host in HOSTS]
    return ("site", *seeds, "-o", str(folder), *SLOWLY, *QUIETLY, "--workers", "2", "--cluster", nodes.address)


def check_complete(folder: Path, web: Site) -> None:
    """The pages of an undisturbed run, once each, with their bodies, and a ledger that balances."""
    found = opened(folder)
    assert found.status().stop_reason == "complete"
    paths = ["/", *(f"/{number}" for number in range(PAGES))]
    assert sorted(row["url"] for row in found.pages) == sorted(web.at(host, path) for host in HOSTS for path in paths)
    assert found.status().counts == {"fetched": len(HOSTS) * len(paths)}
    assert all(found.page(web.at(host, "/7")).html == links("/7") for host in HOSTS)


def wait_for_workers(nodes: Nodes, crawl: Running, number: int) -> list[int]:
    wait_until(lambda: len(nodes.workers()) == number or not crawl.is_running, seconds=60)
    assert crawl.is_running, crawl.ended()
    return nodes.workers()


def keep_all_busy(web: Site, workers: list[int]) -> None:
    """Wait until each worker has requests out, which are not answered soon."""
    wait_for_requests(web, 20)
    web.latency = 3.0
    wait_until(lambda: web.busy == AT_ONCE and all(is_asking(each, web.port) for each in workers), seconds=60)


def test_workers_and_nodes_that_die_are_replaced(nodes: Nodes, web: Site, tmp_path: Path) -> None:
    """A dead node costs no URL an attempt: all pages come, with --retries 0."""
    with running(*crawl_on(nodes, web, tmp_path / "crawl")) as crawl:
        keep_all_busy(web, wait_for_workers(nodes, crawl, 2))
        nodes.kill_node()
        web.latency = 0.15
        wait_for_requests(web, 120)  # the other goes on with the hosts of both
        web.latency = 3.0  # there is something left to do when the new node is there
        nodes.add()
        wait_for_workers(nodes, crawl, 2)
        web.latency = 0.0
        ended = crawl.ended(60)
    assert (ended.code, ended.out) == (0, ""), ended.err
    check_complete(tmp_path / "crawl", web)
    times = Counter(request.host + request.target for request in web.asked())
    assert max(times.values()) > 1, "nothing was out when the node died"


def test_a_worker_that_dies_is_replaced_and_its_pages_are_tried_again(nodes: Nodes, web: Site, tmp_path: Path) -> None:
    with running(*crawl_on(nodes, web, tmp_path / "crawl"), "--retries", "2") as crawl:
        first = wait_for_workers(nodes, crawl, 2)
        keep_all_busy(web, first)
        kill_worker(first[0])
        web.latency = 0.15
        wait_until(lambda: first[0] not in nodes.workers())
        wait_for_workers(nodes, crawl, 2)
        ended = crawl.ended(60)
    assert (ended.code, ended.out) == (0, ""), ended.err
    check_complete(tmp_path / "crawl", web)
    found = opened(tmp_path / "crawl")
    retried = [row["url"] for row in found.ledger if row["attempts"] > 1]
    assert retried
    story = found.why(retried[0])
    assert story is not None
    assert [visit["failure"] for visit in story.visits] == ["crash", ""]


@pytest.mark.parametrize("tables", ["file", "postgres"])
def test_after_the_engine_died_a_resume_goes_on_and_no_worker_is_left(
    tables: str, nodes: Nodes, web: Site, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    store = ("--store", request.getfixturevalue("postgres_server").database()) if tables == "postgres" else ()
    with running(*crawl_on(nodes, web, tmp_path / "crawl"), *store) as crawl:
        wait_for_workers(nodes, crawl, 2)
        wait_for_requests(web, 60)
        crawl.kill_all()
    wait_until(lambda: not nodes.workers(), seconds=30)
    web.latency = 0.0
    ended = dowse("resume", tmp_path / "crawl", "--quiet", timeout=90)
    assert ended.code == 0, ended.err
    check_complete(tmp_path / "crawl", web)
    assert (tmp_path / "crawl" / "crawl.db").exists() == (tables == "file")


def test_after_all_died_a_resume_on_one_machine_goes_on(nodes: Nodes, web: Site, tmp_path: Path) -> None:
    with running(*crawl_on(nodes, web, tmp_path / "crawl")) as crawl:
        wait_for_workers(nodes, crawl, 2)
        wait_for_requests(web, 60)
        crawl.process.kill()
        nodes.kill_all()
    web.latency = 0.0
    gone = dowse("resume", tmp_path / "crawl", "--quiet")
    assert gone.code != 0
    assert f"no Ray cluster can be reached at {nodes.address}" in gone.err
    assert dowse("resume", tmp_path / "crawl", "--quiet", "--cluster", "", "--workers", "1").code == 0
    check_complete(tmp_path / "crawl", web)
