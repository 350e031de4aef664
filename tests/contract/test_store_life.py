"""Whatever happens to a store, in whatever order: the ledger balances, memory and disk agree, and nothing is lost."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from dowse.config import make_job
from dowse.core.errors import StoreFull
from dowse.core.model import SITEMAP, Candidate, Failure, FailureKind, Outcome, State, Task
from dowse.core.url_keys import UrlKeys
from dowse.jobs.stored_jobs import job_to_json
from tests.conftest import TIME_TO_SHRINK
from tests.contract.stores import STORES, AnyCrawl, AnyStore

JOB = make_job("site", "http://a.example/", delay=0.5, per_host=2, retries=1)
EXAMPLES = 60
# Hundreds of crawls are opened and closed; what they wait for is the disk, which has no part in what is tested.
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
KEYS = UrlKeys(JOB.urls)
URLS = [f"http://{host}.example/{path}" for host in "ab" for path in ("", "x", "y?utm_source=1", "y?utm_source=2", "y")]

addresses = st.sampled_from(URLS)
candidates = st.builds(
    lambda url, priority, refused, label: Candidate(KEYS.request(url), "anchor", priority, label, refused),
    addresses,
    st.sampled_from([0.0, 1.0, -1.0]),
    st.sampled_from(["", "", "", "depth 2", "nofollow", "robots"]),
    st.sampled_from(["", "", "sitemap"]),
)
failures = st.builds(
    Failure,
    st.sampled_from([FailureKind.CONNECT, FailureKind.TIMEOUT, FailureKind.HTTP, FailureKind.ROBOTS, FailureKind.TLS,
                     FailureKind.MEDIA_TYPE, FailureKind.CRASH, FailureKind.INTERNAL]),
    st.just("detail"),
    st.sampled_from([None, 3.0]),
    st.sampled_from([0, 404, 429, 503]),
)  # fmt: skip
ENDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "page": st.fixed_dictionaries({
        "candidates": st.lists(candidates, max_size=5), "digest": st.integers(0, 4), "size": st.integers(0, 9)
    }),
    "failure": st.fixed_dictionaries({"failure": failures}),
    "redirect": st.fixed_dictionaries({"redirect": st.builds(Candidate, addresses.map(KEYS.request))}),
    "unchanged": st.just({"unchanged": True}),
    "partial": st.fixed_dictionaries({"partial": st.just(True), "candidates": st.lists(candidates, max_size=5)}),
}  # fmt: skip
ends = st.sampled_from([*ENDS, "failure", "redirect", "redirect"]).flatmap(lambda kind: ENDS[kind])


class StoreLife(RuleBasedStateMachine):
    """A store, a clock, and the tasks that are out with somebody."""

    open_crawl: Any

    @initialize()
    def begin(self) -> None:
        self._folder = tempfile.TemporaryDirectory(dir=IN_MEMORY)
        self.place: AnyCrawl = self.open_crawl(Path(self._folder.name))
        self.store: AnyStore = self.place.open(JOB)
        self.now = 1_800_000_000.0
        self.out: dict[int, Task] = {}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self._reopen()
            self._live_to_the_end()
            self.store.close()
            self._folder.cleanup()

    # What a run does

    @rule(seeds=st.lists(addresses, max_size=3))
    def add_seeds(self, seeds: list[str]) -> None:
        self.store.add_seeds([KEYS.request(url) for url in seeds], 0.0)

    @rule(seconds=st.sampled_from([0.0, 0.5, 2.0, 1000.0]), limit=st.integers(0, 4))
    def lease(self, seconds: float, limit: int) -> None:
        self.now += seconds
        tasks, wake_at = self.store.lease(self.now, limit)
        assert len(tasks) <= limit
        assert not {task.id for task in tasks} & self.out.keys(), "leased twice"
        assert len({task.id for task in tasks}) == len(tasks)
        self.out.update({task.id: task for task in tasks})
        active = self.store.active_hosts()
        assert all(number <= JOB.politeness.per_host for number in active.values())
        assert sum(active.values()) == len(self.out)
        assert wake_at is not None or not self.out

    @precondition(lambda self: self.out)
    @rule(data=st.data(), found=st.lists(ends, min_size=1, max_size=4))
    def commit(self, data: st.DataObject, found: list[dict[str, Any]]) -> None:
        numbers = data.draw(st.permutations(sorted(self.out)))
        outcomes = [self._outcome(number, facts) for number, facts in zip(numbers, found, strict=False)]
        self.store.commit(outcomes, self.now)
        for outcome in outcomes:
            if not outcome.partial:
                del self.out[outcome.task.id]

    @rule(data=st.data(), seeds=st.lists(addresses, max_size=2), found=st.lists(ends, min_size=4, max_size=4))
    def a_round(self, data: st.DataObject, seeds: list[str], found: list[dict[str, Any]]) -> None:
        """The three above, as they most often follow each other."""
        self.add_seeds(seeds)
        self.lease(2.0, 4)
        if self.out:
            self.commit(data, found)

    @precondition(lambda self: self.out)
    @rule(data=st.data(), room=st.integers(0, 2))
    def commit_to_a_full_disk(self, data: st.DataObject, room: int) -> None:
        """Refused or not, it is all or nothing."""
        number = data.draw(st.sampled_from(sorted(self.out)))
        more = [Candidate(KEYS.request(f"http://d.example/{number}/{each}{'x' * 300}")) for each in range(30)]
        before, pages = +self.store.counts, self.store.pages
        self.place.fill(self.store, room)
        try:
            self.store.commit([self._outcome(number, {"candidates": more})], self.now)
            del self.out[number]
        except StoreFull:
            assert (+self.store.counts, self.store.pages) == (before, pages)
        self.place.fill(self.store, -1)

    # Between runs

    @rule(reason=st.sampled_from(["complete", "interrupted", "max_pages"]))
    def finish_and_go_on(self, reason: Any) -> None:
        self.store.finish(reason, self.now)
        self.out.clear()
        assert +self.store.counts == self.place.ledger()
        self._reopen()

    @rule()
    def killed(self) -> None:
        self._reopen()

    @rule()
    def retry_failed(self) -> None:
        self._reopen()
        self.store.begin(job_to_json(JOB), self.now)
        self.store.retry_failed()

    @rule()
    def revisit(self) -> None:
        self._reopen()
        self.store.revisit()

    @rule(data=st.data(), found=st.lists(ends, min_size=4, max_size=4))
    def a_recrawl(self, data: st.DataObject, found: list[dict[str, Any]]) -> None:
        """Of pages that came in by then, and some that did not."""
        self.revisit()
        self.lease(1000.0, 4)
        if self.out:
            self.commit(data, found)

    @rule(refused=st.sets(addresses))
    def other_rules(self, refused: set[str]) -> None:
        self._reopen()
        self.store.reconsider(lambda request, *_: "exclude" if request.url in refused else "")

    # What holds at every moment

    @invariant()
    def the_ledger_balances(self) -> None:
        if hasattr(self, "store"):
            assert +self.store.counts == self.place.ledger()
            assert min(self.store.counts.values(), default=0) >= 0
            assert self.store.counts[State.OUT, ""] == len(self.out)
            assert self.place.urls(State.OUT) == {task.request.url for task in self.out.values()}

    @invariant()
    def a_failure_costs_no_page(self) -> None:
        if hasattr(self, "store"):
            assert self.place.lost_copies() == []

    def _outcome(self, number: int, facts: dict[str, Any]) -> Outcome:
        failure = facts.get("failure")
        status = failure.status if failure else 302 if "redirect" in facts else 200
        if "digest" in facts:  # that of a page is never 0, and a list of URLs has none
            facts = {**facts, "digest": 0 if self.out[number].label == SITEMAP else facts["digest"] or 5}
        return Outcome(self.out[number], self.now, 0.1, status=status, **facts)

    def _reopen(self) -> None:
        """As a new process does; what was out waits again, and all else is as it was."""
        before = +self.store.counts
        before[State.WAITING, ""] += before.pop((State.OUT, ""), 0)
        pages, size = self.store.pages, self.store.bytes_received
        self.store.close()
        self.out.clear()
        self.store = self.place.open(JOB)
        assert +self.store.counts == +before
        assert (self.store.pages, self.store.bytes_received) == (pages, size)

    def _live_to_the_end(self) -> None:
        """What waits is leased sooner or later: no task is forgotten, however it came to wait."""
        for _ in range(200):
            tasks, wake_at = self.store.lease(self.now, 10)
            if wake_at is None and not tasks:
                break
            self.store.commit([Outcome(task, self.now, 0.1, status=200) for task in tasks], self.now)
            self.now = max(self.now, wake_at or 0.0) if wake_at != float("inf") else self.now
        assert not [key for key in +self.store.counts if key[0] in (State.WAITING, State.OUT)]


@pytest.mark.timeout(TIME_TO_SHRINK)  # it is no property by its own name
@pytest.mark.parametrize("name", STORES)
def test_the_life_of_a_store(name: str, request: pytest.FixtureRequest) -> None:
    def open_crawl(folder: Path) -> AnyCrawl:
        return STORES[name](folder, lambda: request.getfixturevalue("postgres_server"))

    machine = type("Life", (StoreLife,), {"open_crawl": staticmethod(open_crawl)})
    examples = EXAMPLES if name == "sqlite" else EXAMPLES // 10  # to make a schema takes a tenth of a second
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=30))
