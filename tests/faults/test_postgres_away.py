"""A crawl whose database goes away: it waits, goes on, and ends with the same pages as an undisturbed one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import dowse
from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlLocked, StoreAway
from dowse.core.job import Job
from dowse.core.model import State
from dowse.engine.events import Event, Paused, Visited
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import attach
from tests import postgres
from tests.contract.test_store import NOW, candidate, job, lease, page, seed
from tests.crawling import opened
from tests.postgres_proxy import CutNetwork
from tests.processes import running, wait_for_requests, wait_until
from tests.servers import Page, Site

PAGES = 40


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    """One that may be killed."""
    with postgres.running() as running:
        yield running


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.engine.loop._PAUSE", 0.2)


@pytest.fixture
def network(server: postgres.Server) -> Iterator[CutNetwork]:
    url = server.database()
    with CutNetwork(server, url.partition("?")[0].rpartition("/")[2]) as between:
        yield between


def tree() -> dict[str, Page]:
    """Pages that are found one after the other, a few at a time."""
    return {
        ("/" if not number else f"/{number}"): f"<title>page {number}</title>"
        + "".join(f"<a href=/{each}>{each}</a>" for each in range(3 * number + 1, min(3 * number + 4, PAGES)))
        for number in range(PAGES)
    }


class Disturbance:
    """Hears what a crawl tells, and disturbs it once so many pages came."""

    def __init__(self, after: int, act: Callable[[], None]) -> None:
        self._left = after
        self._act = act
        self.pauses: list[str] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, Paused):
            self.pauses.append(event.reason)
        elif isinstance(event, Visited):
            self._left -= 1
            if self._left == 0:
                self._act()


def crawled(site: Site, folder: Path, url: str, listener: Callable[[Event], None] | None = None) -> None:
    options: dict[str, Any] = {"delay": 0.0, "per_host": 2, "store": url, "output": str(folder)}
    app.start(make_job("site", site.url, **options), listener)


def check(folder: Path) -> None:
    crawl = opened(folder)
    assert crawl.stop_reason == "complete"
    assert sorted(row["title"] for row in crawl.pages) == sorted(f"page {number}" for number in range(PAGES))
    crawl.close()


def test_a_server_that_is_killed_and_recovers(site: Site, tmp_path: Path, server: postgres.Server) -> None:
    site.pages.update(tree())
    folder, url = tmp_path / "crawl", server.database()
    back = threading.Timer(0.5, server.restart)

    def kill() -> None:
        server.kill()
        back.start()

    disturbance = Disturbance(10, kill)
    crawled(site, folder, url, disturbance)
    back.join()
    assert "waiting until it is back" in disturbance.pauses[0]
    check(folder)


@pytest.mark.parametrize("arrives", [False, True])
def test_a_network_that_is_cut_at_a_commit(site: Site, tmp_path: Path, network: CutNetwork, *, arrives: bool) -> None:
    """Whether it was carried out is found out; no page is written twice, none is lost."""
    site.pages.update(tree())
    commits = 0

    def cut() -> bool | None:
        nonlocal commits
        commits += 1
        if commits not in (9, 10, 15, 16):  # of leases and of batches
            return None
        threading.Timer(0.2, network.mend).start()
        return arrives

    network.on_commit = cut
    disturbance = Disturbance(0, lambda: None)
    crawled(site, tmp_path / "crawl", network.url, disturbance)
    assert len(disturbance.pauses) >= 2
    check(tmp_path / "crawl")
    visits = dowse.open(tmp_path / "crawl").reader.connection.execute("SELECT count(*) FROM visit").fetchone()
    # Robots.txt and sitemap.xml are no pages. A batch whose COMMIT never arrived is not fetched again either.
    assert visits[0] == PAGES + 1


def test_a_batch_whose_answer_was_lost_is_not_written_twice(tmp_path: Path, network: CutNetwork) -> None:
    store = CrawlStore(tmp_path / "crawl", with_store(network.url))
    seed(store, "http://a.example/")
    [task] = lease(store)
    batch = [page(task, candidate("http://a.example/1"), digest=5)]
    network.on_commit = lambda: True
    with pytest.raises(StoreAway, match="cannot write crawl in postgresql://"):
        store.commit(batch, NOW)
    with pytest.raises(StoreAway, match="cannot reach"):
        store.commit(batch, NOW)
    network.on_commit = lambda: None
    network.mend()
    store.commit(batch, NOW)
    rows = store._connection.execute("SELECT task FROM visit").fetchall()
    assert rows == [(task.id,)]
    assert store.counts[State.FETCHED, ""] == 1
    store.close()


def test_a_batch_that_was_cut_off_before_its_commit_is_written(tmp_path: Path, network: CutNetwork) -> None:
    store = CrawlStore(tmp_path / "crawl", with_store(network.url))
    seed(store, "http://a.example/")
    [task] = lease(store)
    batch = [page(task, candidate("http://a.example/1"), digest=5)]
    network.cut()
    network.mend()
    with pytest.raises(StoreAway):
        store.commit(batch, NOW)
    store.commit(batch, NOW)
    assert store._connection.execute("SELECT task FROM visit").fetchall() == [(task.id,)]
    assert store.counts[State.FETCHED, ""] == 1
    store.close()


def test_what_went_out_without_anybody_knowing_goes_out_again(tmp_path: Path, network: CutNetwork) -> None:
    store = CrawlStore(tmp_path / "crawl", with_store(network.url))
    seed(store, "http://a.example/", "http://b.example/")
    [kept] = lease(store, limit=1)
    network.on_commit = lambda: True
    with pytest.raises(StoreAway):
        lease(store)
    network.on_commit = lambda: None
    network.mend()
    [other] = lease(store)
    assert {kept.request.host, other.request.host} == {"a.example", "b.example"}
    assert store.counts[State.OUT, ""] == 2
    store.close()


def test_an_engine_that_was_cut_off_leaves_the_crawl_to_another(tmp_path: Path, network: CutNetwork) -> None:
    first = CrawlStore(tmp_path / "crawl", with_store(network.url))
    seed(first, "http://a.example/")
    [task] = lease(first)
    network.cut()
    network.mend()
    other = CrawlStore(tmp_path / "elsewhere" / "crawl", with_store(network.url, tmp_path / "elsewhere" / "crawl"))
    assert [task.request.url for task in lease(other)] == ["http://a.example/"]
    for _ in range(2):
        with pytest.raises((StoreAway, CrawlLocked)) as raised:
            first.commit([page(task)], NOW)
    assert "another process is running the crawl" in str(raised.value)
    first.close()
    other.close()


def test_an_engine_that_comes_back_after_another_was_there_writes_nothing(tmp_path: Path, network: CutNetwork) -> None:
    first = CrawlStore(tmp_path / "crawl", with_store(network.url))
    seed(first, "http://a.example/")
    [task] = lease(first)
    network.cut()
    network.mend()
    other = CrawlStore(tmp_path / "elsewhere" / "crawl", with_store(network.url, tmp_path / "elsewhere" / "crawl"))
    other.commit([page(task) for task in lease(other)], NOW)
    other.close()
    for _ in range(2):
        with pytest.raises((StoreAway, CrawlLocked)) as raised:
            first.commit([page(task)], NOW)
    assert "another process has gone on with the crawl" in str(raised.value)
    first.close()
    again = CrawlStore(tmp_path / "crawl", with_store(network.url))
    assert again._connection.execute("SELECT count(*) FROM visit").fetchone() == (1,)
    again.close()


def test_two_engines_and_the_second_takes_over_when_the_first_is_killed(
    site: Site, tmp_path: Path, server: postgres.Server
) -> None:
    site.pages.update(tree())
    site.latency = 0.1
    folder, url = tmp_path / "crawl", server.database()
    with running("site", site.url, "--store", url, "-o", folder, "--delay", "0", "--per-host", "1") as first:
        wait_for_requests(site, 8)
        with pytest.raises(CrawlLocked, match="another process is running the crawl"):
            app.resume(tmp_path / "other" / "crawl", store=url)
        with running("resume", tmp_path / "other" / "crawl", "--wait") as second:
            wait_until(
                lambda: "waiting to take it over" in str(second.process.stderr and second.process.stderr.readline())
            )
            first.kill_all()
            site.latency = 0.0
            assert second.ended().code == 0
    check(tmp_path / "other" / "crawl")
    check(folder)


def with_store(url: str, folder: Path | None = None) -> Job:
    if folder is not None:
        attach(folder, url)
    plain = job()
    return replace(plain, store=replace(plain.store, store=url))
