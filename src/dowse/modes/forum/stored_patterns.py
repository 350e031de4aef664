"""Patterns as a crawl keeps them: built again from its pages, and told as regular expressions."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec

from dowse.core.mirrored_names import written_address
from dowse.modes.forum.form_types import Observation, Shares
from dowse.modes.forum.site_patterns import MOST_OBSERVATIONS, MOST_URLS, Known, Patterns
from dowse.modes.forum.url_forms import general, identities, joined
from dowse.store.database import Database

_URLS = """SELECT host.name, task.url FROM task JOIN host ON host.id = task.site WHERE task.id IN (
    SELECT id FROM task ORDER BY id LIMIT ?) ORDER BY task.id"""
_OBSERVED = """SELECT page.site, page.url, page.place, page.shares, {signs}
    FROM (SELECT * FROM forum_page WHERE base = task ORDER BY task DESC LIMIT ?) AS page
    {joined} ORDER BY page.task"""
_SIGNS = {
    "signs": "sign.posts, sign.authors, sign.leads, sign.news",
    "joined": "LEFT JOIN forum_sign AS sign ON sign.task = page.task",
}
_NO_SIGNS = {"signs": "NULL, NULL, NULL, NULL", "joined": ""}
"""Crawls that an earlier version made have no table of signs until they go on, and can be read all the same."""
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
    query = _OBSERVED.format(**_SIGNS if "forum_sign" in connection.tables() else _NO_SIGNS)
    for site, *row in connection.execute(query, (MOST_OBSERVATIONS,)).fetchall():
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
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for site, kind, is_base, url in connection.execute(_PAGES).fetchall():
        if site in sites:
            groups.setdefault((_NAMES[kind, is_base], general(url)), []).append((site, url))
    kinds = Counter(form for _, form in groups)
    counts: Counter[tuple[str, str]] = Counter()
    for (kind, form), pages in groups.items():
        forms = Counter(_form(sites[site], url) for site, url in pages)
        # Names of boards are not part of a pattern, but words that tell two kinds of pages apart are.
        told = forms if kinds[form] > 1 else {joined(forms, form): len(pages)}
        for each, number in told.items():
            counts[kind, each] += number
    totals: Counter[str] = Counter()
    for (kind, _), number in counts.items():
        totals[kind] += number
    found = [
        LearnedPattern(kind, form, number)
        for (kind, form), number in counts.most_common()
        if number >= _LEAST_SHARE * totals[kind]
    ]
    return sorted(found, key=lambda each: (_ORDER.index(each.kind), -each.pages))


def _form(patterns: Patterns, url: str) -> str:
    """The form of a URL. Few pages are further ones, so words of their path may be known from first ones only."""
    form = patterns.forms.form(url)
    path, _, query = form.partition(r"\?")
    if not query:
        return form
    first = patterns.forms.form(written_address(url).partition("?")[0])
    return min(path, first, key=identities) + r"\?" + query
