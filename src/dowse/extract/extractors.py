"""The extractors of a job: what it asks for, built and checked, in the order in which their records are kept.

Each knows pages and nothing else. Which pages they are asked about (`on`) is decided here, once for all of them.
"""

from __future__ import annotations

from typing import Protocol

from dowse.core.job import ExtractOptions
from dowse.core.patterns import Patterns
from dowse.core.record import ON_PAGE, RECORD_KINDS, RESULT, Record
from dowse.parse.page import Page

KINDS = tuple(kind for kind in RECORD_KINDS if kind not in ("json", RESULT, ON_PAGE))
"""The kinds of records that the extractors of dowse take from pages."""


class Extractor(Protocol):
    """Takes records of some kinds from a page; a page that has none gives an empty list.

    >>> from dowse.extending import Page, Record
    >>> class Headings:
    ...     kinds = ("headings",)
    ...
    ...     def extract(self, page: Page) -> list[Record]:
    ...         return [Record("headings", "", {"heading": found.text}) for found in page.tree.select("h1")[:1]]
    >>> crawl = dowse.site("https://example.org/", extractor=Headings, max_pages=3)
    >>> [record["heading"] for record in crawl.records_of("headings")][:1]
    ['Tarnmoor Consultations']
    """

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its records, for `dowse export DIR records --kind KIND`; none that dowse has."""
        ...

    def extract(self, page: Page) -> list[Record]:
        """The records of a page. `Record.key` tells those of one kind apart."""
        ...


def build_extractors(options: ExtractOptions, *, joining: bool = False) -> list[Extractor]:
    """What the options ask for. What is wrong with them, or missing for them, is told now and not in the crawl.

    `joining`: articles of several pages are to be joined.
    """
    extractors: list[Extractor] = []
    if options.extract or options.exclude_from:
        from dowse.extract.fields import FieldExtractor  # 70 ms that only jobs with fields have to pay

        extractors.append(FieldExtractor(options))
    if options.article:
        from dowse.extract.articles.article import ArticleExtractor

        extractors.append(ArticleExtractor(joining=joining))
    if options.data:
        from dowse.extract.structured_data import DataExtractor

        extractors.append(DataExtractor())
    if options.tables:
        from dowse.extract.table_rows import TableExtractor

        extractors.append(TableExtractor())
    if options.lists:
        from dowse.extract.lists.list_items import ListExtractor

        extractors.append(ListExtractor())
    if options.keywords:
        from dowse.extract.page_words import WordExtractor

        extractors.append(WordExtractor())
    if options.describe:
        from dowse.extract.page_description import DescriptionExtractor

        extractors.append(DescriptionExtractor())
    return selective(extractors, options)


def selective(extractors: list[Extractor], options: ExtractOptions) -> list[Extractor]:
    """The same extractors for the pages that the options name."""
    if not options.on:
        return extractors
    pages = Patterns("on", options.on)
    return [_Selective(extractor, pages) for extractor in extractors]


class _Selective:
    """An extractor for the pages whose URL matches a pattern."""

    def __init__(self, extractor: Extractor, pages: Patterns) -> None:
        self.kinds = extractor.kinds
        self._extractor = extractor
        self._pages = pages

    def extract(self, page: Page) -> list[Record]:
        return self._extractor.extract(page) if self._pages.first(page.url) else []
