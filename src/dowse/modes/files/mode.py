"""The mode `files`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.core.patience import Patience
from dowse.core.results import Results
from dowse.modes.best_first import BestFirstMode
from dowse.modes.files.options import FIRST, IS_FILE, FilesOptions

if TYPE_CHECKING:
    from dowse.core.exhibits import Exhibit
    from dowse.core.protocols import Ranker
    from dowse.crawl import Crawl
    from dowse.engine.loop import Listener
    from dowse.engine.verdict import Strategy
    from dowse.modes.files.live_outputs import GrowingFiles
    from dowse.modes.files.wanted_files import Wanted
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.tables import Table


class FilesMode(BestFirstMode[FilesOptions]):
    """Fetch the files of some types from a site, and as few pages as possible.

    Which links lead to pages with files is learned on the way. Files are put into the folder files of the crawl's
    folder, and files.csv says where each was found. Files on other hosts are taken too, pages there are not.
    """

    name = "files"
    options = FilesOptions
    usual = ("type", "pattern")
    arguments = ("type",)
    identity = ("type", "pattern")
    tables = ("files",)
    outputs = ("files", "files.csv")
    result_table = "files"
    finds = "files"
    lack = "was not for files"
    # Files are larger than pages and take longer.
    defaults = {"sitemaps": False, "max_body": 100_000_000, "timeout": 300.0}  # noqa: RUF012

    def wanted(self, job: Job) -> Wanted:
        """Which files a job asks for."""
        from dowse.modes.files.wanted_files import wanted_files

        return wanted_files(self.of(job).type, self.of(job).pattern)

    def check(self, job: Job) -> None:
        self.wanted(job)

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.files.strategy import FilesStrategy

        return FilesStrategy(self.wanted(job))

    def ranker(self, job: Job, briefing: Briefing) -> Ranker:
        from dowse.modes.files.ranker import FilesRanker

        return FilesRanker(self.wanted(job))

    def patience(self, job: Job) -> Patience:
        return Patience(self.of(job).patience, IS_FILE, surely=FIRST)

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        from dowse.modes.files.bookkeeping import NamedFiles

        named = NamedFiles(may_be_enough=self.patience(job).answers > 0)
        return [*super().bookkeeping(job, briefing), named]

    def scope_exception(self, job: Job) -> Wanted:
        return self.wanted(job)

    def live_outputs(self, job: Job, listener: Listener) -> GrowingFiles:
        from dowse.modes.files.live_outputs import GrowingFiles

        return GrowingFiles(Path(job.output), listener)

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        from dowse.modes.files.tables import FileTable

        return FileTable(reader)

    def results(self, crawl: Crawl) -> Results:
        from dowse.modes.files.results import results

        return results(crawl, self.wanted(crawl.job))

    def exhibits(self, crawl: Crawl) -> Iterable[Exhibit]:
        from dowse.modes.files.exhibits import exhibits

        return exhibits(crawl)


MODE = FilesMode()
