"""How much the pages of a crawl matter when it is visited again.

    auto      what the mode knows: relevance, links that were kept; else every page as much as any other
    equal     every page as much as any other
    pagerank  by the links that lead to it, as the pages are now; 1 is the mean
    a file    the weights of its user

What was asked for is in `meta`, so that a run which was stopped goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from dowse.core.options.revisit_options import AUTO, EQUAL, LEAST_WEIGHT, PAGERANK
from dowse.core.revisits.page_weights import PageWeights
from dowse.core.revisits.pagerank import pagerank
from dowse.store.bookkeeping import Bookkeeping
from dowse.store.database import Database
from dowse.store.revisits.wishes import read_wishes

_LINKS = "SELECT task.id, visit.links FROM task JOIN visit ON visit.id = abs(task.visit) WHERE visit.links <> '[]'"

_edges = msgspec.json.Decoder(list[list[int | str]]).decode


def importance_of(connection: Database, bookkeeping: Iterable[Bookkeeping]) -> Importance:
    """As the pages of a crawl are now."""
    known = (each.page_weights() for each in bookkeeping)
    return Importance(connection, next((weights for weights in known if weights is not None), None))


class Importance:
    """Weighs pages. `own` is what the mode knows of its pages, by their tasks; None if it knows nothing."""

    def __init__(self, connection: Database, own: Mapping[int, float] | None) -> None:
        self._connection = connection
        self._own = own if own is not None else _relevances(connection)
        self.wishes = read_wishes(connection)
        self._listed = PageWeights(self.wishes.rows) if self.wishes.rows else None

    def weights(self, tasks: Sequence[int], urls: Sequence[str]) -> NDArray[np.float64]:
        """How much each page is worth a visit."""
        if self._listed is not None:
            return np.array([self._listed.of(url) for url in urls])
        if self.wishes.way == PAGERANK:
            return self._ranked(tasks)
        if self.wishes.way == EQUAL or self._own is None:
            return np.ones(len(tasks))
        return np.array([self._own.get(task, LEAST_WEIGHT) for task in tasks])

    def standings(self, tasks: Sequence[int], urls: Sequence[str]) -> NDArray[np.float64]:
        """How much each page is worth its place: where all visits are worth the same, by the links to it."""
        return self._ranked(tasks) if self._is_even else self.weights(tasks, urls)

    @property
    def foresees(self) -> bool:
        """Whether pages can be weighed that nobody has seen."""
        return self._is_even or self._listed is not None or self.wishes.way == PAGERANK

    @property
    def is_asked_for(self) -> bool:
        """Whether a user says what matters: then it is also whose new links matter."""
        return self._listed is not None or self.wishes.way == PAGERANK

    def of_new(self, url: str) -> float:
        """The same of a page that has just come."""
        return self._listed.of(url) if self._listed is not None else 1.0

    @property
    def _is_even(self) -> bool:
        return self._listed is None and (self.wishes.way == EQUAL or (self.wishes.way == AUTO and self._own is None))

    def _ranked(self, tasks: Sequence[int]) -> NDArray[np.float64]:
        numbers = np.asarray(tasks, np.int64)
        known = numbers < len(self._ranks)
        return np.where(known, self._ranks[np.where(known, numbers, 0)], 0.0)

    @cached_property
    def _ranks(self) -> NDArray[np.float64]:
        """PageRank of every task, with a mean of 1 over those that link or are linked to."""
        sources, targets = [], []
        for task, links in self._connection.execute(_LINKS):
            found = {int(edge[0]) for edge in _edges(links)} - {task}
            sources.append(np.full(len(found), task, np.int32))
            targets.append(np.fromiter(found, np.int32, len(found)))
        if not sources:
            return np.ones(1)
        nodes, numbers = np.unique(np.concatenate([*sources, *targets]), return_inverse=True)
        half = len(numbers) // 2
        ranks = np.zeros(int(nodes[-1]) + 1)
        ranks[nodes] = pagerank(numbers[:half], numbers[half:], len(nodes)) * len(nodes)
        return ranks


def _relevances(connection: Database) -> dict[int, float] | None:
    """Where relevance is judged, pages matter by that."""
    if "judgement" not in connection.tables():
        return None
    return dict(connection.execute("SELECT task, ? + relevance FROM judgement", (LEAST_WEIGHT,)).fetchall())
