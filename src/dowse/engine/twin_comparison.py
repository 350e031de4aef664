"""Probes: is a URL that was taken for another one the same page? See core/url_spellings.py for why this is asked.

    1  what it says is compared with the stored answer of the other; if that is the same, this is all
    2  else the other is asked for again, for it may have changed since
    3  if that is different too, the other is compared with itself: with its stored answer or, if that is different or
       not there, with one more. What changes with every visit proves nothing

Each request waits as long as the first answer took, or as long as the user or the host asks for. Nothing else is asked
of the host meanwhile (store/frontier/hosts.py).
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from dowse.core.archive import Archive
from dowse.core.duplicates.fingerprint import checksum
from dowse.core.duplicates.twins import Compared, Twin
from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.model import Failure, Request, Response
from dowse.core.traps import without_tokens
from dowse.core.url_keys import UrlKeys
from dowse.core.url_spellings import bare
from dowse.core.urls import host_of
from dowse.parse.decode import charset_name
from dowse.parse.media import is_html, media_type
from dowse.parse.page import Page

# Words in which two pages may differ and be the same: a clock, a counter, a greeting.
FEW_WORDS = 0.05

# With so many links, two pages that have few of them in common are lists of different things.
MANY_LINKS = 8
COMMON_LINKS = 0.2

# How much steadier than that a page must be for a difference from it to mean anything: else chance could make two
# visits of it the same and a third one another page.
STEADIER = 2

LONGEST_TEXT = 200_000
"""Characters that are compared."""

Fetch = Callable[[Request], Awaitable[Response | Failure]]


class Said(NamedTuple):
    """The content of a page for a comparison; the bytes, if it is no page."""

    title: str
    words: Counter[str]
    links: frozenset[int]
    digest: int


class TwinComparison:
    """Compares the pages of one worker with those they were taken for."""

    def __init__(self, job: Job, fetch: Fetch, archive: Archive | None, token: str) -> None:
        self._delay = job.politeness.delay
        self._fetch = fetch
        self._archive = archive
        self._keys = UrlKeys(bare(job.urls))
        self._token = token
        self._charset = charset_name(job.fetch.charset)

    async def compare(self, answer: Response, twin: Twin) -> Compared:
        """Compare a page with its twin; the result has the news and the requests it took."""
        echoes = _echoes(answer.request.url, twin.url)
        own = self._said(answer, echoes)
        stored = self._stored(twin)
        before = self._said(stored, echoes) if stored is not None else None
        if before is not None and not _news(own, before):
            return Compared(0)
        asked_at, size = 0.0, 0
        for _ in range(2):
            await asyncio.sleep(max(self._delay, answer.crawl_delay or 0.0, answer.elapsed))
            asked_at = time.time()
            now = await self._fetch(Request(twin.url, 0, host_of(twin.url)))
            if isinstance(now, Failure) or now.status >= 300:
                return Compared(None, asked_at, size)
            size += now.size
            said = self._said(now, echoes)
            news = _news(own, said)
            if not news:
                return Compared(0, asked_at, size)
            if before is not None and not _news(said, before, STEADIER):
                return Compared(news, asked_at, size)
            before = said
        return Compared(None, asked_at, size)

    def _stored(self, twin: Twin) -> Response | None:
        try:
            return self._archive.read(twin.body) if self._archive is not None and twin.body else None
        except CrawlError:  # it is not there any more
            return None

    def _said(self, answer: Response, echoes: re.Pattern[str]) -> Said:
        kind = media_type(answer.headers, answer.body)
        digest = checksum(answer.body)
        if not is_html(kind):
            return Said("", Counter(), frozenset(), digest)
        page = Page(answer, self._token, kind, charset=self._charset)
        if page.trouble:
            return Said("", Counter(), frozenset(), digest)
        links = frozenset(self._keys.request(link.url).key_hash for link in page.links)
        # The session ids and addresses that a page shows are not what it says.
        text, title = (without_tokens(echoes.sub("", text)) for text in (page.text[:LONGEST_TEXT], page.title))
        return Said(title, Counter(text.split()), links, 0)


def _echoes(*urls: str) -> re.Pattern[str]:
    """What a page shows of these URLs if it shows its own address: their parameters."""
    written = {part for url in urls for part in re.split("[?&;]", url)[1:] if "=" in part}
    return re.compile("|".join(f"[?&;]{re.escape(part)}" for part in sorted(written, key=len, reverse=True)) or r"(?!)")


def _news(own: Said, other: Said, strictness: int = 1) -> int:
    """A number for what a page says that the other does not, 0 if the two are the same but for small changes.

    Pages that say the same new thing, such as that a session is over, have the same number.
    """
    if own.digest or other.digest:
        return 0 if own.digest == other.digest else own.digest or 1
    added, gone = own.words - other.words, other.words - own.words
    differing = added.total() + gone.total()
    total = own.words.total() + other.words.total()
    both, either = len(own.links & other.links), len(own.links | other.links)
    if (
        own.title == other.title
        and differing * strictness <= FEW_WORDS * total
        and (either < MANY_LINKS or both >= COMMON_LINKS * strictness * either)
    ):
        return 0
    return checksum("\n".join([own.title, *sorted(added)]).encode("utf-8", "replace"))
