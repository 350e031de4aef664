"""Leads in the store: what the pages of one batch say of a link comes together, and is ranked when all is learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from dowse.config import make_job
from dowse.core.model import CHOSEN, Candidate, Failure, FailureKind, Judged, Outcome, Request, State, Task
from dowse.core.url_keys import UrlKeys
from dowse.store.best_first import lead_table
from dowse.store.best_first.leads import Leads
from dowse.store.crawl_store import CrawlStore
from dowse.store.frontier.lease_best_first import BestFirst

SITE = "http://site.example"


class CountingRanker:
    """A lead is a dot for each page that it is on; a link is worth those, and a hundred for each page learned from."""

    slack = 0.0

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

    def rejudge(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        return []

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        self.explained += len(leads)
        return [{"pages": len(lead)} for lead in leads]

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
def store(ranker: CountingRanker) -> Iterator[CrawlStore]:
    job = make_job("focus", SITE, topic="heap", delay=0.0, per_host=9, robots="ignore", output="unused")
    opened = CrawlStore(None, job, BestFirst(), [Leads(ranker)])
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


def waiting(store: CrawlStore) -> dict[str, tuple[bytes, float]]:
    """Path, lead and priority of what waits and has a lead."""
    rows = store._connection.execute(
        "SELECT url, evidence, priority FROM task JOIN lead ON lead.task = task.id WHERE state = 0"
    )
    return {url.removeprefix(SITE): (lead, priority) for url, lead, priority in rows}


def test_a_lead_is_what_all_pages_of_a_batch_say(store: CrawlStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x", "/y", "/x"), page(second, "/x")], 1.0)
    assert waiting(store) == {"/x": (b"..", 302.0), "/y": (b".", 301.0)}
    store.commit([page(third, "/x")], 2.0)
    assert waiting(store) == {"/x": (b"...", 403.0), "/y": (b".", 301.0)}


def test_what_was_fetched_has_no_lead_and_gets_none(store: CrawlStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x")], 1.0)
    (known,) = store.lease(1.0, 1).tasks
    store.commit([page(known, "/a"), page(second, "/x"), page(third, "/x")], 2.0)
    assert waiting(store) == {}


def test_what_is_not_there_is_not_explained(store: CrawlStore, ranker: CountingRanker) -> None:
    first, *_ = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x", "/y")], 1.0)
    found, missed = store.lease(1.0, 2).tasks
    gone = Outcome(missed, 1.0, 0.1, status=404, failure=Failure(FailureKind.HTTP, "404", status=404))
    store.commit([page(found), gone], 2.0)
    assert ranker.explained == 1
    assert waiting(store) == {}


def test_what_waits_again_has_a_lead_again(store: CrawlStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/b")], 1.0)
    assert waiting(store) == {}
    store._connection.execute("UPDATE task SET state = 0 WHERE id = ?", (second.id,))
    store.commit([page(third, "/b")], 2.0)
    assert waiting(store) == {"/b": (b".", 301.0)}


def leads_of(store: CrawlStore) -> Leads:
    (leads,) = store._bookkeeping
    assert isinstance(leads, Leads)
    return leads


def in_memory(store: CrawlStore) -> dict[str, tuple[bytes, float]]:
    """What the store remembers of what waits, by path."""
    urls = dict(store._connection.execute("SELECT id, url FROM task").fetchall())
    known = leads_of(store)._table._waiting.items()
    return {urls[number].removeprefix(SITE): entry for number, entry in known if entry[0]}


def test_what_is_in_memory_is_what_the_tables_say(store: CrawlStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x", "/y"), page(second, "/x", "/z")], 1.0)
    assert in_memory(store) == waiting(store) != {}
    (best,) = store.lease(1.0, 1).tasks
    assert in_memory(store) == waiting(store)
    store.commit([page(best, "/y", "/w"), page(third, "/z")], 2.0)
    assert in_memory(store) == waiting(store)
    assert set(waiting(store)) == {"/y", "/z", "/w"}


def test_what_does_not_fit_into_memory_is_read_from_the_table(
    store: CrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lead_table, "_KEPT", 2)
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x", "/y", "/z")], 1.0)
    store.commit([page(second, "/x", "/y", "/z")], 2.0)
    store.commit([page(third, "/x")], 3.0)
    assert len(in_memory(store)) <= 3
    assert {path: lead for path, (lead, _) in waiting(store).items()} == {"/x": b"...", "/y": b"..", "/z": b".."}


def test_a_page_is_told_what_its_lead_was_worth_also_when_memory_is_empty(store: CrawlStore) -> None:
    first, *_ = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x")], 1.0)
    (found,) = store.lease(1.0, 1).tasks
    leads_of(store).doubt()
    store.commit([page(found)], 2.0)
    told = store._connection.execute("SELECT worth FROM judgement WHERE task = ?", (found.id,)).fetchone()
    assert told == ('{"pages":1}',)


def test_what_is_to_be_tried_again_keeps_its_lead(store: CrawlStore) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x")], 1.0)
    (slow,) = store.lease(1.0, 1).tasks
    store.commit([Outcome(slow, 1.0, 0.1, failure=Failure(FailureKind.TIMEOUT, "no answer"))], 2.0)
    assert waiting(store)["/x"][0] == b"."
    store.commit([page(second, "/x"), page(third, "/x")], 3.0)
    assert waiting(store)["/x"][0] == b"..."


def test_what_is_far_from_the_best_needs_no_exact_priority(store: CrawlStore, ranker: CountingRanker) -> None:
    first, second, third = store.lease(1.0, 3).tasks
    store.commit([page(first, "/x", "/y"), page(second, "/x"), page(third, "/x")], 1.0)
    assert waiting(store) == {"/x": (b"...", 403.0), "/y": (b".", 401.0)}
    ranker.rank = lambda leads: [403.5 if len(lead) == 3 else 401.5 for lead in leads]  # type: ignore[method-assign]
    ranker.slack = 0.5
    leads_of(store).rerank(10)
    assert waiting(store) == {"/x": (b"...", 403.5), "/y": (b".", 401.0)}
    ranker.slack = 0.1
    leads_of(store).rerank(10)
    assert waiting(store) == {"/x": (b"...", 403.5), "/y": (b".", 401.5)}
    assert in_memory(store) == waiting(store)


def test_links_of_little_worth_are_dropped_and_come_back_by_another_page() -> None:
    ranker = CountingRanker()
    ranker.rank = lambda leads: [float(len(lead)) for lead in leads]  # type: ignore[method-assign]
    job = make_job("focus", SITE, topic="heap", delay=0.0, per_host=9, robots="ignore", output="unused")
    store = CrawlStore(None, job, BestFirst(), [Leads(ranker, least_worth=1.5)])
    store.begin("", 0.0)
    store.add_seeds([request("/"), request("/a"), request("/b")], CHOSEN)
    (first,) = store.lease(0.0, 1).tasks
    store.commit([page(first, "/x", "/a")], 0.5)
    assert store.counts[State.OUT_OF_SCOPE, "worth less than 1.5"] == 1
    assert waiting(store) == {} == in_memory(store)
    second, third = store.lease(1.0, 2).tasks
    assert {task.request.url for task in (second, third)} == {SITE + "/a", SITE + "/b"}, "what was named stays"
    store.commit([page(second, "/x"), page(third, "/x")], 2.0)
    assert waiting(store) == {"/x": (b"..", 2.0)} == in_memory(store)
    assert store.counts[State.WAITING, ""] == 1
    ranker.rank = lambda leads: [0.5] * len(leads)  # type: ignore[method-assign]
    ranker.due = lambda: 10  # type: ignore[method-assign]
    (last,) = store.lease(3.0, 1).tasks
    store.commit([page(last, "/y", "/z")], 4.0)
    assert not store.lease(5.0, 1).tasks
    assert store.counts[State.OUT_OF_SCOPE, "worth less than 1.5"] == 2
    store.close()
