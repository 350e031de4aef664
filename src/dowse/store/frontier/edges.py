"""The links of a page as its visit keeps them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dowse.store.database import Database

Edge = tuple[int, str] | tuple[int, str, int]
"""Target task, anchor text and, where it was one, a nofollow mark."""


def distinct(edges: Iterable[Edge]) -> list[Edge]:
    """One edge for each target, the first: a page may have several spellings of a URL."""
    first: dict[int, Edge] = {}
    for edge in edges:
        first.setdefault(edge[0], edge)
    return list(first.values())


def add_edges(connection: Database, page: int, edges: Iterable[Edge]) -> None:
    """Add links to those of a page, by the number of its task."""
    row = connection.execute(
        "SELECT visit.id, links FROM task JOIN visit ON visit.id = task.visit WHERE task.id = ?", (page,)
    ).fetchone()
    if row is not None:
        links = distinct([*msgspec.json.decode(row[1]), *edges])
        connection.execute("UPDATE visit SET links = ? WHERE id = ?", (msgspec.json.encode(links).decode(), row[0]))
