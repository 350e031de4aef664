"""What is remembered of lists of many pages stays within its limits."""

from __future__ import annotations

import pytest

from dowse.core.model import Request, Response
from dowse.engine import paging_series
from dowse.engine.paging_series import SeriesMemory
from dowse.parse.page import Page


def shown(number: int) -> Page:
    links = "".join(f"<a href=/item/{number}/{each}>An item</a>" for each in range(50))
    request = Request(f"http://a.example/list?page={number}", 0, "a.example")
    return Page(Response(request, 200, {"content-type": "text/html"}, links.encode(), 0.0, 0.0))


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(paging_series, "MOST_PIECES", 500)
    monkeypatch.setattr(paging_series, "MOST_URLS", 400)
    return 500


def size_of(memory: SeriesMemory) -> int:
    return sum(len(series.pieces) for series in memory._series.values()) + len(memory._by_url)


def test_one_list_of_many_pages_is_bounded(few: int) -> None:
    memory = SeriesMemory()
    series = memory.begin("http://a.example/list")
    for number in range(100):
        assert memory.note(series, shown(number), ())
        memory.expect(series, [f"http://a.example/list?page={number}-{each}" for each in range(20)])
        assert size_of(memory) <= few
    assert memory.series_of("http://a.example/list") is series


def test_other_lists_make_room_for_the_one_that_grows(few: int) -> None:
    memory = SeriesMemory()
    lists = [memory.begin(f"http://a.example/list/{each}") for each in range(3)]
    for number in range(30):
        for each, series in enumerate(lists):
            if memory.series_of(f"http://a.example/list/{each}") is series:
                memory.note(series, shown(100 * each + number), ())
                assert size_of(memory) <= few
    assert len(memory._series) < 3
