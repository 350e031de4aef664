"""How crawls stand, for lists and for those who watch one: read from their folders, and remembered for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from dowse.core.crawl_numbers import FailureGroup, LedgerRow
from dowse.core.errors import DowseError
from dowse.crawl import Crawl, read
from dowse.store.folder import DATABASE, explained, is_running
from dowse.store.reading.surveyor import failure_groups
from dowse.store.sqlite import files_of
from dowse.store.watch_book import is_watched
from dowse.store.whereabouts import has_pointer
from dowse.web.api_values import CrawlLine
from dowse.web.seldom_made import SeldomMade
from dowse.web.served_folders import Place, ServedFolders
from dowse.workflows import started_crawls

RUNNING, PAUSED, STOPPED, BROKEN, DONE = "running", "paused", "stopped", "killed", "done"
_INTERRUPTED = "interrupted"
_MOST_SEEDS = 3

T = TypeVar("T")

_Stamp = tuple[tuple[int, int], ...]


class Counts(NamedTuple):
    """A crawl as far as all its URLs have to be counted for that: its line, its ledger, and what failed."""

    line: CrawlLine
    ledger: list[LedgerRow]
    failures: list[FailureGroup]


class CrawlLines:
    """The lines of all crawls. A crawl that has ended is read once."""

    def __init__(self, folders: ServedFolders, clock: Callable[[], float] = time.monotonic) -> None:
        self._folders = folders
        self._counts: SeldomMade[Counts] = SeldomMade(clock)
        self._others: SeldomMade[Any] = SeldomMade(clock)

    def all(self) -> list[CrawlLine]:
        """Every crawl: those at work first, then by their last change."""
        lines = map(self.of, self._folders.places())
        return sorted(lines, key=lambda line: (line.state != RUNNING, -line.changed, line.name))

    def of(self, place: Place) -> CrawlLine:
        """One crawl. What is wrong with it stands in its line: the others can be looked at all the same."""
        return self.counts(place).line

    def counts(self, place: Place) -> Counts:
        """The same with its ledger."""
        directory = place.directory
        # To ask a server takes as long as to read the crawl, or seconds if the server does not answer.
        at_work = None if has_pointer(directory) else is_running(directory)
        stamp = _stamp(directory)
        found = self._counts.get(directory, stamp, lambda: _read(place, _changed(stamp), at_work), turn=at_work)
        return found._replace(line=found.line.model_copy(update={"is_watched": is_watched(directory)}))

    def remembered(self, place: Place, make: Callable[[], T]) -> T:
        """What else is made of a crawl, and made seldom. One thing of each crawl."""
        made: T = self._others.get(place.directory, _stamp(place.directory), make)
        return made

    def forget(self, place: Place) -> None:
        """Something was done to a crawl: how it stands is another thing now."""
        self._counts.forget(place.directory)


def _read(place: Place, changed: float, at_work: bool | None) -> Counts:
    """`at_work` is None where only the crawl's server knows."""
    try:
        with read(place.directory) as crawl, explained("read"):
            ledger = crawl.balance()
            at_work = is_running(place.directory) if at_work is None else at_work
            line = _line(place, crawl, ledger, at_work=at_work)
            failures = failure_groups(crawl.reader.connection)
    except DowseError as error:
        line, ledger, failures = CrawlLine(id=place.id, name=place.name, trouble=str(error)), [], []
    return Counts(line.model_copy(update={"changed": changed}), ledger, failures)


def _line(place: Place, crawl: Crawl, ledger: list[LedgerRow], *, at_work: bool) -> CrawlLine:
    job, summary = crawl.job, crawl.summary(ledger)
    state, stop_reason = (RUNNING, "") if at_work else _ending(place.directory, summary.stop_reason)
    waiting = sum(summary.counts.get(state, 0) for state in ("waiting", "out", "not_reached"))
    return CrawlLine(
        id=place.id,
        name=place.name,
        mode=job.mode,
        state=state,
        stop_reason=stop_reason,
        seeds=list(job.seeds[:_MOST_SEEDS]),
        pages=summary.pages,
        waiting=waiting,
        failed=summary.counts.get("failed", 0),
        size=summary.bytes_received,
        elapsed=summary.elapsed,
    )


def _ending(directory: Path, stop_reason: str) -> tuple[str, str]:
    """The state of a crawl that does not run, in one word, and why it ended. One that did not write that down was
    killed, unless somebody here had asked it to end at once."""
    state = {_INTERRUPTED: PAUSED, "killed": BROKEN, "running": BROKEN, "": BROKEN}.get(stop_reason, DONE)
    if state in (PAUSED, BROKEN) and (run := started_crawls.find(directory)) is not None and run.was_stopped:
        return STOPPED, _INTERRUPTED
    return state, stop_reason


def _changed(stamp: _Stamp) -> float:
    """When a crawl was last written to."""
    return max((moment for moment, _ in stamp), default=0) / 1e9


def _stamp(directory: Path) -> _Stamp:
    """Another one when somebody has written to the crawl; none where files cannot tell. SQLite's shared memory is no
    sign: readers make it too."""
    if has_pointer(directory):
        return ()
    found = []
    for file in files_of(directory / DATABASE):
        if not file.name.endswith("-shm"):
            with suppress(OSError):
                status = file.stat()
                found.append((status.st_mtime_ns, status.st_size))
    return tuple(found)
