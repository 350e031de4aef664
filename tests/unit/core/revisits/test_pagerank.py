"""PageRank, beside that of networkx."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.revisits.pagerank import pagerank

Edges = set[tuple[int, int]]

SIZE = 12
edges_of_graphs = st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)))


def ranked(edges: Edges, size: int) -> list[float]:
    ends = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2)
    return [float(rank) for rank in pagerank(ends[:, 0], ends[:, 1], size)]


@given(edges_of_graphs)
def test_ranks_are_those_of_networkx(edges: Edges) -> None:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(SIZE))
    graph.add_edges_from(edges)
    # Its own power iteration needs scipy; the matrix in its plain form does not.
    matrix = networkx.google_matrix(graph)
    expected = np.full(SIZE, 1 / SIZE)
    for _ in range(300):
        expected = expected @ matrix
    ours = ranked(edges, SIZE)
    assert ours == pytest.approx(expected.tolist(), abs=1e-8)
    assert sum(ours) == pytest.approx(1.0)


def test_what_is_linked_from_more_places_ranks_higher() -> None:
    ranks = ranked({(0, 3), (1, 3), (2, 3), (3, 0), (0, 1)}, 4)
    assert max(ranks) == ranks[3]
    assert ranks[2] == min(ranks), "nothing links there"


def test_graphs_without_edges_or_nodes() -> None:
    assert ranked(set(), 4) == [0.25] * 4
    assert ranked(set(), 0) == []
