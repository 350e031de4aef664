"""The mode `focus`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.core.briefing import NOTHING, Briefing
from dowse.core.job import Job
from dowse.core.patience import Patience
from dowse.core.results import Results
from dowse.modes.best_first import BestFirstMode
from dowse.modes.focus.options import FocusOptions
from dowse.modes.mode import PageColumns, Tell

if TYPE_CHECKING:
    from dowse.core.exhibits import Exhibit
    from dowse.core.protocols import Ranker
    from dowse.crawl import Crawl
    from dowse.engine.loop import Listener
    from dowse.engine.verdict import Strategy
    from dowse.modes.focus.live_outputs import GrowingUrls
    from dowse.modes.focus.view import FocusView
    from dowse.parse.page import Page
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.tables import Table


class FocusMode(BestFirstMode[FocusOptions]):
    """Crawl for pages about a topic, the most promising links first.

    The topic is given in words (--topic), by example pages (--like), or both. The pages found are ranked, best first,
    and their URLs are in urls.txt.
    """

    name = "focus"
    options = FocusOptions
    usual = ("topic", "like", "threshold")
    arguments = ("topic",)
    compares = "by"
    identity = ("by", "score", "match", "language", "context", "related", "graph_size", "first_h")
    tables = ("matched", "crawled", "waiting")
    outputs = ("urls.txt",)
    result_table = "matched"
    lack = "has no topic"
    # Of the entries of a sitemap a topic knows nothing. A paper is as good an answer as a page.
    defaults = {"sitemaps": False, "documents": True}  # noqa: RUF012

    def check(self, job: Job) -> None:
        from dowse.modes.focus.topic_check import check_topic

        check_topic(self.of(job))

    def prepare(self, job: Job, stored: Briefing | None, tell: Tell) -> Briefing:
        from dowse.modes.focus.example_pages import is_of, read_briefing
        from dowse.modes.focus.reading_choice import check_reader, choose_reading

        choice = choose_reading(self.of(job), stored, tell)
        if stored is not None and is_of(self.of(job), stored):
            check_reader(stored)
            return stored
        return {**read_briefing(job, self.of(job), tell, stored or NOTHING), **choice}

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.focus.example_pages import examples_of
        from dowse.modes.focus.ranker import build_strategy
        from dowse.modes.focus.reading_choice import reading_of

        return build_strategy(self.of(job), examples_of(briefing), reading_of(briefing))

    def ranker(self, job: Job, briefing: Briefing) -> Ranker:
        from dowse.modes.focus.example_pages import examples_of, related_of
        from dowse.modes.focus.ranker import build_ranker
        from dowse.modes.focus.reading_choice import reading_of

        return build_ranker(self.of(job), examples_of(briefing), related_of(briefing), reading_of(briefing))

    def patience(self, job: Job) -> Patience:
        from dowse.modes.focus.scoring import has_chances, matched_from

        options = self.of(job)
        return Patience(options.patience, matched_from(options), ends_by_left=True, has_chances=has_chances(options))

    def purpose(self, job: Job) -> str:
        from dowse.modes.focus.example_pages import topic_text

        return topic_text(self.of(job))

    @property
    def view_type(self) -> type[FocusView]:
        from dowse.modes.focus.view import FocusView

        return FocusView

    def questions(self, job: Job) -> int:
        return self.of(job).questions if self.of(job).ask else 0

    def takes_labels(self, job: Job) -> bool:
        from dowse.modes.focus.scoring import scorer_of

        return scorer_of(self.of(job)) == "relevance"

    def least_worth(self, job: Job) -> float:
        return self.of(job).least_worth

    def live_outputs(self, job: Job, listener: Listener) -> GrowingUrls:
        from dowse.modes.focus.live_outputs import GrowingUrls

        return GrowingUrls(Path(job.output), listener, self.patience(job), by_points=self._is_by_points(job))

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        from dowse.modes.focus.tables import list_table

        return list_table(reader, name, self.patience(job), by_points=self._is_by_points(job))

    def _is_by_points(self, job: Job) -> bool:
        from dowse.modes.focus.scoring import scorer_of

        return scorer_of(self.of(job)) == "priority"

    def page_columns(self, reader: CrawlReader, job: Job) -> PageColumns:
        from dowse.modes.focus.tables import page_columns

        return page_columns(reader, self.patience(job))

    def fitting(self, job: Job, pages: Iterable[tuple[str, Page]]) -> set[str]:
        from dowse.modes.focus.fitting import fitting

        return fitting(self.of(job), pages)

    def measured(self, crawl: Crawl) -> tuple[list[tuple[str, float]], float]:
        pages = [(row["url"], row["relevance"]) for row in crawl.frame("crawled")]
        return pages, crawl.standing().threshold

    def results(self, crawl: Crawl) -> Results:
        from dowse.modes.focus.results import results

        return results(crawl)

    def exhibits(self, crawl: Crawl) -> Iterable[Exhibit]:
        from dowse.modes.focus.exhibits import exhibits

        return exhibits(crawl)


MODE = FocusMode()
