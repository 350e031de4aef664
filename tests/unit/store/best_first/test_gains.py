"""When it is looked whether a crawl has enough."""

from __future__ import annotations

import math
import sqlite3
from random import Random
from typing import Any

import pytest

from dowse.core.patience import Patience
from dowse.core.saturation import Waiting
from dowse.store.best_first import gains
from dowse.store.best_first.gains import Gains
from dowse.store.best_first.lead_schema import TABLES
from dowse.store.best_first.leads import _NOTE

BY_LEFT = Patience(80, ends_by_left=True, has_chances=True)


def fed(found: Gains, pages: int) -> None:
    """So many pages more, the first five on topic and links worth ever less."""
    for number in range(len(found.relevances), len(found.relevances) + pages):
        found.add(number, 1.0 if number < 5 else 0.0, 1.0 - number / 100)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Waiting]:
    """What waits at every look; the last one is told again and again."""
    waiting = [Waiting([-1.0], [10])]
    monkeypatch.setattr(gains, "read_waiting", lambda _connection: waiting.pop() if waiting[1:] else waiting[0])
    return waiting


def opened(patience: Patience) -> Gains:
    found = Gains(patience)
    found._connection = None  # type: ignore[assignment]
    return found


def test_a_small_site_is_left_when_next_to_nothing_is_left(looks: list[Waiting]) -> None:
    found = opened(BY_LEFT)
    fed(found, 19)
    assert not found.is_enough()
    fed(found, 6)
    assert found.is_enough()


def test_a_large_site_is_not_left_so_early(looks: list[Waiting]) -> None:
    looks[0] = Waiting([-1.0], [1_000])
    found = opened(BY_LEFT)
    fed(found, 60)
    assert not found.is_enough()
    fed(found, 20)
    assert found.is_enough()


def test_it_is_looked_after_ten_pages_though_several_come_at_a_time(looks: list[Waiting]) -> None:
    looks += [Waiting([0.9], [10])]  # the last is the first to be seen
    found = opened(BY_LEFT)
    fed(found, 23)
    assert not found.is_enough()
    fed(found, 4)
    assert not found.is_enough()  # not yet
    assert len(looks) == 1
    found.miss()
    fed(found, 6)  # 33 pages and a dead link: no multiple of ten
    assert found.is_enough()


def test_without_patience_it_is_never_enough(looks: list[Waiting]) -> None:
    found = opened(Patience(0, ends_by_left=True))
    fed(found, 100)
    assert not found.is_enough()


def test_until_the_next_look_it_stays_enough(looks: list[Waiting]) -> None:
    found = opened(BY_LEFT)
    fed(found, 25)
    assert found.is_enough()
    assert found.is_enough(), "whoever asks again at the end is told the same"


@pytest.mark.parametrize("most", [5, 1_000])
def test_pages_that_are_judged_once_more_are_where_the_table_has_them_and_it_is_not_read_again(
    most: int, looks: list[Waiting], monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(task: int) -> None:
        """As a batch of its own: what is known is told before it is written."""
        relevance, worth = chance.random(), chance.choice([math.nan, 0.25, 0.5])
        found.came(task, relevance, worth)
        told = "{}" if math.isnan(worth) else f'{{"worth": {worth}}}'
        connection.execute(_NOTE, (task, relevance, "{}", told, b""))

    monkeypatch.setattr(gains, "_MOST_AGAIN", most)
    chance, connection = Random(7), sqlite3.connect(":memory:")
    for statement in TABLES:
        connection.execute(statement)
    database: Any = connection
    found = Gains(BY_LEFT)
    found.load(database)
    for task in range(1, 41):
        judge(task)
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    for _ in range(20):
        for task in (chance.randrange(1, 200) for _ in range(12)):
            judge(task)
        found.is_enough()
    connection.set_trace_callback(None)
    assert not [statement for statement in asked if "ORDER BY" in statement]
    loaded = Gains(BY_LEFT)
    loaded.load(database)
    for mine, read in ((found.relevances, loaded.relevances), (found._worths, loaded._worths)):
        assert mine.tolist() == pytest.approx(read.tolist(), nan_ok=True)
    assert found.results == loaded.results
