"""Commands of ours as processes of their own: they go on when whoever started them ends, and are found again later.

    a file of facts   its process and what else is to be known; locked as long as that process lives
    a log             what it printed

The process inherits the lock of the file, and nobody else keeps it. So a command is under way exactly as long as the
file is locked, whoever asks, and the number that stands in it is never that of a stranger's process.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from dowse.core.errors import CrawlError, CrawlLocked
from dowse.store.folder import folder_trouble
from dowse.store.inner_paths import inside

PATIENCE = 15.0
"""Seconds until somebody who started a command has an answer, even if it is still reading what it needs."""
LOOK = 0.05
_BRIEFLY = 0.5
"""Seconds for which a lock may be held by somebody who only looks whether it is."""
_ERROR = "dowse: error: "
_MOST_READ = 256_000

Facts = TypeVar("Facts")


class Files(NamedTuple):
    """What the file of facts and the log of a command are called in the folder of its crawl."""

    facts: str
    log: str


@contextmanager
def taken(directory: Path, files: Files, is_free: Callable[[], bool], busy: str) -> Iterator[BinaryIO]:
    """The file of facts, empty, locked for us and for the process that inherits it. CrawlLocked says that it is
    `busy`."""
    with os.fdopen(_opened(directory, files.facts), "r+b") as stream:
        end = time.monotonic() + _BRIEFLY
        while not _lock(stream.fileno(), fcntl.LOCK_EX) or not is_free():
            if time.monotonic() > end:
                raise CrawlLocked(busy)
            time.sleep(LOOK)
        stream.truncate(0)  # first of all: the process that stood in it is not the one that runs
        yield stream


def launched(directory: Path, files: Files, words: Sequence[str], held: BinaryIO) -> subprocess.Popen[bytes]:
    """`dowse` with these words, in a session of its own, so that no terminal and no end of ours reaches it."""
    with os.fdopen(_opened(directory, files.log, os.O_TRUNC), "wb") as log:
        process = subprocess.Popen(
            # -P: a folder called dowse in the place where we were started is not our code
            [sys.executable, "-P", "-m", "dowse", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=(held.fileno(),),
        )
    threading.Thread(target=process.wait, name="ended command", daemon=True).start()  # else it stays as a zombie
    return process


def found(directory: Path, files: Files, type_: type[Facts]) -> tuple[Facts, bool] | None:
    """The facts of the last command that was started so, and whether it is under way; None if there was none."""
    try:
        with inside(directory, files.facts).open("rb") as stream:
            facts = msgspec.json.decode(stream.read(), type=type_)
            return facts, not _lock(stream.fileno(), fcntl.LOCK_SH)
    except (OSError, CrawlError, msgspec.DecodeError):  # none, or one that is being written this moment
        return None


def ask_to_end(process: int) -> None:
    """What was found to be under way is to end cleanly."""
    with suppress(ProcessLookupError):  # it ended this moment
        os.kill(process, signal.SIGTERM)


def printed_lines(directory: Path, files: Files, most: int) -> list[str]:
    """The last lines that a command printed. Of a log that grew for months only the end is read."""
    try:
        with inside(directory, files.log).open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _MOST_READ))
            lines = stream.read().decode("utf-8", "replace").splitlines()
    except (OSError, CrawlError):
        return []
    return list(deque((line for line in lines if line.strip()), most))


def told_trouble(lines: Sequence[str]) -> str:
    """Why a command could not begin, in its own words; "" if it said nothing."""
    told = next((line for line in reversed(lines) if line.startswith(_ERROR)), "".join(lines[-1:]))
    return told.removeprefix(_ERROR)


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
