"""A crawl that was made, or is being made: how it stands, its stories, its tables, and what can be done with it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack

from msgspec import Struct
from msgspec.structs import replace

from dowse.core.crawl_numbers import LedgerRow, Survey
from dowse.core.errors import CrawlError, DowseError
from dowse.core.phrasing import counted, meant, printable
from dowse.core.results import Results
from dowse.core.scope import NO_READER
from dowse.core.task_labels import REQUISITE
from dowse.core.troubles import Trouble, may_have_troubles, nothing_stored, pdf_files_left, troubles_of
from dowse.crawls.crawl_search import SearchedCrawl
from dowse.crawls.story_text import story_text
from dowse.documents.installed import pdf_needs
from dowse.export.atomic_file import writing
from dowse.export.excel_csv import for_excel
from dowse.export.formats import FOLDER
from dowse.export.losses import Losses
from dowse.export.plugin_formats import Format, chosen_format
from dowse.store.folder import BODIES, ELSEWHERE, is_blank, is_running, remove_crawl
from dowse.store.inner_paths import inside
from dowse.store.reading.reader import RenderingTotals
from dowse.store.reading.stories import Story
from dowse.store.search.index_file import FILES as SEARCH_FILES

if TYPE_CHECKING:
    from dowse.crawls.reextract import Extraction
    from dowse.crawls.stored_markdown import KnownSites
    from dowse.parse.page import Page
    from dowse.python.call_keywords import ExtractKeywords

REPORT = "report.html"


class Summary(Struct, frozen=True):
    """How a crawl ended, or stands."""

    directory: str
    stop_reason: str
    counts: dict[str, int]
    pages: int
    elapsed: float
    bytes_received: int
    requisites: int = 0


class Crawl(SearchedCrawl):
    """A crawl that can be read.

    >>> crawl = dowse.open("example")
    >>> for page in crawl.pages.head(2):
    ...     print(page["url"], page["title"])
    https://example.org/ Tarnmoor Consultations - Tarnmoor Consultations
    https://example.org/topics/ Topics - Tarnmoor Consultations
    """

    _is_closed = False

    @property
    def seal(self) -> str:
        """Shows whether the crawl was begun here, see `dowse.machine.credentials`."""
        return self.reader.meta("seal") or ""

    def __getattr__(self, name: str) -> Any:
        """The tables of its mode, and what else only such crawls can be asked: `crawl.matched`, `crawl.standing()`."""
        if name.startswith("_") or name in ("directory", "reader"):
            raise AttributeError(name)
        if name in self.mode.tables:
            return self.frame(name)
        view = self.mode.view(self)
        if hasattr(type(view), name):
            return getattr(view, name)
        if lack := self._lack(name):
            raise CrawlError(lack)
        raise AttributeError(f"a crawl has no {name}{meant(name, dir(self))}")

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *self.mode.tables, *dir(self.mode.view_type)}

    def extract(self, fields: Mapping[str, str] | None = None, /, **options: Unpack[ExtractKeywords]) -> Extraction:
        """Take fields from the stored pages, without fetching anything; afterwards they are in `records`.

        `fields` are selectors by the names of fields, which may have a type. A list says the same:
        `extract=["heading=//h1"]`.

        >>> crawl.extract({"heading": "//h1", "updated:date": "css:time@datetime"}).pages
        60
        """
        from dowse.crawls.reextract import reread, with_fields

        return reread(self.directory, self.job, self.seal, None, with_fields({**options}, fields))

    def export(
        self, table: str, file: str | Path, to: str | Format | type[Format] | None = None, *, excel: bool = False
    ) -> int:
        """Write a table to a file, in the format of its ending or another; the answer is the number of rows.

        `to` is the name of a format, or a format of your own (`dowse.extending.Format`). `excel`: CSV as Excel reads
        it right. The table `all` is every table that has rows, in one sqlite or xlsx file. `mirror` is no table but a
        folder to browse offline.

        >>> crawl.export("pages", "pages.parquet")
        60
        >>> _ = crawl.export("links", "site.gexf")
        """
        from dowse.crawls.output_files import FOLDERS, export

        format_ = chosen_format(table, str(file), to)
        if excel:
            format_ = for_excel(format_)
        losses = Losses()
        if format_ == FOLDER:
            rows = FOLDERS[table](self, Path(file), losses)
        else:
            with writing(file) as stream:
                rows = export(self, table, format_, stream, losses)
        if losses.damaged:
            lost = f"{counted(len(losses.damaged), 'stored page')} could not be read and is missing in {file}"
            warnings.warn(f"{lost}: {printable(losses.damaged[0])}", stacklevel=2)
        for line in losses.unread_lines():
            warnings.warn(printable(line), stacklevel=2)
        return rows

    @property
    def learned(self) -> list[str]:
        """What the crawl found out about the site that saves it requests, in sentences (dedup = near)."""
        return self.reader.learned()

    @property
    def counted(self) -> list[str]:
        """Parameters that are not counted elsewhere and make a difference on this site, in sentences."""
        return self.reader.counted()

    def results(self) -> Results:
        """What the crawl found, as its mode tells it."""
        return self.mode.results(self)

    def balance(self) -> list[LedgerRow]:
        """The ledger counted by state and reason."""
        return self.reader.balance()

    def status(self) -> Summary:
        """How far the crawl is."""
        return self.summary(self.balance())

    def summary(self, ledger: Iterable[LedgerRow]) -> Summary:
        """The same by a ledger that was counted already."""
        counts: dict[str, int] = {}
        requisites = 0
        for row in ledger:
            counts[row.state] = counts.get(row.state, 0) + row.count
            requisites += row.count if row.reason == REQUISITE else 0
        pages, size, elapsed = self.reader.totals()
        return Summary(str(self.directory), self.stop_reason, counts, pages, elapsed, size, requisites)

    def spent(self) -> int:
        """What counts against a limit on pages."""
        return self.reader.spent()

    @property
    def stop_reason(self) -> str:
        """Why the crawl ended; running or killed if it did not."""
        return self.reader.meta("stop_reason") or ("running" if is_running(self.directory) else "killed")

    def survey(self) -> Survey:
        """The crawl in numbers, as the report draws them."""
        return self.reader.survey()

    def report(self, path: str | Path | None = None) -> Path:
        """Write the crawl as one HTML page with plots, into its folder if no file is named. Where it is comes back.

        >>> dowse.open("example").report()
        PosixPath('example/report.html')
        """
        from dowse.crawls.output_files import report

        file = Path(path) if path is not None else inside(self.directory, REPORT)
        with writing(file) as stream:
            report(self, stream)
        return file

    def rendering(self) -> RenderingTotals:
        """What rendering pages took and what it brought."""
        return self.reader.rendering()

    @property
    def troubles(self) -> list[Trouble]:
        """What did not go as it was asked for, though pages came: steps and conditions without effect, pages that were
        not ready in time or not seen as somebody who is logged in. Each says on how many pages, and one to look at.
        """
        job, found = self.job, []
        if job.store.store_only and not self.pages:
            found.append(nothing_stored(self.status().pages))
        if job.scope.documents:
            left_out = sum(row.count for row in self.balance() if row.reason.endswith(NO_READER))
            found += [pdf_files_left(left_out, pdf_needs(), str(self.directory))] if left_out else []
        if may_have_troubles(job):
            found += troubles_of(job, self.reader.facts(), is_complete=self.stop_reason == "complete")
        return found

    def why(self, url: str) -> Story | None:
        """The story of one URL: who linked it, which rule decided, what came of it. None if it was never seen.
        Printed, it is what `dowse why` says.

        A path (`/about`) is one of the first seed's host, else of another one. The end of a URL (`about.html`) will do
        if only one has it.

        >>> story = crawl.why("/topics/")
        >>> story.state, story.depth, story.parents[0]
        ('fetched', 1, ('https://example.org/', 'Topics'))
        >>> print(story)
        https://example.org/topics/
          state            fetched
          depth            1 from a seed
          linked from      https://example.org/  "Topics"
        ...
        """
        story = self._looked_up(url, lambda request: self.reader.why(request, self.job.urls))
        if story is None:
            return None
        story = replace(story, facts=self.mode.story(self, story.number))
        return replace(story, text="\n".join(story_text(story, str(self.directory), self.mode.story_lines(story))))

    def page(self, url: str) -> Page:
        """A page as it was stored, to be read: `.html .text .markdown .links .headers`, `.records` and so on.

        Nothing is fetched. The URL may be named as in `why`, and redirects are followed. `.status` may be a bad one. A
        `CrawlError` says why there is no such page.

        >>> page = crawl.page("/topics/")
        >>> page.status, page.title, len(page.links)
        (200, 'Topics - Tarnmoor Consultations', 26)
        """
        from dowse.crawls.stored_pages import find_page  # with what reads archives

        number = self._looked_up(url, lambda request: self.reader.find(request, self.job.urls))
        if number is None:
            raise CrawlError(f"{url} was never seen in this crawl; the table ledger has every URL that was")
        page = find_page(self.directory, self.job, self.reader, number, url)
        page.site = lambda: self._sites.of(page.url)
        return page

    @cached_property
    def _sites(self) -> KnownSites:
        from dowse.crawls.stored_markdown import KnownSites

        return KnownSites(self.directory, self.job.fetch.charset, self.reader.stored_pages)

    def crowded(self) -> int:
        """How many pages had more links than are read of one."""
        return self.reader.crowded()

    def close(self) -> None:
        """Let go of the files. `with dowse.open(...) as crawl:` does so in the end."""
        self.reader.close()
        self._is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<dowse crawl {self.directory}, closed>"
        return f"<dowse crawl {self.directory}: {counted(len(self.pages), 'page')}>"


def remove(directory: Path) -> None:
    """Remove a crawl, with what its mode wrote beside it. Other files in the folder stay, and what cannot be opened as
    a crawl stays whole: it may be somebody's work."""
    try:
        names = () if is_blank(directory) else _names_of(directory)
    except CrawlError as error:
        raise CrawlError(f"nothing was removed from {directory}: {error}") from error
    remove_crawl(directory, names)


def _names_of(directory: Path) -> tuple[str, ...]:
    """What a crawl has in its folder beside its database."""
    with Crawl(directory) as crawl:
        try:
            return (BODIES, ELSEWHERE, REPORT, *SEARCH_FILES, *crawl.mode.outputs)
        except DowseError:  # it was ended before it had a job, or its mode is not installed here
            return (BODIES, ELSEWHERE, REPORT, *SEARCH_FILES)


def read(directory: str | Path) -> Crawl:
    """Open a crawl for reading, also while it runs."""
    return Crawl(Path(directory))
