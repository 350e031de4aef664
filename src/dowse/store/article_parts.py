"""Articles of several pages: when a crawl ends, or its pages were read again, each is one record, at its first page.

A page alone cannot tell. So where a page may be one of several, its own article is kept a second time (ARTICLE_PAGE),
with what its pager says. Of these all others can be made anew: before a crawl goes on, each page has its own again.
Only pages are compared that were found as further pages of one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dowse.core.joined_articles import MOST_JOINED, joined, own_fields
from dowse.core.model import PAGING
from dowse.core.record import ARTICLE, ARTICLE_PAGE
from dowse.store.database import Database
from dowse.store.schema import INSERT_RECORD

_FURTHER = "SELECT id, parent FROM task WHERE label = ? ORDER BY id"
_WITH_PARTS = "SELECT task FROM record WHERE kind = ? AND key = '' ORDER BY task"
_PARTS = """
    SELECT task.id, task.url, record.fields FROM record JOIN task ON task.id = record.task
    WHERE record.kind = ? AND record.key = '' AND record.task IN ({})
"""
_FORGET = "DELETE FROM record WHERE task = ? AND kind = ? AND key = ''"

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


def further_pages(connection: Database) -> dict[int, int]:
    """For each further page of a list, an article or a thread the page that it was found from in the end."""
    parents: dict[int, int] = dict(connection.execute(_FURTHER, (PAGING,)).fetchall())
    first: dict[int, int] = {}
    for task in parents:
        way = [task]
        while (at := way[-1]) in parents and at not in first and len(way) <= len(parents):
            way.append(parents[at])
        last = first.get(way[-1], way[-1])
        first.update(dict.fromkeys([each for each in way if each in parents], last))
    return first


def separate_articles(connection: Database) -> None:
    """Give each page its own article again, in the transaction of the caller."""
    for (task,) in connection.execute(_WITH_PARTS, (ARTICLE_PAGE,)).fetchall():
        for _, _, fields in _parts(connection, [task]):
            connection.execute(INSERT_RECORD, (task, ARTICLE, "", _encode(own_fields(fields)).decode()))


def join_articles(connection: Database) -> int:
    """Make one record of the articles of each article's pages, in the transaction of the caller.

    The answer is how many records fewer there are.
    """
    separate_articles(connection)
    fewer = 0
    for family in _families(connection):
        pages = list(_parts(connection, family))
        for article in joined([url for _, url, _ in pages], [fields for _, _, fields in pages], "\n"):
            tasks = [pages[at][0] for at in article.members]
            connection.execute(INSERT_RECORD, (tasks[0], ARTICLE, "", _encode(article.fields).decode()))
            connection.executemany(_FORGET, [(task, ARTICLE) for task in tasks[1:]])
            fewer += len(tasks) - 1
    return fewer


def _families(connection: Database) -> list[list[int]]:
    """The pages that may be one article, in the order in which they were found."""
    first = further_pages(connection)
    found: dict[int, list[int]] = {}
    for (task,) in connection.execute(_WITH_PARTS, (ARTICLE_PAGE,)).fetchall():
        found.setdefault(first.get(task, task), []).append(task)
    return [tasks for tasks in found.values() if 1 < len(tasks) <= MOST_JOINED]


def _parts(connection: Database, tasks: list[int]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    query = _PARTS.format(",".join("?" * len(tasks))) + " ORDER BY task.id"
    for task, url, fields in connection.execute(query, (ARTICLE_PAGE, *tasks)).fetchall():
        yield task, url, _decode(fields)
