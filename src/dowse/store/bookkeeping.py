"""Bookkeeping: what a mode writes down in the transactions of the store, in tables of its own.

    load          the crawl was opened, or a transaction was rolled back
    started       the crawl begins
    briefed       the briefing has changed
    seeded        a URL that the user named is a task
    leased        tasks go out; they may get hints
    due           stored pages are wanted once more; they go out to be read from the archive
    came_home     a batch of outcomes is there
    linked        the links of a page are tasks
    visited       an outcome has its fate
    redirected    a task was sent to another
    read_again    a stored page was judged once more
    requeued      a page is to be fetched as if for the first time
    settle        all outcomes of the batch were told, and its new tasks are not written yet
    doubt         others have changed what waits
    written       all rows of the batch are written
    revisiting    every page is to be visited again
    answered      a person has said of pages whether they are wanted
    finished      the run ends

Each of them does nothing unless a mode says otherwise. Between `load` and the next all are called inside a transaction
that the store has opened. When it is rolled back, `load` follows, and nothing of the batch may be left in memory.
A crawl without bookkeeping has an empty list of it, so it pays nothing: no link is shown to anybody.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dowse.core.briefing import Briefing
from dowse.core.fate import Fate, Finding
from dowse.core.model import Candidate, Outcome, Request, State, Task
from dowse.core.protocols import Tally
from dowse.store.database import Database
from dowse.store.frontier.edges import Edge

if TYPE_CHECKING:
    from dowse.store.frontier.admission import Admission

_FETCHED = f"SELECT url, 1.0 FROM task WHERE state = {State.FETCHED} AND reason = '' ORDER BY visit"


class Visit(NamedTuple):
    """An outcome, what became of its URL, and the page that it is a copy of.

    `links` are those of the outcome's candidates. `is_new` says that there is content which was not there before,
    `is_over` that what was there is gone.
    """

    outcome: Outcome
    fate: Fate
    found: Finding
    links: Sequence[Edge]
    is_new: bool
    is_over: bool


class Due(NamedTuple):
    """A stored page that is wanted once more, and the hint that its task gets."""

    task: int
    hint: bytes


class NewResult(NamedTuple):
    """A result of a mode that is no page that was visited: what it is called, its task, and what is known of it."""

    what: str
    task: int
    facts: Mapping[str, str]


class Bookkeeping:
    """Is told of all that happens to a crawl. `admission` is how it acts on the frontier."""

    tables: tuple[str, ...] = ()
    """Statements that make its tables, `CREATE TABLE IF NOT EXISTS`."""

    keeps_hints = False
    """Whether it gives tasks their hints when they go out; otherwise the store keeps those of links."""

    reads_duplicates = False
    """Whether links of a page that says what another says are wanted too, where the strategy sent evidence."""

    _connection: Database

    def load(self, connection: Database) -> None:
        self._connection = connection

    # The run

    def started(self) -> None: ...

    def briefed(self, briefing: Briefing) -> None: ...

    def seeded(self, number: int, request: Request, hint: bytes) -> None: ...

    def revisiting(self) -> None: ...

    def answered(self, answers: Mapping[int, bool | None]) -> None:
        pass

    def finished(self) -> None: ...

    # Tasks go out

    def leased(self, tasks: list[Task]) -> list[Task]:
        return tasks

    def due(self, limit: int, out: Container[int]) -> list[Due]:
        """At most so many, without those that are `out` to be read."""
        return []

    # Outcomes come home

    def came_home(self, outcomes: Sequence[Outcome]) -> None: ...

    def linked(
        self, finder: int, candidates: Sequence[Candidate], edges: Sequence[Edge], admission: Admission
    ) -> None: ...

    def visited(self, visit: Visit, admission: Admission) -> None: ...

    def redirected(self, number: int, target: int) -> None: ...

    def read_again(self, outcome: Outcome, links: Sequence[Edge], admission: Admission) -> None: ...

    def requeued(self, number: int) -> None: ...

    def settle(self, admission: Admission) -> None: ...

    def doubt(self) -> None: ...

    def written(self, admission: Admission) -> None: ...

    # What it can say of the crawl

    @property
    def rereads(self) -> int:
        """How many stored pages are to be judged again before anything else goes out."""
        return 0

    def called(self, task: int) -> str:
        """What people call the page of a task when it changes, if the mode has a word of its own for it: file."""
        return ""

    def page_weights(self) -> Mapping[int, float] | None:
        """How much its pages matter, by their tasks, if the mode knows that of some; the others hardly matter."""
        return None

    def new_results(self) -> Sequence[NewResult]:
        """Results that are no pages of their own, found since this was asked last or the crawl was opened."""
        return ()

    def notices(self) -> list[str]:
        """What the user should know of since this was asked last, in sentences."""
        return []

    @property
    def found(self) -> Tally | None:
        """How much of what is looked for was found, for the progress of the crawl. Of several the last is told."""
        return None

    @property
    def results(self) -> int | None:
        """How many results there are, if that is for it to say."""
        return None

    def is_saturated(self, waiting: int) -> bool:
        """Whether to stop, because next to nothing was found for a while; so many URLs wait."""
        return False

    def judged_pages(self) -> list[tuple[str, float]] | None:
        """The pages in the order they came, with their relevance, if that is what it keeps."""
        return None


def pages_in_order(connection: Database, bookkeeping: Sequence[Bookkeeping]) -> list[tuple[str, float]]:
    """The pages in the order they were fetched, with their relevance: 1 where nobody has judged it."""
    judged = next((pages for each in bookkeeping if (pages := each.judged_pages()) is not None), None)
    return connection.execute(_FETCHED).fetchall() if judged is None else judged
