"""Which core does what: crawlers on the first, the web server and whoever measures on the second."""

from __future__ import annotations

import os
from collections.abc import Callable

_CORES = sorted(os.sched_getaffinity(0))
CRAWLER = {_CORES[0]}
SERVER = {_CORES[-1]}
ALL = set(_CORES)


def pin(cores: set[int]) -> Callable[[], None]:
    """Does it for the process that is being started; for `preexec_fn`."""
    return lambda: os.sched_setaffinity(0, cores)
