"""Which page to visit again: the dated changes of a real web site replayed under a budget of requests a day.

    DOWSE_DATA=/path/to/data python -m benchmarks recrawl_choice
    DOWSE_DATA=/path/to/data python -m benchmarks.recrawl_choice FIRST_YEAR LAST_YEAR

The pages alive at the beginning are known and fresh; nothing else is known of them. Requests are spread evenly over the
day. A request finds that the page changed, or that it did not: no header is used. A copy is stale from the first change
after its last visit on.

    in turn         every page as often as any other
    by learned rate in proportion to the rate that a page's own visits tell
    known rates     the index policy of change_rates.py with the true mean rate of every page in these years
    dowse           the same policy with what it learns while it goes

The numbers in core/revisits/change_rates.py were chosen on the years 2004 to 2011.
"""

from __future__ import annotations

import gzip
import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from benchmarks.cache import Unavailable
from benchmarks.tables import Aim, Cell, Column, Table, as_text, at_least, at_most
from dowse.core.revisits.change_rates import ChangeRates

MEASURED = (2012, 2015)
BUDGETS = (20, 60)
MOST_STALE = (0.066, 0.0265)
MOST_FOUND = 1.35
MANY, CHOSEN = 1_000_000, 1_000
_DAY = 86400.0


class Years(NamedTuple):
    """The pages alive when they begin, and for each the days on which it changed."""

    days: int
    pages: list[str]
    changes: list[np.ndarray]


class Chooser(Protocol):
    """A way to choose."""

    def choose(self, now: float) -> int: ...
    def saw(self, page: int, now: float, changed: bool) -> None: ...


class InTurn:
    def __init__(self, years: Years) -> None:
        self._pages = len(years.pages)
        self._next = -1

    def choose(self, now: float) -> int:
        self._next = (self._next + 1) % self._pages
        return self._next

    def saw(self, page: int, now: float, changed: bool) -> None: ...


class ByLearnedRate:
    """Visits of a page in proportion to its rate: next is the one with most changes to be expected."""

    def __init__(self, years: Years) -> None:
        self._changes = np.full(len(years.pages), 0.3)
        self._seen = np.full(len(years.pages), 200.0)
        self._last = np.zeros(len(years.pages))

    def choose(self, now: float) -> int:
        return int(np.argmax(self._changes / self._seen * (now - self._last)))

    def saw(self, page: int, now: float, changed: bool) -> None:
        self._changes[page] += changed
        self._seen[page] += now - self._last[page]
        self._last[page] = now


class KnownRates:
    def __init__(self, years: Years) -> None:
        self._rates = np.array([max(len(changes), 1e-6) / years.days for changes in years.changes])
        self._last = np.zeros(len(years.pages))

    def choose(self, now: float) -> int:
        expected = self._rates * (now - self._last)
        return int(np.argmax((1.0 - np.exp(-expected) * (1.0 + expected)) / self._rates))

    def saw(self, page: int, now: float, changed: bool) -> None:
        self._last[page] = now


class Ours:
    def __init__(self, years: Years) -> None:
        self._rates = ChangeRates(kinds=2)
        for path in years.pages:
            folder, _, name = path.rpartition("/")
            self._rates.add([folder, name], at=0.0)

    def choose(self, now: float) -> int:
        return int(self._rates.best(now, 1)[0])

    def saw(self, page: int, now: float, changed: bool) -> None:
        self._rates.visited(page, now, changed)


CONTENDERS: dict[str, Callable[[Years], Chooser]] = {
    "in turn": InTurn,
    "by learned rate": ByLearnedRate,
    "known rates": KnownRates,
    "dowse": Ours,
}


class Score(NamedTuple):
    """The share of copies that are stale on average, and the share of requests that found a change."""

    stale: float
    found: float


def run(repeats: int) -> Table:
    table = compare(years_of(*MEASURED), MEASURED)
    seconds = min(seconds_to_choose() for _ in range(repeats))
    table.aims.append(at_most(f"seconds to choose {CHOSEN:,} of {MANY:,} pages", seconds, 2.0))
    return table


def seconds_to_choose() -> float:
    """Among pages of 3,000 folders that were visited once."""
    rates = ChangeRates(kinds=1)
    own = np.zeros((3, MANY))
    own[2] = np.random.default_rng(1).uniform(0.0, 30.0, MANY)
    rates.restore([[number // 333 for number in range(MANY)]], own)
    started = time.perf_counter()
    rates.best(31.0, CHOSEN)
    return time.perf_counter() - started


def compare(years: Years, of: tuple[int, int]) -> Table:
    scores = {name: [replay(years, made(years), budget) for budget in BUDGETS] for name, made in CONTENDERS.items()}
    rows: list[list[Cell]] = [
        [name, *(each.stale for each in runs), *(each.found for each in runs)] for name, runs in scores.items()
    ]
    columns = [Column("chosen"), *(Column(f"stale at {budget} a day", "{:.4f}") for budget in BUDGETS)]
    columns += [Column(f"changes a request at {budget}", "{:.3f}") for budget in BUDGETS]
    title = f"{len(years.pages):,} pages of a real site, {of[0]} to {of[1]}, by requests a day"
    notes = ["known rates is told how often each page will change, which no crawler knows"]
    return Table("recrawl_choice", title, columns, rows, list(_aims(scores)) if of == MEASURED else [], notes)


def _aims(scores: dict[str, list[Score]]) -> Iterator[Aim]:
    for budget, limit, ours, turn in zip(BUDGETS, MOST_STALE, scores["dowse"], scores["in turn"], strict=True):
        yield at_most(f"share of stale copies at {budget} requests a day", ours.stale, limit, "{:.4f}")
        yield at_least(f"changes a request, times in turn, at {budget}", ours.found / turn.found, MOST_FOUND)


def replay(years: Years, chooser: Chooser, budget: int) -> Score:
    seen = [0] * len(years.pages)
    stale = 0.0
    found = 0
    for request in range(years.days * budget):
        now = (request + 1) / budget
        page = chooser.choose(now)
        changes = years.changes[page]
        happened = int(np.searchsorted(changes, now, "right"))
        changed = happened > seen[page]
        if changed:
            stale += now - float(changes[seen[page]])
            found += 1
            seen[page] = happened
        chooser.saw(page, now, changed)
    never = (changes[count:] for changes, count in zip(years.changes, seen, strict=True))
    stale += sum(years.days - float(changes[0]) for changes in never if len(changes))
    return Score(stale / (len(years.pages) * years.days), found / (years.days * budget))


def years_of(first: int, last: int) -> Years:
    begin, end = (datetime(year, 1, 1, tzinfo=UTC).timestamp() for year in (first, last + 1))
    alive: set[str] = set()
    changes: dict[str, list[float]] = {}
    for at, kind, path in _events():
        if at < begin:
            alive.discard(path) if kind == "D" else alive.add(path)
        elif at < end and path in alive:
            changes.setdefault(path, []).append((at - begin) / _DAY)
    pages = sorted(alive)
    return Years(int((end - begin) / _DAY), pages, [np.array(changes.get(path, [])) for path in pages])


def _events() -> Iterator[tuple[float, str, str]]:
    data = Path(os.environ.get("DOWSE_DATA", "")) / "recrawl" / "page-changes-1996-2019.tsv.gz"
    if not data.is_file():
        raise Unavailable(f"{data} is not there; set DOWSE_DATA to the folder that holds recrawl/")
    with gzip.open(data, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            at, kind, path = line.rstrip("\n").split("\t")
            yield float(at), kind, path


if __name__ == "__main__":
    asked = (int(sys.argv[1]), int(sys.argv[2]))
    print(as_text(compare(years_of(*asked), asked)))
