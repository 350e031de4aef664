"""A mode with rows and an order of its own: it counts the words of titles, and goes through a site by the alphabet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from dowse.core.briefing import Briefing
from dowse.core.job import Job, Option
from dowse.core.results import Number, Results
from dowse.modes.mode import Mode

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.engine.verdict import Strategy
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.frontier.lease_policy import LeasePolicy
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.tables import Table


class CountingOptions(Struct, frozen=True, kw_only=True):
    """When to stop."""

    patience: Annotated[int, Meta(ge=0), Option("Stop when so many pages brought no new word; 0 goes on.", "N")] = 0


class CountingMode(Mode[CountingOptions]):
    """Count the words in the titles of a site."""

    name = "counting"
    options = CountingOptions
    tables = ("words",)
    result_table = "words"
    lack = "counts no words"

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.site.options import SiteOptions
        from dowse.modes.site.strategy import SiteStrategy

        return SiteStrategy(SiteOptions())

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        from .bookkeeping import TitleWords  # noqa: TID252

        return [TitleWords(self.of(job).patience)]

    def lease_policy(self, job: Job) -> LeasePolicy:
        from .lease_policy import ByAddress  # noqa: TID252

        return ByAddress()

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        return reader.query_table("SELECT word, pages FROM title_word ORDER BY pages DESC, word")

    def results(self, crawl: Crawl) -> Results:
        words = len(crawl.frame("words"))
        return Results(numbers=(Number("words", words),), facts={"words": words})


MODE = CountingMode()
