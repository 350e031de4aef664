"""Crawls that run as processes of their own: they go on when whoever started them ends, and are found again later.

    DIR/job.toml    the job, as `dowse run` reads it
    DIR/run.json    the last run: its process, its command, when it was started; locked as long as that process lives
    DIR/run.log     what it printed

How a process is started and found again is in started_processes.py.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from dowse.config import dump_job
from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, DowseError, JobError
from dowse.core.job import Job
from dowse.core.private_jobs import without_secrets
from dowse.crawl import read
from dowse.export.atomic_file import writing
from dowse.store.folder import folder_trouble, holds_crawl, is_running
from dowse.store.inner_paths import inside
from dowse.workflows.started_processes import (
    LOOK,
    PATIENCE,
    Files,
    ask_to_end,
    found,
    launched,
    printed_lines,
    taken,
    told_trouble,
)

JOB = "job.toml"
RUN = "run.json"
LOG = "run.log"

_FILES = Files(RUN, LOG)
_NOT_BEGUN = (2, 3)
"""Exit statuses of a command that could not begin: a job that cannot be run, a crawl that cannot be opened."""


class Run(msgspec.Struct, frozen=True):
    """The last run of a crawl that was started as a process of its own.

    `command` is what would be typed at a terminal. `started` is in seconds since 1970. `was_stopped`: somebody asked
    it to end at once, so that it could not write down why it ended.
    """

    process: int
    command: str
    started: float
    was_stopped: bool = False
    is_running: bool = False


def start(job: Job) -> Run:
    """Begin a new crawl in the folder of its job, which must not hold one yet. It ends by its own limits."""
    directory = Path(os.path.abspath(job.output))
    if without_secrets(job) != job:
        raise JobError(
            "a crawl in a process of its own is told no passwords: name where they are, env:NAME or file:PATH"
        )
    if holds_crawl(directory):
        raise CrawlError(f"{directory} already holds a crawl; choose another folder, or go on with the crawl")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise folder_trouble(directory, error) from error
    try:
        return _run(directory, ("run", str(directory / JOB)), dump_job(replace(job, output=str(directory))))
    except CrawlLocked:  # somebody else begins one there, and the files are theirs
        raise
    except DowseError:
        if not holds_crawl(directory):
            _forget(directory)
        raise


def go_on(directory: str | Path, act: str, *options: str) -> Run:
    """Let a crawl go on: `act` is resume, retry or recrawl, with options as they are typed, such as --max-pages 200."""
    directory = Path(os.path.abspath(directory))
    if not holds_crawl(directory):
        raise CrawlMissing(f"there is no crawl in {directory}")
    return _run(directory, (act, str(directory), *options))


def find(directory: str | Path) -> Run | None:
    """The last run that was started so; None if there was none. Crawls that were started otherwise have none either."""
    last = found(Path(directory), _FILES, Run)
    return None if last is None else replace(last[0], is_running=last[1])


def stop(directory: str | Path, *, at_once: bool = False) -> bool:
    """Ask a run to stop: it lets come home what is out, unless it is to end `at_once`. Either way it can be resumed.

    False if nothing runs that was started so."""
    run = find(directory)
    if run is None or not run.is_running:
        return False
    ask_to_end(run.process)
    if at_once:
        # As long as it runs nobody else writes this file. A run that is asked twice does not wait for anything.
        inside(Path(directory), RUN).write_bytes(msgspec.json.encode(replace(run, was_stopped=True, is_running=False)))
        time.sleep(LOOK)
        ask_to_end(run.process)
    return True


def printed(directory: str | Path, most: int = 20) -> list[str]:
    """The last lines that a run printed."""
    return printed_lines(Path(directory), _FILES, most)


def _run(directory: Path, words: Sequence[str], job: str = "") -> Run:
    """`job` is the job file that is to be written first."""

    def is_free() -> bool:
        return not holds_crawl(directory) or not is_running(directory)

    busy = f"another process is running the crawl in {directory}; wait for it or stop it"
    with taken(directory, _FILES, is_free, busy) as stream:
        if job:
            with writing(inside(directory, JOB), private=True) as file:
                file.write(job.encode())
        process = launched(directory, _FILES, words, stream)
        run = Run(process.pid, shlex.join(("dowse", *words)), time.time())
        stream.write(msgspec.json.encode(run))
    return _begun(directory, process, run)


def _begun(directory: Path, process: subprocess.Popen[bytes], run: Run) -> Run:
    """Wait until the run has its crawl, or has ended. Raises CrawlError in its own words if it could not begin."""
    end = time.monotonic() + PATIENCE
    while process.returncode is None and time.monotonic() < end:
        if holds_crawl(directory) and is_running(directory) and _has_job(directory):
            return replace(run, is_running=True)
        time.sleep(LOOK)
    if process.returncode in _NOT_BEGUN:
        raise CrawlError(told_trouble(printed(directory)) or "the crawl could not begin, and said nothing")
    return replace(run, is_running=process.returncode is None)  # perhaps it still reads a long list of seeds


def _has_job(directory: Path) -> bool:
    """Whether a crawl is so far that it can be read."""
    try:
        with read(directory) as crawl:
            return bool(crawl.job)
    except DowseError:
        return False


def _forget(directory: Path) -> None:
    """Leave nothing of a crawl that could not begin; what somebody else put there stays."""
    for name in (JOB, RUN, LOG):
        (directory / name).unlink(missing_ok=True)
    with suppress(OSError):
        directory.rmdir()
