"""Watches that run as processes of their own, and are found again later.

    DIR/schedule.json   the options of the watch and its process; locked as long as that process lives
    DIR/schedule.log    what it printed

As with crawls (started_crawls.py) the process inherits the lock, so the number in the file is never a stranger's.
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
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dowse.config import watch_options
from dowse.core.errors import CrawlError, CrawlLocked, JobError
from dowse.settings import WATCH
from dowse.store.folder import folder_trouble
from dowse.store.inner_paths import inside
from dowse.store.watch_book import is_watched
from dowse.workflows.watch.watched_crawl import read_plan

SCHEDULE = "schedule.json"
LOG = "schedule.log"
_PATIENCE = 15.0
_LOOK = 0.05
_MOST_READ = 20_000


class Watching(msgspec.Struct, frozen=True):
    """A watch that was started so."""

    process: int
    options: dict[str, Any]
    is_running: bool = False


def command_of(directory: Path, options: Mapping[str, Any]) -> list[str]:
    """What would be typed for it, behind `dowse`."""
    words = [WATCH, str(directory)]
    for name, value in options.items():
        values = value if isinstance(value, list | tuple) else [value]
        words += [word for each in values for word in (f"--{name.replace('_', '-')}", str(each))]
    return words


def begin(directory: Path, given: Mapping[str, Any]) -> Watching:
    """Watch a crawl from now on. A JobError names the option that is wrong."""
    options = {name: value for name, value in watch_options(dict(given)).items() if value}
    if not options.get("every") and not options.get("cron"):
        raise JobError("every: say when: every 6h, or a cron expression")
    read_plan(str(directory), options, once=False)
    if is_watched(directory):
        raise CrawlLocked(f"{directory.name} is being watched already; end that watch first")
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
    try:
        held = os.open(inside(directory, SCHEDULE), flags, 0o600)
    except OSError as error:
        raise folder_trouble(directory, error) from error
    with os.fdopen(held, "r+b") as stream, inside(directory, LOG).open("wb") as log:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CrawlLocked(f"{directory.name} is being watched already; end that watch first") from None
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "dowse", *command_of(directory, options)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=(stream.fileno(),),
        )
        watching = Watching(process.pid, msgspec.to_builtins(options))
        stream.truncate(0)
        stream.write(msgspec.json.encode(watching))
    threading.Thread(target=process.wait, name="ended watch", daemon=True).start()
    return _begun(directory, process, watching)


def _begun(directory: Path, process: subprocess.Popen[bytes], watching: Watching) -> Watching:
    end = time.monotonic() + _PATIENCE
    while process.returncode is None and time.monotonic() < end:
        if is_watched(directory):
            return replace(watching, is_running=True)
        time.sleep(_LOOK)
    if process.returncode is not None:
        raise CrawlError("".join(printed(directory)[-1:]).removeprefix("dowse: error: ") or "the watch ended at once")
    return replace(watching, is_running=True)


def find(directory: Path) -> Watching | None:
    """The last watch that was started so; None if there was none."""
    try:
        with inside(directory, SCHEDULE).open("rb") as stream:
            watching = msgspec.json.decode(stream.read(), type=Watching)
            try:
                fcntl.flock(stream.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return replace(watching, is_running=True)
            return watching
    except (OSError, CrawlError, msgspec.DecodeError):
        return None


def end(directory: Path) -> bool:
    """End a watch; False if none runs that was started so. A visit that is under way is stopped cleanly."""
    watching = find(directory)
    if watching is None or not watching.is_running:
        return False
    with suppress(ProcessLookupError):
        os.kill(watching.process, signal.SIGTERM)
    until = time.monotonic() + _PATIENCE
    while (left := find(directory)) is not None and left.is_running and time.monotonic() < until:
        time.sleep(_LOOK)
    return True


def printed(directory: Path, most: int = 20) -> list[str]:
    """The last lines that a watch printed."""
    try:
        text = inside(directory, LOG).read_bytes()[-_MOST_READ:].decode("utf-8", "replace")
    except (OSError, CrawlError):
        return []
    return [line for line in text.splitlines() if line.strip()][-most:]


def shown_command(directory: Path, options: Mapping[str, Any]) -> str:
    """The command of a watch, as it is typed."""
    return shlex.join(["dowse", *command_of(directory, options)])
