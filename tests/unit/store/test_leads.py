"""Leads in the store: what the pages of one batch say of a link comes together, and is ranked when all is learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from dowse.config import make_job
from dowse.core.model import CHOSEN, Candidate, Failure, FailureKind, Judged, Outcome, Request, Task
from dowse.core.urls import UrlKeys
from dowse.store.sqlite import SqliteStore

SITE = "http://site.example"


class CountingRanker:
    """A lead is a dot for each page that it is on; a link is worth those, and a hundred for each page learned from."""

    def __init__(self) -> None:
        self.learned = 0
        self.explained = 0

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        self.learned += 1
        return judged

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        return None

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        return [lead + b"." for lead in leads]

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        return [100.0 * self.learned + len(lead) for lead in leads]

    def rejudge(self, pages: Sequence[tuple[float, bytes]]) -> list[float]:
        return [relevance for relevance, _ in pages]

    def explain(self, lead: bytes) -> dict[str, float]:
        self.explained += 1
        return {"pages": len(lead)}

    def due(self) -> int:
        return 0

    def dump(self) -> bytes:
        return bytes([self.learned])

    def load(self, state: bytes) -> None:
        self.learned = state[0]


@pytest.fixture
def ranker() -> CountingRanker:
    return CountingRanker()


@pytest.fixture
def store(ranker: CountingRanker) -> Iterator[SqliteStore]:
    job = make_job("focus", SITE, topic="heap", delay=0.0, per_host=9, robots="ignore", output="unused")
    opened = SqliteStore(None, job, ranker)
    opened.begin("", 0.0)
    opened.add_seeds([request("/"), request("/a"), request("/b"), request("/c")], CHOSEN)
    (first,) = opened.lease(0.0, 1).tasks  # a host that never answered gets one request
    opened.commit([page(first)], 0.5)
    yield opened
    opened.close()


def request(path: str) -> Request:
    return UrlKeys(make_job("site", SITE).urls).request(SITE + path)


def page(task: Task, *links: str) -> Outcome:
    """A page that came home with links."""
    return Outcome(
        task, 1.0, 0.1, status=200, media_type="text/html", size=9, digest=task.id, judged=Judged(0.5),
        candidates=[Candidate(request(link), priority=CHOSEN) for link in links],
    )  # fmt: skip


def waiting(store: SqliteStore) -> dict[str, tuple[bytes, float]]:
    """Path, lead and priority of what waits and has a lead."""
    rows = store._connection.execute(
        "SELECT url, evidence, priority FROM task JOIN lead ON lead.task = task.id WHERE state = 0"
    )
    return {url.removeprefix(SITE): (lead, priority) for url, lead, priority in rows}


def test_a_lead_is_what_all_pages_of_a_batch_say(store: SqliteStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x", "/y", "/x"), page(second, "/x")], 1.0)
    assert waiting(store) == {"/x": (b"..", 302.0), "/y": (b".", 301.0)}
    store.commit([page(third, "/x")], 2.0)
    assert waiting(store) == {"/x": (b"...", 403.0), "/y": (b".", 301.0)}


def test_what_was_fetched_has_no_lead_and_gets_none(store: SqliteStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x")], 1.0)
    (known,) = store.lease(1.0, 1).tasks
    store.commit([page(known, "/a"), page(second, "/x"), page(third, "/x")], 2.0)
    assert waiting(store) == {}


def test_what_is_not_there_is_not_explained(store: SqliteStore, ranker: CountingRanker) -> None:
    first, *_ = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x", "/y")], 1.0)
    found, missed = store.lease(1.0, 2).tasks
    gone = Outcome(missed, 1.0, 0.1, status=404, failure=Failure(FailureKind.HTTP, "404", status=404))
    store.commit([page(found), gone], 2.0)
    assert ranker.explained == 1
    assert waiting(store) == {}


def test_what_waits_again_has_a_lead_again(store: SqliteStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/b")], 1.0)
    assert waiting(store) == {}
    store._connection.execute("UPDATE task SET state = 0 WHERE id = ?", (second.id,))
    store.commit([page(third, "/b")], 2.0)
    assert waiting(store) == {"/b": (b".", 301.0)}
