"""What merged spellings cost the store: the work of a commit must grow with what came home, not with what is kept.

Work is measured in steps of SQLite's machine and not in seconds, and always as a ratio of two sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dowse.config import make_job
from dowse.core.duplicates.twins import Compared
from dowse.core.model import Candidate, Outcome, Task
from dowse.core.url_keys import UrlKeys
from dowse.store.crawl_store import CrawlStore
from dowse.store.database import Database
from dowse.store.duplicates import spelling_check
from dowse.store.duplicates.spelling_check import Spellings
from dowse.store.frontier.edges import Edge, add_edges
from dowse.store.sqlite import SqliteDatabase

HOME = "http://a.example/"
JOB = make_job("site", HOME)
KEYS = UrlKeys(JOB.urls)


class Crawl:
    """A store, and what workers would say to it."""

    def __init__(self, directory: Path) -> None:
        self.store = CrawlStore(directory, JOB)
        self.now = 1e9
        self.digests = iter(range(1, 1_000_000))
        self.store.add_seeds([KEYS.request(HOME)], 1.0)

    @property
    def spellings(self) -> Spellings:
        return self.store._memory.spellings

    def lease(self) -> Task | None:
        for _ in range(1_000):
            lease = self.store.lease(self.now, 1)
            if lease.tasks:
                return lease.tasks[0]
            if lease.wake_at is None:
                return None
            self.now = max(self.now, lease.wake_at) + 0.01
        return None

    def answer(self, task: Task | None, *candidates: Candidate, news: int | None = None) -> None:
        assert task is not None
        outcome = Outcome(
            task=task,
            fetched_at=self.now,
            elapsed=0.01,
            status=200,
            digest=next(self.digests),
            size=10,
            media_type="text/html",
            candidates=list(candidates),
            compared=Compared(news),
        )
        self.store.commit([outcome], self.now)

    def work(self, act: Callable[[], None]) -> int:
        """Steps of SQLite's machine, in thousands."""
        with _counted(self.store) as steps:
            act()
        return len(steps)


@contextmanager
def _counted(store: CrawlStore) -> Iterator[list[None]]:
    steps: list[None] = []
    database = store._connection
    assert isinstance(database, SqliteDatabase)
    database.set_progress_handler(lambda: steps.append(None), 1_000)
    try:
        yield steps
    finally:
        database.set_progress_handler(None, 0)


def link(path: str, refused: str = "", priority: float = 1.0) -> Candidate:
    return Candidate(KEYS.request(f"http://a.example{path}"), "x", priority, "", refused)


def test_letting_spellings_in_writes_the_links_of_a_page_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def counted(connection: Database, page: int, edges: list[Edge]) -> None:
        written.append(len(edges))
        add_edges(connection, page, edges)

    monkeypatch.setattr(spelling_check, "add_edges", counted)
    crawl = Crawl(tmp_path)
    crawl.answer(crawl.lease(), *(link(f"/article?utm_source={number}") for number in range(500)))
    for news in range(6):
        task = crawl.lease()
        crawl.answer(task, news=100 + news if task and task.twin else None)
    assert crawl.spellings.spelled.matter
    assert sum(written) == 499
    assert len(written) <= 3, "one for each probe that differed, and one for all the rest"
    rows = crawl.store._connection.execute("SELECT json_array_length(links) FROM visit WHERE links <> '[]'").fetchall()
    assert rows == [(500,)]


def work_of_a_page(directory: Path, originals: int) -> int:
    """What a page with new spellings costs when none of the URLs that they were taken for was fetched."""
    crawl = Crawl(directory)
    first = [link(f"/plain/{number}", priority=9.0) for number in range(30)]
    first += [link(f"/o/{number}", "robots") for number in range(originals)]
    first += [link(f"/o/{number}?utm_source=a") for number in range(originals)]
    crawl.answer(crawl.lease(), *first)
    crawl.answer(crawl.lease())

    def visits() -> None:
        for visit in range(20):
            crawl.answer(crawl.lease(), *(link(f"/o/{number}?utm_source={visit}") for number in range(20)))

    return crawl.work(visits)


def test_what_cannot_be_probed_yet_is_not_looked_for_again_and_again(tmp_path: Path) -> None:
    few, many = work_of_a_page(tmp_path / "few", 250), work_of_a_page(tmp_path / "many", 2_000)
    assert many < 2 * few + 20


def test_a_spelling_of_a_page_that_is_there_is_probed_after_others_could_not_be(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.answer(crawl.lease(), link("/a", priority=9.0), link("/b", priority=8.0), link("/o"), link("/o?utm_source=1"))
    crawl.answer(crawl.lease())
    task = crawl.lease()
    crawl.answer(task, link("/a?utm_source=1"))
    waiting = crawl.store._connection.execute("SELECT url FROM task WHERE state = 0").fetchall()
    assert ("http://a.example/a?utm_source=1",) in waiting


def test_addresses_that_only_differ_in_their_escapes_are_not_remembered(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.answer(crawl.lease(), *(link(f"/x%7E{number}") for number in range(50)))
    assert not crawl.spellings._known
    assert not crawl.spellings.tagged


def test_a_probe_without_its_twin_makes_room_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Spellings, "twin", lambda _self, _number: None)
    crawl = Crawl(tmp_path)
    crawl.answer(crawl.lease(), link("/a"), *(link(f"/a?utm_source={number}") for number in range(20)))
    crawl.answer(crawl.lease())
    probes = 0
    while (task := crawl.lease()) is not None and probes < 10:
        probes += 1
        crawl.answer(task)
    assert probes > 1
