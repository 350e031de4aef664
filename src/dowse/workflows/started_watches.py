"""Watches that run as processes of their own, and are found again later.

    DIR/schedule.json   the options of the watch and its process; locked as long as that process lives
    DIR/schedule.log    what it printed

How a process is started and found again is in started_processes.py.
"""

from __future__ import annotations

import shlex
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dowse.config import watch_options
from dowse.core.errors import CrawlError, JobError
from dowse.settings import WATCH
from dowse.store.watch_book import is_watched
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
from dowse.workflows.watch.watched_crawl import read_plan

SCHEDULE = "schedule.json"
LOG = "schedule.log"
_FILES = Files(SCHEDULE, LOG)


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
    busy = f"{directory.name} is being watched already; end that watch first"
    with taken(directory, _FILES, lambda: not is_watched(directory), busy) as stream:
        process = launched(directory, _FILES, command_of(directory, options), stream)
        watching = Watching(process.pid, msgspec.to_builtins(options))
        stream.write(msgspec.json.encode(watching))
    return _begun(directory, process, watching)


def _begun(directory: Path, process: subprocess.Popen[bytes], watching: Watching) -> Watching:
    end = time.monotonic() + PATIENCE
    while process.returncode is None and time.monotonic() < end:
        if is_watched(directory):
            return replace(watching, is_running=True)
        time.sleep(LOOK)
    if process.returncode is not None:
        raise CrawlError(told_trouble(printed(directory)) or "the watch ended at once")
    return replace(watching, is_running=True)


def find(directory: Path) -> Watching | None:
    """The last watch that was started so; None if there was none."""
    last = found(directory, _FILES, Watching)
    return None if last is None else replace(last[0], is_running=last[1])


def end(directory: Path) -> bool:
    """End a watch; False if none runs that was started so. A visit that is under way is stopped cleanly."""
    watching = find(directory)
    if watching is None or not watching.is_running:
        return False
    ask_to_end(watching.process)
    until = time.monotonic() + PATIENCE
    while (left := find(directory)) is not None and left.is_running and time.monotonic() < until:
        time.sleep(LOOK)
    return True


def printed(directory: Path, most: int = 20) -> list[str]:
    """The last lines that a watch printed."""
    return printed_lines(directory, _FILES, most)


def shown_command(directory: Path, options: Mapping[str, Any]) -> str:
    """The command of a watch, as it is typed."""
    return shlex.join(["dowse", *command_of(directory, options)])
