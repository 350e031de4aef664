"""Where the entry page of a forum may be, as seen from one of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

import msgspec

from dowse.store.database import Database

MOST_TRIED = 6
"""Pages that are asked for in search of it."""


def above(url: str, trail: Sequence[str] = ()) -> list[str]:
    """The boards that a page says it belongs to, the outermost first, then the folders above it, the next first.

    >>> above("http://a.org/forum/topic/12", ["http://a.org/forum/"])
    ['http://a.org/forum/', 'http://a.org/forum/topic/', 'http://a.org/']
    """
    parts = urlsplit(url)
    segments = parts.path.split("/")
    paths = ["/".join(segments[:end]) + "/" for end in range(len(segments) - 1, 0, -1)]
    folders = [urlunsplit((parts.scheme, parts.netloc, path, "", "")) for path in paths]
    return [each for each in dict.fromkeys([*trail, *folders]) if each != url]


def higher(candidates: Sequence[str], entry: str) -> list[str]:
    """Those that are folders above the folder of a page: an archive of lists has a page above the pages of each list.

    >>> higher(["http://a.org/list-1/", "http://a.org/"], "http://a.org/list-1/threads.html")
    ['http://a.org/']
    """
    folder = entry.partition("?")[0].rpartition("/")[0] + "/"
    return [url for url in candidates if url.endswith("/") and folder.startswith(url) and url != folder]


_PAGES = "SELECT task, url, type FROM forum_page WHERE type <> 'thread' AND base = task ORDER BY task"
_LINKS = """SELECT task.id, visit.links FROM forum_page JOIN task ON task.id = forum_page.task
    JOIN visit ON visit.id = task.visit WHERE forum_page.type = ? ORDER BY task.id LIMIT ?"""
_NAMED_FRONTS = "SELECT id, url FROM task WHERE url LIKE '%/index.%' AND url NOT LIKE '%?%'"
_LOOKED_AT = 1_000
"""Pages of each type whose links are looked at."""

_SEVERAL = 3
_FAIR_SHARE = 0.3
"""The share of the most boards that a page must link to, to be told apart by how many pages link to it: some entry
pages list the latest threads, and not all boards."""

_NEARLY = 0.9
"""The share of the most links that a page must have, to be told apart by how short its URL is."""


def has_entry(connection: Database) -> bool:
    """Whether a page links to several boards, and so may be the entry page."""
    return _entry(connection)[1] >= _SEVERAL


def find_entry(connection: Database) -> str:
    """The entry page of a forum that was crawled; "" if no page lists anything."""
    return _entry(connection)[0]


def _is_top(url: str, boards: Sequence[str]) -> bool:
    """Whether several of the boards that a page links to are in different folders below that of the page."""
    folder = url.partition("?")[0].rpartition("/")[0] + "/"
    below = {board.removeprefix(folder).partition("/") for board in boards if board.startswith(folder)}
    return len({name for name, slash, _ in below if slash and "?" not in name}) >= _SEVERAL


def _fronts(connection: Database, pages: dict[str, int]) -> dict[int, int]:
    """Links to the first page of a folder by its name, and the page of the folder that was fetched instead."""
    rows = connection.execute(_NAMED_FRONTS).fetchall()
    folders = {number: url.rpartition("/")[0] + "/" for number, url in rows if url not in pages}
    return {number: pages[folder] for number, folder in folders.items() if folder in pages}


def _entry(connection: Database) -> tuple[str, int]:
    """Of the pages that link to many boards, the one that most pages link to, and to how many boards any page does. It
    need not look like a list: some are a page of text with links. Archives of lists do not link to their first page; it
    has the lists in folders below it."""
    rows = connection.execute(_PAGES).fetchall()
    pages = {task: url for task, url, _ in rows}
    boards = {task for task, _, kind in rows if kind == "index"}
    fronts = _fronts(connection, {url: task for task, url in pages.items()})
    linked: Counter[int] = Counter()
    leads: dict[int, int] = {}
    tops: list[int] = []
    for kind in ("index", "thread", "other"):
        for task, links in connection.execute(_LINKS, (kind, _LOOKED_AT)).fetchall():
            targets = {fronts.get(edge[0], edge[0]) for edge in msgspec.json.decode(links)} & pages.keys() - {task}
            linked.update(targets)
            if task in pages and (task in boards or targets & boards):
                leads[task] = len(targets & boards)
                tops += [task] * _is_top(pages[task], [pages[each] for each in targets & boards])
    most = max(leads.values(), default=0)
    if tops:
        return min((pages[task] for task in tops), key=len), most
    fair = [task for task in leads if leads[task] >= _FAIR_SHARE * most]
    often = max((linked[task] for task in fair), default=0)
    best = [(-len(pages[task]), leads[task], pages[task]) for task in fair if linked[task] >= _NEARLY * often]
    return max(best, default=(0, 0, ""))[2], most
