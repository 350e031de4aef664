"""How a page differs from its earlier version, as an outcome carries it home. extract/content_changes.py makes it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from msgspec import Struct


class Difference(Struct, frozen=True, array_like=True):
    """How two versions of a page differ. `added` and `removed` count lines; `places` are those of them that stand where
    another line stood before, by what stands around."""

    added: int = 0
    removed: int = 0
    places: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)

    def is_content(self, restless: AbstractSet[int] = frozenset()) -> bool:
        """Whether there is a change besides those in places that are never the same."""
        still = [place for place in self.places if place not in restless]
        return bool(still) or max(self.added, self.removed) > len(self.places)
