"""The forums that make trouble do what they say, so that a test of them tests that."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from html import unescape

import pytest

from tests.forums import TROUBLES
from tests.servers import Site


def _walked(site: Site, start: str = "/") -> dict[str, str]:
    """Boards and pages of threads that links lead to, by address; bounded."""
    seen: dict[str, str] = {}
    waiting = [start]
    while waiting and len(seen) < 60:
        path = waiting.pop(0)
        if path in seen:
            continue
        try:
            with urllib.request.urlopen(site.at("127.0.0.1", path)) as answer:
                seen[path] = answer.read().decode(answer.headers.get_content_charset())
        except urllib.error.HTTPError as error:
            with error:
                seen[path] = str(error.code)
        links = map(unescape, re.findall(r'href="([^"]+)"', seen[path]))
        waiting += [
            link for link in links if re.match(r"/(viewforum|viewtopic|moved)\.php", link) and "sort" not in link
        ]
    return seen


@pytest.mark.parametrize("name", [name for name in TROUBLES if name not in ("sessions", "every page number")])
def test_links_lead_to_all_that_can_be_read(name: str) -> None:
    forum = TROUBLES[name]
    with Site(forum.pages) as site:
        seen = _walked(site)
    assert {*forum.threads, *forum.boards} <= seen.keys()
    assert all(len(seen[path]) > 100 for path in [*forum.threads, *forum.boards])


def test_a_private_board_hides_its_threads() -> None:
    forum = TROUBLES["log-in"]
    with Site(forum.pages) as site:
        seen = _walked(site)
    assert "password" in seen["/viewforum.php?f=2"]
    assert "/viewtopic.php?t=5" not in seen
    assert "/viewtopic.php?t=5" not in forum.threads


def test_every_page_number_is_answered_with_the_last_page() -> None:
    with Site(TROUBLES["every page number"].pages) as site:
        last, beyond = (_walked(site, f"/viewtopic.php?t=1&start={at}") for at in (20, 9000))
    assert "1.25." in last["/viewtopic.php?t=1&start=20"]
    assert "1.25." in beyond["/viewtopic.php?t=1&start=9000"]
    assert "start=9010" in beyond["/viewtopic.php?t=1&start=9000"]


def test_session_ids_never_end() -> None:
    with Site(TROUBLES["sessions"].pages) as site:
        assert len(_walked(site)) == 60


def test_a_charset_is_that_of_the_header() -> None:
    with Site(TROUBLES["windows-1251"].pages) as site:
        seen = _walked(site, "/viewtopic.php?t=2")
    assert "Тема номер 2" in seen["/viewtopic.php?t=2"]


def test_dead_links_and_moved_threads() -> None:
    with Site(TROUBLES["dead links"].pages) as site:
        assert _walked(site)["/viewtopic.php?t=7"] == "404"
    with Site(TROUBLES["moved threads"].pages) as site:
        assert "Thread number 9" in _walked(site)["/moved.php?t=9"]
