"""The stored pages of a crawl, read again one by one, and what the pages of each of its sites have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from dowse.core.errors import CrawlError
from dowse.core.urls import host_of
from dowse.documents.document_reader import DocumentReader
from dowse.documents.read_pages import page_of_answer
from dowse.extract.site_blocks import SiteBlocks
from dowse.parse.decode import charset_name
from dowse.parse.page import Page
from dowse.store.folder import bodies_of
from dowse.store.reading.records import StoredPage
from dowse.store.warc.body_reader import BodyReader

Told = Callable[[int, int], None]
"""Takes how many pages were read and how many there are."""

LEARNED_FROM = 24
"""Pages of a host that are read for what they have in common."""
MOST_LEARNED_FROM = 1_000
"""Pages that are read for that in all."""
FEW = 300
"""Pages that are not worth a process of their own."""


class PageReader:
    """Reads stored pages of one crawl. `site` knows what its pages have in common, once it has learned it."""

    def __init__(self, directory: Path, charset: str, site: SiteBlocks) -> None:
        self.site = site
        self._bodies = BodyReader(bodies_of(directory))
        self._charset = charset_name(charset)
        self._documents = DocumentReader()

    def page(self, stored: StoredPage) -> Page:
        """One page. Raises CrawlError where the archive is damaged."""
        return page_of_answer(self._bodies.read(stored.location), self._documents, charset=self._charset)

    def learn(self, pages: Iterable[StoredPage]) -> None:
        """From pages alone: documents have no menu of the site."""
        for stored in pages:
            try:
                page = Page(self._bodies.read(stored.location), charset=self._charset)
            except CrawlError:
                continue  # it is told when its turn comes
            if page.is_html and not page.trouble:
                self.site.learn(page)

    def close(self) -> None:
        self._bodies.close()
        self._documents.close()


def chosen(pages: Sequence[StoredPage]) -> Iterator[StoredPage]:
    """Some pages of every host, from all over it, those of the largest hosts first."""
    hosts: defaultdict[str, list[StoredPage]] = defaultdict(list)
    for stored in pages:
        hosts[host_of(stored.url)].append(stored)
    left = MOST_LEARNED_FROM
    for of_host in sorted(hosts.values(), key=len, reverse=True):
        picked = of_host[:: max(1, len(of_host) // LEARNED_FROM)][: min(LEARNED_FROM, left)]
        yield from picked
        left -= len(picked)
