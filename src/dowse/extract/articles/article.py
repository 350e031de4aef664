"""The main text of a page with its title, author, date, language and site, by trafilatura.

Some things are kept from it. Its date finder asks the clock for the latest date that makes sense; here that is the day
the page was fetched, so that reading it again next year gives the same. Where nothing marks a date, it may not guess:
it would give one to every page, half of them the first of January of the year in the footer. And its last resort,
jusText, takes time with the square of the number of blocks (12 s for 20,000 of them), so pages with many elements go
without, and have their text from the parser where that finds far more; so do those with far too many. A note says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from dowse.core.errors import JobError
from dowse.core.optional_libraries import install_command
from dowse.core.record import ARTICLE, ARTICLE_PAGE, Record
from dowse.extract.articles.article_bounds import tame_tables, what_is_too_much
from dowse.extract.articles.article_pages import part_of_article, without_pager
from dowse.extract.dates import day_of
from dowse.extract.markdown.hidden_text import shown
from dowse.parse.page import Page

if TYPE_CHECKING:
    from trafilatura.settings import Document

# Elements that are read with every means, in 2 s at worst, and those that are read at all, in 3 s.
MANY_ELEMENTS = 5_000
MOST_ELEMENTS = 30_000
MOST_BYTES = 3_000_000
MOST_TEXT = 1_000_000
# Shorter texts are in no language for certain.
LEAST_TEXT_OF_A_LANGUAGE = 100
_READ_FOR_LANGUAGE = 5_000
# The share of characters that no writer meant, in a page that is still read.
MOST_GARBAGE = 0.08
_READ_FOR_GARBAGE = 20_000
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")

_FIELDS = ("title", "author", "date", "description", "sitename")
_LOUD = ("courlan", "htmldate", "justext", "trafilatura")


class ArticleExtractor:
    """Makes the record of a page's main text; `joining`: and a second one where it may be one page of several."""

    kinds = (ARTICLE, ARTICLE_PAGE)

    def __init__(self, *, joining: bool = False) -> None:
        load_trafilatura("article")
        self._joining = joining

    def extract(self, page: Page) -> list[Record]:
        fields = read_article(page, lambda: str(shown(page).main_text()))
        if not fields.get("text"):
            return []
        records = [Record(ARTICLE, "", fields)]
        part = part_of_article(page, fields["text"]) if self._joining else None
        if part is not None:
            text = without_pager(fields["text"], page.paging, "\n")
            records.append(Record(ARTICLE_PAGE, "", {**fields, "text": text, **part}))
        return records


def load_trafilatura(option: str) -> None:
    """Load what articles are read with, or say how to get it."""
    try:
        import trafilatura  # noqa: F401
    except ImportError:
        raise JobError(f"{option}: this needs trafilatura, install it with {install_command('article')}") from None
    import logging

    for name in _LOUD:  # they write warnings about pages, which are no news to anybody
        logging.getLogger(name).addHandler(logging.NullHandler())


@cache
def has_trafilatura() -> bool:
    """Whether it is installed, with what comes with it."""
    try:
        load_trafilatura("")
    except JobError:
        return False
    return True


def read_article(page: Page, otherwise: Callable[[], str]) -> dict[str, Any]:
    """The fields of a page's article; empty if it has none.

    Its text is trafilatura's, or what comes from `otherwise` if the page is too large for that.
    """
    if not page.is_html or is_garbage(page):
        return {}
    elements = sum(1 for _ in page.tree.iter_elements())
    too_much = _too_much(page, elements)
    if too_much:
        note = f"too large to be read as an article ({too_much})"
        return present(title=page.title, language=page.language, text=otherwise()[:MOST_TEXT].strip(), note=note)
    fast = elements > MANY_ELEMENTS
    document = _document(page, fast)
    text = (document.text or "").strip() if document else ""
    fields: dict[str, Any] = {name: getattr(document, name) for name in _FIELDS} if document else {"title": page.title}
    words = " ".join(document.body.itertext()) if document else ""
    if fast and 2 * _letters(words) < _letters(more := page.tree.main_text()[:MOST_TEXT]):
        text, words = otherwise()[:MOST_TEXT].strip(), more
        fields["note"] = f"read in a simpler way, for the page is large ({elements:,} elements)"
    return present(**fields, language=page.language or detected_language(words), text=text) if text else {}


def _too_much(page: Page, elements: int) -> str:
    """What a page has too much of to be read in a few seconds; "" if nothing."""
    if elements > MOST_ELEMENTS or len(page.response.body) > MOST_BYTES:
        return f"{elements:,} elements, {len(page.response.body):,} bytes"
    return what_is_too_much(page.tree)


def _document(page: Page, fast: bool) -> Document | None:
    from trafilatura import bare_extraction, load_html

    tree = load_html(shown(page).html)  # as written, pages that leave out <html> and <body> would be refused
    if tree is None:
        return None
    tame_tables(tree)
    found = bare_extraction(
        tree,
        url=page.base.url,
        fast=fast,
        include_comments=False,
        with_metadata=True,
        date_extraction_params={
            "original_date": True,
            "extensive_search": False,
            "max_date": day_of(page.response.fetched_at),
        },
    )
    return None if isinstance(found, dict) else found


def _letters(text: str) -> int:
    """How much there is to read in a text; tables are full of spaces."""
    return sum(map(str.isalnum, text))


def is_garbage(page: Page) -> bool:
    """Whether a page's text is none: bytes sent as HTML by mistake are a tenth control characters."""
    text = page.source[:_READ_FOR_GARBAGE]
    return len(_NO_TEXT.findall(text)) > MOST_GARBAGE * len(text)


def detected_language(text: str) -> str:
    """The language that a text is in; "" if it is too short or nobody is there to tell."""
    if len(text) < LEAST_TEXT_OF_A_LANGUAGE or not has_trafilatura():
        return ""
    import py3langid

    return str(py3langid.classify(text[:_READ_FOR_LANGUAGE])[0])


def present(**fields: str | None) -> dict[str, Any]:
    """The fields that are there, as texts that can be stored: lone surrogates cannot."""
    return {name: value.encode("utf-8", "replace").decode() for name, value in fields.items() if value}
