"""What `dowse fetch` prints of one page in its place: its links, charset, robots.txt, SimHash, URL or records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import convert, json

from dowse.cli.exits import Unfulfilled
from dowse.cli.wording import printable

if TYPE_CHECKING:
    from dowse.parse.page import Page

SHOWN = ("links", "internal", "external", "parameters", "charset", "robots", "simhash", "url")
"""What `--show` takes."""


def facts_of_page(url: str, options: Mapping[str, Any], show: str, compare: str = "") -> Iterator[str]:
    """The lines of what is asked about a page; `compare` is another page, to tell how alike the two are."""
    from dowse import page_tools

    if show == "url":
        yield from _url(url, options)
    elif show == "robots":
        yield from _robots(url, options)
    elif show or compare:
        page = _fetched(url, options)
        yield from _page(page, show, options) if show else ()
        if compare:
            other = page_tools.simhash(_fetched(compare, options))
            yield f"{page_tools.distance(page_tools.simhash(page), other)} of 64 bits differ"


def _fetched(url: str, options: Mapping[str, Any]) -> Page:
    from dowse import page_tools

    page = page_tools.fetch(url, **options)
    if page.response.status >= 400:
        raise Unfulfilled(f"{printable(page.url)}: status {page.response.status}")
    return page


def _page(page: Page, show: str, options: Mapping[str, Any]) -> Iterator[str]:
    from dowse import page_tools

    if show == "records":
        yield from _records(page, options)
    elif show == "markdown":
        yield from _markdown(page)
    elif show == "charset":
        found = page_tools.charset(page)
        yield f"{found.name}, declared as {printable(found.declared) or 'nothing'}"
    elif show == "simhash":
        yield f"{page_tools.simhash(page):016x}"
    elif show == "parameters":
        yield from (link.url for link in page_tools.links(page, with_parameters=True))
    else:
        which: Any = "all" if show == "links" else show
        yield from (link.url for link in page_tools.links(page, which))


def _markdown(page: Page) -> Iterator[str]:
    from dowse.extract.markdown.main_markdown import markdown_of

    text = markdown_of(page)
    if not text:
        raise Unfulfilled(f"{printable(page.url)}: {printable(page.note) or 'it has no content to read'}")
    yield text


def _records(page: Page, options: Mapping[str, Any]) -> Iterator[str]:
    """What extractors take from the page, an object a line."""
    from dowse.core.page_keywords import PageWords, weigh
    from dowse.core.record import WORDS
    from dowse.extract.extractors import build_extractors
    from dowse.extract.own_extractor import OwnMistake
    from dowse.extract.state_records import records_of
    from dowse.jobs.own_code import NOTHING_GIVEN, load_extractors
    from dowse.workflows.fetch_page import job_of_page

    asked = job_of_page(page.url, **options).extract
    try:
        records = records_of(page, [*build_extractors(asked), *load_extractors(asked, NOTHING_GIVEN)])
    except OwnMistake as mistake:
        raise Unfulfilled(f"{printable(page.url)}: {mistake}") from mistake
    for record in records:
        kind, fields = record.kind, record.fields
        if kind == WORDS:  # what keywords are chosen from, here by their number alone: there are no other pages
            words = convert(fields, PageWords)
            kind, fields = "keywords", {"keywords": weigh([words]).best(words, asked.keywords)}
        yield json.encode({"url": page.url, "kind": kind, **fields}).decode()


def _robots(url: str, options: Mapping[str, Any]) -> Iterator[str]:
    from dowse import page_tools

    found = page_tools.robots(url, **options)
    yield f"{found.url}, for {printable(found.product_token)}"
    yield from map(printable, found.rules or ["everything is allowed"])
    if found.crawl_delay is not None:
        yield f"Crawl-delay: {found.crawl_delay:g}"
    yield from (f"Sitemap: {printable(sitemap)}" for sitemap in found.sitemaps)


def _url(url: str, options: Mapping[str, Any]) -> Iterator[str]:
    from dowse import page_tools

    yield page_tools.normal_form(url, **options)
    yield from (f"{printable(name)} = {printable(value)}" for name, value in page_tools.parameters(url))
