"""What a candidate is, by a logistic regression over names of features; its weights are data (`paging_model.json`).

Trained by benchmarks/paging_training.py on annotated pages. Evaluated without numpy: a page has some twenty candidates
of twenty features, which is less than an array takes to be made.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from pkgutil import get_data

import msgspec
from msgspec import Struct

Sums = tuple[float, float, float, float, float, float]

CLASSES = ("none", "page", "next", "prev", "first", "last")


class PagingModel(Struct, frozen=True):
    """For each feature a weight for each of the classes."""

    intercepts: Sums
    weights: dict[str, Sums]

    def sums(self, features: Iterable[str], begin: Sums | None = None) -> Sums:
        """The logarithms of odds of each class that features add up to, beside those that were added before."""
        none, page, following, previous, first, last = begin or self.intercepts
        get = self.weights.get
        for name in features:
            row = get(name)
            if row is not None:
                none += row[0]
                page += row[1]
                following += row[2]
                previous += row[3]
                first += row[4]
                last += row[5]
        return none, page, following, previous, first, last

    def best(self, sums: Sums) -> tuple[int, float]:
        """The most probable class, by its place, and how probable it is; that it is none is not weighed."""
        most = max(sums)
        best = sums.index(most)
        return best, 1 / sum([exp(total - most) for total in sums]) if best else 0.0


@lru_cache(maxsize=1)
def shipped_model() -> PagingModel:
    """The model that is shipped."""
    content = get_data("dowse.parse.pagination", "paging_model.json")
    assert content is not None, "paging_model.json is missing from the package dowse.parse.pagination"
    return msgspec.json.decode(content, type=PagingModel)
