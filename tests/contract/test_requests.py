"""What every store promises of requests: whatever goes in comes out as it went in, and is told from others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from dowse.core.model import Candidate, FailureKind, Request, State, Task
from tests.contract.stores import STORES, AnyCrawl
from tests.contract.test_store import KEYS, NOW, candidate, failure, job, lease, ledger, meet, page, seed

FORM = "http://a.example/search?utm_source=x"
ASKED = [
    KEYS.request(FORM),
    KEYS.request(FORM, "POST", b"q=1"),
    KEYS.request(FORM, "POST", b"q=\xff\x00", (("Content-Type", "application/octet-stream"), ("X-Two", "ä, b"))),
    KEYS.request(FORM, "PUT"),
    KEYS.request(FORM, "GET", b"q=1"),
    KEYS.request("http://a.example/other", headers=(("Accept", "application/json"),)),
]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> AnyCrawl:
    return STORES[request.param](tmp_path / "crawl", lambda: request.getfixturevalue("postgres_server"))


def wanted(request: Request, hint: bytes = b"", why: str = "") -> Candidate:
    return Candidate(request, hint=hint, why=why, is_link=False)


def by_key(tasks: list[Task]) -> dict[int, tuple[Request, bytes]]:
    return {task.request.key_hash: (task.request, task.hint) for task in tasks}


def test_a_request_comes_out_as_it_went_in_also_after_a_kill(place: AnyCrawl) -> None:
    store = place.open(job(per_host=16))
    meet(store, "a.example")
    seed(store, "http://a.example/")
    [start] = lease(store)
    store.commit([page(start, proposed=[wanted(each, b"\x00hint %d" % n) for n, each in enumerate(ASKED)])], NOW)
    expected = {each.key_hash: (each, b"\x00hint %d" % n) for n, each in enumerate(ASKED)}
    assert by_key(lease(store)) == expected
    store.close()  # without `finish`, as a kill would leave it
    store = place.open(job(per_host=16))
    again = lease(store)
    assert by_key(again) == expected
    store.commit([failure(task, FailureKind.TIMEOUT) for task in again], NOW)
    store.close()
    store = place.open(job(per_host=16))
    late = lease(store, NOW + 7200)
    assert late
    assert by_key(late) == {task.request.key_hash: expected[task.request.key_hash] for task in late}
    store.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    some.lists(
        some.tuples(some.sampled_from(["GET", "POST", "PUT"]), some.binary(max_size=4), some.binary(max_size=4)),
        max_size=8,
    )
)
def test_each_is_had_once_with_the_hint_that_came_first(
    tmp_path_factory: pytest.TempPathFactory, asked: list[tuple[str, bytes, bytes]]
) -> None:
    place = STORES["sqlite"](tmp_path_factory.mktemp("crawl") / "crawl")
    store = place.open(job(per_host=16))
    meet(store, "a.example")
    seed(store, "http://a.example/")
    [start] = lease(store)
    candidates = [wanted(KEYS.request(FORM, method, body), hint) for method, body, hint in asked]
    store.commit([page(start, proposed=candidates)], NOW)
    first = {(method, body): hint for method, body, hint in reversed(asked)}
    assert {(task.request.method, task.request.body): task.hint for task in lease(store)} == first
    store.close()


def test_seeds_may_be_any_request(place: AnyCrawl) -> None:
    store = place.open(job())
    store.add_seeds([ASKED[1]], 0.0)
    assert [task.request for task in lease(store)] == [ASKED[1]]
    store.close()


def test_what_was_refused_and_comes_again_has_what_it_came_with_last(place: AnyCrawl) -> None:
    store = place.open(job())
    meet(store, "a.example")
    seed(store, "http://a.example/1", "http://a.example/2")
    one, two = lease(store)
    plain = KEYS.request("http://a.example/deep")
    store.commit([page(one, proposed=[Candidate(plain, refused="depth 1", hint=b"one", why="w")])], NOW)
    store.commit([page(two, candidate("http://a.example/deep"))], NOW)
    [task] = lease(store)
    assert (task.request, task.hint) == (plain, b"")
    store.close()


def test_a_redirect_hands_the_hint_on(place: AnyCrawl) -> None:
    store = place.open(job())
    meet(store, "a.example")
    store.add_seeds([ASKED[1]], 0.0, b"hint")
    [task] = lease(store)
    assert task.hint == b"hint"
    moved = KEYS.request("http://a.example/found", "POST", b"q=1")
    store.commit([page(task, redirect=Candidate(moved))], NOW)
    assert by_key(lease(store)) == {moved.key_hash: (moved, b"hint")}
    store.close()


def test_a_link_that_is_proposed_as_well_has_the_hint(place: AnyCrawl) -> None:
    store = place.open(job())
    meet(store, "a.example")
    seed(store, "http://a.example/")
    [start] = lease(store)
    both = KEYS.request("http://a.example/a")
    store.commit([page(start, candidate("http://a.example/a"), proposed=[wanted(both, b"hint")])], NOW)
    assert by_key(lease(store)) == {both.key_hash: (both, b"hint")}
    store.close()


def test_only_links_are_links_of_the_page(place: AnyCrawl) -> None:
    store = place.open(job())
    meet(store, "a.example")
    seed(store, "http://a.example/")
    [start] = lease(store)
    link = Candidate(KEYS.request("http://a.example/linked"), hint=b"x")
    store.commit([page(start, candidate("http://a.example/a"), proposed=[link, wanted(ASKED[1])])], NOW)
    [(links,)] = store._connection.execute("SELECT links FROM visit WHERE task = ?", (start.id,))
    assert links == '[[3,""],[5,"to it"]]'
    store.close()


def test_parameters_that_turn_out_to_matter_change_no_key_of_other_requests(place: AnyCrawl) -> None:
    store = place.open(job())
    meet(store, "a.example")
    store.add_seeds([ASKED[1], KEYS.request(FORM)], 0.0)
    store._memory.spellings._rekey("a.example")
    assert by_key(lease(store)) == {each.key_hash: (each, b"") for each in (ASKED[1], KEYS.request(FORM))}
    assert ledger(store, place)[State.OUT, ""] == 2
    store.close()
