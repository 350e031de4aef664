"""The further pages of a board or thread: what the search for paging links finds, and where that finds none, what the
place of a page in a forum lets one guess.

A page that lists threads, or is a thread, goes on somewhere more often than not. So less is asked of a link here than
of a link of any page: its text is the number that its URL has more than that of the page, or the only link of its kind
leads to a page 2, or a list has one link that says "next".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from dowse.core.mirrored_names import written_address
from dowse.modes.forum.page_evidence import Role
from dowse.modes.forum.url_forms import taken_apart
from dowse.parse.page import Page
from dowse.parse.pagination.pagination import Pagination
from dowse.parse.pagination.paging_words import said_in
from dowse.parse.pagination.url_counters import change

MOST_COUNTED = 15
"""Numbered links beyond which they are of something else than pages: of posts, of years."""

_NUMBER = re.compile(r"\d+")
_COUNTER = re.compile(r"/(?:page[-/]?)?\d{1,5}/?")

LIST = 0.5
"""How much of an index page a page must be for a link that says "next" to lead on in its list."""


def further_pages(paging: Pagination, page: Page, role: Role, is_list: float) -> list[tuple[str, int | None]]:
    """The other pages of the same board or thread, by number where that is known. The first is not among them, for it
    is known by another URL. `role` says why the page was asked for."""
    is_page = role == "page"
    own = page.url.partition("#")[0]
    linked = {link.url.partition("#")[0] for link in page.links}
    found: dict[str, int | None] = {}
    for link in paging.own:
        url = link.url.partition("#")[0]
        is_first = link.number == 1 or link.kind in ("prev", "first")
        if not url or url == own or is_first or _is_of_another(url, own, linked):
            continue
        if role != "start" and not _is_same(url, own):
            continue
        if link.kind == "page" or _leads_on(url, own, is_page=is_page, is_list=is_list >= LIST):
            found.setdefault(url, link.number)
    if not found:
        found = _guessed(page, own, is_page=is_page, is_list=is_list >= LIST)
    return list(found.items())


def _says_next(text: str) -> bool:
    return bool(text) and said_in(text).concepts - {"page"} == {"next"}


def _leads_on(url: str, own: str, *, is_page: bool, is_list: bool) -> bool:
    """Whether a link without a number leads to the next page, and not to the next thread: what grows counts pages."""
    relation, by = change(own, url)
    if relation == "step":
        return is_page or is_list or (by > 0 and _counts_from_the_first(written_address(url), written_address(own)))
    if relation in ("longer", "shorter"):
        return True
    old, new = (set(written_address(each).partition("?")[2].split("&")) for each in (own, url))
    added = [each for each in new - old if any(letter.isdigit() for letter in each.partition("=")[2])]
    if relation == "query":
        named = {each.partition("=")[0] for each in added}
        return bool(added) and all(each.partition("=")[0] in named for each in old - new if each[-1:].isdigit())
    return is_list and (bool(added) or any(letter.isdigit() for letter in url.removeprefix(own)))


def _counts_from_the_first(url: str, own: str) -> bool:
    """Whether the number that differs is that of a second page, or an offset that was none: the next mail of an archive
    has the next number too."""
    pairs = zip(_NUMBER.findall(url), _NUMBER.findall(own), strict=False)
    differing = [(to, at) for to, at in pairs if to != at]
    return len(differing) == 1 and (differing[0][0] == "2" or differing[0][1] == "0")


def _is_same(url: str, own: str) -> bool:
    """Whether a URL names what the page itself is: of its numbers no more than one is another. Boards have the pages of
    long threads, and `?board=3.12` is not `?topic=35.20`. A page that the user named may have any URL."""
    written, itself = written_address(url), written_address(own)
    if written.partition("?")[0] != itself.partition("?")[0]:
        return True
    numbers = [dict(_numbers(each)) for each in (itself, written)]
    if not numbers[0].keys() <= numbers[1].keys():
        return False
    return sum(numbers[0][name] != numbers[1][name] for name in numbers[0]) <= 1


def _numbers(address: str) -> Iterator[tuple[tuple[str, int], str]]:
    """The numbers of parameters, by their names and places."""
    for each in address.partition("?")[2].split("&"):
        name, _, value = each.partition("=")
        for place, number in enumerate(_NUMBER.findall(value)):
            yield (name, place), number


def _is_of_another(url: str, own: str, linked: set[str]) -> bool:
    """Whether it is a further page of something that the page links to: boards have the pages of long threads."""
    if _is_own(url, own):
        return False
    own, path = written_address(own), written_address(url).partition("?")[0]
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
        is_offset = number > 1 and by % (number - 1) == 0 and _path_of(url) == _path_of(own)
        is_counted = relation == "longer" and number > 1 and (by == number or is_offset)
        if is_counted or (is_page and relation == "step" and number > 1):
            found.setdefault(url, number)
        elif url in counted:
            found.setdefault(url, counted[url])
        elif relation != "same" and _says_next(text) and _leads_on(url, own, is_page=is_page, is_list=is_list):
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
        elif relation == "step" and number > 0 and is_page and _path_of(url) == _path_of(own):
            steps[url] = None
    lasting = [found for found in by_form.values() if 2 in found.values() and len(found) <= MOST_COUNTED]
    return {url: number for found in lasting for url, number in found.items()} | steps


def _is_own(url: str, own: str) -> bool:
    """Whether a URL is that of the page with a counter."""
    path = _path_of(own)
    return _path_of(url) == path or _COUNTER.fullmatch(url.removeprefix(path)) is not None


def _path_of(url: str) -> str:
    return written_address(url).partition("?")[0].rstrip("/")


def is_title(text: str) -> bool:
    """Whether the text of a link is more than a pager says: the pager of a thread may begin with the thread itself."""
    return len(text) > 2 and not text.isdecimal() and not said_in(text).concepts


def number_of(url: str, first: str) -> int | None:
    """Which page of several a URL says that it is, beside the URL of the first; None if it does not.

    >>> number_of("http://a.org/topic/5/?page=3", "http://a.org/topic/5/"), number_of("http://a.org/t/5/2/", "http://a.org/t/5/")
    (3, 2)
    """
    relation, number = change(first, url)
    return number if relation == "longer" and _is_own(url, first) else None
