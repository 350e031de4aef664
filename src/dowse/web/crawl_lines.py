"""How crawls stand, for lists: read from their folders, and remembered until a file of theirs changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from dowse.core.errors import DowseError
from dowse.crawl import Crawl, read
from dowse.store.folder import DATABASE, is_running
from dowse.store.sqlite import files_of
from dowse.store.watch_book import is_watched
from dowse.store.whereabouts import has_pointer
from dowse.web.api_values import CrawlLine
from dowse.web.served_folders import Place, ServedFolders
from dowse.workflows import started_crawls

RUNNING, PAUSED, STOPPED, BROKEN, DONE = "running", "paused", "stopped", "killed", "done"
_MOST_SEEDS = 3
_MOST_MADE = 50
_SHARE = 10
"""What took a second to make of a crawl is not made again for so many seconds."""
_INTERRUPTED = "interrupted"

T = TypeVar("T")

_Stamp = tuple[tuple[int, int], ...]


class CrawlLines:
    """The lines of all crawls. A crawl that has ended is read once."""

    def __init__(self, folders: ServedFolders, clock: Callable[[], float] = time.monotonic) -> None:
        self._folders = folders
        self._known: dict[Path, tuple[_Stamp, CrawlLine]] = {}
        self._clock = clock
        self._made: dict[Path, tuple[_Stamp, float, Any]] = {}
        self._troubled: dict[Path, tuple[float, CrawlLine]] = {}

    def all(self) -> list[CrawlLine]:
        """Every crawl: those at work first, then by their last change."""
        places = self._folders.places()
        there = {place.directory for place in places}
        self._known = {directory: known for directory, known in self._known.copy().items() if directory in there}
        self._troubled = {directory: each for directory, each in self._troubled.copy().items() if directory in there}
        return sorted(map(self.of, places), key=lambda line: (line.state != RUNNING, -line.changed, line.name))

    def of(self, place: Place) -> CrawlLine:
        """One crawl. What is wrong with it stands in its line: the others can be looked at all the same."""
        if (trouble := self._troubled.get(place.directory)) is not None and trouble[0] > self._clock():
            return trouble[1]
        begun = self._clock()
        stamp = _stamp(place.directory)
        known = self._known.get(place.directory)
        try:
            if known is None or known[0] != stamp or not stamp:
                known = self._known[place.directory] = stamp, _read(place, stamp)
            return known[1].model_copy(update=_standing(place.directory, known[1].stop_reason))
        except DowseError as error:
            line = CrawlLine(id=place.id, name=place.name, changed=_changed(stamp), trouble=str(error))
            now = self._clock()  # a server that does not answer takes seconds, each time that it is asked
            self._troubled[place.directory] = now + (now - begun) * _SHARE, line
            return line

    def remembered(self, place: Place, make: Callable[[], T]) -> T:
        """What is made of a crawl, and made again only when a file of it has changed. One thing of each crawl.

        A crawl that runs changes all the time. So what took long to make is left alone for several times as long: a
        page that is looked at takes no more than a share of the time that the crawl needs itself.
        """
        stamp, now = _stamp(place.directory), self._clock()
        known = self._made.get(place.directory)
        if known is None or (known[0] != stamp and known[1] <= now):
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            made_now = make()
            took = self._clock() - now
            known = self._made[place.directory] = stamp, now + took * (1 + _SHARE), made_now
        made: T = known[2]
        return made


def _standing(directory: Path, stop_reason: str) -> dict[str, Any]:
    """The state of a crawl in one word, and what belongs to it. A crawl that did not write why it ended was killed,
    unless somebody here had asked it to end at once."""
    state = {_INTERRUPTED: PAUSED, "killed": BROKEN, "running": BROKEN, "": BROKEN}.get(stop_reason, DONE)
    if is_running(directory):
        state = RUNNING
    elif state in (PAUSED, BROKEN) and (run := started_crawls.find(directory)) is not None and run.was_stopped:
        state, stop_reason = STOPPED, _INTERRUPTED
    return {"state": state, "stop_reason": stop_reason, "is_watched": is_watched(directory)}


def _read(place: Place, stamp: _Stamp) -> CrawlLine:
    with read(place.directory) as crawl:
        return _line(place, crawl, _changed(stamp))


def _changed(stamp: _Stamp) -> float:
    """When a crawl was last written to."""
    return max((moment for moment, _ in stamp), default=0) / 1e9


def _line(place: Place, crawl: Crawl, changed: float) -> CrawlLine:
    job, summary = crawl.job, crawl.status()
    waiting = sum(summary.counts.get(state, 0) for state in ("waiting", "out", "not_reached"))
    return CrawlLine(
        id=place.id,
        name=place.name,
        mode=job.mode,
        stop_reason=summary.stop_reason,
        seeds=list(job.seeds[:_MOST_SEEDS]),
        pages=summary.pages,
        waiting=waiting,
        failed=summary.counts.get("failed", 0),
        size=summary.bytes_received,
        elapsed=summary.elapsed,
        changed=changed,
    )


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
