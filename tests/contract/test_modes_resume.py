"""Every mode: a crawl that was stopped or killed and goes on ends as one that was never disturbed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dowse import app
from dowse.config import dump_job
from dowse.modes.registry import mode_names
from tests.contract.mode_jobs import JOBS, MODES, Runs, mode_of, told
from tests.crawling import opened
from tests.processes import running, wait_until
from tests.servers import Site

HELD_UP_AFTER = 9
"""Requests; each small job makes more."""


def test_every_mode_has_a_small_job(toys: None) -> None:
    """The one line that a new mode needs to be tested like all others."""
    assert set(MODES) == {mode_of(case) for case in JOBS} == set(mode_names()), "see JOBS in mode_jobs.py"


@pytest.mark.parametrize("pages", [1, 4, 9])
@pytest.mark.parametrize("case", JOBS)
def test_a_crawl_that_was_stopped_ends_as_one_run(case: str, pages: int, runs: Runs, tmp_path: Path) -> None:
    """Nothing of what its job read at the start is needed again."""
    runs.give(tmp_path / "given")
    first = runs.crawl(case, tmp_path / "out", given=tmp_path / "given", max_pages=pages)
    shutil.rmtree(tmp_path / "given")
    assert first.status().stop_reason == "max_pages"
    app.resume(tmp_path / "out", max_pages=pages + 1)
    app.resume(tmp_path / "out", max_pages=0)
    assert told(opened(tmp_path / "out")) == told(runs.undisturbed(case))


@pytest.mark.parametrize("case", MODES)
def test_a_crawl_that_was_killed_ends_as_one_run(case: str, runs: Runs, tmp_path: Path) -> None:
    """kill -9, and what a power cut would leave besides: half a line at the end of each list that grows."""
    expected = told(runs.undisturbed(case))
    lists = [name for name in expected["files"] if "/" not in name]
    out, file = tmp_path / "out", tmp_path / "job.toml"
    file.write_text(dump_job(runs.job(case, out)), encoding="utf-8")
    with running("run", file, "--quiet") as crawl, held_up(runs.site) as wait_until_held_up:
        wait_until_held_up()
        wait_until(lambda: all(has_rows(out / name) for name in lists))
        assert crawl.is_running
        crawl.kill_all()
    assert app.read(out).status().stop_reason == "killed"
    for path in filter(has_rows, (out / name for name in lists)):
        path.write_bytes(path.read_bytes()[:-3])
    app.resume(out)
    assert told(opened(out)) == expected


@contextmanager
def held_up(site: Site) -> Iterator[Callable[[], None]]:
    """The site is slow, and after some requests it answers no more; what comes back waits for that moment."""
    before = len(site.asked())
    site.latency = 0.03

    def wait() -> None:
        wait_until(lambda: len(site.asked()) >= before + HELD_UP_AFTER)
        site.latency = 60.0

    try:
        yield wait
    finally:
        site.latency = 0.0


def has_rows(path: Path) -> bool:
    return path.exists() and len(path.read_bytes().splitlines()) > (path.suffix == ".csv")
