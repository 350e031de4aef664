"""Rates are learned from visits when somebody asks for them, however many runs that takes in."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.store.folder import take_over
from dowse.store.revisits.importance import Importance
from dowse.store.revisits.page_rates import PageRates
from tests.crawling import FAST, crawl, links, path_of
from tests.servers import Site

DAY = 86_400.0


def rates_of(folder: Path) -> dict[str, float]:
    """Changes a day by path."""
    with closing(take_over(folder)) as connection, connection.transaction():
        rates = PageRates(connection, Importance(connection, None))
        rates.catch_up()
        found = {path_of(url): rates.of(task) for task, url in connection.execute("SELECT id, url FROM task")}
        return {path: rate.mean for path, rate in found.items() if rate is not None}


def days(monkeypatch: pytest.MonkeyPatch, number: float) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + number * DAY)


def news_and_still(site: Site, day: int) -> None:
    still = {f"/papers/{number}": f"<p>Paper {number} is what it was." for number in range(10)}
    news = {f"/news/{number}": f"<p>News {number}, the {'x' * day}th." for number in range(10)}
    site.pages |= {"/": links(*still, *news), **still, **news}


def test_runs_without_a_budget_are_learned_from_later(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    news_and_still(site, 0)
    crawl(tmp_path / "late", site.url)
    crawl(tmp_path / "each", site.url)
    for day in range(1, 4):
        days(monkeypatch, 1)
        news_and_still(site, day)
        for name in ("late", "each"):
            app.recrawl(tmp_path / name, **FAST)
        rates_of(tmp_path / "each")
    late, each = rates_of(tmp_path / "late"), rates_of(tmp_path / "each")
    assert late == pytest.approx(each, rel=0.05), "it is the same whether it is learned at once or run by run"
    assert min(late[f"/news/{number}"] for number in range(10)) > 5 * max(
        late[f"/papers/{number}"] for number in range(10)
    )
    assert rates_of(tmp_path / "late") == pytest.approx(late, rel=0.001), "nothing is learned twice"


def test_a_page_that_is_new_is_known_from_then_on(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages |= {"/": links("/a"), "/a": "<p>One"}
    crawl(tmp_path, site.url)
    days(monkeypatch, 1)
    site.pages |= {"/": links("/a", "/b"), "/b": "<p>Two"}
    app.recrawl(tmp_path, **FAST)
    assert set(rates_of(tmp_path)) == {"/", "/a", "/b"}


def test_a_recrawl_without_changes_loads_nothing_to_learn_or_compare_with(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links("/a"), "/a": "<p>One"}
    crawl(tmp_path, site.url)
    code = f"""
import sys
from dowse import app
app.recrawl({str(tmp_path)!r}, delay=0.0)
print([name for name in ("numpy", "dowse.extract.content_changes") if name in sys.modules])
"""
    found: Any = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.strip() == "[]"
