"""Which core does what: crawlers on the first, the web server and whoever measures on the last."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_CORES = sorted(os.sched_getaffinity(0))
CRAWLER = {_CORES[0]}
SERVER = {_CORES[-1]}
ALL = set(_CORES)


@contextmanager
def on(cores: set[int]) -> Iterator[None]:
    """Run there, and let what is started meanwhile run there for good."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
