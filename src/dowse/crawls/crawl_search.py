"""A crawl that can be searched: full text over the main text of its pages."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from dowse.core.columns import Kind
from dowse.core.errors import CrawlError, JobError
from dowse.core.optional_libraries import load
from dowse.core.search_results import Found, Search
from dowse.crawls.crawl_versions import CrawlVersions
from dowse.crawls.moments import Moment, seconds_of
from dowse.export.frame import Frame
from dowse.store.reading.tables import Table
from dowse.store.search.search_index import SearchFilter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dowse.crawls.stored_index import IndexSource, Updated
    from dowse.crawls.stored_reading import Told
    from dowse.score.meaning_order import MeaningOrder

SHOWN = 10
"""Pages that a search shows."""

_KINDS: dict[str, Kind] = {
    "url": "text", "title": "text", "snippet": "text", "score": "number", "site": "text", "type": "text",
    "language": "text", "date": "time", "fetched_at": "time", "relevance": "number", "crawl": "text",
}  # fmt: skip


class SearchFrame(Frame):
    """The pages that a search found, the best first: a row each, as all tables have them.

    `total` is how many pages there are in all, `understood` how the words were read, `notes` what has to be said of it.
    `found` has the same pages as values, with the places of the words in each snippet.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(_FoundTable(search.found))
        self.found = search.found
        self.total = search.total
        self.understood = search.understood
        self.notes = search.notes


class _FoundTable(Table):
    columns = [*_KINDS]  # noqa: RUF012
    kinds = _KINDS

    def __init__(self, found: Sequence[Found]) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        for each in self._found:
            marked = each.marked("**", "**")
            yield tuple(marked if name == "snippet" else getattr(each, name) for name in self.columns)


class SearchedCrawl(CrawlVersions):
    """A crawl with a full-text index, which the first search makes."""

    def search(
        self,
        words: str,
        *,
        site: str = "",
        type: str | Iterable[str] = (),  # noqa: A002  # as the option is called
        since: Moment | None = None,
        until: Moment | None = None,
        relevance: float | None = None,
        limit: int = SHOWN,
        meaning: bool = False,
    ) -> SearchFrame:
        """The stored pages that have these words in their main text or title, the best first, with the words marked in
        a `snippet`.

        Words are found in all their forms. `"side by side"`, `begin*`, `-without`, `this OR that` are understood, and
        nothing that is typed is an error: `.understood` and `.notes` say how it was read. `site` is a host with those
        below it, `type` is html, pdf and so on; `since` and `until` are about the date that a page states, else about
        when it was fetched; `relevance` is the least, where the crawl has a topic. `meaning`: the best are put in order
        by meaning too, with the extra `semantic`.

        >>> found = crawl.search("flood consultation", limit=2)
        >>> found.total > 2, found.understood
        (True, 'flood and consultation')
        >>> found.columns[:4]
        ['url', 'title', 'snippet', 'score']
        """
        which = search_filter(site, type, since, until, relevance)
        lack = self.index().lack
        search = ask([self.directory], words, which, limit, meaning=meaning)
        return SearchFrame(replace(search, notes=(lack, *search.notes)) if lack else search)

    def index(self, told: Told | None = None) -> Updated:
        """Bring the full-text index up to date, as a search does by itself: pages that are new or changed are read.
        `told` hears how far it is."""
        from dowse.crawls.reextract import check_bodies
        from dowse.crawls.stored_index import Updated, bring_up_to_date, is_current

        if self.moment is not None:
            raise CrawlError("a crawl cannot be searched as it was; search it as it is now, with dowse.open(DIR)")
        if is_current(self.directory):  # asked first: a job may have a hundred thousand seeds to be read
            return Updated()
        source = self._index_source()
        check_bodies(source.job, self.directory, len(self.bodies))
        return bring_up_to_date(source, told)

    def _index_source(self) -> IndexSource:
        from dowse.crawls.stored_index import IndexSource

        job = self.job
        columns = self.mode.page_columns(self.reader, job) or ("", "")
        return IndexSource(self.directory, job, self.reader.connection, columns)


def search_filter(
    site: str = "",
    types: str | Iterable[str] = (),
    since: Moment | None = None,
    until: Moment | None = None,
    relevance: float | None = None,
) -> SearchFilter:
    """Which pages are looked at, from what a user says."""
    now = time.time()
    host = site.strip().lower().partition("://")[2] or site.strip().lower()
    named = (types,) if isinstance(types, str) else tuple(types)
    return SearchFilter(
        host.partition("/")[0].partition(":")[0].removeprefix("*.").lstrip("."),
        tuple(each.strip().lower().lstrip(".") for each in named),
        None if since is None else seconds_of(since, "since", now),
        None if until is None else seconds_of(until, "until", now, at_end=True),
        relevance,
    )


def ask(directories: Sequence[Path], words: str, which: SearchFilter, limit: int, *, meaning: bool = False) -> Search:
    """Ask the indexes of some crawls, as they are."""
    from dowse.crawls.stored_search import search_folders

    if not isinstance(limit, int) or limit < 1:
        raise JobError(f"limit: expected a whole number from 1 on, got {limit!r}")
    return search_folders(directories, words, which, limit, _meaning_order().order if meaning else None)


@cache
def _meaning_order() -> MeaningOrder:
    load("wordllama", "semantic", "a search by meaning")
    from dowse.score.meaning_order import MeaningOrder
    from dowse.score.semantic import EmbeddedWords

    return MeaningOrder(EmbeddedWords())
