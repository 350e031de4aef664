"""The tables of a focus crawl: pages that match, all pages in the order of the crawl, and the links that wait."""

from __future__ import annotations

from dowse.core.patience import Patience
from dowse.modes.mode import PageColumns
from dowse.store.fragments import json_part, json_rows, rounded
from dowse.store.reading.reader import CrawlReader
from dowse.store.reading.tables import QueryTable
from dowse.store.task_states import NOT_DONE

_RELEVANCE = rounded("judgement.relevance")
_PRIORITY = rounded("task.priority")

LISTS = {
    "matched": f"""
        SELECT task.url AS url, {_RELEVANCE} AS relevance, visit.title AS title, task.depth AS depth
        FROM judgement JOIN task ON task.id = judgement.task LEFT JOIN visit ON visit.id = task.visit
        WHERE judgement.relevance >= {{threshold}} ORDER BY judgement.relevance DESC, judgement.id
    """,
    "crawled": f"""
        SELECT task.url AS url, {_RELEVANCE} AS relevance,
               judgement.relevance >= {{threshold}} AS matched, {_PRIORITY} AS priority, visit.title AS title
        FROM judgement JOIN task ON task.id = judgement.task LEFT JOIN visit ON visit.id = task.visit
        ORDER BY judgement.id
    """,
    "waiting": f"""
        SELECT task.url AS url, {_PRIORITY} AS priority, task.anchor AS anchor, finder.url AS found_on
        FROM task LEFT JOIN task AS finder ON finder.id = task.parent
        WHERE task.{NOT_DONE} ORDER BY task.priority DESC, task.id
    """,
}


_BY_POINTS = f"""
    SELECT task.url AS url, {_RELEVANCE} AS relevance, visit.title AS title, task.depth AS depth,
           coalesce(linking.pages, 0) AS in_links
    FROM judgement JOIN task ON task.id = judgement.task LEFT JOIN visit ON visit.id = task.visit
    LEFT JOIN (
        SELECT {json_part("edge.value", "$[0]", "BIGINT")} AS target, count(DISTINCT source.id) AS pages
        FROM task AS source JOIN visit ON visit.id = source.visit, {json_rows("visit.links", "edge")}
        WHERE {json_part("edge.value", "$[0]", "BIGINT")} <> source.id GROUP BY 1
    ) AS linking ON linking.target = task.id
    WHERE judgement.relevance >= {{threshold}} ORDER BY judgement.relevance DESC, in_links DESC, judgement.id
"""
"""Pages that match, where they are ranked by points: of pages with the same, the one that more pages link to is first.
Nobody else pays for counting the links."""


def list_table(reader: CrawlReader, name: str, patience: Patience, *, by_points: bool = False) -> QueryTable:
    """One of the lists; `by_points` says that pages are ranked by points."""
    query = _BY_POINTS if name == "matched" and by_points else LISTS[name]
    return reader.query_table(query.format(threshold=repr(patience.threshold)))


def page_columns(reader: CrawlReader, patience: Patience) -> PageColumns:
    """What the table of pages says of their relevance."""
    return PageColumns(
        f"judgement.relevance AS relevance, judgement.relevance >= {patience.threshold!r} AS matched,",
        "LEFT JOIN judgement ON judgement.task = task.id",
    )
