"""A mode of another package that keeps rows of its own in the commits of a crawl, and says what goes out next."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.modes.test_toy_mode import FAST, TOY, dowse, titled
from tests.servers import Page, Site

PAGES: dict[str, Page] = {
    "/": titled("start", *(f"/{name}" for name in "abcdefgh")),
    **{f"/{name}": titled(f"page {name} of {number % 3}", f"/more/{name}") for number, name in enumerate("abcdefgh")},
    **{f"/more/{name}": titled(f"more of {name}") for name in "abcdefgh"},
}
ONE_BY_ONE = (*FAST, "--concurrency", "1", "--robots", "ignore", "--no-sitemaps")


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as running:
        yield running


def words(folder: Path) -> list[str]:
    return dowse("export", folder, "words", "--to", "csv").out.splitlines()


def test_its_rows_are_exported_and_its_results_are_told(site: Site, tmp_path: Path) -> None:
    ended = dowse("counting", site.url, "-o", tmp_path / "out", *FAST)
    assert ended.code == 0, ended.err
    assert f"{'words':<40}{15:>12}" in ended.out
    assert "15 words" in ended.err  # in the progress
    assert words(tmp_path / "out")[:4] == ["word,pages", "of,16", "more,8", "page,8"]


def test_tasks_go_out_in_its_order(site: Site, tmp_path: Path) -> None:
    assert dowse("counting", site.url, "-o", tmp_path / "out", *ONE_BY_ONE).code == 0
    asked = [request.path for request in site.asked()]
    assert sorted(asked) == sorted(PAGES)
    assert asked[:4] == ["/", "/h", "/more/h", "/g"]


def test_it_says_when_there_is_enough(site: Site, tmp_path: Path) -> None:
    ended = dowse("counting", site.url, "-o", tmp_path / "out", "--patience", "1", "--json", *ONE_BY_ONE)
    status = json.loads(ended.out)
    assert status["stop_reason"] == "saturated"
    assert status["pages"] < len(PAGES)


def test_a_crawl_that_is_killed_counts_as_one_that_is_not(site: Site, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    dowse("counting", site.url, "-o", whole, *FAST)
    site.latency = 0.1
    command: list[str | Path] = ["counting", site.url, "-o", killed, *ONE_BY_ONE, "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(TOY)}
    for _ in range(3):
        before = len(site.asked())
        with subprocess.Popen([sys.executable, "-m", "dowse", *map(str, command)], env=environment) as process:
            deadline = time.monotonic() + 30
            while len(site.asked()) < before + 3 and time.monotonic() < deadline:
                time.sleep(0.01)
            assert process.poll() is None
            process.send_signal(signal.SIGKILL)
        command = ["resume", killed, "--quiet"]
    site.latency = 0.0
    assert dowse("resume", killed).code == 0
    assert words(killed) == words(whole)
