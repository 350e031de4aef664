"""Parts of a table that are tables themselves: some of its rows, some of its columns. Nothing is read to make one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any, Protocol

from dowse.core.columns import Columnar, Kind


class Countable(Columnar, Protocol):
    """A table that knows how many rows it has."""

    def __len__(self) -> int: ...


class SomeRows:
    """The rows of a slice."""

    def __init__(self, table: Countable, part: slice) -> None:
        self._table = table
        self._part = part

    @property
    def columns(self) -> Sequence[str]:
        return self._table.columns

    @property
    def kinds(self) -> Mapping[str, Kind]:
        return self._table.kinds

    @property
    def dates(self) -> Collection[str]:
        return self._table.dates

    def rows(self) -> Iterator[Sequence[Any]]:
        part = self._part
        if min(part.start or 0, part.stop or 0, part.step or 0) >= 0:
            return islice(self._table.rows(), part.start, part.stop, part.step)
        # Only the length says where a part begins that is counted from the end.
        chosen = self._chosen()
        if chosen.step > 0:
            return islice(self._table.rows(), chosen.start, chosen.stop, chosen.step)
        rows = list(islice(self._table.rows(), chosen[-1], chosen[0] + 1)) if chosen else []
        return iter(rows[:: chosen.step])

    def __len__(self) -> int:
        return len(self._chosen())

    def _chosen(self) -> range:
        return range(len(self._table))[self._part]


class SomeColumns:
    """The columns of some names, in that order."""

    def __init__(self, table: Countable, names: Sequence[str]) -> None:
        self._table = table
        self.columns = list(names)
        known = table.columns
        for name in names:
            if name not in known:
                near = get_close_matches(str(name), known, n=1)
                raise KeyError(f"there is no column {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        self._places = [known.index(name) for name in names]

    @property
    def kinds(self) -> dict[str, Kind]:
        kinds = self._table.kinds
        return {name: kinds[name] for name in self.columns if name in kinds}

    @property
    def dates(self) -> list[str]:
        return [name for name in self.columns if name in self._table.dates]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        places = self._places
        return (tuple(row[place] for place in places) for row in self._table.rows())

    def __len__(self) -> int:
        return len(self._table)
