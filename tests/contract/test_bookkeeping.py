"""Whatever a mode keeps in the store: a crawl in many runs keeps what one run does, and a batch that was rolled back
leaves no trace, neither in tables nor in memory."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dowse.config import make_job
from dowse.core.errors import StoreFull
from dowse.core.model import KEPT, Candidate, Failure, FailureKind, Judged, Outcome, State, Task
from dowse.core.url_keys import UrlKeys
from dowse.modes.files.bookkeeping import NamedFiles
from dowse.modes.rules.bookkeeping import PageTypes
from dowse.modes.rules.rule_hints import Mark, Ruled, pack, page_types
from dowse.modes.rules.rule_table import BASE, Rule, build_instruction
from dowse.store.best_first.leads import Leads
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.crawl_store import CrawlStore
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.lease_best_first import BestFirst
from dowse.store.frontier.lease_by_host import ByHost
from dowse.store.frontier.lease_policy import LeasePolicy
from tests.toy.counting.bookkeeping import TitleWords
from tests.toy.counting.lease_policy import ByAddress
from tests.unit.store.best_first.test_leads import CountingRanker

SITE = "http://site.example"
JOB = make_job("site", SITE, delay=0.0, per_host=4, retries=1)
KEYS = UrlKeys(JOB.urls)
NUMBER = 24
RULES = [
    Rule(base_url=f"{SITE}/", rule_type="follow", from_type=BASE, to_type="list", pattern="/", row=1),
    Rule(base_url=f"{SITE}/", rule_type="keep", from_type="list", pattern="7", row=2),
]


def linked(number: int) -> list[int]:
    """The pages that one links to."""
    return [number // 2, 2 * number + 1, 2 * number + 2, (5 * number + 7) % NUMBER]


def request(number: int) -> Any:
    return KEYS.request(f"{SITE}/{number or ''}")


def plain(task: Task) -> Outcome:
    """A page, a redirect, a copy of another page or a failure: which, the number in its URL says."""
    number = int(task.request.url.rpartition("/")[2] or 0)
    if number % 11 == 5:
        return Outcome(task, 1.0, 0.1, failure=Failure(FailureKind.TIMEOUT, "no answer"))
    if number % 11 == 9:
        return Outcome(task, 1.0, 0.1, status=301, redirect=Candidate(request((number + 1) % NUMBER)))
    links = [Candidate(request(each), f"to {each}", -1.0) for each in linked(number) if each < NUMBER]
    return Outcome(
        task, 1.0, 0.1, status=200, media_type="text/html", title=f"page {number} of {number % 3}", size=9,
        digest=number % 17 + 1, candidates=links, body=f"archive {number}",
    )  # fmt: skip


def judged(task: Task) -> Outcome:
    outcome = plain(task)
    if not outcome.digest:
        return outcome
    return Outcome(**{**_fields(outcome), "judged": Judged(float(task.id % 2), {"share": 0.5}, b"evidence")})


def ruled(task: Task) -> Outcome:
    """What a strategy of rules would make of a page: all links are followed from the base, some are kept."""
    outcome = plain(task)
    if not outcome.digest:
        return outcome
    names = {each.name for each in page_types(task.hint)}
    proposed: list[Candidate] = []
    for candidate in outcome.candidates:
        mark = Mark(f"{SITE}/", 1, BASE, f"list{len(proposed)}") if BASE in names or len(names) > 1 else None
        if mark is None and "7" in candidate.request.url:
            proposed.append(Candidate(candidate.request, "7", refused=KEPT, hint=pack((Mark(f"{SITE}/", 2, "list"),))))
        elif mark is not None or candidate.request.url[-1] in "0123":
            mark = mark or Mark(f"{SITE}/", 1, "list", "list")
            proposed.append(Candidate(candidate.request, "follow", -1.0, hint=pack((mark,))))
    evidence = pack(Ruled(build_instruction(f"{SITE}/", task.request.url, RULES), [(1, len(proposed))]))
    if task.body:
        return Outcome(task, 1.0, requested=False, proposed=proposed, evidence=evidence)
    return Outcome(**{**_fields(outcome), "candidates": [], "proposed": proposed, "evidence": evidence})


def _fields(outcome: Outcome) -> dict[str, Any]:
    return {name: getattr(outcome, name) for name in outcome.__struct_fields__}


class Kept(NamedTuple):
    """What is kept of a crawl: how it is made, by which policy tasks go out, and what comes of them."""

    books: Callable[[], list[Bookkeeping]]
    policy: Callable[[], LeasePolicy]
    visit: Callable[[Task], Outcome]
    hint: bytes = b""


ALL = {
    "leads": Kept(lambda: [Leads(CountingRanker())], BestFirst, judged),
    "files": Kept(lambda: [Leads(CountingRanker()), NamedFiles()], BestFirst, judged),
    "page types": Kept(lambda: [PageTypes(RULES)], ByHost, ruled, BASE.encode()),
    "toy": Kept(lambda: [TitleWords(0)], ByAddress, plain),
}


class FailsWhenTold(Bookkeeping):
    """Is the last to be told, and finds the disk full: when a task is leased, at the first outcome of a batch or in the
    end."""

    def __init__(self, moment: str = "written") -> None:
        self.is_told = False
        self._moment = moment

    def leased(self, tasks: list[Task]) -> list[Task]:
        self._fail()
        return tasks

    def visited(self, visit: Visit, admission: Admission) -> None:
        if self._moment == "visited":
            self._fail()

    def written(self, admission: Admission) -> None:
        self._fail()

    def _fail(self) -> None:
        if self.is_told:
            self.is_told = False
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error


@pytest.fixture(params=ALL, ids=lambda name: name.replace(" ", "_"))
def kept(request: pytest.FixtureRequest) -> Kept:
    return ALL[request.param]


def opened(kept: Kept, folder: Path, *more: Bookkeeping) -> CrawlStore:
    return CrawlStore(folder, JOB, kept.policy(), [*kept.books(), *more])


def begun(kept: Kept, folder: Path, *more: Bookkeeping) -> CrawlStore:
    store = opened(kept, folder, *more)
    store.begin("", 0.0)
    store.add_seeds([request(0)], 1.0, kept.hint)
    return store


def batches(store: CrawlStore, visit: Callable[[Task], Outcome]) -> Iterator[tuple[list[Outcome], float]]:
    """The outcomes of all that goes out, three at a time; whoever gets them commits them."""
    now = 10.0
    for _ in range(40 * NUMBER):
        work = store.lease(now, 3)
        if not work.tasks and work.wake_at is None:
            return
        if work.tasks:
            yield [visit(task) for task in work.tasks], now
        now = max(now + 1.0, work.wake_at if work.wake_at and work.wake_at < 1e9 else now)
    raise AssertionError("the crawl has no end")


def tables(store: CrawlStore, books: Sequence[Bookkeeping]) -> dict[str, list[Any]]:
    """All rows of the bookkeeping, and where each task stands."""
    made = " ".join(statement for each in books for statement in each.tables)
    names = re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", made)
    assert names
    rows = {name: store._connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in names}
    tasks = "SELECT id, url, state, reason, priority, attempt, visit FROM task ORDER BY id"
    return rows | {"task": store._connection.execute(tasks).fetchall()}


def in_one_run(kept: Kept, folder: Path, *, one_by_one: bool = False) -> dict[str, list[Any]]:
    store = begun(kept, folder)
    for outcomes, now in batches(store, kept.visit):
        for batch in [[each] for each in outcomes] if one_by_one else [outcomes]:
            store.commit(batch, now)
    store.finish("complete", 1e6)
    found = tables(store, kept.books())
    store.close()
    assert all(rows for name, rows in found.items() if name not in ("lead", "outdated", "rules", "said")), (
        "nothing is compared"
    )
    return found


def test_many_runs_keep_what_one_does(kept: Kept, tmp_path: Path) -> None:
    store = begun(kept, tmp_path / "many")
    now = 10.0
    for _ in range(40 * NUMBER):  # each run leases once, commits and is killed
        work = store.lease(now, 3)
        if not work.tasks and work.wake_at is None:
            break
        store.commit([kept.visit(task) for task in work.tasks], now)
        now = max(now + 1.0, work.wake_at if work.wake_at and work.wake_at < 1e9 else now)
        store.close()
        store = opened(kept, tmp_path / "many")
    store.finish("complete", 1e6)
    assert tables(store, kept.books()) == in_one_run(kept, tmp_path / "one")
    store.close()


def test_what_was_out_when_a_run_was_killed_goes_out_again(kept: Kept, tmp_path: Path) -> None:
    store = begun(kept, tmp_path)
    (first,) = store.lease(10.0, 3).tasks
    store.commit([kept.visit(first)], 10.0)
    before = tables(store, kept.books())
    lost = store.lease(11.0, 3).tasks
    store.close()
    store = opened(kept, tmp_path)
    assert tables(store, kept.books()) == before
    assert store.lease(11.0, 3).tasks == lost
    store.close()


@pytest.mark.parametrize("moment", ["visited", "written"])
def test_a_batch_that_is_rolled_back_leaves_no_trace(kept: Kept, tmp_path: Path, moment: str) -> None:
    fails = FailsWhenTold(moment)
    store = begun(kept, tmp_path / "full", fails)
    for outcomes, now in batches(store, kept.visit):
        before, counts = tables(store, kept.books()), +store.counts
        fails.is_told = True
        with pytest.raises(StoreFull):
            store.commit(outcomes, now)
        assert (tables(store, kept.books()), +store.counts) == (before, counts)
        for outcome in outcomes:  # in other batches than the one that failed
            store.commit([outcome], now)
    store.finish("complete", 1e6)
    assert tables(store, kept.books()) == in_one_run(kept, tmp_path / "one", one_by_one=True)
    store.close()


def test_what_is_out_does_not_go_out_again(kept: Kept, tmp_path: Path) -> None:
    fails = FailsWhenTold()
    store = begun(kept, tmp_path, fails)
    now, read_again = 10.0, 0
    for _ in range(40 * NUMBER):
        first = store.lease(now, 2)
        if not first.tasks and first.wake_at is None:
            break
        outcomes = [kept.visit(task) for task in first.tasks]
        read_again += sum(task.body != "" for task in first.tasks)
        if outcomes:
            fails.is_told = True
            with pytest.raises(StoreFull):
                store.commit(outcomes, now)
        second = store.lease(now, 2)
        out = [task.id for task in (*first.tasks, *second.tasks)]
        assert len(set(out)) == len(out)
        store.commit([*outcomes, *map(kept.visit, second.tasks)], now)
        now = max(now + 1.0, first.wake_at if first.wake_at and first.wake_at < 1e9 else now)
    assert (read_again > 0) == bool(kept.hint), "stored pages were wanted again"
    store.close()


def test_a_lease_that_is_rolled_back_leaves_no_trace(kept: Kept, tmp_path: Path) -> None:
    fails = FailsWhenTold()
    store = begun(kept, tmp_path / "full", fails)
    now = 10.0
    for _ in range(40 * NUMBER):
        fails.is_told = True
        before = tables(store, kept.books())
        try:
            work = store.lease(now, 3)
        except StoreFull:
            after = tables(store, kept.books())  # retries may have been woken before
            assert after | {"task": []} == before | {"task": []}
            assert store.counts[State.OUT, ""] == 0
            work = store.lease(now, 3)
        fails.is_told = False
        if not work.tasks and work.wake_at is None:
            break
        store.commit([kept.visit(task) for task in work.tasks], now)
        now = max(now + 1.0, work.wake_at if work.wake_at and work.wake_at < 1e9 else now)
    store.finish("complete", 1e6)
    assert tables(store, kept.books()) == in_one_run(kept, tmp_path / "one")
    store.close()


def test_a_crawl_without_bookkeeping_has_none_of_its_tables(tmp_path: Path) -> None:
    store = CrawlStore(tmp_path, JOB)
    (number,) = store._connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE name IN ('page_type', 'kept', 'rules', 'judgement', 'lead', 'file')"
    ).fetchone()
    assert number == 0
    store.close()
