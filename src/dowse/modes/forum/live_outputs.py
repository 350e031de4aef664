"""What a crawl of a forum leaves for the next: the patterns that it learned, in the library of its user."""

from __future__ import annotations

from pathlib import Path

from dowse.core.errors import DowseError
from dowse.engine.events import Event, Notice, Stopped
from dowse.engine.loop import Listener
from dowse.modes.forum.library import add_to_library, library_path
from dowse.modes.mode import LiveOutput
from dowse.store.reading.reader import CrawlReader


class LibraryKeeper(LiveOutput):
    """Listens to a crawl, and adds what it learned to the library when it stops."""

    def __init__(self, directory: Path, listener: Listener) -> None:
        self._listener = listener
        self._reader = CrawlReader(directory)

    def __call__(self, event: Event) -> None:
        if isinstance(event, Stopped):
            try:
                add_to_library(library_path(), self._reader.connection)
            except (OSError, DowseError) as error:
                self._listener(Notice(f"the patterns of this forum could not be kept in {library_path()}: {error}"))
        self._listener(event)

    def close(self) -> None:
        self._reader.close()
