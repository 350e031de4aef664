"""Patterns as a crawl keeps them: built again from its pages, and told as regular expressions."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec

from dowse.modes.forum.form_types import Observation, Shares
from dowse.modes.forum.site_patterns import MOST_OBSERVATIONS, MOST_URLS, Known, Patterns
from dowse.modes.forum.url_forms import general
from dowse.store.database import Database

_URLS = """SELECT host.name, task.url FROM task JOIN host ON host.id = task.site WHERE task.id IN (
    SELECT id FROM task ORDER BY id LIMIT ?) ORDER BY task.id"""
_OBSERVED = """SELECT page.site, page.url, page.place, page.shares, sign.posts, sign.authors, sign.leads, sign.news
    FROM (SELECT * FROM forum_page WHERE base = task ORDER BY task DESC LIMIT ?) AS page
    LEFT JOIN forum_sign AS sign ON sign.task = page.task ORDER BY page.task"""
_OUT = "SELECT site, url FROM forum_link WHERE task > 0 UNION SELECT site, url FROM forum_page WHERE type <> 'other'"
_PAGES = "SELECT site, type, base = task, url FROM forum_page WHERE type <> 'other' ORDER BY task"
_NAMES = {("index", 1): "index", ("thread", 1): "thread", ("index", 0): "index paging", ("thread", 0): "thread paging"}
_ORDER = list(_NAMES.values())
_LEAST_SHARE = 0.02


class LearnedPattern(NamedTuple):
    """A pattern of URLs, what its pages are, and how many there were."""

    kind: str
    pattern: str
    pages: int


def stored_patterns(connection: Database, earlier: dict[str, Known]) -> dict[str, Patterns]:
    """The patterns of each site."""
    sites: dict[str, Patterns] = {}
    urls: dict[str, list[str]] = {}
    observed: dict[str, list[Observation]] = {}
    for site, url in connection.execute(_URLS, (MOST_URLS,)).fetchall():
        urls.setdefault(site, []).append(url)
    for site, *row in connection.execute(_OBSERVED, (MOST_OBSERVATIONS,)).fetchall():
        observed.setdefault(site, []).append(stored_observation(*row))
    for site in urls:
        sites[site] = Patterns(earlier)
        sites[site].see(urls[site])
        sites[site].load(observed.get(site, []))
    for site, url in connection.execute(_OUT).fetchall():
        if site in sites:
            sites[site].has(url)
    return sites


def stored_observation(
    url: str, place: str, shares: str, posts: int | None, authors: str | None, leads: str | None, news: int | None
) -> Observation:
    """What came of a page, from what was written down."""
    index, thread, other = msgspec.json.decode(shares, type=Shares)
    return Observation(
        url,
        place,
        index,
        thread,
        other,
        posts or 0,
        msgspec.json.decode(authors or "[]", type=list[str]),
        msgspec.json.decode(leads or "[]", type=list[tuple[str, int]]),
        news or 0,
    )


def learned_patterns(connection: Database) -> list[LearnedPattern]:
    """The patterns that were learned, those of most pages first; what only a page or two have is left out."""
    sites = stored_patterns(connection, {})
    pages = connection.execute(_PAGES).fetchall()
    rows = [(_NAMES[kind, is_base], site, url) for site, kind, is_base, url in pages if site in sites]
    kinds: dict[str, set[str]] = {}
    for kind, _, url in rows:
        kinds.setdefault(general(url), set()).add(kind)
    # Words are part of a pattern only where they tell two kinds of pages apart.
    counts = Counter(
        (kind, general(url) if len(kinds[general(url)]) == 1 else sites[site].forms.form(url))
        for kind, site, url in rows
    )
    totals = Counter(kind for kind, _, _ in rows)
    found = [
        LearnedPattern(kind, form, number)
        for (kind, form), number in counts.most_common()
        if number >= _LEAST_SHARE * totals[kind]
    ]
    return sorted(found, key=lambda each: (_ORDER.index(each.kind), -each.pages))
