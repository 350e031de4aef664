"""The pages of a crawl while it runs: a crawl on a thread of its own, and whoever takes its pages.

    crawl    engine -> Visited, with where the page is stored -> Feed
    reader   Feed -> the page, read from the archive

What waits between the two is places, no pages. They are never more than `ahead`: the engine asks the feed for room
before it lets tasks go out. The crawl begins with the first page that is asked for, and ends when the loop over its
pages does, however that comes. At most one stream of this process has a folder: a later call takes it over, because an
`async for` that was left is closed only when the event loop comes to it.

Which pages were taken is noted in the crawl (taken_pages.py). A stream that goes on gives the others first.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Self

from dowse.app import Summary, read
from dowse.core.errors import CrawlError, CrawlInterrupted
from dowse.core.job import Job
from dowse.core.record import Record
from dowse.crawls.stored_pages import read_page
from dowse.engine.events import Event, Progress, Stopped, Visited
from dowse.pools.event_loop import StopRequest
from dowse.python.taken_pages import TakenPages
from dowse.store.reading.later_pages import LaterPage

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.documents.document_reader import DocumentReader
    from dowse.parse.page import Page

_LOOK = 0.5
"""Seconds between two looks at whether the crawl has ended, should nobody tell."""

_AHEAD = 2
"""Pages that may wait to be taken, in numbers of requests under way: half of them keeps all requests busy."""

_running: dict[str, Stream] = {}
"""The streams of this process whose crawls run, by folder."""


class Feed:
    """What the crawl puts its pages into, and asks for room."""

    def __init__(self, ahead: int, taken: TakenPages) -> None:
        self.stop = StopRequest()
        self.waiting: deque[Visited] = deque()
        self.is_over = False
        self.wake: Callable[[], None] = _nothing
        self._has_begun = False
        self._ahead = ahead
        self._taken = taken

    def room(self) -> int:
        return self._ahead - len(self.waiting)

    def put(self, event: Event) -> None:
        if isinstance(event, Progress | Stopped) or (isinstance(event, Visited) and not self._has_begun):
            self._has_begun = True
            self._taken.write()
        if isinstance(event, Visited) and event.page:
            self.waiting.append(event)
            self.wake()

    def end(self) -> None:
        self.is_over = True
        self.wake()


class Stream:
    """The pages of a crawl while it runs, for one loop: `for page in stream`, or `async for`.

    The crawl does not hurry ahead: it waits while a few pages have not been taken. When the loop is left, it stops, and
    `dowse.resume` goes on with it. `with dowse.stream(...) as pages:` stops it where the block ends.

    >>> with dowse.stream("https://example.org/", max_pages=20, output="out") as pages:
    ...     titles = [page.title for page in pages]
    >>> len(titles), len(pages.crawl.pages)
    (20, 20)
    """

    def __init__(
        self, job: Job, run: Callable[[Feed], Summary], done: Callable[[Summary], object], *, goes_on: bool
    ) -> None:
        # `run` runs the crawl to its end, on another thread. `done` is told how it ended, on that of the reader.
        self._job = job
        self._goes_on = goes_on
        self._run = run
        self._done = done
        self._taken = TakenPages(Path(job.output))
        self._before: deque[LaterPage] = deque()
        self._feed = Feed(_AHEAD * job.fetch.concurrency, self._taken)
        self._documents: DocumentReader | None = None
        self._is_closed = False
        self._given = ""
        self._thread: threading.Thread | None = None
        self._summary: Summary | None = None
        self._trouble: BaseException | None = None

    @property
    def crawl(self) -> Crawl:
        """The crawl itself, opened for reading, also while it runs."""
        return read(self._job.output)

    def __iter__(self) -> Iterator[Page]:
        arrived = threading.Event()
        self._begin(arrived.set)
        try:
            while not self._is_empty():
                if (found := self._pop()) is not None:
                    yield self._read(found)
                else:
                    arrived.wait(_LOOK)
                    arrived.clear()
        except KeyboardInterrupt as interrupt:  # one that comes while we wait, not in the body of the loop
            self.close()
            raise CrawlInterrupted(self._job.output, self.crawl.status()) from interrupt
        finally:
            self.close()
        self._tell()

    async def __aiter__(self) -> AsyncIterator[Page]:
        arrived, loop = asyncio.Event(), asyncio.get_running_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop of a reader who has left is closed
                loop.call_soon_threadsafe(arrived.set)

        self._begin(wake)
        try:
            while not self._is_empty():
                arrived.clear()
                if (found := self._pop()) is not None:
                    # It may be a long document, and the loop of the reader has other things to do.
                    yield await loop.run_in_executor(None, self._read, found)
                elif not self._feed.is_over:
                    await arrived.wait()
        finally:
            await self.aclose()
        self._tell()

    def close(self) -> None:
        """Stop the crawl, if it still runs, and wait until it has ended cleanly."""
        self._ask()
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(_LOOK)  # in parts, for Windows hears of an interrupt between two waits only
        if self._documents is not None:
            self._documents.close()
        self._before.clear()
        self._feed.waiting.clear()
        if self._thread is not None:
            self._taken.take(self._given)
            self._taken.finish()
        self._forget()

    async def aclose(self) -> None:
        """The same without holding up the event loop."""
        self._ask()
        await asyncio.get_running_loop().run_in_executor(None, self.close)

    def _ask(self) -> None:
        self._is_closed = True
        if not self._feed.is_over:
            self._feed.stop.ask()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_trouble: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<dowse stream {self._job.output}>"

    def _begin(self, wake: Callable[[], None]) -> None:
        if self._thread is not None or self._is_closed:
            raise CrawlError(
                f"the pages of a stream come once; dowse.open({self._job.output!r}) has those that came, and"
                f" dowse.stream(..., output={self._job.output!r}, resume=True) goes on"
            )
        end_stream(self._job.output)
        if self._goes_on:
            with self.crawl as crawl:
                self._before.extend(self._taken.before(crawl))
        self._feed.wake = wake
        # No thread that Python waits for: a reader who is gone without a word would hold the program for ever.
        self._thread = threading.Thread(target=copy_context().run, args=(self._crawl,), name="dowse", daemon=True)
        _running[os.path.realpath(self._job.output)] = self
        atexit.register(self.close)
        self._thread.start()

    def _crawl(self) -> None:
        try:
            self._summary = self._run(self._feed)
        except CrawlInterrupted:
            pass  # as the reader asked
        except BaseException as error:  # noqa: BLE001, raised again for the reader
            self._trouble = error
        finally:
            self._taken.let_go()
            self._feed.end()

    def _is_empty(self) -> bool:
        return self._feed.is_over and not self._feed.waiting and not self._before

    def _pop(self) -> LaterPage | Visited | None:
        """The next page that waits, if one does. Who asks for it is done with the one before."""
        self._taken.take(self._given)
        if self._before:
            return self._before.popleft()
        return self._feed.waiting.popleft() if self._feed.waiting else None

    def _read(self, found: LaterPage | Visited) -> Page:
        if self._documents is None:
            from dowse.documents.document_reader import DocumentReader  # with what reads pages

            self._documents = DocumentReader()
        place, records = found.page, found.records if isinstance(found, Visited) else self._records(found)
        try:
            page = read_page(Path(self._job.output), self._job, place, records, self._documents)
        except CrawlError:
            self._given = place  # it would be as damaged the next time
            raise
        self._given = place
        return page

    def _records(self, found: LaterPage) -> Sequence[Record]:
        with self.crawl as crawl:
            return crawl.reader.records_of_page(found.task)

    def _tell(self) -> None:
        """What is left to be told when all pages were taken."""
        if self._trouble is not None:
            raise self._trouble
        if self._summary is not None:
            self._done(self._summary)

    def _forget(self) -> None:
        atexit.unregister(self.close)
        place = os.path.realpath(self._job.output)
        if _running.get(place) is self:
            del _running[place]

    def _hand_over(self) -> None:
        """End, and say so to whoever still reads."""
        self._trouble = CrawlError(f"a later call of this program has taken over the crawl in {self._job.output}")
        self.close()


def end_stream(directory: str) -> None:
    """End the stream of this process that has a folder, if there is one."""
    stream = _running.get(os.path.realpath(directory))
    if stream is not None:
        stream._hand_over()


def _nothing() -> None:
    pass
