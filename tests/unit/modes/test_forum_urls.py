"""URLs of a forum: where its entry page may be, and how they are without session ids."""

from __future__ import annotations

from dowse.core.job import UrlOptions
from dowse.core.model import Request, Response
from dowse.modes.forum.entry_pages import above, higher
from dowse.modes.forum.plain_urls import plain_urls
from dowse.parse.page import Page

SITE = "http://a.org/"


def page(*links: str) -> Page:
    html = "".join(f'<a href="{link}">x</a>' for link in links).encode()
    request = Request(SITE, 1, "a.org")
    return Page(Response(request, 200, {"content-type": "text/html"}, html, fetched_at=0.0, elapsed=0.0))


def test_folders_above_a_page_are_the_nearest_first() -> None:
    assert above(f"{SITE}f/topic/12", [f"{SITE}f/"]) == [f"{SITE}f/", f"{SITE}f/topic/", SITE]


def test_only_folders_above_that_of_the_entry_page_are_left_to_try() -> None:
    candidates = [f"{SITE}list-1/", SITE, f"{SITE}other/"]
    assert higher(candidates, f"{SITE}list-1/threads.html") == [SITE]
    assert higher(candidates, f"{SITE}index.php") == []


def test_what_all_links_share_is_the_session() -> None:
    session = "s=9f86d081884c7d659a2feaa0c55ad015"
    plain = plain_urls(page(*(f"/thread?t={number}&{session}" for number in range(9))), UrlOptions())
    assert plain(f"{SITE}thread?t=3&{session}#p7") == f"{SITE}thread?t=3"


def test_ids_of_threads_stay() -> None:
    ids = [f"{number}9f86d081884c7d659a2feaa0c55ad01" for number in range(9)]
    plain = plain_urls(page(*(f"/thread?id={each}" for each in ids)), UrlOptions())
    assert plain(f"{SITE}thread?id={ids[3]}") == f"{SITE}thread?id={ids[3]}"
