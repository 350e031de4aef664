"""The rows of a rule crawl: which page types URLs have, which links are kept, and what was done with each page.

    rules        the table of rules, if it came from a file; a running crawl obeys what is changed here
    page_type    what type a URL has, for which base URL, and by which rule; the follow list
    kept         the links that rules keep, each once for a base URL
    kept_words   what their pages say of them
    instruction  one row a page crawled: what was to be done with it, and how many links each rule matched

Invariant: when a batch has been written, every page type of a fetched page is either applied or due (`applied` = 2,
the stored page is read for it soon). So a URL that gets a second type after its visit is not downloaded again, and
what is due when a process is killed is due when the crawl is opened.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from dowse.core.briefing import Briefing
from dowse.core.model import KEPT, Candidate, Outcome, Request, State, Task
from dowse.modes.rules.anchor_words import is_better, is_poor
from dowse.modes.rules.briefing import unpack_rules
from dowse.modes.rules.rule_databases import RULES_TABLE, insert_rules
from dowse.modes.rules.rule_hints import PageType, Ruled, marks, pack, page_types, ruled
from dowse.modes.rules.rule_table import Instruction, Rule
from dowse.store.bookkeeping import Bookkeeping, Due, NewResult, Visit
from dowse.store.database import Database
from dowse.store.fragments import upsert
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.edges import Edge
from dowse.store.task_states import one_of

_TABLES = (
    """
CREATE TABLE IF NOT EXISTS page_type (
    id        INTEGER PRIMARY KEY,
    task      INTEGER NOT NULL,
    base      TEXT NOT NULL,
    name      TEXT NOT NULL,
    rule      INTEGER NOT NULL,            -- row of the rule; 0 for a base URL and for where a redirect led
    listed    INTEGER NOT NULL,            -- whether it is in the follow list: a rule said so and nothing refused it
    source    INTEGER NOT NULL,            -- the task it was found on, 0 for a base URL
    from_type TEXT NOT NULL,               -- the type of that page
    anchor    TEXT NOT NULL,
    applied   INTEGER NOT NULL DEFAULT 0,  -- 1: yes; 0: when the page comes; 2: to the stored page, soon
    UNIQUE (task, base, name)
)""",
    "CREATE INDEX IF NOT EXISTS page_type_due ON page_type (task) WHERE applied = 2",
    """
CREATE TABLE IF NOT EXISTS kept (
    id        INTEGER PRIMARY KEY,
    task      INTEGER NOT NULL,            -- the link
    base      TEXT NOT NULL,
    rule      INTEGER NOT NULL,            -- row of the rule that kept it first
    source    INTEGER NOT NULL,            -- the task it was found on
    from_type TEXT NOT NULL,               -- the type of that page
    anchor    TEXT NOT NULL,
    UNIQUE (task, base)
)""",
    """
CREATE TABLE IF NOT EXISTS kept_words (
    kept    INTEGER PRIMARY KEY,           -- a row of `kept`
    context TEXT NOT NULL,                 -- the text of the block around the link
    title   TEXT NOT NULL,
    rel     TEXT NOT NULL
)""",
    """
CREATE TABLE IF NOT EXISTS instruction (
    task        INTEGER PRIMARY KEY,
    instruction TEXT NOT NULL,             -- JSON of rule_table.Instruction
    matches     TEXT NOT NULL              -- JSON: [[row of the rule, links matched], ...]
)""",
    RULES_TABLE.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"),
)

_FETCHED = (State.FETCHED, State.DUPLICATE)

_INSERT_TYPE = """INSERT INTO page_type (task, base, name, rule, listed, source, from_type, anchor)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"""
_TAKE_BACK = (
    "DELETE FROM page_type WHERE task = ? AND base = ? AND name = ? AND rule > 0 AND listed = 0 AND applied = 0"
)
_INSERT_KEPT = """INSERT INTO kept (task, base, rule, source, from_type, anchor) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING"""
_NEW_KEPT = """SELECT kept.id, kept.task, kept.anchor, source.url
    FROM kept JOIN task AS source ON source.id = kept.source WHERE kept.id > ? ORDER BY kept.id"""
_SAY = upsert("kept_words", ("kept", "context", "title", "rel"), ["kept"])
_KEPT_ANCHOR = "kept WHERE task = ? AND base = ?"
_TYPE_ANCHOR = "page_type WHERE task = ? AND base = ? AND name = ? AND rule > 0"
_HAND_ON = """INSERT INTO page_type (task, base, name, rule, listed, source, from_type, anchor)
    SELECT ?, base, name, 0, 0, task, '', '' FROM page_type WHERE task = ? ON CONFLICT DO NOTHING"""
_INSTRUCT = upsert("instruction", ("task", "instruction", "matches"), ["task"])
_STANDING = """SELECT task.state, task.reason, coalesce(task.visit, -1) < 0, visit.redirect, visit.body
    FROM task LEFT JOIN visit ON visit.id = task.visit WHERE task.id = ?"""

_DUE = f"""SELECT DISTINCT task.id FROM page_type JOIN task ON task.id = page_type.task
    WHERE page_type.applied = 2 AND task.state IN {one_of(*_FETCHED)} LIMIT ?"""
_MOST_DUE = 200
_ON_THE_WAY = 0.5
# The rules may be others by now. Pages that did not change are read for them from their stored bodies.
_REVISIT = """UPDATE page_type SET applied = 0 WHERE task IN (
    SELECT task.id FROM task JOIN visit ON visit.id = task.visit WHERE visit.body <> '')"""

_encode = msgspec.json.Encoder().encode
_decode_instruction = msgspec.json.Decoder(Instruction).decode


class PageTypes(Bookkeeping):
    """Gives tasks their page types, and writes down what rules say of pages and links."""

    tables = _TABLES
    keeps_hints = True
    reads_duplicates = True  # the rules for two pages that say the same may be others

    def __init__(self, rules: Sequence[Rule], *, copies: bool = False) -> None:
        """Of `rules` that are in a database elsewhere a crawl `copies` each version, to have one when that is away."""
        self._rules = rules
        self._copies = copies
        self._touched: set[int] = set()
        self._kept = self._told = 0

    def load(self, connection: Database) -> None:
        super().load(connection)
        self._touched.clear()
        self._kept, self._told = connection.execute("SELECT count(*), coalesce(max(id), 0) FROM kept").fetchone()

    @property
    def results(self) -> int:
        return self._kept

    def new_results(self) -> list[NewResult]:
        rows = self._connection.execute(_NEW_KEPT, (self._told,)).fetchall()
        self._told = rows[-1][0] if rows else self._told
        return [NewResult("kept", task, {"anchor": anchor, "found_on": url}) for _, task, anchor, url in rows]

    def page_weights(self) -> dict[int, float]:
        """Pages with links that were kept, and what was kept, count in full; those on the way to them half."""
        kept = {task for row in self._connection.execute("SELECT task, source FROM kept") for task in row}
        parents = dict(self._connection.execute("SELECT id, parent FROM task WHERE parent > 0").fetchall())
        weights = dict.fromkeys(kept, 1.0)
        for task in kept:
            while (task := parents.get(task, 0)) and task not in weights:
                weights[task] = _ON_THE_WAY
        return weights

    def started(self) -> None:
        """The crawl has a copy of its rules, to be changed while it runs."""
        self._connection.execute("DELETE FROM rules")
        insert_rules(self._connection, self._rules)

    def briefed(self, briefing: Briefing) -> None:
        if self._copies:
            self._rules = unpack_rules(briefing).rules
            self.started()

    def seeded(self, number: int, request: Request, hint: bytes) -> None:
        """A base URL has its type from the start: the hint is its name."""
        if hint:
            self._touched.add(number)
            self._connection.execute(_INSERT_TYPE, (number, request.url, hint.decode(), 0, 0, 0, "", ""))

    def revisiting(self) -> None:
        self._connection.execute(_REVISIT)

    def leased(self, tasks: list[Task]) -> list[Task]:
        return [replace(task, hint=pack(types_of(self._connection, task.id))) for task in tasks]

    def due(self, limit: int, out: Container[int]) -> list[Due]:
        """Pages that got another type since they were fetched. One that waits for a visit gets all its types then."""
        numbers = [number for (number,) in self._connection.execute(_DUE, (_MOST_DUE,)) if number not in out]
        return [Due(number, pack(types_of(self._connection, number, due=True))) for number in numbers[: max(limit, 0)]]

    def linked(self, finder: int, candidates: Sequence[Candidate], edges: Sequence[Edge], admission: Admission) -> None:
        """Write down what rules said of links. One that was refused before may be a result now."""
        for candidate, edge in zip(candidates, edges, strict=True):
            if candidate.hint and self._mark(edge[0], finder, candidate) and candidate.refused == KEPT:
                admission.keep(edge[0])

    def visited(self, visit: Visit, admission: Admission) -> None:
        """A task with page types came home, whatever became of it."""
        outcome = visit.outcome
        if outcome.task.hint:
            self._touched.add(outcome.task.id)
            if outcome.evidence:
                self._note(outcome, ruled(outcome.evidence))

    def read_again(self, outcome: Outcome, links: Sequence[Edge], admission: Admission) -> None:
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
        self._note(outcome, applied)

    def requeued(self, number: int) -> None:
        self._connection.execute("UPDATE page_type SET applied = 0 WHERE task = ? AND applied = 2", (number,))

    def written(self, admission: Admission) -> None:
        """Find what each touched task's new types need: a later visit, the stored page, or to go where it redirects.

        Pages whose bodies were not kept are fetched again.
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
        for number in bodiless:
            admission.known.fetch_again(number)

    def _mark(self, number: int, source: int, candidate: Candidate) -> bool:
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
                is_new = execute(_INSERT_KEPT, kept).rowcount > 0
                is_kept |= is_new
                self._kept += is_new
                if is_new or self._improve(_KEPT_ANCHOR, candidate.anchor, (number, mark.base)):
                    (row,) = execute(f"SELECT id FROM {_KEPT_ANCHOR}", (number, mark.base)).fetchone()
                    execute(_SAY, (row, mark.context, mark.title, mark.rel))
        return is_kept

    def _improve(self, place: str, anchor: str, key: tuple[Any, ...]) -> bool:
        """A link was found before; its text there may say less of it. Whether it did."""
        if is_poor(anchor):
            return False
        table, condition = place.split(maxsplit=1)
        row = self._connection.execute(f"SELECT anchor FROM {table} {condition}", key).fetchone()
        if row is None or not is_better(anchor, row[0]):
            return False
        self._connection.execute(f"UPDATE {table} SET anchor = ? {condition}", (anchor, *key))
        return True

    def _note(self, outcome: Outcome, applied: Ruled) -> None:
        """Write down what was done with a page, and for which of its types."""
        row = (outcome.task.id, _encode(applied.instruction).decode(), _encode(applied.matches).decode())
        self._connection.execute(_INSTRUCT, row)
        self._connection.executemany(
            "UPDATE page_type SET applied = 1 WHERE task = ? AND base = ? AND name = ?",
            [(outcome.task.id, each.base, each.name) for each in page_types(outcome.task.hint)],
        )


def types_of(connection: Database, number: int, *, due: bool = False) -> tuple[PageType, ...]:
    """The page types of a task, or those that are due."""
    condition = "AND applied = 2" if due else ""
    rows = connection.execute(f"SELECT base, name FROM page_type WHERE task = ? {condition} ORDER BY id", (number,))
    return tuple(PageType(*row) for row in rows)
