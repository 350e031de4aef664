"""The mode `forum`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.core.phrasing import counted
from dowse.core.results import Results
from dowse.modes.forum.options import ForumOptions
from dowse.modes.mode import Mode, Tell

if TYPE_CHECKING:
    from dowse.core.exhibits import Exhibit
    from dowse.crawl import Crawl
    from dowse.engine.loop import Listener
    from dowse.engine.verdict import Strategy
    from dowse.modes.forum.live_outputs import LibraryKeeper
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.frontier.lease_policy import LeasePolicy
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.stories import Story
    from dowse.store.reading.tables import Table


class ForumMode(Mode[ForumOptions]):
    """Crawl a forum: every thread once, with its posts, and nothing else.

    Any page of the forum will do to begin with.
    """

    name = "forum"
    options = ForumOptions
    page_kinds = "SELECT task, type AS kind FROM forum_page"
    defaults = {"sitemaps": False}  # noqa: RUF012
    tables = ("threads", "posts", "boards")
    result_table = "threads"
    finds = "threads"
    lack = "was not of a forum"

    def prepare(self, job: Job, stored: Briefing | None, tell: Tell) -> Briefing:
        from dowse.modes.forum.library import library_path, pack_library, read_library

        if stored is not None or not self.of(job).library:
            return stored or {}
        known = read_library(library_path())
        if known:
            tell(f"the library of forums knows {counted(len(known), 'URL pattern')} of earlier crawls")
        return pack_library(known)

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.classify.page_types import shipped_types
        from dowse.modes.forum.strategy import ForumStrategy

        return ForumStrategy(shipped_types(), job.urls)

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        from dowse.modes.forum.bookkeeping import ForumBook
        from dowse.modes.forum.library import unpack_library
        from dowse.modes.forum.thread_book import ThreadBook

        return [ForumBook(job, unpack_library(briefing)), ThreadBook()]

    def lease_policy(self, job: Job) -> LeasePolicy:
        from dowse.store.frontier.lease_best_first import BestFirst

        return BestFirst()

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        from dowse.modes.forum.tables import table

        return table(name, reader)

    def live_outputs(self, job: Job, listener: Listener) -> LibraryKeeper | None:
        from dowse.modes.forum.live_outputs import LibraryKeeper

        return LibraryKeeper(Path(job.output), listener) if self.of(job).library else None

    def results(self, crawl: Crawl) -> Results:
        from dowse.modes.forum.results import results

        return results(crawl)

    def exhibits(self, crawl: Crawl) -> Iterable[Exhibit]:
        from dowse.modes.forum.exhibits import exhibits

        return exhibits(crawl)

    def story(self, crawl: Crawl, number: int) -> dict[str, Any]:
        from dowse.modes.forum.link_story import facts

        return facts(crawl, number)

    def story_lines(self, story: Story) -> Iterable[tuple[str, str]]:
        from dowse.modes.forum.link_story import story_lines

        return story_lines(story)


MODE = ForumMode()
