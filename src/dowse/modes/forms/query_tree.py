"""Queries by the fields that divide a database: which are complete, which can be divided, and what that promises.

    everything                      cut off: 50 of 5,000
      make = fiat                   complete: 31 of 31
      make = ford                   cut off: 50 of 400
        make = ford, from 0 to 9    complete: 47
        make = ford, from 9         ...

Only an answer that is cut off is divided, so the tree grows with the database and not with the number of combinations.
A query is complete if all of its results came, or if one field divides it into parts that are all complete. A field
whose values do not change the answers is left alone (the test for informative templates of Madhavan et al., 2008).
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from dowse.modes.forms.choice_fields import Facet
from dowse.modes.forms.form_fields import Divider
from dowse.modes.forms.queries import Query, QueryKind, Step, Values, with_values, without
from dowse.modes.forms.range_fields import RangeField

MOST_OPEN = 20
"""Answers that were cut off, of which the next part is considered: those with most missing."""

MOST_FIELDS = 3
"""Fields that one query fills in. A range counts as one."""

MOST_DIVIDERS = 12
"""Choices and ranges of one form that are tried."""

TRIED = 3
"""Values of a field that are tried before it counts as one that changes nothing."""

MOST_LEVELS = 100
"""Parts of parts that need no query, one after the other."""

_RECENT = 5


class Sample(NamedTuple):
    """What one value of a field brought: the results that it says to have, and those that came."""

    total: int | None
    keys: frozenset[str]

    def is_same(self, other: Sample) -> bool:
        """Whether two answers are one: further pages may have come of either."""
        if not self.keys or not other.keys or self.total != other.total:
            return False
        return self.keys <= other.keys or other.keys <= self.keys


class QueryTree:
    """Keeps which parts of a database came whole."""

    def __init__(self, dividers: Sequence[Divider], box: str) -> None:
        self.dividers = list(dividers[:MOST_DIVIDERS])
        self._box = box
        self._open: dict[Values, float] = {}
        self._complete: set[Values] = set()
        self._empty: set[Values] = set()
        self._divided: set[Values] = set()
        self._parts: Counter[tuple[Values, str]] = Counter()
        self._void: Counter[tuple[Values, str]] = Counter()
        self._next: dict[tuple[Values, str], int] = {}
        self._samples: dict[tuple[Values, str], list[Sample]] = defaultdict(list)
        self._whole: Sample | None = None
        self._yields: dict[str, list[int]] = defaultdict(list)
        self._failures: Counter[str] = Counter()
        self._lists_all = False
        self.dull: set[str] = set()
        self.covered_by = ""
        """The field whose values divide everything into parts that are all complete."""

    @property
    def is_whole(self) -> bool:
        """Whether all came."""
        return () in self._complete

    def brought(self, values: Values, new: int, sample: Sample) -> None:
        """The first page of a query came."""
        if not values:
            self._whole = sample
            for facet in self._chosen():
                self._samples[(), facet.name].append(sample)
        if not sample.keys:
            self._empty.add(values)
        if len(values) > 1 and self._box in dict(values):
            self._yields[self._box].append(new)
        for divider in self.dividers:
            wholes = divider.wholes(values)
            if wholes:
                self._yields[divider.name].append(new)
            for around in wholes:
                samples = self._samples[around, divider.name]
                if len(samples) < TRIED:
                    samples.append(sample)
                    self._compare(divider, around, samples)

    def failed(self, values: Values) -> None:
        """A query was answered with an error. A field whose values brought nothing else is left alone."""
        for divider in self.dividers:
            if divider.wholes(values) and not self._yields[divider.name]:
                self._failures[divider.name] += 1
                if self._failures[divider.name] >= TRIED:
                    self.dull.add(divider.name)

    def _compare(self, divider: Divider, around: Values, samples: list[Sample]) -> None:
        """Leave a field alone whose values bring one and the same."""
        count = divider.count(around)
        others = [*samples[1:], *([self._whole] if count == 1 and not around and self._whole else [])]
        if others and len(samples) >= min(TRIED, count) and all(samples[0].is_same(other) for other in others):
            self.dull.add(divider.name)
            if self._lists_all and not self._chosen():
                self._completed(())

    def finished(self, values: Values, missing: float | None) -> None:
        """The last page of a query came, and so many results are missing; None if none is."""
        for facet in () if values else self._chosen():  # the form as it is has the choices that it begins with
            self.finished(with_values((), (facet.name, facet.begun)), missing)
        if missing is not None or (not values and self._chosen()):
            if values not in self._complete:
                self._open[values] = missing or 0.0
        else:
            self._completed(values)
        self._lists_all = self._lists_all or (not values and missing is None)

    def _chosen(self) -> list[Facet]:
        """The fields that begin with a choice, but for those whose choices are all the same."""
        facets = [each for each in self.dividers if isinstance(each, Facet) and each.name not in self.dull]
        return [facet for facet in facets if not facet.is_open]

    def _completed(self, values: Values, by: str = "") -> None:
        if values in self._complete:
            return
        self._complete.add(values)
        self._open.pop(values, None)
        if not values:
            self.covered_by = by
        for divider in self.dividers:
            for around in divider.wholes(values) if divider.is_exhaustive else ():
                self._parts[around, divider.name] += 1
                self._void[around, divider.name] += values in self._empty
                count = divider.count(around)
                if self._void[around, divider.name] == count and around not in self._empty:
                    self.dull.add(divider.name)  # no value of it brings what is there without one
                elif self._parts[around, divider.name] == count:
                    self._completed(around, divider.name)

    def doubt(self, asked: Collection[Values]) -> Step | None:
        """The form as it is lists all that it says to have. Another choice than the one it begins with shows whether
        that is all; None if nothing is in doubt."""
        for facet in self._chosen() if self._lists_all else ():
            samples = self._samples[(), facet.name]
            if len(samples) < TRIED and all(sample.is_same(samples[0]) for sample in samples):
                part = self._next_part(facet, (), 0.0, asked)
                if part is not None:
                    return Step(Query("choice", part))
        return None

    def parts(self, asked: Collection[Values], page_size: int, *, with_root: bool) -> list[Step]:
        """The next part of each query that can be divided, by each field.

        One that a field has divided is not divided by another: its parts are, if they were cut off.
        """
        for _ in range(MOST_LEVELS):
            before = len(self._divided)
            steps = list(self._parts_of_all(asked, page_size, with_root=with_root))
            if len(self._divided) == before:
                return steps
        return []

    def _parts_of_all(self, asked: Collection[Values], page_size: int, *, with_root: bool) -> Iterator[Step]:
        for values, missing in self._divisible(page_size, with_root=with_root):
            steps = []
            for divider in self.dividers:
                count = divider.count(values) if divider.name not in self.dull else 0
                if not count:
                    continue
                part = self._next_part(divider, values, missing, asked)
                if part is None and divider.is_exhaustive:
                    self._divided.add(values)
                    self._open.pop(values, None)
                    break
                if part is not None:
                    kind: QueryKind = "refined" if values else "choice" if isinstance(divider, Facet) else "range"
                    promise = self._promise(divider, values, missing / count, page_size)
                    steps.append(Step(Query(kind, part), promise=promise))
            else:
                yield from steps

    def words(self, asked: Collection[Values], words: Callable[[], Sequence[str]], page_size: int) -> Iterator[Step]:
        """A word beside the values of a query that was cut off, for the one with most missing."""
        for values, missing in self._divisible(page_size, with_root=False):
            if self._box not in dict(values):
                parts = (with_values(values, (self._box, word)) for word in words())
                if (part := next((each for each in parts if each not in asked), None)) is not None:
                    yield Step(Query("refined", part), promise=self._average(self._box, page_size, missing / 2))
                return

    def _divisible(self, page_size: int, *, with_root: bool) -> list[tuple[Values, float]]:
        found = heapq.nlargest(MOST_OPEN, self._open.items(), key=lambda each: each[1])
        found = [(values, missing) for values, missing in found if values and self._fields(values) < MOST_FIELDS]
        if with_root and () not in self._complete and () not in self._divided:
            found.insert(0, ((), max(self._open.get((), 0.0), float(page_size))))
        return found

    def _fields(self, values: Values) -> int:
        names = {name for name, _ in values}
        return sum(not names.isdisjoint(divider.names) for divider in self.dividers) + (self._box in names)

    def _next_part(self, divider: Divider, values: Values, missing: float, asked: Collection[Values]) -> Values | None:
        """The first part that was not asked for, and of which something is unknown."""
        count, place = divider.count(values), self._next.get((values, divider.name), 0)
        while place < count:
            part = divider.part(values, place)
            if part not in asked and not self._is_known(divider, values, missing, place):
                break
            place += 1
        self._next[values, divider.name] = place
        return part if place < count else None

    def _is_known(self, divider: Divider, values: Values, missing: float, place: int) -> bool:
        """Whether a part needs no query: all of it came with a larger part, or it is the same as the whole."""
        part = divider.part(values, place)
        if part in self._complete or part in self._open:
            return True
        if any(fewer in self._complete for fewer in self._with_one_field_less(part)):
            self._completed(part)
            return True
        has_results = values or (self._whole is not None and self._whole.keys)
        if has_results and isinstance(divider, RangeField) and divider.part(values, 1 - place) in self._empty:
            self._open[part] = missing
            return True
        return False

    def _with_one_field_less(self, values: Values) -> Iterator[Values]:
        for divider in self.dividers:
            fewer = without(values, divider.names)
            if len(fewer) < len(values):
                yield fewer

    def _promise(self, divider: Divider, values: Values, share: float, page_size: int) -> float:
        # One choice with nothing behind it says little of the others: a page of results counts as tried before.
        is_first = not values and isinstance(divider, Facet)
        return self._average(divider.name, page_size, page_size if is_first else share)

    def _average(self, name: str, page_size: int, most: float) -> float:
        recent = self._yields[name][-_RECENT:]
        return min((page_size + sum(recent)) / (1 + len(recent)), most)
