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

CLASSES = ("none", "page", "next", "prev", "first", "last")


class PagingModel(Struct, frozen=True):
    """For each feature a weight for each of the classes."""

    intercepts: tuple[float, ...]
    weights: dict[str, tuple[float, ...]]

    def probabilities(self, features: Iterable[str]) -> list[float]:
        """How probable each class is."""
        sums = list(self.intercepts)
        for name in features:
            row = self.weights.get(name)
            if row is not None:
                sums = [total + weight for total, weight in zip(sums, row, strict=True)]
        most = max(sums)
        grown = [exp(total - most) for total in sums]
        whole = sum(grown)
        return [each / whole for each in grown]


@lru_cache(maxsize=1)
def shipped_model() -> PagingModel:
    """The model that is shipped."""
    content = get_data("dowse.parse.pagination", "paging_model.json")
    assert content is not None, "paging_model.json is missing from the package dowse.parse.pagination"
    return msgspec.json.decode(content, type=PagingModel)
