"""Stored pages handed to several processes in batches, and what comes of each batch, in their order."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from dowse.core.errors import CrawlError
from dowse.pools.processes import deaf_children

Batch = TypeVar("Batch")
Result = TypeVar("Result")

_spawn = multiprocessing.get_context("spawn")


def in_processes(
    workers: int,
    begin: Callable[..., None],
    values: tuple[Any, ...],
    work: Callable[[Batch], Result],
    batches: Iterable[Batch],
) -> Iterator[Result]:
    """What `work` makes of each batch. Each process calls `begin` with the values first; both are found by name."""
    pool = ProcessPoolExecutor(workers, _spawn, begin, values)
    under_way: deque[Future[Result]] = deque()
    try:
        for batch in batches:  # never many at once: what comes back is kept until its turn
            with deaf_children():
                under_way.append(pool.submit(work, batch))
            if len(under_way) > 4 * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool as error:
        raise CrawlError("a process that read pages was ended from outside; is there enough memory?") from error
    finally:
        pool.shutdown(cancel_futures=True)


def usable_cores() -> int:
    """How many processes are of use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
