"""The benchmark of a crawl that grows: every part has a cost at every number of pages."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

GROWTH, CRAWL = (import_module(f"benchmarks.{name}") for name in ("growth", "null_crawl"))


def test_every_part_has_a_cost_at_every_number_of_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GROWTH, "PAGES", (50, 100))
    monkeypatch.setattr(GROWTH, "SEGMENT", 25)
    CRAWL.build(tmp_path / "crawl", GROWTH.ORIGIN, 200)
    costs = GROWTH.grow(tmp_path / "crawl")
    assert {len(values) for values in costs.values()} == {2}
    assert all(cost > 0 for values in costs.values() for cost in values)
    assert costs["dowse: all"][0] > costs["dowse: read"][0]


def test_a_table_that_is_made_for_each_page_takes_longer_the_more_is_known() -> None:
    assert GROWTH._matching(20_000, anew=True) > 3 * GROWTH._matching(20_000, anew=False)
