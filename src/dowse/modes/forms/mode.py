"""The mode `forms`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.core.results import Results
from dowse.modes.forms.options import FormsOptions
from dowse.modes.mode import Mode, Tell

if TYPE_CHECKING:
    from dowse.core.exhibits import Exhibit
    from dowse.crawl import Crawl
    from dowse.engine.verdict import Strategy
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.frontier.lease_policy import LeasePolicy
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.stories import Story
    from dowse.store.reading.tables import Table


class FormsMode(Mode[FormsOptions]):
    """Find the search forms of sites, and harvest the records behind them.

    Without --harvest forms are only collected. Log-in, registration, contact and order forms are never sent.
    """

    name = "forms"
    options = FormsOptions
    usual = ("topic", "harvest", "max_queries")
    arguments = ("topic",)
    identity = ("topic", "harvest", "dry_run", "backlinks", "known")
    tables = ("forms", "queries", "sites")
    result_table = "forms"
    finds = "forms"
    lack = "was not for forms"
    defaults = {"sitemaps": False, "depth": 3}  # noqa: RUF012

    def prepare(self, job: Job, stored: Briefing | None, tell: Tell) -> Briefing:
        from dowse.modes.forms.earlier_crawls import read_briefing

        return read_briefing(self.of(job)) if stored is None else stored

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.forms.strategy import FormsStrategy
        from dowse.score.keywords import Keywords, parse_topic
        from dowse.score.language import language

        options = self.of(job)
        topic = Keywords(parse_topic(options.topic, language("en")), language("en")) if options.topic else None
        asks = options.harvest or options.dry_run
        in_browser = job.fetch.fetch != "http"
        return FormsStrategy(topic, options.topic, asks=asks, in_browser=in_browser, result_pages=options.result_pages)

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        from dowse.modes.forms.bookkeeping import FormBook
        from dowse.modes.forms.known_forms import KnownForms
        from dowse.modes.forms.site_book import SiteBook

        options = self.of(job)
        return [FormBook(job, options), SiteBook(job, briefing, options), KnownForms(job, briefing)]

    def lease_policy(self, job: Job) -> LeasePolicy:
        from dowse.modes.forms.lease_within_limits import WithinLimits

        return WithinLimits(self.of(job))

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        from dowse.modes.forms.tables import QUERIES_OF

        return reader.query_table(QUERIES_OF[name])

    def results(self, crawl: Crawl) -> Results:
        from dowse.modes.forms.results import results

        return results(crawl, self.of(crawl.job))

    def exhibits(self, crawl: Crawl) -> Iterable[Exhibit]:
        from dowse.modes.forms.exhibits import exhibits

        return exhibits(crawl)

    def story(self, crawl: Crawl, number: int) -> dict[str, Any]:
        from dowse.modes.forms.form_stories import facts

        return facts(crawl.reader.connection, number)

    def story_lines(self, story: Story) -> Iterable[tuple[str, str]]:
        from dowse.modes.forms.form_stories import lines

        return lines(story)


MODE = FormsMode()
