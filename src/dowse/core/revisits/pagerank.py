"""PageRank: how often a reader who follows links at random would be on each page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DAMPING = 0.85
"""How likely the reader follows a link rather than beginning again anywhere."""

TOLERANCE = 1e-10
MOST_ROUNDS = 200


def pagerank(sources: npt.NDArray[np.integer], targets: npt.NDArray[np.integer], size: int) -> npt.NDArray[np.float64]:
    """The rank of each of `size` nodes, numbered from 0; together they are 1.

    An edge goes from `sources[i]` to `targets[i]`. Who reaches a page without links begins again anywhere. One round
    over a million edges takes some 10 ms, and it needs no matrix library.
    """
    import numpy as np  # takes 80 ms, which a crawl need not pay

    if size == 0:
        return np.zeros(0)
    out_degree = np.bincount(sources, minlength=size)
    share = np.divide(DAMPING, out_degree, out=np.zeros(size), where=out_degree > 0)
    is_end = out_degree == 0
    rank: npt.NDArray[np.float64] = np.full(size, 1.0 / size)
    for _ in range(MOST_ROUNDS):
        before = rank
        received = np.bincount(targets, weights=(before * share)[sources], minlength=size)
        rank = received + (1.0 - DAMPING + DAMPING * before[is_end].sum()) / size
        if np.abs(rank - before).sum() < TOLERANCE:
            break
    rank /= rank.sum()
    return rank
