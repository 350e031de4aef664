"""Where the benchmarks keep what is costly to make: `~/.cache/dowse-bench`, or DOWSE_BENCH."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(os.environ.get("DOWSE_BENCH", Path.home() / ".cache" / "dowse-bench"))
_RAM_DISK = Path("/dev/shm")


class Unavailable(Exception):
    """Something this benchmark needs is not on this machine; the message says what to install."""


@contextmanager
def scratch(*, in_memory: bool = False) -> Iterator[Path]:
    """A folder that is gone afterwards; in memory if asked for, so that no disk is part of the measurement."""
    ROOT.mkdir(parents=True, exist_ok=True)
    parent = _RAM_DISK if in_memory and _RAM_DISK.is_dir() else ROOT
    with tempfile.TemporaryDirectory(prefix="dowse-bench-", dir=parent) as folder:
        yield Path(folder)
