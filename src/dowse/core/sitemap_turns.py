"""Lists of URLs (sitemaps, their indexes, feeds): how many a crawl reads, and when.

First come 32 of a host before any of its pages, for they save the walk to what they name. Then there are as many as
pages of it were fetched, as long as pages wait. The others come when nothing else waits; from the 128th on that no page
was fetched for, each counts as a page against the limits on pages. Of a host 10,000 are read, and none that more than
five lists led to, one after the other.
"""

from __future__ import annotations

LISTS_FIRST = 1e9
"""The priority of lists, higher than that of any page."""

FIRST_LISTS = 32
FREE_LISTS = 128
MOST_LISTS = 10_000
DEEPEST_LIST = 5

TOO_MANY = "trap: too many lists"
TOO_DEEP = "trap: nested lists"


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
