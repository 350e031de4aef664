"""How SQLite goes about the statements of every page: by an index, never through all tasks, and without sorting.

An index over some of the rows is used only by a statement that says the same of them, in numbers that stand in it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from dowse.config import make_job
from dowse.core.model import Candidate, Failure, FailureKind, Outcome, Task
from dowse.core.task_labels import REQUISITE, REQUISITES_FIRST
from dowse.core.url_keys import UrlKeys
from dowse.store.sqlite import SqliteDatabase
from tests.contract.stores import AnyStore, SqliteCrawl

NOW = 1_800_000_000.0
HOME = "http://a.example/"
PAGES = 2_000
JOB = make_job("site", HOME, delay=0.0, per_host=4, retries=2)
KEYS = UrlKeys(JOB.urls)


def plans(store: AnyStore, act: Callable[[], object]) -> set[str]:
    """The steps of all statements that an act takes."""
    database = store._connection
    assert isinstance(database, SqliteDatabase)
    statements: list[str] = []
    database.set_trace_callback(statements.append)
    try:
        act()
    finally:
        database.set_trace_callback(None)
    asked = [
        text.replace("Inf", "9e999") for text in statements if text.lstrip().startswith(("SELECT", "UPDATE", "DELETE"))
    ]
    assert asked
    return {step[3] for text in asked for step in database.execute(f"EXPLAIN QUERY PLAN {text}").fetchall()}


def page(task: Task, *paths: str) -> Outcome:
    targets = [Candidate(KEYS.request(HOME + path), "to it", 0.0) for path in paths]
    return Outcome(task, NOW, 0.01, status=200, candidates=targets, digest=task.id, size=100, media_type="text/html")


@pytest.mark.parametrize("is_analyzed", [False, True])
def test_what_a_page_costs_does_not_grow_with_the_tasks_that_there_are(tmp_path: Path, *, is_analyzed: bool) -> None:
    with closing(SqliteCrawl(tmp_path / "crawl").open(JOB)) as store:
        store.add_seeds([KEYS.request(HOME)], 0.0)
        [home] = store.lease(NOW, 1).tasks
        store.commit([page(home, *map(str, range(PAGES)))], NOW)
        for _ in range(50):
            store.commit([page(task) for task in store.lease(NOW, 4).tasks], NOW)
        if is_analyzed:
            store._connection.execute("ANALYZE")
        leased: list[Task] = []
        steps = plans(store, lambda: leased.extend(store.lease(NOW + 1, 4).tasks))
        assert "SEARCH task USING INDEX task_ready (host=? AND priority>? AND priority<?)" in steps
        late = Outcome(leased[0], NOW, 0.01, failure=Failure(FailureKind.TIMEOUT, ""))
        steps |= plans(store, lambda: store.commit([late, page(leased[1], "1", "new")], NOW + 2))
        steps |= plans(store, lambda: store.lease(NOW + 86_400, 4))
        assert "SEARCH task USING INDEX task_later (not_before>? AND not_before<?)" in steps
    assert sorted(step for step in steps if step.startswith(("SCAN task", "SCAN visit"))) == []
    assert [step for step in steps if "FOR ORDER BY" in step] == []


def test_what_is_left_of_requisites_is_known_without_a_look_at_all_tasks(tmp_path: Path) -> None:
    job = make_job("site", HOME, delay=0.0, per_host=4, max_pages=1, requisites=True)
    with closing(SqliteCrawl(tmp_path / "crawl").open(job)) as store:
        store.add_seeds([KEYS.request(HOME)], 0.0)
        [home] = store.lease(NOW, 1).tasks
        images = [
            Candidate(KEYS.request(f"{HOME}{number}.png"), "", REQUISITES_FIRST, REQUISITE) for number in range(9)
        ]
        store.commit([msgspec.structs.replace(page(home, *map(str, range(PAGES))), requisites=images)], NOW)
        steps = plans(store, lambda: store.awaits_requisites)
        assert store.awaits_requisites
        leased: list[Task] = []
        steps |= plans(store, lambda: leased.extend(store.lease(NOW, 4, 0).tasks))
        assert [task.label for task in leased] == [REQUISITE] * 4
    assert sorted(step for step in steps if step.startswith("SCAN task") and "task_requisite" not in step) == []
