"""A crawl over time: what changed, and the versions of its pages."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Self

from dowse.core.errors import CrawlError, JobError
from dowse.core.options.revisit_options import Upkeep
from dowse.core.phrasing import counted
from dowse.core.revisits.changes import KINDS, WHATS, Asked, Change, PageDifference, Version
from dowse.crawls.crawl_tables import CrawlTables
from dowse.crawls.moments import Moment, seconds_of
from dowse.export.frame import Frame
from dowse.store.reading.told_changes import kinds_of_run, was_visited_again, words_of_changes
from dowse.store.revisits.wishes import read_upkeep

if TYPE_CHECKING:
    from dowse.crawls.stored_changes import StoredChanges


class CrawlVersions(CrawlTables):
    """A crawl whose pages were visited again."""

    def changes(
        self, since: Moment | None = None, *, kind: str | Iterable[str] = (), what: str | Iterable[str] = ()
    ) -> Frame:
        """What recrawls found changed, a row each: `at`, `kind` (added, changed, removed, moved, unreachable), `what`
        (page, record, file, kept, thread), `url`, `title`, and what it was `before` and is `after`.

        Of a page these are the lines of its text that differ, of a record the fields, as JSON. `since` is a date
        ("2026-11-01"), a time or an age ("3 days"); `kind` and `what` are one word or several.

        >>> crawl.changes(since="2026-11-01", kind=["added", "removed"]).columns
        ['at', 'kind', 'what', 'url', 'title', 'before', 'after']
        """
        from dowse.crawls.stored_changes import change_table  # with what reads pages

        return Frame(change_table(self.directory, self.job, self.reader.connection, self.asked(since, kind, what)))

    def asked(self, since: Moment | None, kind: str | Iterable[str] = (), what: str | Iterable[str] = ()) -> Asked:
        """Which changes a user asks for; JobError for a word that no change has."""
        kinds, whats = ((each,) if isinstance(each, str) else tuple(each) for each in (kind, what))
        _check_words("kind", kinds, KINDS)
        if not set(whats) <= set(WHATS):
            _check_words("what", whats, tuple(dict.fromkeys((*WHATS, *words_of_changes(self.reader.connection)))))
        begin = 0.0 if since is None else seconds_of(since, "since", time.time())
        return Asked(begin, kinds=kinds, whats=whats)

    def told(self, asked: Asked) -> Iterator[Change]:
        """The same as values, each with its text word by word."""
        return self._stored_changes().of(asked)

    def newest_changes(self, asked: Asked, offset: int, limit: int) -> tuple[int, list[Change]]:
        """How many these are, and some of them, the newest first."""
        return self._stored_changes().newest(asked, offset, limit)

    @property
    def was_visited_again(self) -> bool:
        """Whether a recrawl has written changes down."""
        return was_visited_again(self.reader.connection)

    @property
    def last_changes(self) -> dict[str, int]:
        """How many changes of each kind there were since the last recrawl began."""
        return kinds_of_run(self.reader.connection)

    @property
    def upkeep(self) -> Upkeep | None:
        """How the last recrawl left the pages, if it had a budget: `freshness`, and of a bounded collection its
        `quality`. None if it had none, or there was no recrawl.

        >>> print(crawl.upkeep)
        None
        """
        return read_upkeep(self.reader.connection)

    def history(self, url: str) -> list[Version]:
        """The versions of a page, the first one first: when it was found, by how many visits, and how many words came
        and went. The URL may be named as in `why`.

        >>> [version.number for version in crawl.history("/topics/")]
        [1]
        """
        return self._stored_changes().versions(self._number(url))

    def diff(self, url: str, earlier: int = 0, later: int = 0) -> PageDifference:
        """How two versions of a page differ, by their numbers in `history`; without them, the last two. Print it for
        the lines that changed.
        """
        versions = self.history(url)
        later = later or len(versions)
        earlier = earlier or later - 1
        for number in (later, earlier):
            if not 0 < number <= len(versions):
                rest = "so there is nothing to compare" if len(versions) < 2 else f"and no version {number}"
                raise CrawlError(f"{url} has {counted(len(versions), 'version')}, {rest}")
        number = self._number(url)
        pair = versions[earlier - 1], versions[later - 1]
        passages = self._stored_changes().difference(*pair)
        return PageDifference(self.reader.url(number), *pair, tuple(passages))

    def at(self, moment: Moment) -> Self:
        """The crawl as it was: `pages`, `links`, `nodes`, `edges`, `records`, `tables` and `page(url)` of that moment.

        A date means the end of that day. Records that were replaced before dowse kept earlier ones are as they are now.

        >>> len(crawl.at("2020-01-01").pages), len(crawl.at("2900-01-01").pages)
        (0, 60)
        """
        return type(self)(self.directory, seconds_of(moment, "at", time.time(), at_end=True))

    def _number(self, url: str) -> int:
        number = self._looked_up(url, lambda request: self.reader.find(request, self.job.urls))
        if number is None:
            raise CrawlError(f"{url} was never seen in this crawl; the table ledger has every URL that was")
        return number

    def _stored_changes(self) -> StoredChanges:
        from dowse.crawls.stored_changes import StoredChanges

        return StoredChanges(self.directory, self.job, self.reader.connection)


def _check_words(name: str, words: Iterable[str], known: tuple[str, ...]) -> None:
    if unknown := [word for word in words if word not in known]:
        raise JobError(f"{name}: there is no {unknown[0]!r}; there are {', '.join(known[:-1])} and {known[-1]}")
