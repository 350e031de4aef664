"""The links of a page as its visit keeps them."""

from __future__ import annotations

from collections.abc import Iterable

Edge = tuple[int, str] | tuple[int, str, int]
"""Target task, anchor text and, where it was one, a nofollow mark."""


def distinct(edges: Iterable[Edge]) -> list[Edge]:
    """One edge for each target, the first: a page may have several spellings of a URL."""
    first: dict[int, Edge] = {}
    for edge in edges:
        first.setdefault(edge[0], edge)
    return list(first.values())
