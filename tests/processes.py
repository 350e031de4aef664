"""`python -m dowse` as a process of its own: to be watched, interrupted and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.servers import Site


class Ended(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def dowse(*words: str | Path, timeout: float = 30.0) -> Ended:
    """Run a command to its end."""
    done = subprocess.run(_command(words), capture_output=True, text=True, timeout=timeout, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


def dowse_under(condition: str, *words: str | Path, timeout: float = 40.0) -> Ended:
    """Run a command to its end under a condition that the shell makes, such as `ulimit -n 64`."""
    command = ["/bin/sh", "-c", f'{condition}; exec "$@"', "sh", *_command(words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


class Measured(NamedTuple):
    """What a command left behind and what it cost: processor seconds, and the most memory it had."""

    code: int
    err: str
    seconds: float
    megabytes: float


_MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def measured(*words: str | Path, timeout: float = 60.0) -> Measured:
    """Run a command to its end. A small process stands between, since a child begins with the memory of its parent."""
    command = [sys.executable, "-c", _MEASURE, *_command(words)]
    with _group(command) as between:
        out, err = between.process.communicate(timeout=timeout)
    code, seconds, kilobytes = out.split()[-3:]
    return Measured(int(code), err, float(seconds), int(kilobytes) / (1e6 if sys.platform == "darwin" else 1e3))


class Running:
    """A command under way. It leads a process group of its own, so that a signal reaches its workers as Ctrl-C does."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def signal_all(self, number: signal.Signals) -> None:
        os.killpg(self.process.pid, number)

    def kill_all(self) -> None:
        """kill -9, whatever it was doing."""
        self.signal_all(signal.SIGKILL)
        self.ended()

    def ended(self, timeout: float = 30.0) -> Ended:
        out, err = self.process.communicate(timeout=timeout)
        return Ended(self.process.returncode, out, err)

    def has_group(self) -> bool:
        """Whether any process of the group is left."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return False
        return True


def running(*words: str | Path) -> AbstractContextManager[Running]:
    """Start a command; whatever is left of it at the end is killed."""
    return _group(_command(words))


@contextmanager
def _group(words: list[str]) -> Iterator[Running]:
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    command = Running(process)
    try:
        yield command
    finally:
        if command.has_group():
            command.signal_all(signal.SIGKILL)
        process.communicate(timeout=10)


def wait_until(happened: Callable[[], object], seconds: float = 20.0) -> None:
    """Look a hundred times a second; give up with an error."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError("what the test waits for did not happen")
        time.sleep(0.01)


def wait_for_requests(site: Site, number: int) -> None:
    """Until the site was asked for that many pages in all."""
    wait_until(lambda: len(site.asked()) >= number)


def _command(words: tuple[str | Path, ...]) -> list[str]:
    return [sys.executable, "-m", "dowse", *map(str, words)]
