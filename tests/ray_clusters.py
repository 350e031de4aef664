"""Ray for tests: one cluster on this machine for all tests of a process, and clusters of several nodes."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# It would tell its makers of every cluster.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

OPTIONS: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}


@contextmanager
def started(workers: int = 2) -> Iterator[None]:
    """A cluster of one node with places for so many workers."""
    import ray

    memory = 100 * 1024 * 1024
    ray.init("local", num_cpus=workers, object_store_memory=memory, include_dashboard=False, **OPTIONS)
    try:
        yield
    finally:
        ray.shutdown()
