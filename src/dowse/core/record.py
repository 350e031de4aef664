"""Records: what extractors take from a page, and the kinds of them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

UNFINISHED = "unfinished"
"""The kind of records that say which fields of a page were not looked for to the end, and why. No table of records has
them among the others."""

REPEATED = "repeated"
"""The kind of rows of tables that many pages of a site have, but for the first of these pages. They are no more among
the others than those that are unfinished."""

ON_PAGE = "on_page"
"""The kind of records that a function of the user takes from pages."""

RESULT = "result"
"""The kind of records that queries of search forms bring."""

WORDS = "words"
"""The kind of records that have the words of a page, for the column of its keywords. They are had only by name."""

ABOUT = "about"
"""The kind of records that have what a page says of itself, for columns of the table of pages. They are had only by
name."""

ARTICLE = "article"
"""The kind of records that have the main text of a page, or of an article of several pages."""

ARTICLE_PAGE = "article_page"
"""The kind of records that have the article of one page, where it may be one of several. They are had only by name."""

RECORD_KINDS = (
    "fields",
    ARTICLE,
    "data",
    "table",
    "list",
    "json",
    RESULT,
    ON_PAGE,
    REPEATED,
    UNFINISHED,
    WORDS,
    ABOUT,
    ARTICLE_PAGE,
)
"""What records of dowse can be: taken from pages by its extractors, captured by the browser (json), or taken by a
function of the user. Extractors of others have kinds of their own."""

APART = (REPEATED, UNFINISHED, WORDS, ABOUT, ARTICLE_PAGE)
"""The kinds of records that are had only by name."""

TAKEN = ("url", "kind")
"""Columns of the table of records that are no fields."""


class Record(Struct, frozen=True, array_like=True):
    """What an extractor took from one page; reading the page again replaces it.

    `key` tells it from the page's other records of its kind, "" where a page has only one. `fields` holds
    texts, numbers and lists, whatever JSON can say. A field that was not found is not there.

    >>> Record("prices", "0", {"amount": 9.5, "currency": "EUR"}).fields["amount"]
    9.5
    """

    kind: str
    key: str
    fields: dict[str, Any]
