"""A limit on the pages of one seed: those that its links lead to, itself included.

A task belongs to the seed of the page that found it first. Nothing is written down for that: it follows from `parent`.
Invariant: of a seed at most `limit` tasks are pages or out. When it has all its pages, what waits of it is refused, and
so are the links of its pages. Another seed may find these later, and then they are its own.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dowse.core.model import Candidate, Outcome, State, Task
from dowse.core.task_labels import NO_PAGES
from dowse.store.database import Database
from dowse.store.reading.link_graph import IS_PAGE
from dowse.store.task_states import NOT_DONE

if TYPE_CHECKING:
    from dowse.store.frontier.known_tasks import KnownTasks

_TASKS = "SELECT id, parent FROM task ORDER BY id"
_PAGES = f"SELECT task.id FROM task WHERE task.visit > 0 AND NOT task.{NOT_DONE} AND {IS_PAGE}"
_OUT = f"SELECT id FROM task WHERE state = {State.OUT}"
_WAITING = f"SELECT id, coalesce(visit, -1) > 0 FROM task WHERE state = {State.WAITING}"


class SeedPages:
    """Knows the seed of every task, and how many pages each has."""

    def __init__(self, connection: Database, limit: int) -> None:
        self._limit = limit
        self._reason = f"seed_pages {limit}"
        self._parents = array("q", [0])
        self._waiting: defaultdict[int, list[int]] = defaultdict(list)  # of each seed, and some that wait no more
        self._copied: set[int] = set()  # pages that are visited again
        for number, parent in connection.stream(_TASKS):
            self._put(number, parent)
        for number, is_copied in connection.stream(_WAITING):
            if is_copied:
                self._copied.add(number)
            else:
                self._waiting[self._seed(number)].append(number)
        self._pages = Counter(self._seed(number) for (number,) in connection.stream(_PAGES))
        self._out = Counter(self._seed(number) for (number,) in connection.stream(_OUT))
        self.full = {seed for seed, pages in self._pages.items() if pages >= limit}
        """Seeds that have all their pages, of which more may wait."""

    def place(self, number: int, parent: int) -> None:
        """A task waits now: it is new, or was found by another page."""
        self._put(number, parent)
        self._waiting[self._seed(number)].append(number)

    def _put(self, number: int, parent: int) -> None:
        missing = number + 1 - len(self._parents)
        if missing > 0:
            self._parents.extend([0] * missing)
        self._parents[number] = parent

    def checked(self, candidate: Candidate, finder: int) -> Candidate:
        """What a page leads to, refused if its seed has all its pages."""
        if candidate.refused or not finder or self._pages[self._seed(finder)] < self._limit:
            return candidate
        return replace(candidate, refused=self._reason)

    def take(self, number: int) -> bool:
        """Let a task go out, unless its seed may have all its pages when those come home that are out.

        What the user named always goes, and so does what is visited again.
        """
        seed = self._seed(number)
        is_free = seed == number or number in self._copied
        if not is_free and self._pages[seed] + self._out[seed] >= self._limit:
            return False
        self._out[seed] += 1
        return True

    def came_home(self, outcome: Outcome) -> None:
        seed = self._seed(outcome.task.id)
        self._out[seed] -= 1
        if outcome.failure is None and outcome.redirect is None and _is_page(outcome.task):
            self._pages[seed] += 1
            if self._pages[seed] >= self._limit:
                self.full.add(seed)

    def settle(self, known: KnownTasks) -> None:
        """Refuse what waits of seeds that have all their pages."""
        for seed in self.full:
            for number in self._waiting.pop(seed, ()):
                known.drop(number, self._reason)
        self.full.clear()

    def _seed(self, number: int) -> int:
        """The first of the pages that led here. Ways are made shorter as they are gone."""
        parents, root = self._parents, number
        while parents[root]:
            root = parents[root]
        while parents[number] and parents[number] != root:
            parents[number], number = root, parents[number]
        return root


def _is_page(task: Task) -> bool:
    return task.label not in NO_PAGES
