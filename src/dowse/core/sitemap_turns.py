"""Lists of URLs (sitemaps, their indexes, feeds): how many a crawl reads, and when.

First come 32 of a host before any of its pages, for they save the walk to what they name. Then there are as many as
pages of it were fetched, as long as pages wait. The others come when nothing else waits; from the 128th on that no page
was fetched for, each counts as a page against the limits on pages. Of a host 10,000 are read, and none that more than
five lists led to, one after the other.

Where robots.txt names no sitemap, one is sought at /sitemap.xml of the seeds' hosts, if these are few: a crawl from a
thousand hosts would ask each of them in vain. That there is none is no failure.
"""

from __future__ import annotations

import re

from dowse.core.model import Outcome
from dowse.core.urls import origin_of

LISTS_FIRST = 1e9
"""The priority of lists, higher than that of any page."""

SOUGHT_FIRST = 2 * LISTS_FIRST
"""That of a list that nobody named; by it such a task is known."""

MOST_SOUGHT = 16
"""Hosts of seeds at most that a sitemap is sought on."""

NO_SITEMAP = "no sitemap"
"""What is there where one was sought in vain."""

FIRST_LISTS = 32
FREE_LISTS = 128
MOST_LISTS = 10_000
DEEPEST_LIST = 5

TOO_MANY = "trap: too many lists"
TOO_DEEP = "trap: nested lists"

_NAMED_LIKE_LIST = re.compile(
    r"https?://[^?#]*/(?:[^/?#]*sitemap[^/?#]*\.(?:xml|txt)(?:\.gz)?|[^/?#]+\.xml\.gz)", re.IGNORECASE
)
# They ask for patience, or a part behind them broke.
_MAY_PASS = (408, 429, 500, 502, 503, 504)


def refuse_list(found: int, nesting: int) -> str:
    """Why a list is not read, given how many of its host are known and how many lists led to it in a row; or ""."""
    if nesting > DEEPEST_LIST:
        return TOO_DEEP
    return TOO_MANY if found >= MOST_LISTS else ""


def had_their_share(lists: int, pages: int) -> bool:
    """Whether it is the turn of pages, given how many lists of a host were asked for and how many pages fetched."""
    return lists > FIRST_LISTS + pages


def counted_as_pages(lists: int, pages: int) -> int:
    """How many of the lists that were asked for count against a limit on pages.

    Lists that take turns with pages never do: there may be more of them under way than their share, but not so many.
    """
    return max(lists - FREE_LISTS - pages, 0)


def is_named_like_list(url: str) -> bool:
    """Whether a URL that a user starts from is that of a sitemap, by its name.

    >>> is_named_like_list("https://example.org/sitemap_index.xml"), is_named_like_list("https://example.org/sitemap/")
    (True, False)
    """
    return _NAMED_LIKE_LIST.fullmatch(url.partition("?")[0]) is not None


def sought_at(url: str) -> str:
    """Where most sites have their sitemap, given the URL of a page."""
    return f"{origin_of(url)}sitemap.xml"


def is_missing(outcome: Outcome) -> bool:
    """Whether an answer says that there is no sitemap where one was sought.

    Many sites send whoever asks for something they do not have to their first page, so the target of a redirect must
    be called a sitemap too.
    """
    if outcome.redirect is not None:
        return "sitemap" not in outcome.redirect.request.url
    return outcome.status >= 400 and outcome.status not in _MAY_PASS
