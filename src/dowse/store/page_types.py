"""The rows of a rule crawl: which page types URLs have, which links are kept, and what was done with each page.

Invariant: when a batch has been written, every page type of a fetched page is either applied or due (`applied` = 2,
the stored page is read for it soon). So a URL that gets a second type after its visit is not downloaded again, and
what is due when a process is killed is due when the crawl is opened.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, NamedTuple

import msgspec

from dowse.core.anchor_words import is_better, is_poor
from dowse.core.model import Candidate, Outcome, State
from dowse.core.rule_hints import PageType, Ruled, marks, page_types, ruled
from dowse.core.rules import Instruction
from dowse.store.database import Database
from dowse.store.fragments import upsert
from dowse.store.frontier.task_rows import TASK_COLUMNS
from dowse.store.task_states import one_of

_FETCHED = (State.FETCHED, State.DUPLICATE)

_INSERT_TYPE = """INSERT INTO page_type (task, base, name, rule, listed, source, from_type, anchor)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"""
_TAKE_BACK = (
    "DELETE FROM page_type WHERE task = ? AND base = ? AND name = ? AND rule > 0 AND listed = 0 AND applied = 0"
)
_INSERT_KEPT = """INSERT INTO kept (task, base, rule, source, from_type, anchor) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING"""
_KEPT_ANCHOR = "kept WHERE task = ? AND base = ?"
_TYPE_ANCHOR = "page_type WHERE task = ? AND base = ? AND name = ? AND rule > 0"
_HAND_ON = """INSERT INTO page_type (task, base, name, rule, listed, source, from_type, anchor)
    SELECT ?, base, name, 0, 0, task, '', '' FROM page_type WHERE task = ? ON CONFLICT DO NOTHING"""
_INSTRUCT = upsert("instruction", ("task", "instruction", "matches"), ["task"])
_STANDING = """SELECT task.state, task.reason, coalesce(task.visit, -1) < 0, visit.redirect, visit.body
    FROM task LEFT JOIN visit ON visit.id = task.visit WHERE task.id = ?"""

_DUE = f"""SELECT DISTINCT task.id FROM page_type JOIN task ON task.id = page_type.task
    WHERE page_type.applied = 2 AND task.state IN {one_of(*_FETCHED)} LIMIT ?"""
_STORED = f"""
    SELECT {TASK_COLUMNS}, '', '', 0, '', visit.body, host.name
    FROM task JOIN visit ON visit.id = task.visit JOIN host ON host.id = task.host WHERE task.id = ?
"""
_MOST_DUE = 200

_encode = msgspec.json.Encoder().encode
_decode_instruction = msgspec.json.Decoder(Instruction).decode


class PageTypes:
    """Writes them inside the transaction of one batch."""

    def __init__(self, connection: Database) -> None:
        self._connection = connection
        self._touched: set[int] = set()

    def begin(self, number: int, url: str, hint: bytes) -> None:
        """A base URL has its type from the start: the hint is its name."""
        self._touched.add(number)
        self._connection.execute(_INSERT_TYPE, (number, url, hint.decode(), 0, 0, 0, "", ""))

    def mark(self, number: int, source: int, candidate: Candidate) -> bool:
        """Write down what rules said of a link; whether it is kept and was not before."""
        is_kept, execute = False, self._connection.execute
        for mark in marks(candidate.hint):
            if mark.to_type:
                if not candidate.refused:  # it may have been refused on another page
                    execute(_TAKE_BACK, (number, mark.base, mark.to_type))
                listed = not candidate.refused
                row = (number, mark.base, mark.to_type, mark.rule, listed, source, mark.from_type, candidate.anchor)
                if execute(_INSERT_TYPE, row).rowcount:
                    self._touched.add(number)
                else:
                    self._improve(_TYPE_ANCHOR, candidate.anchor, (number, mark.base, mark.to_type))
            else:
                kept = (number, mark.base, mark.rule, source, mark.from_type, candidate.anchor)
                if execute(_INSERT_KEPT, kept).rowcount:
                    is_kept = True
                else:
                    self._improve(_KEPT_ANCHOR, candidate.anchor, (number, mark.base))
        return is_kept

    def _improve(self, place: str, anchor: str, key: tuple[Any, ...]) -> None:
        """A link was found before; its text there may say less of it."""
        if is_poor(anchor):
            return
        table, condition = place.split(maxsplit=1)
        row = self._connection.execute(f"SELECT anchor FROM {table} {condition}", key).fetchone()
        if row is not None and is_better(anchor, row[0]):
            self._connection.execute(f"UPDATE {table} SET anchor = ? {condition}", (anchor, *key))

    def visited(self, outcome: Outcome) -> None:
        """A task with page types came home, whatever became of it."""
        self._touched.add(outcome.task.id)
        if outcome.evidence:
            row = (outcome.task.id, *_instruction_row(ruled(outcome.evidence)))
            self._connection.execute(_INSTRUCT, row)
            self._note_applied(outcome)

    def read_again(self, outcome: Outcome) -> None:
        """The stored page of a task was judged for page types that it got later: its instruction grows by theirs.

        After a recrawl it is judged for all of its types anew.
        """
        number, applied = outcome.task.id, ruled(outcome.evidence)
        row = self._connection.execute(
            "SELECT instruction, matches FROM instruction WHERE task = ?", (number,)
        ).fetchone()
        if row is not None and set(types_of(self._connection, number)) > set(page_types(outcome.task.hint)):
            before = Ruled(_decode_instruction(row[0]), msgspec.json.decode(row[1]))
            applied = Ruled(before.instruction.joined(applied.instruction), before.matches + applied.matches)
        self._connection.execute(_INSTRUCT, (number, *_instruction_row(applied)))
        self._note_applied(outcome)

    def settle(self) -> list[int]:
        """Find what each touched task's new types need: a later visit, the stored page, or to go where it redirects.

        The answer is the pages that must be fetched again, because their bodies were not kept.
        """
        waiting, bodiless = list(self._touched), []
        self._touched.clear()
        while waiting:
            number = waiting.pop()
            state, reason, is_unseen, redirect, body = self._connection.execute(_STANDING, (number,)).fetchone()
            if state not in _FETCHED:
                if is_unseen and reason.startswith("trap: "):  # it turned out to be one when it was let in
                    self._connection.execute("UPDATE page_type SET listed = 0 WHERE task = ?", (number,))
                continue
            if reason == "redirect":
                if redirect and self._connection.execute(_HAND_ON, (redirect, number)).rowcount > 0:
                    waiting.append(redirect)
                self._connection.execute("UPDATE page_type SET applied = 1 WHERE task = ?", (number,))
                continue
            due = "UPDATE page_type SET applied = 2 WHERE task = ? AND applied = 0"
            if self._connection.execute(due, (number,)).rowcount and not body:
                bodiless.append(number)
        return bodiless

    def _note_applied(self, outcome: Outcome) -> None:
        self._connection.executemany(
            "UPDATE page_type SET applied = 1 WHERE task = ? AND base = ? AND name = ?",
            [(outcome.task.id, each.base, each.name) for each in page_types(outcome.task.hint)],
        )


def types_of(connection: Database, number: int, *, due: bool = False) -> tuple[PageType, ...]:
    """The page types of a task, or those that are due."""
    condition = "AND applied = 2" if due else ""
    rows = connection.execute(f"SELECT base, name FROM page_type WHERE task = ? {condition} ORDER BY id", (number,))
    return tuple(PageType(*row) for row in rows)


class StoredPage(NamedTuple):
    """A page to be read again: its task, its host, where its body is, and the types it is read for."""

    row: tuple[Any, ...]
    host: str
    body: str
    types: tuple[PageType, ...]


def due_pages(connection: Database, out: Container[int], limit: int) -> list[StoredPage]:
    """Pages that are to be read again and are not being read. One that waits for a visit gets all its types then."""
    numbers = connection.execute(_DUE, (_MOST_DUE,)).fetchall()
    pages = []
    for (number,) in [row for row in numbers if row[0] not in out][: max(limit, 0)]:
        *row, body, host = connection.execute(_STORED, (number,)).fetchone()
        pages.append(StoredPage(tuple(row), host, body, types_of(connection, number, due=True)))
    return pages


def _instruction_row(applied: Ruled) -> tuple[str, str]:
    return _encode(applied.instruction).decode(), _encode(applied.matches).decode()
