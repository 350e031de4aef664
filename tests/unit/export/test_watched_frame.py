"""A table that somebody watches while it is written."""

from __future__ import annotations

from dowse.export.frame import TOLD_EVERY, Frame, WatchedFrame
from dowse.store.reading.tables import LinkTable


def watched(rows: int) -> tuple[int, list[tuple[int, int]]]:
    """How many rows came, and what was told meanwhile."""
    told: list[tuple[int, int]] = []
    table = LinkTable(lambda: iter([("http://a/", "http://b/", "b", 0)] * rows), lambda: rows)
    frame = WatchedFrame(Frame(table), lambda done, total: told.append((done, total)))
    return len(list(frame)), told


def test_who_watches_hears_how_many_rows_came_and_how_many_there_are() -> None:
    rows = 2 * TOLD_EVERY + 1
    assert watched(rows) == (rows, [(TOLD_EVERY, rows), (2 * TOLD_EVERY, rows)])


def test_a_small_table_is_not_worth_a_word() -> None:
    assert watched(10) == (10, [])
