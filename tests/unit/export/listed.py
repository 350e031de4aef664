"""A table that is a list in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from dowse.core.columns import Kind


@dataclass
class Listed:
    columns: list[str]
    values: list[tuple[Any, ...]]
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    dates: Collection[str] = ()

    @classmethod
    def of(cls, rows: list[dict[str, Any]], **kinds: Kind) -> Self:
        columns = list(rows[0]) if rows else ["url", "title"]
        return cls(columns, [tuple(row.values()) for row in rows], kinds)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.values)
