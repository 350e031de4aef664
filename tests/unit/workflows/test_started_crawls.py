"""Crawls as processes of their own: started, found again by others, stopped, gone on with."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import filelock
import pytest

from dowse import app
from dowse.config import load_job, make_job
from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, JobError
from dowse.workflows import started_crawls, started_watches
from tests.processes import wait_for_requests, wait_until
from tests.servers import Reply, Site


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where a crawl goes. None is left running, whatever the test finds."""
    directory = tmp_path / "crawl"
    yield directory
    if (run := started_crawls.find(directory)) is not None and run.is_running:
        os.killpg(run.process, signal.SIGKILL)


@pytest.fixture
def endless(serve: Callable[..., Site]) -> Site:
    """A site on which no crawl ends by itself."""
    return serve({"/*": lambda request: Reply(f"<a href={request.path}x>on</a>", delay=0.05)})


def has_ended(directory: Path) -> bool:
    run = started_crawls.find(directory)
    return run is not None and not run.is_running


def test_a_crawl_ends_by_its_limits_and_leaves_its_job_and_what_it_printed(endless: Site, folder: Path) -> None:
    job = make_job("site", endless.url, output=str(folder), max_pages=3)
    run = started_crawls.start(job)
    assert run.command == f"dowse run {folder / 'job.toml'}"
    wait_until(lambda: has_ended(folder))
    assert app.read(folder).status().pages == 3
    assert load_job(folder / "job.toml") == job
    assert "3 pages" in "\n".join(started_crawls.printed(folder))
    assert (folder / "run.log").stat().st_mode & 0o077 == 0


def test_a_run_is_found_stopped_and_gone_on_with_from_another_process(endless: Site, folder: Path) -> None:
    started_crawls.start(make_job("site", endless.url, output=str(folder), delay=0))
    wait_for_requests(endless, 2)
    run = started_crawls.find(folder)
    assert run is not None
    assert run.is_running
    assert os.getsid(run.process) == run.process  # no terminal and no end of ours reaches it
    with pytest.raises(CrawlLocked):
        started_crawls.go_on(folder, "resume")
    assert started_crawls.stop(folder)
    wait_until(lambda: has_ended(folder))
    assert not started_crawls.stop(folder)
    pages = app.read(folder).status().pages
    started_crawls.go_on(folder, "resume", "--max-pages", str(pages + 2))
    wait_until(lambda: has_ended(folder))
    assert app.read(folder).status().pages == pages + 2


def test_a_run_that_was_killed_is_known_to_have_ended_and_a_stranger_is_not_signalled(
    endless: Site, folder: Path
) -> None:
    started_crawls.start(make_job("site", endless.url, output=str(folder), delay=0))
    run = started_crawls.find(folder)
    assert run is not None
    os.kill(run.process, signal.SIGKILL)
    wait_until(lambda: has_ended(folder))
    # the number of the process may be anybody's by now
    text = (folder / "run.json").read_text()
    (folder / "run.json").write_text(text.replace(str(run.process), str(os.getpid())))
    assert not started_crawls.stop(folder)


def test_a_crawl_that_cannot_begin_says_why_and_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "rules.csv"
    table.write_text("page_type,scope\n", encoding="utf-8")
    job = make_job("rules", (), table=str(table), output=str(folder))
    table.unlink()
    with pytest.raises(CrawlError, match=r"rules\.csv"):
        started_crawls.start(job)
    assert not folder.exists()


def test_a_folder_that_holds_a_crawl_is_not_started_in_and_one_without_is_not_gone_on_with(
    site: Site, folder: Path
) -> None:
    site.pages["/"] = "hello"
    job = make_job("site", site.url, output=str(folder))
    with pytest.raises(CrawlMissing):
        started_crawls.go_on(folder, "resume")
    app.start(job)
    assert started_crawls.find(folder) is None
    with pytest.raises(CrawlError, match="already holds a crawl"):
        started_crawls.start(job)
    assert not (folder / "job.toml").exists()


def test_a_crawl_that_somebody_runs_at_a_terminal_is_left_alone(site: Site, folder: Path) -> None:
    site.pages["/"] = "hello"
    app.start(make_job("site", site.url, output=str(folder)))
    with filelock.FileLock(folder / "crawl.lock"), pytest.raises(CrawlLocked):
        started_crawls.go_on(folder, "resume")
    assert not started_crawls.stop(folder)


def test_passwords_are_not_handed_on(folder: Path) -> None:
    job = make_job("site", "https://example.org/", output=str(folder), auth="me:secret")
    with pytest.raises(JobError, match="env:NAME"):
        started_crawls.start(job)
    assert not folder.exists()


def test_a_link_that_leads_out_of_the_folder_is_not_written_through(site: Site, folder: Path, tmp_path: Path) -> None:
    site.pages["/"] = "hello"
    app.start(make_job("site", site.url, output=str(folder)))
    (tmp_path / "elsewhere").write_text("mine")
    (folder / "run.log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CrawlError, match="leads out of its folder"):
        started_crawls.go_on(folder, "resume")
    assert (tmp_path / "elsewhere").read_text() == "mine"


def test_a_second_watch_is_refused_and_the_log_of_the_first_stays(endless: Site, folder: Path) -> None:
    app.start(make_job("site", endless.url, output=str(folder), max_pages=1))
    log = folder / started_watches.LOG
    log.write_text("what the first one printed\n")
    with (folder / started_watches.SCHEDULE).open("wb") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        with pytest.raises(CrawlLocked, match="is being watched already"):
            started_watches.begin(folder, {"every": "6h"})
    assert started_watches.printed(folder) == ["what the first one printed"]


def test_who_comes_second_leaves_the_files_of_the_first_alone(endless: Site, folder: Path) -> None:
    folder.mkdir()
    (folder / "job.toml").write_text("of the first\n")
    with (folder / "run.json").open("wb") as stream:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX)  # its process is there, and has no crawl yet
        with pytest.raises(CrawlLocked):
            started_crawls.start(make_job("site", endless.url, output=str(folder)))
    assert (folder / "job.toml").read_text() == "of the first\n"
    assert (folder / "run.json").exists()
