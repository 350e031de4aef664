"""How far the loops over the pages of a crawl have come: a note in the crawl, written while it runs.

Pages are given in the order of their visits, so the note is one place: where the last page is stored that a loop is
done with. It is written on the thread of the crawl, between two of its transactions, so that nobody waits for anybody.
After a kill it may be some pages behind: these come again, and none is lost.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dowse.core.errors import CrawlError
from dowse.crawl import Crawl
from dowse.store.database import Database
from dowse.store.folder import connect_beside, explained
from dowse.store.notes import note
from dowse.store.reading.later_pages import LaterPage, last_location, later_pages
from dowse.store.schema import SET_META

_TAKEN = "taken"
_NONE = "none"
"""The note before the first page."""


class TakenPages:
    """The note of one crawl."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._last = _NONE
        self._noted = ""
        self._database: Database | None = None

    def before(self, crawl: Crawl) -> list[LaterPage]:
        """The pages of a crawl that goes on which no loop has had. Of one that was never read by a loop there are none:
        its pages so far were for somebody else."""
        noted = crawl.reader.meta(_TAKEN)
        connection = crawl.reader.connection
        self._noted = noted
        self._last = noted or last_location(connection) or _NONE
        return later_pages(connection, self._last) if noted else []

    def take(self, location: str) -> None:
        """A loop is done with the page that is stored there, if there is one."""
        self._last = location or self._last

    def write(self) -> None:
        """Note it while the crawl runs, on its thread."""
        last = self._last
        if last == self._noted:
            return
        with suppress(CrawlError), explained("write"):  # a full disk: the next time, or when the crawl has ended
            if self._database is None:
                self._database = connect_beside(self._directory)
            with self._database.transaction():
                self._database.execute(SET_META, (_TAKEN, last))
            self._noted = last

    def let_go(self) -> None:
        """The crawl has ended."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def finish(self) -> None:
        """Note it when the crawl has ended."""
        if self._noted and self._last != self._noted:
            with suppress(CrawlError):  # the pages are in the crawl, whatever becomes of the note
                note(self._directory, _TAKEN, self._last)
                self._noted = self._last
