"""One command, measured from its start to its end: seconds, processor time and the most memory it had."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.cores import CRAWLER, SERVER, on

_SAMPLE = 0.05
_LONGEST = 1800.0


class Measured(NamedTuple):
    """What a run cost; `memory` in bytes, of the process and its children together."""

    seconds: float
    cpu: float
    memory: int
    status: int
    output: str


def measure(command: Sequence[str | Path], folder: Path, *, cores: set[int] = CRAWLER) -> Measured:
    """Run a command on the crawlers' core (or on others) with its output in a file of the folder."""
    output = folder / "output.txt"
    with output.open("wb") as stream, on(SERVER):
        started = time.perf_counter()
        with on(cores):
            process = subprocess.Popen(
                list(map(str, command)), stdout=stream, stderr=stream, cwd=folder, env=environment()
            )
        seconds, memory = _watch(process.pid, started)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = output.read_text(errors="replace")
    return Measured(seconds, used.ru_utime + used.ru_stime, memory, process.returncode, text)


def environment() -> dict[str, str]:
    """Ours, with the benchmarks to be found, and byte code kept as it is on any other machine."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    places = [str(Path(__file__).parent.parent), variables.get("PYTHONPATH", "")]
    return variables | {"PYTHONPATH": os.pathsep.join(filter(None, places))}


def _watch(pid: int, started: float) -> tuple[float, int]:
    """Wait for the end; the high-water mark is read now and then, since it is gone with the process.

    Rejected: the kernel's ru_maxrss, which a child inherits from whoever started it, so that wget would seem to need
    as much as this Python.
    """
    ended = os.pidfd_open(pid)
    most = 0
    try:
        while not select.select([ended], [], [], _SAMPLE)[0]:
            most = max(most, sum(map(high_water, _family(pid))))
            if time.perf_counter() - started > _LONGEST:
                os.kill(pid, 9)
    finally:
        os.close(ended)
    return time.perf_counter() - started, most


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(member for child in children for member in _family(int(child)))]


def high_water(pid: int | str = "self") -> int:
    """The most memory, in bytes, that a process had so far."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    _, found, rest = status.partition("VmHWM:")
    return int(rest.split()[0]) * 1024 if found else 0
