"""What every store promises: who is leased when, what an outcome changes, and that nothing is lost or had twice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dowse.config import make_job
from dowse.core.errors import StoreFull
from dowse.core.job import Job
from dowse.core.model import Candidate, Failure, FailureKind, Outcome, State, Task
from dowse.core.politeness import HOPELESS_COMPLAINTS, HOPELESS_FAILURES
from dowse.core.url_keys import UrlKeys
from dowse.jobs.stored_jobs import job_to_json
from tests.contract.stores import STORES, AnyCrawl, AnyStore

NOW = 1_800_000_000.0
EARLIER = NOW - 3600
KEYS = UrlKeys(make_job("site", "http://a.example/").urls)


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> AnyCrawl:
    return STORES[request.param](tmp_path / "crawl", lambda: request.getfixturevalue("postgres_server"))


def job(**options: Any) -> Job:
    return make_job("site", "http://a.example/", **{"delay": 0.0, "per_host": 4, **options})


@pytest.fixture
def store(place: AnyCrawl) -> Iterator[AnyStore]:
    """A store whose host a.example has answered before: one that never did is asked for one page at a time."""
    opened = place.open(job())
    meet(opened, "a.example")
    yield opened
    opened.close()


def meet(store: AnyStore, *hosts: str) -> None:
    """Let these hosts have answered once, with something that has no further part in the crawl; see `ledger`."""
    seed(store, *(f"http://{host}/picture" for host in hosts))
    store.commit([failure(task, FailureKind.MEDIA_TYPE) for task in lease(store, EARLIER)], EARLIER)


def ledger(store: AnyStore, place: AnyCrawl) -> Counter[tuple[State, str]]:
    """The counts in memory, which must be those on disk; without the one URL of `meet`."""
    assert +store.counts == place.ledger()
    return place.ledger() - Counter({(State.OUT_OF_SCOPE, "media type detail"): 1})


def seed(store: AnyStore, *urls: str, priority: float = 0.0) -> None:
    store.add_seeds([KEYS.request(url) for url in urls], priority)


def lease(store: AnyStore, now: float = NOW, limit: int = 100) -> list[Task]:
    return store.lease(now, limit).tasks


def urls(tasks: list[Task]) -> list[str]:
    return [task.request.url for task in tasks]


def candidate(url: str, priority: float = 0.0, refused: str = "") -> Candidate:
    return Candidate(KEYS.request(url), "to it", priority, refused=refused)


def page(task: Task, *targets: Candidate, digest: int = 0, **facts: Any) -> Outcome:
    return Outcome(
        task, NOW, 0.01, status=200, candidates=list(targets), digest=digest, size=100, media_type="text/html", **facts
    )


def failure(task: Task, kind: FailureKind, **facts: Any) -> Outcome:
    trouble = Failure(kind, "detail", **facts)
    return Outcome(task, NOW, 0.01, status=trouble.status, failure=trouble)


# Leasing


def test_a_new_store_is_empty_and_has_nothing_to_do(place: AnyCrawl) -> None:
    store = place.open(job())
    assert store.lease(NOW, 10) == ([], None)
    assert (+store.counts, place.ledger(), store.pages, store.bytes_received) == ({}, {}, 0, 0)
    store.close()


def test_a_host_that_never_answered_is_asked_for_one_page(store: AnyStore) -> None:
    seed(store, *(f"http://new.example/{number}" for number in range(5)))
    [task] = lease(store)
    assert lease(store) == []
    store.commit([page(task)], NOW)
    assert len(lease(store)) == 4


def test_a_seed_is_leased_once_with_all_a_worker_needs(store: AnyStore) -> None:
    seed(store, "http://a.example/?utm_source=x")
    seed(store, "http://a.example/")  # the same by its key
    [task] = lease(store)
    assert (task.request, task.site) == (KEYS.request("http://a.example/?utm_source=x"), "a.example")
    assert (task.depth, task.parent, task.attempt, task.redirects) == (0, 0, 0, 0)
    assert store.lease(NOW + 1e6, 10) == ([], math.inf), "until it comes home there is nothing to do, nor an end"
    assert store.active_hosts() == {"a.example": 1}


def test_the_best_task_of_a_host_goes_first_and_the_older_of_two(store: AnyStore) -> None:
    seed(store, "http://a.example/low", priority=-2.0)
    seed(store, "http://a.example/high", "http://a.example/high2", priority=3.0)
    seed(store, "http://a.example/middle", priority=1.0)
    assert urls(lease(store, limit=3)) == [f"http://a.example/{path}" for path in ("high", "high2", "middle")]
    assert urls(lease(store)) == ["http://a.example/low"]


def test_no_host_gets_more_than_its_share(store: AnyStore) -> None:
    seed(store, *(f"http://a.example/{number}" for number in range(10)), "http://b.example/")
    first = lease(store)
    assert sorted(urls(first)) == [*(f"http://a.example/{number}" for number in range(4)), "http://b.example/"]
    assert lease(store) == []
    store.commit([page(task) for task in first if task.request.url.endswith(("/1", "/2"))], NOW)
    assert urls(lease(store)) == ["http://a.example/4", "http://a.example/5"]


@pytest.mark.parametrize("limit", [-1, 0, 1, 3])
def test_a_lease_is_never_larger_than_asked_for(store: AnyStore, limit: int) -> None:
    seed(store, *(f"http://{host}.example/" for host in "abcdefgh"))
    assert len(lease(store, limit=limit)) == max(limit, 0)


def test_hosts_that_rest_are_passed_over_and_say_when(place: AnyCrawl) -> None:
    store = place.open(job(delay=10.0))
    meet(store, "a.example", "b.example")
    seed(store, *(f"http://a.example/{number}" for number in range(3)), priority=5.0)
    assert urls(lease(store)) == ["http://a.example/0"], "one, and then the host rests"
    seed(store, "http://b.example/")
    assert store.lease(NOW + 1, 10).tasks[0].request.url == "http://b.example/", "however good the others are"
    assert store.lease(NOW + 2, 10) == ([], NOW + 10)
    assert urls(lease(store, NOW + 10)) == ["http://a.example/1"]
    store.close()


def test_the_host_that_was_ready_first_is_served_first(place: AnyCrawl) -> None:
    store = place.open(job(delay=10.0))
    meet(store, "a.example", "b.example")
    seed(store, *(f"http://{host}.example/{number}" for host in "ab" for number in range(3)))
    assert urls(lease(store, NOW, 1)) == ["http://a.example/0"]
    assert urls(lease(store, NOW + 5, 1)) == ["http://b.example/0"]
    assert urls(lease(store, NOW + 30, 1)) == ["http://a.example/1"]
    assert urls(lease(store, NOW + 30, 1)) == ["http://b.example/1"]
    store.close()


def test_the_pages_of_a_host_have_a_budget(place: AnyCrawl) -> None:
    store = place.open(job(host_pages=3))
    meet(store, "a.example")
    seed(store, *(f"http://a.example/{number}" for number in range(9)))
    first = lease(store)
    assert len(first) == 3
    store.commit([page(first[0]), page(first[1]), failure(first[2], FailureKind.TLS)], NOW)
    last = lease(store)
    assert len(last) == 1, "a failure is no page"
    store.commit([page(last[0])], NOW)
    assert store.lease(NOW, 10) == ([], None)
    assert store.finish("complete", NOW) == "host_pages"
    store.close()


# Committing

STANDINGS: dict[str, tuple[Any, tuple[State, str]]] = {
    # what came of it: the outcome, and where the URL stands then
    "a page": (lambda task: page(task, digest=5), (State.FETCHED, "")),
    "noindex": (lambda task: page(task, noindex=True), (State.FETCHED, "noindex")),
    "not changed": (lambda task: page(task, unchanged=True), (State.FETCHED, "unchanged")),
    "known content": (lambda task: page(task, digest=77), (State.DUPLICATE, "mirror")),
    "robots.txt": (lambda task: failure(task, FailureKind.ROBOTS), (State.ROBOTS, "robots")),
    "media type": (lambda task: failure(task, FailureKind.MEDIA_TYPE), (State.OUT_OF_SCOPE, "media type detail")),
    "final": (lambda task: failure(task, FailureKind.HTTP, status=404), (State.FAILED, "http 404")),
    "may pass": (lambda task: failure(task, FailureKind.HTTP, status=503), (State.WAITING, "http 503")),
    "crash": (lambda task: failure(task, FailureKind.CRASH), (State.WAITING, "crash")),
    "redirect": (lambda task: Outcome(task, NOW, status=302, redirect=candidate("http://a.example/there")),
                 (State.FETCHED, "redirect")),
}  # fmt: skip


@pytest.mark.parametrize(("outcome", "standing"), STANDINGS.values(), ids=STANDINGS.keys())
def test_an_outcome_moves_its_url_in_the_ledger(
    store: AnyStore, place: AnyCrawl, outcome: Any, standing: tuple[State, str]
) -> None:
    seed(store, "http://a.example/first", "http://a.example/it")
    first, it = lease(store)
    store.commit([page(first, digest=77)], NOW)
    store.commit([outcome(it)], NOW)
    assert place.standing("http://a.example/it") == standing
    assert sum(ledger(store, place).values()) == (3 if standing[1] == "redirect" else 2)


def test_candidates_become_tasks_once_whoever_finds_them(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/1", "http://a.example/2")
    one, two = lease(store)
    found = [candidate("http://a.example/new"), candidate("http://a.example/new?utm_source=x")]
    store.commit([page(one, *found, candidate("http://a.example/2")), page(two, *found)], NOW)
    [task] = lease(store)
    assert (task.request.url, task.depth, task.parent, task.site) == ("http://a.example/new", 1, one.id, "a.example")
    assert sum(ledger(store, place).values()) == 3


def test_what_was_refused_is_written_down_and_revived_when_it_is_allowed(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/1", "http://a.example/2", "http://a.example/3")
    one, two, three = lease(store)
    store.commit([page(one, candidate("http://a.example/deep", refused="depth 2"))], NOW)
    assert place.standing("http://a.example/deep") == (State.OUT_OF_SCOPE, "depth 2")
    store.commit([page(two, candidate("http://a.example/deep", refused="host"))], NOW)
    assert place.standing("http://a.example/deep") == (State.OUT_OF_SCOPE, "depth 2"), "the first refusal stays"
    store.commit([page(three, candidate("http://a.example/deep"))], NOW)
    assert urls(lease(store)) == ["http://a.example/deep"]
    assert ledger(store, place) == {(State.FETCHED, ""): 3, (State.OUT, ""): 1}


def test_links_of_a_mirror_are_not_taken(store: AnyStore) -> None:
    seed(store, "http://a.example/1", "http://a.example/2")
    one, two = lease(store)
    store.commit([page(one, digest=9), page(two, candidate("http://a.example/new"), digest=9)], NOW)
    assert store.lease(NOW, 10) == ([], None)


def test_a_partial_outcome_brings_tasks_and_leaves_its_own_out(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/map")
    [task] = lease(store)
    part = Outcome(task, NOW, partial=True, candidates=[candidate("http://a.example/new")])
    store.commit([part, part], NOW)
    assert ledger(store, place) == {(State.OUT, ""): 1, (State.WAITING, ""): 1}
    store.commit([page(task)], NOW)
    assert ledger(store, place) == {(State.FETCHED, ""): 1, (State.WAITING, ""): 1}


def test_a_retry_has_a_date_and_comes_back_with_its_number(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/")
    [task] = lease(store)
    store.commit([failure(task, FailureKind.CRASH)], NOW)
    tasks, date = store.lease(NOW, 10)
    assert (tasks, date is not None and NOW + 1 <= date <= NOW + 1.25) == ([], True)
    assert date is not None
    assert store.lease(date - 0.01, 10) == ([], date)
    [again] = lease(store, date)
    assert (again.id, again.attempt) == (task.id, 1)
    store.commit([failure(again, FailureKind.CRASH)], date)
    [last] = lease(store, date + 100)
    store.commit([failure(last, FailureKind.CRASH)], date + 100)
    assert ledger(store, place) == {(State.FAILED, "crash"): 1}, "two retries are all"


def test_a_host_that_stays_silent_is_given_up(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, *(f"http://a.example/{number}" for number in range(50)))
    now = NOW
    for _ in range(HOPELESS_FAILURES):
        now += 1000
        [task] = lease(store, now, limit=1)
        store.commit([Outcome(task, now, 0.0, failure=Failure(FailureKind.TIMEOUT))], now)
        assert +store.counts == place.ledger()
    assert place.ledger()[State.FAILED, "host silent"] >= 50 - HOPELESS_FAILURES
    assert place.ledger()[State.WAITING, ""] == 0


def test_a_host_that_only_complains_is_given_up(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, *(f"http://a.example/{number}" for number in range(50)))
    now = NOW
    for _ in range(HOPELESS_COMPLAINTS):
        now += 1000
        [task] = lease(store, now, limit=1)
        busy = Failure(FailureKind.HTTP, status=503)
        store.commit([Outcome(task, now, 0.0, status=503, failure=busy)], now)
    assert place.ledger()[State.FAILED, "host unavailable"] >= 50 - HOPELESS_COMPLAINTS
    assert place.ledger()[State.WAITING, ""] == 0


# Beginning, ending and going on


def test_a_killed_run_loses_nothing_and_leases_again_what_was_out(place: AnyCrawl) -> None:
    store = place.open(job())
    meet(store, "a.example")
    seed(store, "http://a.example/1", "http://a.example/2")
    one, _ = lease(store)
    store.commit([page(one, candidate("http://a.example/3"), digest=4)], NOW)
    store.close()  # without `finish`: what was out is still out on disk
    assert place.ledger()[State.OUT, ""] == 1
    store = place.open(job())
    assert ledger(store, place) == {(State.FETCHED, ""): 1, (State.WAITING, ""): 2}
    assert (store.pages, store.bytes_received) == (1, 100)
    seed(store, "http://a.example/1")
    again = lease(store)
    assert sorted(urls(again)) == ["http://a.example/2", "http://a.example/3"]
    store.commit([page(again[0], digest=4)], NOW)
    assert store.counts[State.DUPLICATE, "mirror"] == 1, "known content is still known"
    store.close()


def test_finish_calls_back_what_is_out(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/1", "http://a.example/2")
    lease(store, limit=1)
    assert store.finish("interrupted", NOW) == "interrupted"
    assert ledger(store, place) == {(State.WAITING, ""): 2}


def test_a_run_that_only_retries_leaves_all_else_alone(place: AnyCrawl) -> None:
    store = place.open(job())
    meet(store, "a.example")
    seed(store, *(f"http://a.example/{number}" for number in range(4)))
    broken, flaky, fine, _ = lease(store)
    store.commit([failure(broken, FailureKind.TLS), failure(flaky, FailureKind.CONNECT), page(fine)], NOW)
    store.finish("max_pages", NOW)
    store.begin(job_to_json(job()), NOW)
    store.retry_failed()
    [task] = lease(store, NOW + 1000)
    assert (task.id, task.attempt) == (broken.id, 0)
    store.commit([page(task, candidate("http://a.example/new"))], NOW)
    assert store.lease(NOW + 1e6, 10) == ([], None)
    assert store.finish("complete", NOW) == "max_pages", "what ended the crawl before is why the rest was not reached"
    assert +store.counts == place.ledger()
    store.close()
    store = place.open(job())
    assert ledger(store, place) == {(State.FETCHED, ""): 2, (State.WAITING, ""): 3}
    assert len(lease(store, NOW + 1000)) == 3
    store.close()


def test_retries_that_were_interrupted_are_failures_still(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, *(f"http://a.example/{number}" for number in range(4)))
    store.commit([failure(task, FailureKind.TLS) for task in lease(store, limit=3)], NOW)
    store.finish("max_pages", NOW)
    store.begin(job_to_json(job()), NOW)
    store.retry_failed()
    first, _ = lease(store, limit=2)
    store.commit([page(first)], NOW)
    assert store.finish("interrupted", NOW) == "interrupted"
    assert ledger(store, place) == {(State.FETCHED, ""): 1, (State.FAILED, "not retried"): 2, (State.WAITING, ""): 1}


def test_a_revisit_brings_what_is_needed_to_ask_for_changes_only(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/1", "http://a.example/2")
    one, two = lease(store)
    kept = page(one, digest=3, etag='"x"', last_modified="yesterday")
    store.commit([kept, failure(two, FailureKind.HTTP, status=404)], NOW)
    store.revisit()
    again = {task.id: task for task in lease(store)}
    first = again[one.id]
    assert (first.etag, first.last_modified, first.digest, first.attempt) == ('"x"', "yesterday", 3, 0)
    assert ledger(store, place) == {(State.OUT, ""): 2}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("batches", [1, 2])
def test_a_revisit_of_redirects_in_a_circle_ends(
    store: AnyStore, place: AnyCrawl, order: tuple[int, int], batches: int
) -> None:
    """Both ends of the circle are out at once then; one that leads back to the other must not make it wait twice."""
    here, there = "http://a.example/1", "http://a.example/2"
    seed(store, here)
    for _ in range(2):
        for _ in range(6):
            tasks = lease(store)
            found = [
                Outcome(t, NOW, status=302, redirect=candidate(there if t.request.url == here else here)) for t in tasks
            ]
            ordered = [found[number] for number in order] if len(found) == 2 else found
            for part in [ordered] if batches == 1 else [[outcome] for outcome in ordered]:
                store.commit(part, NOW)
                assert +store.counts == place.ledger()
        assert store.lease(NOW + 1e6, 10) == ([], None)
        store.revisit()


def test_a_revisit_of_a_page_behind_a_cookie_asks_for_it_again(store: AnyStore) -> None:
    """The page sends us to a door and the door sends us back; when both come home together, the page is due again."""
    room, door = "http://a.example/room", "http://a.example/door"
    seed(store, room)
    store.commit([Outcome(task, NOW, status=302, redirect=candidate(door)) for task in lease(store)], NOW)
    store.commit([Outcome(task, NOW, status=302, redirect=candidate(room)) for task in lease(store)], NOW)
    store.commit([page(task) for task in lease(store)], NOW)
    store.revisit()
    both = lease(store)
    assert urls(both) == [room, door]
    answers = zip(both, (door, room), strict=True)
    store.commit([Outcome(task, NOW, status=302, redirect=candidate(target)) for task, target in answers], NOW)
    assert urls(lease(store)) == [room]


def test_a_copy_that_must_be_fetched_again_and_fails_is_still_there(place: AnyCrawl) -> None:
    """Its original has changed, so it is asked for without conditions, as if it were new."""
    store = place.open(job(retries=0))
    original, copy = "http://a.example/1", "http://a.example/2"
    seed(store, original, copy)
    for now in (NOW, NOW + 10):
        store.commit([page(task, digest=3, etag='"x"') for task in lease(store, now)], now)
    assert place.standing(copy) == (State.DUPLICATE, "mirror")
    store.revisit()
    [first, second] = lease(store, NOW + 100)
    store.commit([page(first, digest=4)], NOW + 100)
    store.commit([Outcome(second, NOW, status=304, unchanged=True)], NOW + 100)
    [again] = lease(store, NOW + 200)
    assert (again.request.url, again.digest, again.etag) == (copy, 0, "")
    store.commit([failure(again, FailureKind.HTTP, status=500)], NOW + 200)
    assert (place.standing(copy), place.lost_copies()) == ((State.FAILED, "http 500"), [])
    store.close()


def test_what_is_to_be_fetched_as_if_unseen_is_so_after_a_failure_too(place: AnyCrawl) -> None:
    store = place.open(job(retries=1))
    original, copy = "http://a.example/1", "http://a.example/2"
    seed(store, original, copy)
    for now in (NOW, NOW + 10):
        store.commit([page(task, digest=3, etag='"x"') for task in lease(store, now)], now)
    store.revisit()
    [first, second] = lease(store, NOW + 100)
    store.commit([page(first, digest=4), Outcome(second, NOW, status=304, unchanged=True)], NOW + 100)
    for attempt in range(2):
        [again] = lease(store, NOW + 2000 * (attempt + 1))
        assert (again.request.url, again.attempt, again.digest, again.etag) == (copy, attempt, 0, "")
        store.commit([failure(again, FailureKind.HTTP, status=500)], NOW + 2000 * (attempt + 1))
    assert (place.standing(copy), place.lost_copies()) == ((State.FAILED, "http 500"), [])
    store.close()


def test_pages_of_a_silent_host_keep_their_place_in_a_limit(place: AnyCrawl) -> None:
    """Nobody asks for them any more, and nothing waits for them either."""
    store = place.open(job(max_pages=HOPELESS_FAILURES + 3, retries=0))
    meet(store, "a.example", "b.example")
    seed(store, *(f"http://a.example/{number}" for number in range(HOPELESS_FAILURES + 2)))
    for step in range(HOPELESS_FAILURES):
        store.commit([page(task, digest=task.id) for task in lease(store, NOW + step)], NOW + step)
    seed(store, "http://b.example/1", "http://b.example/2")
    store.revisit()
    asked = []
    for step in range(200):
        now = NOW + 1000 * (step + 1)
        for task in lease(store, now, 1):
            asked.append(task.request.host)
            silence = Outcome(task, now, 0.0, failure=Failure(FailureKind.TIMEOUT))
            store.commit([silence if asked[-1] == "a.example" else page(task, digest=task.id)], now)
    assert asked.count("a.example") == HOPELESS_FAILURES
    assert asked.count("b.example") == 2
    assert (store.spent, store.pages) == (HOPELESS_FAILURES + 4, HOPELESS_FAILURES + 4), "the engine stops one before"
    store.close()


MOVED, OLD = "http://a.example/y?utm_source=1", "http://a.example/y"


def send(store: AnyStore, targets: dict[str, str], rounds: int = 6) -> list[str]:
    """Let every task that is leased be sent to its target, or be a page where there is none; the URLs asked for."""
    asked: list[str] = []
    for _ in range(rounds):
        tasks = lease(store)
        asked += urls(tasks)
        ends = [(task, targets.get(task.request.url)) for task in tasks]
        store.commit(
            [Outcome(task, NOW, status=302, redirect=candidate(end)) if end else page(task) for task, end in ends], NOW
        )
    assert store.lease(NOW + 1e6, 10) == ([], None)
    return asked


def test_a_seed_that_moved_and_is_sent_on_in_a_circle_ends(store: AnyStore, place: AnyCrawl) -> None:
    """A move is a redirect without a page before it: there is nothing further back to look for."""
    other = "http://a.example/x"
    seed(store, OLD)
    assert send(store, {OLD: MOVED, MOVED: other, other: OLD}) == [OLD, MOVED, other, MOVED]
    assert ledger(store, place) == {(State.FETCHED, "redirect"): 1, (State.FAILED, "redirect loop"): 1}


def test_a_seed_that_moved_twice_can_be_sent_to_a_page_that_is_known(store: AnyStore) -> None:
    known, thrice = "http://a.example/x", "http://a.example/y?utm_source=2"
    seed(store, known, OLD)
    assert send(store, {OLD: MOVED, MOVED: thrice, thrice: known}) == [known, OLD, MOVED, thrice]


def test_a_page_is_not_asked_for_again_because_a_link_of_it_moved_and_leads_back(store: AnyStore) -> None:
    """It found the URL and did not send us there: nothing of it is behind a cookie."""
    home = "http://a.example/"
    seed(store, home)
    [task] = lease(store)
    store.commit([page(task, candidate(OLD))], NOW)
    assert send(store, {OLD: MOVED, MOVED: home}) == [OLD, MOVED]


def test_a_full_disk_leaves_no_trace_of_the_batch_it_refused(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/")
    [task] = lease(store)
    outcome = page(task, *(candidate(f"http://h{number}.example/{'x' * 500}") for number in range(200)), digest=8)
    place.fill(store, 1)
    for _ in range(2):
        with pytest.raises(StoreFull, match="full"):
            store.commit([outcome], NOW)
        assert ledger(store, place) == {(State.OUT, ""): 1}
        assert (store.pages, store.active_hosts()) == (0, {"a.example": 1})
    place.fill(store, -1)
    store.commit([outcome], NOW)
    assert ledger(store, place) == {(State.FETCHED, ""): 1, (State.WAITING, ""): 200}
    assert len(lease(store, limit=500)) == 200


# Waiting


def test_dates_that_another_clock_set_are_not_waited_for(place: AnyCrawl) -> None:
    """The first run's clock was a day ahead."""
    tomorrow, options = NOW + 86_400, job(delay=1.0, retries=3)
    store = place.open(options)
    store.begin(job_to_json(options), tomorrow)
    meet(store, "a.example", "b.example")
    seed(store, "http://a.example/", "http://b.example/")
    out = lease(store, tomorrow)
    store.commit([failure(task, FailureKind.TIMEOUT) for task in out], tomorrow)
    store.close()
    store = place.open(options)
    store.begin(job_to_json(options), NOW)
    wake_at = store.lease(NOW, 10).wake_at
    assert wake_at is None or wake_at <= NOW + 5
    assert len(lease(store, NOW + 5)) == 2
    store.close()


def test_a_clock_that_is_set_back_while_a_crawl_runs_stops_nobody(store: AnyStore) -> None:
    seed(store, "http://a.example/", "http://a.example/2")
    out = lease(store, NOW, 1)
    store.commit([failure(out[0], FailureKind.HTTP, status=503, retry_after=3_000.0)], NOW)
    yesterday = NOW - 86_400
    store.heed_clock(yesterday)
    assert store.lease(yesterday, 10).wake_at == pytest.approx(yesterday + 3_000, abs=1)


def test_it_can_be_told_what_is_waited_for(store: AnyStore) -> None:
    assert store.next_wait(NOW) is None
    meet(store, "b.example")
    seed(store, "http://a.example/", "http://a.example/2", "http://b.example/")
    [first, second, third] = lease(store, NOW)
    store.commit([failure(first, FailureKind.HTTP, status=503, retry_after=60.0), page(second), page(third)], NOW)
    wait = store.next_wait(NOW)
    assert wait is not None
    assert (wait.host, wait.why) == ("a.example", "1 URL that failed will be tried again (http 503)")
    assert NOW + 60 <= wait.until <= NOW + 90
    seed(store, "http://a.example/3", "http://b.example/2")
    wait = store.next_wait(NOW)
    assert wait is not None
    assert (wait.host, wait.why, wait.others) == ("a.example", "it asked for patience (status 429 or 503)", 0)


def test_what_the_machine_could_not_do_costs_a_url_no_attempt(store: AnyStore, place: AnyCrawl) -> None:
    seed(store, "http://a.example/")
    now = NOW
    for _ in range(20):
        [task] = lease(store, now)
        assert task.attempt == 0
        outcome = Outcome(task, now, 0.0, failure=Failure(FailureKind.MACHINE, "no files"), requested=False)
        store.commit([outcome], now)
        assert ledger(store, place) == {(State.WAITING, "machine"): 1}
        now += 3
    [task] = lease(store, now)
    store.commit([page(task)], now)
    assert ledger(store, place) == {(State.FETCHED, ""): 1}
