"""Search indexes brought up to date beside a server: a large crawl takes minutes, and nobody waits so long.

A search waits for a while. What is not ready by then goes on, and the search says so and does with what there is. A
server that ends does not wait either: what was written of an index stays, and the next search goes on with it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from dowse.core.errors import CrawlError
from dowse.core.phrasing import counted
from dowse.crawl import read
from dowse.crawls.stored_index import has_index

_AT_ONCE = 2
"""Indexes that are made at one time: each takes all cores."""


class Ready(NamedTuple):
    """The crawls that can be searched, what has to be said, and how far indexes are that are being made: pages read,
    and all of them (0 if that is not known yet)."""

    directories: list[Path]
    notes: list[str]
    under_way: dict[Path, tuple[int, int]]


class FreshIndexes:
    """Makes and refreshes indexes, few at a time."""

    def __init__(self, patience: float) -> None:
        """`patience` is for how many seconds a search waits."""
        self._patience = patience
        self._lock = threading.Lock()
        self._wanted: SimpleQueue[tuple[Path, Future[str]]] = SimpleQueue()
        self._workers: list[threading.Thread] = []
        self._futures: dict[Path, Future[str]] = {}
        self._progress: dict[Path, tuple[int, int]] = {}

    def ready(self, directories: Sequence[Path]) -> Ready:
        """Bring the indexes of some crawls up to date, as far as that can be waited for."""
        futures = [self._begin(directory) for directory in directories]
        wait_for(futures, self._patience)
        found = Ready([], [], {})
        for directory, future in zip(directories, futures, strict=True):
            if not future.done():
                found.under_way[directory] = self._progress.get(directory, (0, 0))
                found.notes.append(_unready(directory, *found.under_way[directory]))
                if _can_be_asked(directory):
                    found.directories.append(directory)
            elif error := future.exception():
                found.notes.append(f"{directory.name} was not searched: {error}")
            else:
                found.directories.append(directory)
                if lack := future.result():
                    found.notes.append(f"{directory.name}: {lack}")
        return found

    def _begin(self, directory: Path) -> Future[str]:
        with self._lock:
            future = self._futures.get(directory)
            if future is None or future.done():
                future = self._futures[directory] = Future()
                self._wanted.put((directory, future))
            if len(self._workers) < _AT_ONCE:
                # Not a pool: the interpreter waits for the threads of one before it ends.
                self._workers.append(threading.Thread(target=self._work, name="search index", daemon=True))
                self._workers[-1].start()
            return future

    def _work(self) -> None:
        while True:
            directory, future = self._wanted.get()
            try:
                future.set_result(self._refresh(directory))
            except Exception as error:  # noqa: BLE001 - whatever it is, whoever searches is told
                future.set_exception(error)

    def _refresh(self, directory: Path) -> str:
        """Why the index may lack pages, when it is done; mostly ""."""

        def told(done: int, total: int) -> None:
            self._progress[directory] = done, total

        self._progress.pop(directory, None)
        with read(directory) as crawl:
            return crawl.index(told).lack


def _unready(directory: Path, done: int, total: int) -> str:
    how_far = f" ({done:,} of {counted(total, 'page')} read)" if total else ""
    return f"the search index of {directory.name} is being made{how_far}: pages are missing; search again in a while"


def _can_be_asked(directory: Path) -> bool:
    try:
        return has_index(directory)
    except CrawlError:  # which whoever makes it will tell
        return False
