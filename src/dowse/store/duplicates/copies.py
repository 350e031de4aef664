"""Copies and their originals: a page is a copy of another only for as long as that one says what it said.

    found       by its content, exact or near: only if the other page has that content now
    unchanged   a copy that comes back as it was stays one, if its original did not change since
    left over   when an original changes or is gone, its copies are fetched again, whole; the first takes its place

Invariant: when a batch has been written, no page that is done is the copy of one that changed after it was compared.
"""

from __future__ import annotations

from dowse.core.fate import CANONICAL, MIRROR, NEAR_DUPLICATE, Finding
from dowse.core.model import State, Task
from dowse.store.database import Database

_NAMED = "the page names it as canonical, "
_SPELLED = "nothing else without "

_NOW = """SELECT visit.digest FROM task JOIN visit ON visit.id = task.visit
    WHERE task.id = ? AND visit.duplicate_of IS NULL"""
_BEFORE = """SELECT visit.duplicate_of, visit.detail, original.visit < visit.id FROM task
    JOIN visit ON visit.id = task.visit JOIN task AS original ON original.id = visit.duplicate_of WHERE task.id = ?"""
_LEFT_OVER = f"""SELECT task.id FROM visit JOIN task ON task.id = visit.task AND task.visit = visit.id
    WHERE visit.duplicate_of = :task AND task.state = {State.DUPLICATE}
    AND visit.id < (SELECT visit FROM task WHERE id = :task)"""


class Copies:
    """What a batch knows of them. Its own rows are not on disk yet, so it notes what its pages say."""

    def __init__(self, connection: Database, dedup: str) -> None:
        self._connection = connection
        self._dedup = dedup
        self._latest: dict[int, int] = {}
        self._changed: list[int] = []
        self._again: list[int] = []

    def has(self, page: int, digest: int) -> bool:
        """Whether this is what a page says now."""
        now = self._latest.get(page)
        if now is None:
            row = self._connection.execute(_NOW, (page,)).fetchone()
            now = row[0] if row else 0
        return now == digest

    def is_gone(self, page: int) -> bool:
        """Whether a page turned out in this batch to be none, or none of its own."""
        return self._latest.get(page) == 0

    def unchanged(self, task: Task) -> Finding | None:
        """The page that one is a copy of which came back as it was; None if it was no copy.

        A copy that has lost its original is none from now on. Nothing was read of it, so it is fetched once more.
        """
        row = self._connection.execute(_BEFORE, (task.id,)).fetchone()
        if row is None:
            return None
        page, detail, is_older = row
        reason = reason_in(detail)
        is_wanted = (
            self._dedup == "near" or (self._dedup == "exact" and reason == MIRROR) or detail.startswith(_SPELLED)
        )
        if is_wanted and is_older and page not in self._latest:
            return Finding(page, reason, detail)
        self._again.append(task.id)
        return Finding(0)

    def ended(self, task: Task, digest: int) -> None:
        """A visit brought something else than the last one did; 0 if that is no page of its own."""
        self._latest[task.id] = digest
        if task.digest:
            self._changed.append(task.id)

    def left_over(self) -> list[int]:
        """The pages that must be fetched again, once all rows of the batch are written."""
        rows = [row for page in self._changed for row in self._connection.execute(_LEFT_OVER, {"task": page})]
        return [*self._again, *(number for (number,) in rows)]


def detail_of(likeness: float, *, is_named: bool) -> str:
    """How alike a page and its original are, in words that also say which test found it."""
    return f"{_NAMED if is_named else ''}{likeness:.0%} of the text is the same"


def detail_of_spelling(merger: str) -> str:
    """That a page says what another does whose URL is the same but for a parameter."""
    return f"{_SPELLED}{merger}"


def reason_in(detail: str) -> str:
    """Which test found a copy, by the words of its visit."""
    if not detail:
        return MIRROR
    if detail.startswith(_SPELLED):
        return detail.removeprefix(_SPELLED)
    return CANONICAL if detail.startswith(_NAMED) else NEAR_DUPLICATE
