"""Pages that are the same, or nearly: each original with its copies, the largest groups first."""

from __future__ import annotations

from msgspec import Struct

from dowse.store.database import Database

MOST_COPIES = 20
"""Copies of a page that are named."""

# Copies that were fetched and compared, and addresses that were skipped because they are the same page.
_COPIES = """
    SELECT task.id AS copy, visit.duplicate_of AS original FROM task JOIN visit ON visit.id = task.visit
    WHERE visit.duplicate_of IS NOT NULL
    UNION SELECT task, original FROM variant
"""
_GROUPS = f"""
    SELECT original.id, original.url, coalesce(visit.title, ''), sums.copies, count(*) OVER ()
    FROM (SELECT original, count(*) AS copies FROM ({_COPIES}) AS pairs GROUP BY 1) AS sums
         JOIN task AS original ON original.id = sums.original LEFT JOIN visit ON visit.id = original.visit
    ORDER BY sums.copies DESC, original.id LIMIT ? OFFSET ?
"""
_NAMED = f"""
    SELECT named.original, task.url, task.reason FROM (
        SELECT pairs.copy, pairs.original, row_number() OVER (PARTITION BY pairs.original ORDER BY pairs.copy) AS place
        FROM ({_COPIES}) AS pairs WHERE pairs.original IN ({{originals}})
    ) AS named JOIN task ON task.id = named.copy WHERE named.place <= {MOST_COPIES} ORDER BY task.id
"""


class CopiedPage(Struct, frozen=True):
    """A page and its copies: each a URL, and how it was told that it is one."""

    url: str
    title: str
    copies: int
    named: list[tuple[str, str]]


def copy_groups(connection: Database, most: int, offset: int) -> tuple[list[CopiedPage], int]:
    """Some of the groups, and how many there are."""
    rows = connection.execute(_GROUPS, (most, offset)).fetchall()
    named: dict[int, list[tuple[str, str]]] = {number: [] for number, *_ in rows}
    query = _NAMED.format(originals=", ".join("?" * len(named)))
    for original, url, reason in connection.execute(query, list(named)) if named else ():
        named[original].append((url, reason))
    groups = [CopiedPage(url, title, copies, named[number]) for number, url, title, copies, _ in rows]
    return groups, rows[0][4] if rows else 0
