"""Seeds that servers list: sitemaps and feeds with all they name, and the URLs that web archives have of a site.

    https://host/sitemap.xml        a sitemap, an index of them, a feed, or a text with one URL a line; gzipped or not
    cdx:https://server/cdx?url=...  the URLs of a query to a CDX server (parse/cdx.py)

One request at a time, with pauses as a crawl makes them. What was asked for is read whole or not at all: a list that
cannot be read is an error with its address, for a crawl of half the seeds looks like one of all.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.model import Failure, FailureKind, Response
from dowse.core.protocols import Sink
from dowse.core.retry_dates import next_attempt, retry_after
from dowse.core.sitemap_turns import DEEPEST_LIST, MOST_LISTS
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import host_of, resolve
from dowse.core.user_agent import user_agent
from dowse.fetch.http import HttpFetcher
from dowse.machine.credentials import resolved
from dowse.parse.cdx import CdxReader, cdx_query, cdx_words
from dowse.parse.sitemap import SitemapReader
from dowse.pools.event_loop import run_anywhere
from dowse.settings import read_url


class _Reader(Protocol):
    """Is fed a body piece by piece, and gives what the pieces complete."""

    def feed(self, chunk: bytes) -> list[Any]: ...

    def close(self) -> list[Any]: ...


R = TypeVar("R", bound=_Reader)

CDX = "cdx:"

MOST_SEEDS = 1_000_000
_LONGEST_PAUSE = 5.0


def remote_urls(source: str, job: Job) -> list[str]:
    """The URLs that a server lists, fetched as a job fetches pages. Its password and headers go to its seeds' hosts."""
    url = resolve("", read_url(source.removeprefix(CDX), "seeds_from")) or source
    if source.startswith(CDX) and "url" not in cdx_words(url):
        raise JobError(f"seeds_from: {source}: expected a query to a CDX server, such as {CDX}{url}?url=example.org/*")
    found: list[str] = []

    async def read() -> None:
        lists = _Lists(resolved(job), url)
        try:
            await (lists.archived(url, found) if source.startswith(CDX) else lists.listed(url, found))
        finally:
            await lists.close()

    run_anywhere(read())
    return [url for url in found if _is_usable(url)]


class _Lists:
    """Asks servers for lists, one at a time."""

    def __init__(self, job: Job, url: str) -> None:
        self._job = job
        self._keys = UrlKeys(job.urls)
        fetch = replace(job.fetch, user_agent=user_agent(job), bodies=False)
        if host_of(url) not in {host_of(seed) for seed in job.seeds}:
            fetch = replace(fetch, auth="", header=())
        self._fetcher = HttpFetcher(fetch, [self._keys.request(url)])
        self._pause = 0.0

    async def close(self) -> None:
        await self._fetcher.close()

    async def listed(self, first: str, found: list[str]) -> None:
        """Add what a list names, and what the lists do that it names."""
        waiting = deque([(first, 0)])
        known = {first}
        while waiting:
            url, nesting = waiting.popleft()
            reader, entries = await self._read(url, SitemapReader)
            if reader.error:
                raise JobError(f"seeds_from: {url} is no list of URLs, or broken: {reader.error}")
            targets = [(entry.kind, target) for entry in entries if (target := resolve(url, entry.url))]
            found += [target for kind, target in targets if kind == "page"]
            lists = dict.fromkeys(target for kind, target in targets if kind != "page" and target not in known)
            known.update(lists)
            if nesting >= DEEPEST_LIST and lists:
                raise JobError(f"seeds_from: {url}: more than {DEEPEST_LIST} lists, each of which names the next")
            waiting += [(target, nesting + 1) for target in lists]
            _check_number(len(found), len(known), first)

    async def archived(self, query: str, found: list[str]) -> None:
        """Add the URLs that a CDX server answers with, page by page if it has pages."""
        words = cdx_words(query)
        limit = int(words["limit"]) if words.get("limit", "").isdecimal() else 0
        asked, _ = await self._rows(query, showNumPages="true")
        for number in range(1 if asked.pages is None else asked.pages):
            _, urls = await self._rows(query, page=str(number))
            found += urls
            if limit and len(found) >= limit:
                del found[limit:]
                break
            _check_number(len(found), number, query)

    async def _rows(self, query: str, **more: str) -> tuple[CdxReader, list[str]]:
        """An answer to a query, with more words in it, and its URLs."""
        has_filters = "filter" in cdx_words(query)
        reader, urls = await self._read(cdx_query(query, **more), lambda: CdxReader(has_filters=has_filters))
        if reader.lines > reader.understood:
            raise JobError(f"seeds_from: {query}: what came is no answer of a CDX server")
        return reader, urls

    async def _read(self, url: str, make_reader: Callable[[], R]) -> tuple[R, list[Any]]:
        """What a reader takes from an address. Redirects are followed, and what may pass is tried again, with a new
        reader: some of the list may have come."""
        attempt, redirects, place = 0, 0, url
        while True:
            reader, taken = make_reader(), list[Any]()
            answer = await self._ask(place, _feeding(reader, taken))
            if isinstance(answer, Failure):
                date = next_attempt(answer, attempt, time.time(), self._job.politeness.retries)
                if date is None:
                    raise JobError(f"seeds_from: {place} could not be fetched: {answer.kind}: {answer.detail}")
                attempt += 1
                await asyncio.sleep(date - time.time())
            elif answer.status < 300:
                return reader, [*taken, *reader.close()]
            else:
                redirects += 1
                target = resolve(place, answer.headers.get("location", ""))
                if target is None or redirects > self._job.fetch.max_redirects:
                    raise JobError(f"seeds_from: {url} redirects to nowhere, or too often")
                place = target

    async def _ask(self, url: str, sink: Sink) -> Response | Failure:
        await asyncio.sleep(self._pause)
        answer = await self._fetcher.fetch(self._keys.request(url), sink)
        if isinstance(answer, Failure):
            return answer
        delay = self._job.politeness.delay
        self._pause = min(answer.elapsed, _LONGEST_PAUSE) if delay < 0 else delay
        if answer.status >= 400:
            wait = retry_after(answer.headers.get("retry-after", ""), answer.fetched_at)
            return Failure(FailureKind.HTTP, f"status {answer.status}", wait, answer.status)
        return answer


def _is_usable(url: str) -> bool:
    """Whether a crawl can start from what a stranger wrote down: not from a mail address or with a password."""
    try:
        return bool(read_url(url))
    except JobError:
        return False


def _feeding(reader: _Reader, taken: list[Any]) -> Sink:
    return lambda chunk: taken.extend(reader.feed(chunk))


def _check_number(urls: int, requests: int, url: str) -> None:
    if urls > MOST_SEEDS or requests > MOST_LISTS:
        bounds = f"{MOST_SEEDS:,} URLs or {MOST_LISTS:,} lists"
        raise JobError(f"seeds_from: {url}: more than {bounds}; ask for a part of it")
