"""The types of a forum's pages and links, by two small models over structure: `page_type_model.json`.

    index    lists boards or threads
    thread   posts, one after the other
    other    all else: profiles, forms, searches, help

The models are made by benchmarks/forum_training.py. Each is a logistic regression over the numbers that
`page_structure.features` and `link_groups` give, each cut into a few steps: every step is a weak classifier of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log1p

import msgspec
import numpy as np
from msgspec import Struct
from turbohtml import Document

from dowse.classify.link_groups import LinkGroup
from dowse.classify.page_structure import FEATURES as OF_STRUCTURE
from dowse.classify.page_structure import PageStructure, features
from dowse.classify.shipped_data import shipped

TYPES = ("index", "thread", "other")


class StoredLogit(Struct, frozen=True):
    """A model: the names of its features, thresholds of each, and a row of weights for each class."""

    classes: list[str]
    names: list[str]
    thresholds: list[list[float]]
    weights: list[list[float]]
    intercepts: list[float]


class ForumModels(Struct, frozen=True):
    """The model of pages, and that of groups of links: whether they lead to boards and threads."""

    pages: StoredLogit
    links: StoredLogit


class Logit:
    """A model that is ready to be asked."""

    def __init__(self, stored: StoredLogit) -> None:
        self.classes = tuple(stored.classes)
        self._thresholds = stored.thresholds
        self._weights = np.array(stored.weights)
        self._intercepts = np.array(stored.intercepts)

    def probabilities(self, features: Sequence[float]) -> dict[str, float]:
        """How probable each class is."""
        scores = self._weights @ np.array(stepped(features, self._thresholds)) + self._intercepts
        grown = np.exp(scores - scores.max())
        return dict(zip(self.classes, (grown / grown.sum()).tolist(), strict=True))


def stepped(features: Sequence[float], thresholds: Sequence[Sequence[float]]) -> list[float]:
    """Each number as steps: 1 for each threshold that it reaches, and in between how far it is to the next."""
    return [step for value, limits in zip(features, thresholds, strict=True) for step in _steps(value, limits)]


def _steps(value: float, limits: Sequence[float]) -> list[float]:
    found = []
    for low, high in pairwise(limits):
        found.append(min(1.0, max(0.0, (value - low) / (high - low))) if high > low else float(value >= low))
    return found


DATED_LIST = 0.3
"""How much less probable it is than the model says that a list of dated things is neither an index page nor a thread:
lists of what users wrote are kept from it, see benchmarks/forum_training.py."""

FEATURES = (*OF_STRUCTURE, "titles", "many titles")
"""The features of pages."""


class PageTypes:
    """Judges pages and groups of links."""

    def __init__(self, models: ForumModels) -> None:
        self._pages = Logit(models.pages)
        self._links = Logit(models.links)

    def of_page(self, structure: PageStructure, tree: Document, groups: Sequence[LinkGroup]) -> dict[str, float]:
        """How probable each type of page is."""
        told = self._pages.probabilities(page_features(structure, tree, groups, self._links))
        if structure.is_dated_list:
            told["other"] *= DATED_LIST
            whole = sum(told.values())
            told = {name: share / whole for name, share in told.items()}
        return told

    def of_links(self, group: LinkGroup) -> float:
        """How probable it is that a group of links on an index page leads to boards or threads."""
        return self._links.probabilities(group.features)["wanted"]


def page_features(structure: PageStructure, tree: Document, groups: Sequence[LinkGroup], links: Logit) -> list[float]:
    """A page as numbers: its structure, and how much its best group of links looks like titles of boards or threads."""
    several = [group for group in groups if len(group.links) > 1 and group.blocks]
    best = max(((links.probabilities(each.features)["wanted"], len(each.links)) for each in several), default=(0.0, 0))
    return [*features(structure, tree), best[0], best[0] * log1p(best[1])]


@lru_cache(maxsize=1)
def shipped_types() -> PageTypes:
    """The models that are shipped."""
    return PageTypes(msgspec.json.decode(shipped("page_type_model.json"), type=ForumModels))
