"""The link graph of a crawl, worked out from the links that its pages keep.

A node is a page: a URL that was fetched, no redirect and no sitemap. While it waits to be visited again it is still
what it was, and so is one whose last visit failed and did not say that it is gone. Copies are one node, that of the
page which had the content first, be it fetched twice (a mirror, `/` and `/index.html`) or skipped for being the same.

An edge goes from one page to another that it links to, be it through redirects or by the address of a copy. Several
links from a page to another are one edge, the first of them; a page's links to itself are none. A copy's own links are
those of its original. They, and links to what was not fetched, are in the table `links` alone.

Links are decoded here and not by the database, which takes four times as long (1.2 s for a million).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from dowse.core.errors import CrawlError
from dowse.core.model import State
from dowse.core.revisits.pagerank import pagerank
from dowse.store.database import Database
from dowse.store.folder import DATABASE, explained
from dowse.store.fragments import THEN_JOIN, json_length
from dowse.store.task_states import OF_PAGES, one_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

# Waiting, out, refused by robots.txt now, or failed: states that say nothing of what an earlier visit brought.
UNDECIDED = f"task.state IN {one_of(State.WAITING, State.OUT, State.ROBOTS, State.FAILED)}"

IS_PAGE = f"""(task.state IN {one_of(State.FETCHED, State.DUPLICATE)} OR {UNDECIDED} AND EXISTS (
        SELECT 1 FROM visit AS latest WHERE latest.id = task.visit AND latest.digest <> 0))
    AND task.reason <> 'redirect' AND task.{OF_PAGES}"""

IS_NODE = f"{IS_PAGE} AND visit.duplicate_of IS NULL"
"""The same of a task with its `visit`: a page that is no copy of another."""

_LINKS = f"""SELECT task.id, visit.links FROM visit {THEN_JOIN} task ON task.id = visit.task
    WHERE task.visit = visit.id AND {IS_PAGE} AND visit.links <> '[]' ORDER BY visit.id"""
ELSEWHERE = f"""SELECT task.id, visit.redirect FROM task JOIN visit ON visit.id = task.visit
    WHERE (task.reason = 'redirect' OR {UNDECIDED}) AND visit.redirect IS NOT NULL
    UNION ALL SELECT task.id, visit.duplicate_of FROM task JOIN visit ON visit.id = task.visit
    WHERE visit.duplicate_of IS NOT NULL AND {IS_PAGE}
    UNION ALL SELECT task, original FROM variant"""
"""Tasks and the one that each leads to: by a redirect, or because both are one page."""

_COUNT = f"SELECT sum({json_length('links')}) FROM ({_LINKS}) AS linked"

_LANDING = "landing"
_EDGES_AT_ONCE = 200_000
_URLS_AT_ONCE = 100_000
_TARGET_BITS = 32
_DOUBLINGS = 7
"""Redirects are followed by following where they lead, so 7 times is 128 hops. Loops end nowhere."""


def find_landings(connection: Database) -> Numbers:
    """For every task the node where a link to it ends, 0 if that is none; a node is its own."""
    import numpy as np

    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM task").fetchone()
    landings = np.arange(last + 1)
    pairs = np.array(connection.execute(ELSEWHERE).fetchall(), dtype=np.int64).reshape(-1, 2)
    pairs = pairs[(pairs <= last).all(axis=1)]
    landings[pairs[:, 0]] = pairs[:, 1]
    for _ in range(_DOUBLINGS if len(pairs) else 0):
        landings = landings[landings]
    is_node = np.zeros(last + 1, dtype=bool)
    pages = connection.stream(f"SELECT id FROM task WHERE {IS_PAGE} AND id <= ?", (last,))
    is_node[np.fromiter((number for (number,) in pages), dtype=np.int64)] = True
    is_node[pairs[:, 0]] = False
    landings[~is_node[landings]] = 0
    return landings


class LinkGraph:
    """Reads the graph of one crawl, as it is when asked."""

    def __init__(self, connection: Database) -> None:
        self._connection = connection
        self._version = -1
        self._values: dict[str, npt.NDArray[Any]] = {}

    @explained("read")
    def measure(self, names: Iterable[str]) -> None:
        """Make these measures ready: in_degree, out_degree, pagerank. They stay while nothing is written to the crawl.

        A table that is in the middle of being read keeps the moment for all tables of the reader, and the values.
        """
        version = self._connection.stamp()
        if version != self._version:
            self._values.clear()
        self._version = version
        missing = set(names) - self._values.keys()
        if "pagerank" in missing:
            self._rank(find_landings(self._connection))
        elif missing:
            landings = find_landings(self._connection)
            self._count(self._edge_chunks(landings), landings)

    def look_up(self, name: str) -> Callable[[int], float]:
        """What a measure, made ready, is of a task."""
        values, landings = self._values[name], self._values[_LANDING]
        # A page may have come since.
        return lambda number: values.item(landings.item(number)) if number < len(values) else 0

    def count_edges(self) -> int:
        self.measure(["in_degree"])
        return int(self._values["in_degree"].sum())

    @explained("read")
    def count_links(self) -> int:
        (number,) = self._connection.execute(_COUNT).fetchone()
        return number or 0

    def links(self) -> Iterator[tuple[str, str, str, bool]]:
        """Every link of every page, wherever it leads: from, to, its anchor text, and whether it is marked nofollow."""
        with explained("read"):
            url = lru_cache(_URLS_AT_ONCE)(self._url)
            for source, links in self._links():
                start = url(source)
                for target, anchor, *mark in links:
                    yield start, url(target), anchor, bool(mark and mark[0])

    def edges(self) -> Iterator[tuple[str, str, str, bool]]:
        """The same of edges."""
        with explained("read"):
            landings = find_landings(self._connection)
            url = lru_cache(_URLS_AT_ONCE)(self._url)
            for source, links in self._links(landings):
                start = url(source)
                seen = {0, source}
                for target, anchor, *mark in links:
                    landing = landings.item(target) if target < len(landings) else 0
                    if landing not in seen:
                        seen.add(landing)
                        yield start, url(landing), anchor, bool(mark and mark[0])

    def _url(self, number: int) -> str:
        row = self._connection.execute("SELECT url FROM task WHERE id = ?", (number,)).fetchone()
        return str(row[0]) if row else ""

    def _links(self, nodes: Numbers | None = None) -> Iterator[tuple[int, list[Any]]]:
        """The links of each page; those of nodes alone, given where links to each task end."""
        decode = msgspec.json.Decoder(list[tuple[Any, ...]]).decode
        for source, text in self._connection.stream(_LINKS):
            if nodes is not None and (source >= len(nodes) or nodes.item(source) != source):
                continue  # a copy, or a page that came since
            try:
                yield source, decode(text)
            except msgspec.MsgspecError as error:
                raise CrawlError(f"cannot read {DATABASE}: the links of a page are damaged") from error

    def _edge_chunks(self, landings: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
        """Sources and targets of the edges, many at a time; all edges of a page are in one chunk."""
        import numpy as np

        def distinct() -> tuple[Numbers, Numbers]:
            sources = np.repeat(np.array(pages, dtype=np.int64), np.array(sizes))
            found = np.array(targets, dtype=np.int64)
            found[found >= len(landings)] = 0
            found = landings[found]
            keep = (found > 0) & (found != sources)
            edges = np.sort(sources[keep] << _TARGET_BITS | found[keep])  # np.unique would hash, ten times as slow
            edges = edges[np.diff(edges, prepend=-1) > 0]
            return edges >> _TARGET_BITS, edges & ((1 << _TARGET_BITS) - 1)

        pages, sizes, targets = array("q"), array("q"), array("q")
        for source, links in self._links(landings):
            pages.append(source)
            sizes.append(len(links))
            targets.extend([link[0] for link in links])
            if len(targets) >= _EDGES_AT_ONCE:
                yield distinct()
                pages, sizes, targets = array("q"), array("q"), array("q")
        if targets:
            yield distinct()

    def _count(self, edges: Iterable[tuple[Numbers, Numbers]], landings: Numbers) -> None:
        import numpy as np

        in_degree, out_degree = np.zeros_like(landings), np.zeros_like(landings)
        for chunk in edges:
            for degree, ends in zip((out_degree, in_degree), chunk, strict=True):
                numbers, counts = np.unique(ends, return_counts=True)
                degree[numbers] += counts
        self._values |= {"in_degree": in_degree, "out_degree": out_degree, _LANDING: landings}

    def _rank(self, landings: Numbers) -> None:
        """Ranks need all edges at once; degrees do not."""
        import numpy as np

        pages = np.unique(landings[landings > 0])
        positions = np.zeros(len(landings), dtype=np.int32)
        positions[pages] = np.arange(len(pages))
        kept = [np.zeros((2, 0), dtype=np.int32)]

        def noted() -> Iterator[tuple[Numbers, Numbers]]:
            for chunk in self._edge_chunks(landings):
                kept.append(positions[np.array(chunk)])
                yield chunk

        self._count(noted(), landings)
        sources, targets = np.hstack(kept)
        kept.clear()
        rank = np.zeros(len(landings))
        rank[pages] = pagerank(sources, targets, len(pages))
        self._values["pagerank"] = rank
