"""Crawls that run as processes of their own: they go on when whoever started them ends, and are found again later.

    DIR/job.toml    the job, as `dowse run` reads it
    DIR/run.json    the last run: its process, its command, when it was started; locked as long as that process lives
    DIR/run.log     what it printed

The process inherits the lock of `run.json`, and nobody else keeps it. So a run is under way exactly as long as the file
is locked, whoever asks, and the number that stands in it is never that of a stranger's process.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

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

JOB = "job.toml"
RUN = "run.json"
LOG = "run.log"

_PATIENCE = 15.0
"""Seconds until somebody who started a crawl has an answer, even if it is still reading its seeds."""
_BRIEFLY = 0.5
"""Seconds for which a lock may be held by somebody who only looks whether it is."""
_LOOK = 0.05
_NOT_BEGUN = (2, 3)
"""Exit statuses of a command that could not begin: a job that cannot be run, a crawl that cannot be opened."""
_ERROR = "dowse: error: "
_MOST_READ = 256_000


class Run(msgspec.Struct, frozen=True):
    """The last run of a crawl that was started as a process of its own.

    `command` is what would be typed at a terminal. `started` is in seconds since 1970.
    """

    process: int
    command: str
    started: float
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
        with writing(inside(directory, JOB), private=True) as stream:
            stream.write(dump_job(replace(job, output=str(directory))).encode())
        return _run(directory, ("run", str(directory / JOB)))
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
    directory = Path(directory)
    try:
        with inside(directory, RUN).open("rb") as stream:
            run = msgspec.json.decode(stream.read(), type=Run)
            return replace(run, is_running=not _lock(stream.fileno(), fcntl.LOCK_SH))
    except (OSError, CrawlError, msgspec.DecodeError):  # none, or one that is being written this moment
        return None


def stop(directory: str | Path) -> bool:
    """Ask a run to stop: it lets come home what is out, and can be resumed. Asked again, it ends at once.

    False if nothing runs that was started so."""
    run = find(directory)
    if run is None or not run.is_running:
        return False
    with suppress(ProcessLookupError):  # it ended this moment
        os.kill(run.process, signal.SIGTERM)
    return True


def printed(directory: str | Path, most: int = 20) -> list[str]:
    """The last lines that a run printed."""
    try:
        with inside(Path(directory), LOG).open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _MOST_READ))
            lines = stream.read().decode("utf-8", "replace").splitlines()
    except (OSError, CrawlError):
        return []
    return list(deque((line for line in lines if line.strip()), most))


def _run(directory: Path, words: Sequence[str]) -> Run:
    """Start a command in a session of its own, so that no terminal and no end of ours reaches it."""
    with _taken(directory) as stream:
        with os.fdopen(_opened(directory, LOG, os.O_TRUNC), "wb") as log:
            process = subprocess.Popen(
                # -P: a folder called dowse in the place where we were started is not our code
                [sys.executable, "-P", "-m", "dowse", *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=(stream.fileno(),),
            )
        run = Run(process.pid, shlex.join(("dowse", *words)), time.time())
        stream.write(msgspec.json.encode(run))
    threading.Thread(target=process.wait, name="ended crawl", daemon=True).start()  # else it stays as a zombie
    return _begun(directory, process, run)


def _begun(directory: Path, process: subprocess.Popen[bytes], run: Run) -> Run:
    """Wait until the run has its crawl, or has ended. Raises CrawlError in its own words if it could not begin."""
    end = time.monotonic() + _PATIENCE
    while process.returncode is None and time.monotonic() < end:
        if holds_crawl(directory) and is_running(directory) and _has_job(directory):
            return replace(run, is_running=True)
        time.sleep(_LOOK)
    if process.returncode in _NOT_BEGUN:
        lines = printed(directory)
        told = next((line for line in reversed(lines) if line.startswith(_ERROR)), "".join(lines[-1:]))
        raise CrawlError(told.removeprefix(_ERROR) or "the crawl could not begin, and said nothing")
    return replace(run, is_running=process.returncode is None)  # perhaps it still reads a long list of seeds


def _has_job(directory: Path) -> bool:
    """Whether a crawl is so far that it can be read."""
    try:
        with read(directory) as crawl:
            return bool(crawl.job)
    except DowseError:
        return False


@contextmanager
def _taken(directory: Path) -> Iterator[BinaryIO]:
    """The file of the run, empty, locked for us and for the process that inherits it."""
    with os.fdopen(_opened(directory, RUN), "r+b") as stream:
        end = time.monotonic() + _BRIEFLY
        while not _lock(stream.fileno(), fcntl.LOCK_EX) or (holds_crawl(directory) and is_running(directory)):
            if time.monotonic() > end:
                raise CrawlLocked(f"another process is running the crawl in {directory}; wait for it or stop it")
            time.sleep(_LOOK)
        stream.truncate(0)  # first of all: the process that stood in it is not the one that runs
        yield stream


def _opened(directory: Path, name: str, flags: int = 0) -> int:
    try:
        return os.open(inside(directory, name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | flags, 0o600)
    except OSError as error:
        raise folder_trouble(directory, error) from error


def _lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _forget(directory: Path) -> None:
    """Leave nothing of a crawl that could not begin; what somebody else put there stays."""
    for name in (JOB, RUN, LOG):
        (directory / name).unlink(missing_ok=True)
    with suppress(OSError):
        directory.rmdir()
