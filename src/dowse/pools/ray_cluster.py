"""The way to a Ray cluster: found or started, asked for actors, left again; and its trouble in our words.

local           a cluster on this machine, which ends with the crawl
ray://head:10001, head:6379, auto
                one that is there; auto is the one on this machine, or what RAY_ADDRESS names
(nothing)       where RAY_ADDRESS is set and several workers are asked for, that one
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from dowse.core.errors import CrawlError
from dowse.core.job import FetchOptions
from dowse.core.optional_libraries import DISTRIBUTION, load
from dowse.pools.event_loop import TERMINATING
from dowse.pools.far_worker import FarWorker
from dowse.pools.processes import deaf_children
from dowse.version import VERSION

LOCAL, AUTO = "local", "auto"
CHROMIUM = "chromium"
"""What a node with a browser has to offer, as Ray calls it: ray start --resources='{"chromium": 1}'."""

_VARIABLE = "RAY_ADDRESS"
_REACHED_WITHIN = 5.0
_OBJECT_STORE = 256 * 1024 * 1024
"""Bytes of shared memory on a cluster of our own: it holds what is on its way between two processes, no more."""


def cluster_of(options: FetchOptions) -> str:
    """The cluster that is meant, or "": the workers are on this machine."""
    if options.cluster or options.workers == 1:
        return options.cluster
    return os.environ.get(_VARIABLE, "")


def check_cluster(options: FetchOptions) -> None:
    """Whether there is a cluster where the options say. If not, an error that says what to do."""
    name = cluster_of(options)
    if not name:
        return
    load("ray", "ray", "a cluster")
    address = os.environ.get(_VARIABLE, "") if name == AUTO else name
    parts = urlsplit(address if "://" in address else f"//{address}")
    if name == LOCAL or not parts.hostname or not parts.port:
        return
    try:
        socket.create_connection((parts.hostname, parts.port), _REACHED_WITHIN).close()
    except OSError as error:
        raise _unreachable(address, error.strerror or str(error)) from None


class ClusterLost(CrawlError):
    """The way to the cluster is gone, and with it all workers."""


class RayCluster:
    """A cluster while a crawl uses it."""

    def __init__(self, options: FetchOptions) -> None:
        self._name = cluster_of(options)
        self._workers = options.workers
        self._resources = {CHROMIUM: 1.0} if options.fetch != "http" else {}
        self._ray: Any = load("ray", "ray", "a cluster")
        self._is_ours = False

    def join(self) -> None:
        """Take the time to connect. A program that is connected already stays so, also afterwards."""
        if self._ray.is_initialized():
            return
        with _quiet(), deaf_children():
            own = self._own() if self._name == LOCAL else {"address": self._name}
            try:
                self._ray.init(**own, **_PLAIN)
            except (RuntimeError, ValueError, ImportError, OSError, self._ray.exceptions.RayError) as trouble:
                raise _unreachable(self._name, str(trouble)) from trouble
        self._is_ours = True
        self._print_messages(False)

    def _print_messages(self, wanted: bool) -> None:
        """Ray prints what befalls its nodes to standard output, which is for results; there is no option for that."""
        printing: Any = import_module("ray._private.worker")
        if hasattr(printing, "_worker_logs_enabled"):
            printing._worker_logs_enabled = wanted

    def _own(self) -> dict[str, Any]:
        """A cluster on this machine, which tells nobody else that it is there."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        return {
            "address": LOCAL,
            "num_cpus": self._workers,
            "resources": {name: float(self._workers) for name in self._resources},
            "object_store_memory": _OBJECT_STORE,
            "include_dashboard": False,
        }

    def leave(self) -> None:
        if self._is_ours:
            with _quiet():
                self._ray.shutdown()
            self._print_messages(True)

    def check_room(self) -> None:
        """Refuse a job that no node could take, however long it waits."""
        if self._resources and not self._ray.cluster_resources().get(CHROMIUM):
            raise CrawlError(
                f"rendering pages needs nodes with Chromium, and none says that it has one; start those that do with"
                f" ray start --resources='{{\"{CHROMIUM}\": 1}}'"
            )

    def place_one(self) -> Any:
        """A new actor. Where it goes, and when there is a place for it, is up to Ray."""
        options = {"num_cpus": 1, "resources": self._resources, "scheduling_strategy": "SPREAD", "max_restarts": 0}
        return self._ray.remote(FarWorker).options(**options).remote()

    def end(self, actor: Any) -> None:
        """End an actor that may have ended by itself."""
        with suppress(self._ray.exceptions.RayError, ConnectionError, ValueError, RuntimeError):
            self._ray.kill(actor)

    def free_places(self) -> str:
        """What the nodes have to give, for a message."""
        free = self._ray.available_resources()
        text = f"{free.get('CPU', 0):.0f} CPUs are free"
        return f"{text}, and browsers for {free.get(CHROMIUM, 0):.0f}" if self._resources else text

    @property
    def troubles(self) -> tuple[type[Exception], ...]:
        """What a call to an actor raises when there is nobody to answer it."""
        return self._ray.exceptions.RayError, ConnectionError

    def check_connection(self, trouble: Exception) -> None:
        """Raise ClusterLost if it is not one worker that is gone, but the way to all of them."""
        if isinstance(trouble, ConnectionError) or not self._ray.is_initialized():
            raise ClusterLost("the connection to the Ray cluster is lost; when it is back, dowse resume goes on")

    def check_mistake(self, trouble: Exception) -> None:
        """Raise CrawlError if an actor could not start for a reason that the next one would have too."""
        self.check_connection(trouble)
        lines = [line.strip() for line in str(trouble).splitlines() if line.strip()]
        if any("ModuleNotFoundError" in line and "dowse" in line for line in lines):
            cure = f"pip install '{DISTRIBUTION}[ray]=={VERSION}' there"
            raise CrawlError(f"a node of the cluster has no dowse, or another version: {cure}")
        if isinstance(trouble, self._ray.exceptions.RayTaskError):
            raise CrawlError(f"a worker could not start on the cluster: {lines[-1][:300]}")

    def is_undecided(self, trouble: Exception) -> bool:
        """Whether an actor cannot be reached, and Ray does not know yet whether it lives."""
        return isinstance(trouble, self._ray.exceptions.ActorUnavailableError)

    def lost_node(self, trouble: Exception) -> bool:
        """Whether an actor ended with its machine."""
        return isinstance(trouble, self._ray.exceptions.NodeDiedError) or "node has died" in str(trouble)


def take_back_signals() -> None:
    """Ray answers SIGTERM with a trace of its stack. Who answered before does so again; asked by the loop's thread."""
    if threading.current_thread() is threading.main_thread():
        for number in TERMINATING:
            if (answer := signal.getsignal(number)) is not None:
                signal.signal(number, answer)


async def answer_to(reference: Any) -> Any:
    """What an actor answers. Who stops waiting leaves the call alone: Ray's client is upset by a cancelled one."""
    waited = asyncio.wrap_future(reference.future())
    waited.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(waited)


_PLAIN: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}


@contextmanager
def _quiet() -> Iterator[None]:
    """Ray tells the terminal what it does. Its logs have that, and the terminal is taken."""
    logger = logging.getLogger("ray")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _unreachable(address: str, reason: str) -> CrawlError:
    if address == LOCAL:
        return CrawlError(f"Ray cannot start on this machine: {reason}")
    return CrawlError(
        f"no Ray cluster can be reached at {address}: {reason.strip()[:300]}; is it running (ray start --head), and may"
        " this machine reach it?"
    )
