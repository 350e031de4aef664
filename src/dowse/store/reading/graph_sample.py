"""Some pages of a crawl and the links among them, for a picture: few enough to be read and drawn at once.

They are those nearest to a seed or those worth most, or those of one kind. Only their own links are decoded, so that
the size of the crawl does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from dowse.store.database import Database
from dowse.store.fragments import THEN_JOIN, json_rows
from dowse.store.reading.indexed_pages import RELEVANCE
from dowse.store.reading.link_graph import IS_NODE

_FOUND = """
    SELECT id, url, title, depth, kind, {score} FROM (
        SELECT {select} task.id AS id, task.url AS url, visit.title AS title, task.depth AS depth, {kind} AS kind
        FROM visit {then_join} task ON task.id = visit.task AND task.visit = visit.id {join}
        WHERE {is_node}) AS pages
    WHERE {which} ORDER BY {order} LIMIT ?
"""
_LINKS = f"""
    SELECT task.id, visit.links FROM {json_rows("?", "wanted")}
    {THEN_JOIN} task ON task.id = CAST(wanted.value AS BIGINT) JOIN visit ON visit.id = task.visit
"""


class GraphNode(Struct, frozen=True):
    """A page of the picture. `kind` is its page type or the part of the site it is in, `score` its relevance."""

    number: int
    url: str
    title: str
    depth: int
    kind: str
    score: float | None


class GraphSample(Struct, frozen=True):
    """Pages, and links as pairs of places in the list of pages."""

    nodes: list[GraphNode]
    edges: list[tuple[int, int]]


class GraphColumns(Struct, frozen=True):
    """What a mode knows of pages, as SQL: `kinds` is a query for tasks and their kinds, "" if there is none; `select`
    are the columns that it adds to the table of pages, and `join` is what is joined for them."""

    kinds: str = ""
    select: str = ""
    join: str = ""

    @property
    def is_scored(self) -> bool:
        return f"AS {RELEVANCE}" in self.select


def sample_graph(connection: Database, columns: GraphColumns, most: int, least: float | None) -> GraphSample:
    """At most so many pages: those worth most, if there are scores, else those nearest to a seed."""
    is_scored = columns.is_scored
    join = columns.join if is_scored else ""
    if columns.kinds:
        join += f" LEFT JOIN ({columns.kinds}) AS kinds ON kinds.task = task.id"
    is_bounded = least is not None and is_scored
    query = _FOUND.format(
        kind="kinds.kind" if columns.kinds else "NULL",
        score=RELEVANCE if is_scored else "NULL",
        select=columns.select if is_scored else "",
        then_join=THEN_JOIN,
        join=join,
        is_node=IS_NODE,
        which=f"{RELEVANCE} >= ?" if is_bounded else "1 = 1",
        order=f"coalesce({RELEVANCE}, -1) DESC, id" if is_scored else "depth, id",
    )
    values = [least, most] if is_bounded else [most]
    rows = connection.execute(query, values).fetchall()
    nodes = [
        GraphNode(number, url, title, depth, kind or part_of(url), worth)
        for number, url, title, depth, kind, worth in rows
    ]
    return GraphSample(nodes, _edges(connection, [node.number for node in nodes]))


def part_of(url: str) -> str:
    """The part of a site that a URL is in: the first name of its path."""
    parts = urlsplit(url)
    first, slash, _ = parts.path.lstrip("/").partition("/")
    return f"/{first}/" if slash else "/"


def _edges(connection: Database, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Each link from one of the pages to another, once."""
    places = {number: place for place, number in enumerate(numbers)}
    found: dict[tuple[int, int], None] = {}
    decode = msgspec.json.Decoder(list[tuple[object, ...]]).decode
    wanted = msgspec.json.encode(list(numbers)).decode()
    for number, links in connection.execute(_LINKS, (wanted,)):
        source = places[number]
        for target, *_ in decode(links):
            place = places.get(target)  # type: ignore[call-overload]
            if place is not None and place != source:
                found[source, place] = None
    return list(found)
