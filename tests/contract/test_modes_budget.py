"""Every mode: a recrawl under a budget makes no more requests than that, and loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse import app
from tests.contract.mode_jobs import MODES, Runs
from tests.crawling import opened

BUDGET = 6


@pytest.mark.parametrize("name", MODES)
def test_a_budget_is_kept_and_nothing_is_lost(name: str, runs: Runs, tmp_path: Path) -> None:
    out = runs.copied(name, tmp_path / "out")
    before = opened(out)
    pages = sorted(row["url"] for row in before.pages)
    results = len(before.frame(before.mode.result_table))
    asked = len(runs.site.log)
    app.recrawl(out, budget=BUDGET)
    requests = [hit.request.path for hit in runs.site.log[asked:] if hit.request.path != "/robots.txt"]
    assert 0 < len(requests) <= BUDGET
    found = opened(out)
    assert sorted(row["url"] for row in found.pages) == pages
    assert len(found.frame(found.mode.result_table)) == results
    assert not list(found.changes(kind=["removed", "changed"]))
