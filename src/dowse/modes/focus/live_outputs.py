"""urls.txt, the results of a focus crawl while it runs."""

from __future__ import annotations

import time
from pathlib import Path

from dowse.core.errors import FileUnwritable
from dowse.core.patience import Patience
from dowse.engine.events import Event, Notice, Progress, Stopped
from dowse.engine.loop import Listener
from dowse.export.atomic_file import writing
from dowse.modes.focus.tables import list_table
from dowse.modes.mode import LiveOutput
from dowse.store.inner_paths import inside
from dowse.store.reading.reader import CrawlReader


def write_urls(file: Path, reader: CrawlReader, patience: Patience, *, by_points: bool = False) -> None:
    """Write the list of what matched, best first."""
    with writing(file) as stream:
        rows = list_table(reader, "matched", patience, by_points=by_points)
        stream.writelines(f"{row['url']}\n".encode() for row in rows)


class GrowingUrls(LiveOutput):
    """Listens to a focus crawl and writes its results, best first, from time to time and in the end.

    The list is made anew each time, for every page may change the order; seldom enough to take little of the time.
    """

    LIST = "urls.txt"
    SOONEST = 2.0
    """Seconds between two lists."""

    _SHARE = 0.02
    """The part of the time that may go into them."""

    def __init__(self, directory: Path, listener: Listener, patience: Patience, *, by_points: bool = False) -> None:
        self._file = inside(directory, self.LIST)
        self._listener = listener
        self._reader = CrawlReader(directory)
        self._patience = patience
        self._by_points = by_points
        self._next = time.monotonic() + self.SOONEST

    def __call__(self, event: Event) -> None:
        if isinstance(event, Stopped) or (isinstance(event, Progress) and time.monotonic() >= self._next):
            self._write(is_last=isinstance(event, Stopped))
        self._listener(event)

    def close(self) -> None:
        self._reader.close()

    def _write(self, *, is_last: bool) -> None:
        began = time.monotonic()
        try:
            write_urls(self._file, self._reader, self._patience, by_points=self._by_points)
        except FileUnwritable as error:
            if is_last:
                self._listener(Notice(f"{error}; see dowse export {self._file.parent} matched"))
        now = time.monotonic()
        self._next = now + max(self.SOONEST, (now - began) / self._SHARE)
