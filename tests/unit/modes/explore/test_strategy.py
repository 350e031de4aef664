"""Which pages an exploring crawl takes first."""

from __future__ import annotations

from dowse.modes.explore.options import ExploreOptions
from dowse.modes.explore.strategy import ExploreStrategy

WANT = ("https://a.org/documents/trade/plan-2024.pdf", "https://a.org/documents/trade/annex.pdf")


def test_near_pages_come_before_far_ones() -> None:
    strategy = ExploreStrategy(ExploreOptions(want=WANT))
    assert strategy.priority(1) > strategy.priority(2)
