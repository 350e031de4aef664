"""Ray for tests: one cluster on this machine for all tests of a process, and clusters of several nodes to be killed."""

from __future__ import annotations

import gc
import logging
import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# It would tell its makers of every cluster, and leave a key in the home of whoever runs the tests.
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="disabled")

_SMALL: dict[str, Any] = {"object_store_memory": 100 * 1024 * 1024, "include_dashboard": False}
_NOTICED_SOON = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 1000,
    "health_check_failure_threshold": 3,
}


@contextmanager
def _careless() -> Iterator[None]:
    """Ray drops files and processes that it has not closed; whoever collects the garbage next would be blamed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
        gc.collect()


@contextmanager
def started(workers: int = 2) -> Iterator[None]:
    """A cluster of one node with places for so many workers, which this process has joined."""
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}
    with _careless():
        ray.init("local", num_cpus=workers, resources={"chromium": workers}, **_SMALL, **quiet)
    try:
        yield
    finally:
        with _careless():
            ray.shutdown()


class Nodes:
    """A cluster of a head and of nodes with a place for one worker each. Processes join it by its address."""

    def __init__(self, number: int) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "_system_config": _NOTICED_SOON, **_SMALL}
        with _careless():
            self._cluster: Any = Cluster(initialize_head=True, head_node_args=head)
        self._nodes: list[Any] = []
        for _ in range(number):
            self.add()

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add(self) -> None:
        self._nodes.append(self._cluster.add_node(num_cpus=1, **_SMALL))

    def workers(self) -> list[int]:
        """The processes of the workers that are on the nodes."""
        return [child for node in self._nodes for child in _children(_raylet(node)) if _is_worker(child)]

    def kill_node(self) -> None:
        """kill -9 of all processes of one node."""
        node = self._nodes.pop()
        raylet = _raylet(node)
        _kill([raylet, *_children(raylet)])
        self._cluster.remove_node(node, allow_graceful=False)

    def kill_all(self) -> None:
        """The same of the whole cluster."""
        while self._nodes:
            self.kill_node()
        head = self._cluster.head_node
        _kill([each.process.pid for processes in head.all_processes.values() for each in processes])

    def close(self) -> None:
        with _careless(), suppress(Exception):  # after its head was killed there is nobody to ask
            self._cluster.shutdown()


def is_asking(worker: int, port: int) -> bool:
    """Whether a process has a connection to a port of this machine."""
    with suppress(OSError):
        mine = {os.readlink(each) for each in Path(f"/proc/{worker}/fd").iterdir()}
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return any(row[2].endswith(f":{port:04X}") and f"socket:[{row[9]}]" in mine for row in rows)
    return False


def kill_worker(number: int) -> None:
    _kill([number])


def _raylet(node: Any) -> int:
    return int(node.all_processes["raylet"][0].process.pid)


def _kill(processes: list[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _children(parent: int) -> list[int]:
    with suppress(OSError):
        return [int(each) for each in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return []


def _is_worker(process: int) -> bool:
    with suppress(OSError):
        return b"FarWorker" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False
