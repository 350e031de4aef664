"""The further pages of a board or thread: what the search for paging links finds, and where that finds none, what the
place of a page in a forum lets one guess.

A page that lists threads, or is a thread, goes on somewhere more often than not. So less is asked of a link here than
of a link of any page: its text is the number that its URL has more than that of the page, or the only link of its kind
leads to a page 2, or a list has one link that says "next".
"""

from __future__ import annotations

import re
from collections import defaultdict

from dowse.modes.forum.url_forms import taken_apart
from dowse.parse.page import Page
from dowse.parse.pagination.pagination import Pagination
from dowse.parse.pagination.paging_words import said_in
from dowse.parse.pagination.url_counters import change

MOST_COUNTED = 15
"""Numbered links beyond which they are of something else than pages: of posts, of years."""

_COUNTER = re.compile(r"/(?:page[-/]?)?\d{1,5}/?")

LIST = 0.5
"""How much of an index page a page must be for a link that says "next" to lead on in its list."""


def further_pages(paging: Pagination, page: Page, *, is_page: bool, is_list: float) -> list[tuple[str, int | None]]:
    """The other pages of the same board or thread, by number where that is known. The first is not among them, for it
    is known by another URL. `is_page` says that the page itself was found as such."""
    own = page.url.partition("#")[0]
    linked = {link.url.partition("#")[0] for link in page.links}
    found: dict[str, int | None] = {}
    for link in paging.own:
        url = link.url.partition("#")[0]
        is_first = link.number == 1 or link.kind in ("prev", "first")
        if url and url != own and not is_first and not _is_of_another(url, own, linked):
            found.setdefault(url, link.number)
    if not found:
        found = _guessed(page, own, is_page=is_page, is_list=is_list >= LIST)
    return list(found.items())


def _is_of_another(url: str, own: str, linked: set[str]) -> bool:
    """Whether it is a further page of something that the page links to: boards have the pages of long threads."""
    if _is_own(url, own):
        return False
    path = url.partition("?")[0]
    above = path.rstrip("/").rpartition("/")[0]
    if own.partition("?")[0].rstrip("/").rpartition("/")[0] == above:
        return False
    return any(each in linked and each != own for each in (path, above, f"{above}/") if each != url)


def _guessed(page: Page, own: str, *, is_page: bool, is_list: bool) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    counted = _counted(page, own, is_page=is_page)
    onward = []
    for link in page.links:
        url, text = link.url.partition("#")[0], link.text.strip()
        relation, by = change(own, url)
        number = int(text) if text.isdecimal() and len(text) < 6 else 0
        if (relation == "longer" and by == number > 1) or (is_page and relation == "step" and number > 1):
            found.setdefault(url, number)
        elif url in counted:
            found.setdefault(url, counted[url])
        elif relation != "same" and text and said_in(text).concepts - {"page"} == {"next"}:
            onward.append(url)
    if is_list and not found and len(set(onward)) == 1:
        found[onward[0]] = None
    return found


def _counted(page: Page, own: str, *, is_page: bool) -> dict[str, int | None]:
    """Links that only add a counter to the URL of the page, if one leads to a page 2: the others lead to later ones.
    On what is known to be a further page, those that change the counter."""
    by_form: dict[str, dict[str, int]] = defaultdict(dict)
    steps: dict[str, int | None] = {}
    for link in page.links:
        url = link.url.partition("#")[0]
        relation, number = change(own, url)
        if relation == "longer" and number > 1 and _is_own(url, own):
            by_form[taken_apart(url).skeleton][url] = number
        elif relation == "step" and is_page and url.partition("?")[0] == own.partition("?")[0]:
            steps[url] = None
    lasting = [found for found in by_form.values() if 2 in found.values() and len(found) <= MOST_COUNTED]
    return {url: number for found in lasting for url, number in found.items()} | steps


def _is_own(url: str, own: str) -> bool:
    """Whether a URL is that of the page with a counter."""
    path = own.partition("?")[0].rstrip("/")
    return url.partition("?")[0].rstrip("/") == path or _COUNTER.fullmatch(url.removeprefix(path)) is not None


def number_of(url: str, first: str) -> int | None:
    """Which page of several a URL says that it is, beside the URL of the first; None if it does not.

    >>> number_of("http://a.org/topic/5/?page=3", "http://a.org/topic/5/"), number_of("http://a.org/t/5/2/", "http://a.org/t/5/")
    (3, 2)
    """
    relation, number = change(first, url)
    return number if relation == "longer" and _is_own(url, first) else None
