"""Search indexes brought up to date beside the server: a large crawl takes minutes, and no client waits so long.

A search waits for a while. What is not ready by then goes on, and the search says so and does with the others.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from pathlib import Path
from typing import NamedTuple

from dowse.core.phrasing import counted
from dowse.crawl import read
from dowse.stored_index import has_index

PATIENCE = 25.0
"""Seconds that a search waits for indexes."""


class Ready(NamedTuple):
    """The crawls that can be searched, and what has to be said of the others."""

    directories: list[Path]
    notes: list[str]


class FreshIndexes:
    """Makes and refreshes indexes, few at a time: each takes all cores."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="search index")
        self._under_way: dict[Path, Future[str]] = {}
        self._progress: dict[Path, tuple[int, int]] = {}

    def ready(self, directories: Sequence[Path]) -> Ready:
        """Bring the indexes of some crawls up to date, as far as that can be waited for."""
        futures = [self._begin(directory) for directory in directories]
        wait_for(futures, self._patience)
        found = Ready([], [])
        for directory, future in zip(directories, futures, strict=True):
            if not future.done():
                found.notes.append(self._unready(directory))
                if has_index(directory):
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
            future = self._under_way.get(directory)
            if future is None or future.done():
                future = self._under_way[directory] = self._pool.submit(self._refresh, directory)
            return future

    def _refresh(self, directory: Path) -> str:
        """Why the index may lack pages, when it is done; mostly ""."""

        def told(done: int, total: int) -> None:
            self._progress[directory] = done, total

        self._progress.pop(directory, None)
        with read(directory) as crawl:
            return crawl.index(told).lack

    def _unready(self, directory: Path) -> str:
        done, total = self._progress.get(directory, (0, 0))
        how_far = f" ({done:,} of {counted(total, 'page')} read)" if total else ""
        return (
            f"the search index of {directory.name} is being made{how_far}: pages are missing; search again in a while"
        )

    def close(self) -> None:
        """Begin nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
