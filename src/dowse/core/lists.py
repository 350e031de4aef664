"""Lists of URLs (sitemaps, their indexes, feeds): how many a crawl reads, and when.

first        32 of a host before any of its pages, for they save the walk to what they name
then         as many as pages of it were fetched, as long as pages wait
in excess    the others, when nothing else waits; each counts as a page against the limits on pages
at most      10,000 of a host, and no list that was named by five lists one behind the other
"""

from __future__ import annotations

LISTS_FIRST = 1e9
"""The priority of lists, higher than that of any page."""

FIRST_LISTS = 32
MOST_LISTS = 10_000
DEEPEST_LIST = 5

TOO_MANY = "trap: too many lists"
TOO_DEEP = "trap: nested lists"


def refuse_list(found: int, nesting: int) -> str:
    """Why a list is not read, given how many of its host are known and how many lists led to it in a row; or ""."""
    if nesting > DEEPEST_LIST:
        return TOO_DEEP
    return TOO_MANY if found >= MOST_LISTS else ""


def in_excess(lists: int, pages: int) -> int:
    """How many of the lists that were asked for are more than pages are worth; 0 or less: none."""
    return lists - FIRST_LISTS - pages
