"""A command and all processes it starts, however indirectly: their processor time and their memory as it goes.

A browser is a dozen processes that are not all waited for, so what the system tells of a command that has ended leaves
most of it out. They are looked at while they run.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.process import environment

_LOOK = 0.25
_MEMORY_EVERY = 8
_TICKS = os.sysconf("SC_CLK_TCK")


class Family(NamedTuple):
    """What a run took; `memory` has a sample, in bytes, for every two seconds."""

    seconds: float
    cpu: float
    memory: list[int]
    status: int
    output: str

    @property
    def most_memory(self) -> int:
        return max(self.memory, default=0)


def measure_family(command: Sequence[str | Path], folder: Path, longest: float = 1800.0) -> Family:
    """Run a command to its end."""
    output = folder / "output.txt"
    used: dict[int, float] = {}
    memory: list[int] = []
    with output.open("wb") as stream:
        started = time.perf_counter()
        process = subprocess.Popen(
            list(map(str, command)), stdout=stream, stderr=stream, cwd=folder, env=environment(), start_new_session=True
        )
        looks = 0
        while process.poll() is None:
            members = _family(process.pid)
            used.update({pid: _cpu(pid) for pid in members})
            if looks % _MEMORY_EVERY == 0:
                memory.append(sum(map(_share, members)))
            looks += 1
            if time.perf_counter() - started > longest:
                process.kill()
            time.sleep(_LOOK)
        seconds = time.perf_counter() - started
    return Family(seconds, sum(used.values()), memory, process.returncode, output.read_text(errors="replace"))


def _family(root: int) -> list[int]:
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            fields = _stat(int(entry))
            if fields:
                parents[int(entry)] = int(fields[1])
    found, members = {root}, [root]
    while True:
        more = [pid for pid, parent in parents.items() if parent in found and pid not in found]
        if not more:
            return members
        found.update(more)
        members += more


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _cpu(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / _TICKS if fields else 0.0


def _share(pid: int) -> int:
    """Memory of a process, what it shares with others counted in parts (PSS)."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    _, found, rest = text.partition("\nPss:")
    return int(rest.split()[0]) * 1024 if found else 0
