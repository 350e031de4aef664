"""The tests for duplicates in one batch, and what each of them learns from it.

They take part in a batch as the bookkeeping of a mode does. But they are asked first: `original` has a say in the fate
of a URL. What is asked of every link (spellings, variants) is asked by `Admission`, without a detour over this class.
"""

from __future__ import annotations

from dowse.core.fate import MIRROR, Finding
from dowse.core.job import Job
from dowse.core.model import Outcome, State, Task
from dowse.core.task_labels import NO_PAGES
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.database import Database
from dowse.store.duplicates.copies import Copies
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.memory import Memory


class DuplicateTests(Bookkeeping):
    """Finds the page that another one is, and keeps what the tests need to know of both."""

    def __init__(self, connection: Database, memory: Memory, job: Job) -> None:
        self._memory = memory
        self._is_off = job.dedup.dedup == "off"
        self._copies = Copies(connection, job.dedup.dedup)
        self._visited: list[tuple[Task, int, State]] = []  # URLs, the pages that they are, what became of them
        self._compared: list[tuple[Outcome, State]] = []  # probes, and pages that other URLs were taken for

    def original(self, outcome: Outcome, host: int) -> Finding:
        """The page that this one is, and by which test."""
        before = self._copies.unchanged(outcome.task) if outcome.unchanged else None
        if before is not None:
            return before
        same = self._memory.spellings.finding(outcome) if outcome.task.twin is not None else None
        if same is not None:
            return same
        duplicate_of = self._duplicate_of(outcome)
        if duplicate_of:
            return Finding(duplicate_of, MIRROR)
        near = self._memory.near.judge(outcome, host) if self._memory.near else None
        return near if near and not self._copies.is_gone(near.page) else Finding(0)

    def _duplicate_of(self, outcome: Outcome) -> int:
        digest = outcome.task.digest if outcome.unchanged else outcome.digest
        if self._is_off or not digest or not (outcome.size or outcome.unchanged):
            return 0
        first = self._memory.digests.get(digest)
        return first if first and first != outcome.task.id and self._copies.has(first, digest) else 0

    def visited(self, visit: Visit, admission: Admission) -> None:
        memory, outcome, state = self._memory, visit.outcome, visit.fate.state
        task = outcome.task
        if visit.is_new and state is State.FETCHED:
            memory.digests.add(outcome.digest, task.id)
            if memory.near:
                memory.near.keep(outcome, memory.hosts.by_name[task.request.host].id)
        spellings = memory.spellings
        if task.id in spellings.probed or task.id in spellings.originals:
            self._compared.append((outcome, state))
        if memory.near and task.request.is_plain and task.label not in NO_PAGES:
            is_lost = state > State.DUPLICATE and (visit.is_over or not task.digest)
            if visit.is_new or is_lost:
                self._visited.append((task, visit.found.page, state))

    def ended(self, task: Task, digest: int) -> None:
        """A visit brought something else than the last one did; 0 if that is no page of its own."""
        self._copies.ended(task, digest)

    def written(self, admission: Admission) -> None:
        memory, is_changed = self._memory, False
        if memory.near and memory.variants:
            memory.near.write()
            for task, original, state in self._visited:
                memory.variants.observe(task, original, state)
            memory.variants.write()
            is_changed = True
        for outcome, state in self._compared:
            memory.spellings.came_home(outcome, state, admission)
        is_changed |= memory.spellings.settle(admission)
        for number in self._copies.left_over():
            admission.known.fetch_again(number)
            is_changed = True
        if is_changed:
            memory.doubt()
