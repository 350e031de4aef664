"""The links of a sample of pages, for the report: at most `MOST_PAGES` are read, evenly over the whole crawl.

A crawl of a million pages holds a hundred million links. Which pages are linked most and which parts of a site link
to which shows in twenty thousand pages as well.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from dowse.core.crawl_numbers import LinkSample, PageRow
from dowse.store.database import Database
from dowse.store.fragments import THEN_JOIN, json_rows
from dowse.store.reading.link_graph import find_landings

MOST_PAGES = 20_000
MOST_LINKED = 15

Numbers = npt.NDArray[np.int64]

_LINKS = f"""
    SELECT task.url, visit.links FROM {json_rows("?", "wanted")}
    {THEN_JOIN} task ON task.id = CAST(wanted.value AS BIGINT) JOIN visit ON visit.id = task.visit
"""
_LINKED = """
    SELECT task.url, coalesce(nullif(visit.title, ''), task.anchor) FROM task LEFT JOIN visit ON visit.id = task.visit
    WHERE task.id = ?
"""


class _Edge(msgspec.Struct, array_like=True, gc=False):
    """A link as the column holds it. Only the target is wanted; what follows it is skipped without being built."""

    target: int


_decode = msgspec.json.Decoder(list[_Edge]).decode
_encode = msgspec.json.Encoder().encode


def sample_links(connection: Database, pages: str) -> LinkSample:
    """The links of every so-manieth page; `pages` is the query for the pages' tasks, in order."""
    every = np.fromiter((row[0] for row in connection.stream(pages)), np.int64)
    step = max(1, -(-len(every) // MOST_PAGES))
    tasks = every[::step]
    landings = find_landings(connection)  # copies of a page are that page, as in the link graph
    urls: list[str] = []
    targets: list[Numbers] = [np.empty(0, np.int64)]
    links = 0
    for url, text in connection.stream(_LINKS, (_encode(tasks.tolist()).decode(),)):
        urls.append(url)
        found = np.array([edge.target for edge in _decode(text)], np.int64)
        links += len(found)
        targets.append(np.unique(np.where(landings[found], landings[found], found)))
    sources = np.repeat(np.arange(len(urls)), [len(found) for found in targets[1:]])
    ends = np.concatenate(targets)
    if len(tasks):  # a page's links to itself say nothing of the site
        others = tasks[sources] != ends
        sources, ends = sources[others], ends[others]
    most_linked = _most_linked(connection, ends, step)
    places = np.searchsorted(tasks, ends)
    known = (places < len(tasks)) & (np.append(tasks, -1)[places] == ends)
    return LinkSample(step, urls, sources[known], places[known], links * step, most_linked)


def _most_linked(connection: Database, targets: Numbers, step: int) -> list[PageRow]:
    linked, pages = np.unique(targets, return_counts=True)
    best = np.lexsort((linked, -pages))[:MOST_LINKED]
    rows = []
    for task, count in zip(linked[best].tolist(), (pages[best] * step).tolist(), strict=True):
        url, title = connection.execute(_LINKED, (task,)).fetchone()
        rows.append(PageRow(url, title, count))
    return rows
