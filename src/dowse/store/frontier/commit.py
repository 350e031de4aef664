"""Outcomes become rows: the visited-URL test, the content-matching test and the ledger, for one batch."""

from __future__ import annotations

from typing import Any

import msgspec

from dowse.core.fate import LEFT_OUT, MIRROR, WITHHELD, Fate, Finding, fate, is_gone
from dowse.core.job import Job
from dowse.core.model import Outcome, State, Task
from dowse.core.politeness import after_outcome, is_hopeless
from dowse.core.record import APART
from dowse.core.retry_dates import UNCOUNTED
from dowse.core.task_labels import NO_PAGES, REQUISITE, REQUISITES_FIRST
from dowse.store.bookkeeping import Visit
from dowse.store.database import Database
from dowse.store.duplicates.duplicate_checks import DuplicateTests
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.edges import Edge, distinct
from dowse.store.frontier.hosts import Host
from dowse.store.frontier.memory import Memory
from dowse.store.reading.records import record_rows
from dowse.store.schema import INSERT_RECORD
from dowse.store.task_states import OF_PAGES, READY

Row = tuple[Any, ...]

_INSERT_VISIT = f"INSERT INTO visit VALUES ({','.join('?' * 21)})"
_INSERT_ROBOTS = "INSERT INTO robots (url, fetched_at, status, body) VALUES (?, ?, ?, ?)"
_END_TASK = """UPDATE task SET state = ?, reason = ?, attempt = ?, not_before = ?, visit = coalesce(?, visit)
    WHERE id = ?"""
# A visit that failed tells nothing of what is there; the one before stays the last that did. What is to be fetched as
# if unseen is so at its next try too; once there is none, the copy that it has counts again.
_END_FAILED = """UPDATE task SET state = ?, reason = ?, attempt = ?, not_before = ?, visit = coalesce(
    (SELECT CASE WHEN ? THEN task.visit ELSE id END FROM visit
     WHERE id = abs(task.visit) AND (digest <> 0 OR redirect IS NOT NULL)), ?) WHERE id = ?"""
_COPIES = f"""SELECT count(*) FROM task JOIN visit ON visit.id = task.visit WHERE task.host = ?
    AND task.{READY} AND visit.digest <> 0 AND task.{OF_PAGES}"""
_SET_USAGE = "UPDATE visit SET usage = ? WHERE id = (SELECT abs(visit) FROM task WHERE id = ?)"
_SAVE_HOST = """INSERT INTO host VALUES (?,?,?,?)
    ON CONFLICT (id) DO UPDATE SET pages = excluded.pages, politeness = excluded.politeness"""

_FAILED = (State.FAILED, State.ROBOTS)

_encode_json = msgspec.json.Encoder().encode


class Batch:
    """Collects the rows of one transaction; `write` puts them on disk in one go."""

    def __init__(self, connection: Database, memory: Memory, job: Job, now: float) -> None:
        self._connection = connection
        self._memory = memory
        self._job = job
        self._now = now
        self.admission = Admission(connection, memory, job)
        self._duplicates = DuplicateTests(connection, memory, job)
        self._bookkeeping = memory.bookkeeping
        self._reads_duplicates = any(each.reads_duplicates for each in memory.bookkeeping)
        self._visits: list[Row] = []
        self._ended: list[Row] = []
        self._failed: list[Row] = []
        self._outdated: list[Row] = []  # pages whose records are of what they said before
        self._usage: list[Row] = []  # what is said now of the use of pages that did not change
        self._records: list[Row] = []
        self._robots: list[Row] = []
        self._labelled: list[Row] = []  # what turned out to be no page

    def record(self, outcome: Outcome) -> None:
        """Take in one outcome: its URL's fate, its visit, and the URLs it found."""
        task = outcome.task
        if outcome.robots:
            self._robots += [(each.url, each.fetched_at, each.status, each.body) for each in outcome.robots]
        if outcome.partial:
            self.admission.admit(task, outcome.candidates)
            return
        if task.body:
            self._read_again(outcome)
            return
        host = self._memory.hosts.by_name[task.request.host]
        found = self._duplicates.original(outcome, host.id)
        verdict = fate(
            outcome,
            content_known=found.reason == MIRROR,
            nearly_known="" if found.reason == MIRROR else found.reason,
            retries=self._job.politeness.retries,
            now=self._now,
        )
        self._settle_host(host, outcome)
        is_page = verdict.state is State.FETCHED
        if is_page:
            self._records += record_rows(task.id, outcome.records)
            self._memory.records += sum(record.kind not in APART for record in outcome.records)
        proposed: list[Edge] = []
        links: list[Edge] = []
        is_followed = (is_page and not outcome.unchanged) or verdict.reason == WITHHELD
        if is_followed or (self._reads_duplicates and verdict.state is State.DUPLICATE and outcome.evidence):
            proposed = self._admit_proposed(outcome) if outcome.proposed else proposed
            links = self.admission.admit(task, outcome.candidates)
            if outcome.requisites and is_page:
                self.admission.admit_requisites(task, outcome.requisites)
        redirect = None
        if outcome.redirect is not None:
            self._write_ends()  # it may lead back to a URL that was visited in this very batch
            redirect, verdict = self.admission.admit_redirect(task, outcome.redirect, verdict)
        is_new = outcome.digest != 0 and not outcome.unchanged
        is_over = (redirect is not None and verdict.state is State.FETCHED) or is_gone(outcome)
        if is_new or is_over:  # also of a page that is fetched as if unseen, which says nothing of its last visit
            self._outdated.append((task.id,))
        if task.label == REQUISITE and task.priority != REQUISITES_FIRST:
            self._labelled.append((REQUISITE, REQUISITES_FIRST, task.id))
        visit = Visit(outcome, verdict, found, links, is_new, is_over)
        self._duplicates.visited(visit, self.admission)
        if self._bookkeeping:
            self._tell(visit, redirect)
        self._end(outcome, verdict, host, redirect, proposed + links if proposed else links, found)

    def _tell(self, visit: Visit, redirect: int | None) -> None:
        number = visit.outcome.task.id
        for each in self._bookkeeping:
            each.visited(visit, self.admission)
            if redirect is not None and redirect != number:
                each.redirected(number, redirect)

    def _admit_proposed(self, outcome: Outcome) -> list[Edge]:
        """What a strategy asked for comes before the links it chose, for of two the first has its say."""
        edges = self.admission.admit(outcome.task, outcome.proposed)
        return [edge for edge, wanted in zip(edges, outcome.proposed, strict=True) if wanted.is_link]

    def write(self) -> None:
        for each in self._bookkeeping:
            each.settle(self.admission)
        self.admission.write()
        self._connection.executemany(_INSERT_VISIT, self._visits)
        self._write_ends()
        self._connection.executemany("UPDATE task SET label = ?, priority = ? WHERE id = ?", self._labelled)
        if self._usage:
            self._connection.executemany(_SET_USAGE, self._usage)
        self._connection.executemany("DELETE FROM record WHERE task = ?", self._outdated)
        self._connection.executemany(INSERT_RECORD, self._records)
        if self._robots:
            self._connection.executemany(_INSERT_ROBOTS, self._robots)
        self._duplicates.written(self.admission)
        changed = self._memory.hosts.changed
        for host in changed:
            if is_hopeless(host.politeness) and host.waiting:
                self._give_up(host)
        for each in self._bookkeeping:
            each.written(self.admission)
        rows = [(host.id, host.name, host.pages, _encode_json(host.politeness).decode()) for host in changed]
        self._connection.executemany(_SAVE_HOST, rows)
        changed.clear()

    def _read_again(self, outcome: Outcome) -> None:
        """A stored page was wanted once more; nothing was asked of its host."""
        task = outcome.task
        if outcome.failure is not None:
            self.admission.known.fetch_again(task.id)  # what was stored is gone
            return
        proposed, found = self._admit_proposed(outcome), self.admission.admit(task, outcome.candidates)
        self._records += record_rows(task.id, outcome.records)
        for each in self._bookkeeping:
            each.read_again(outcome, found, self.admission)
        query = "SELECT visit.id, visit.links FROM task JOIN visit ON visit.id = abs(task.visit) WHERE task.id = ?"
        visit, before = self._connection.execute(query, (task.id,)).fetchone()
        known = msgspec.json.decode(before)
        targets = {edge[0] for edge in known}
        if new := [edge for edge in proposed + found if edge[0] not in targets]:
            links = _encode_json(known + new).decode()
            self._connection.execute("UPDATE visit SET links = ? WHERE id = ?", (links, visit))

    # Fate of the visited URL

    def _settle_host(self, host: Host, outcome: Outcome) -> None:
        self._memory.hosts.take_home(host, outcome.task.id)
        if self._memory.seed_pages is not None:
            self._memory.seed_pages.came_home(outcome)
        host.politeness = after_outcome(host.politeness, outcome, self._now, self._job.politeness)
        if outcome.failure is None and outcome.redirect is None and outcome.task.label not in NO_PAGES:
            host.pages += 1
            self._memory.pages += 1
        self._memory.bytes_received += outcome.size + outcome.compared.size

    def _give_up(self, host: Host) -> None:
        """A host that has given nothing for minutes would only hold up the end; `retry` can ask it again."""
        reason = "host silent" if host.politeness.failures else "host unavailable"
        (copies,) = self._connection.execute(_COPIES, (host.id,)).fetchone()
        host.pages += copies
        self._memory.pages += copies
        self._memory.revisits -= copies
        rows = self._connection.execute(
            f"UPDATE task SET state = ?, reason = ? WHERE host = ? AND {READY}",
            (int(State.FAILED), reason, host.id),
        ).rowcount
        self._memory.counts[State.WAITING, ""] -= rows
        self._memory.counts[State.FAILED, reason] += rows
        host.waiting = 0
        self._memory.doubt()

    def _end(
        self,
        outcome: Outcome,
        verdict: Fate,
        host: Host,
        redirect: int | None,
        links: list[Edge],
        found: Finding,
    ) -> None:
        task, memory, failure = outcome.task, self._memory, outcome.failure
        if failure is not None and failure.kind in UNCOUNTED:
            self._postpone(task, verdict, host)
            return
        visit = memory.next_visit
        links = distinct(links)
        memory.next_visit += 1
        self._visits.append(
            (
                visit, task.id, outcome.fetched_at, outcome.elapsed, outcome.status,
                failure.kind if failure else "", failure.detail if failure else found.detail or _note(outcome),
                outcome.media_type, outcome.charset, outcome.declared, outcome.title, outcome.size, outcome.digest,
                outcome.etag, outcome.last_modified, redirect, found.page or None, _encode_json(links).decode(),
                outcome.body, _encode_json(outcome.rendered).decode() if outcome.rendered else None, outcome.usage,
            )
        )  # fmt: skip
        retry = verdict.state is State.WAITING
        # A page that did not change keeps the visit that has its links; so does one of which nothing was learned.
        is_news = not (retry or verdict.state in _FAILED) or is_gone(outcome)
        content = None if outcome.unchanged else visit
        if outcome.unchanged and outcome.usage != task.usage:
            self._usage.append((outcome.usage, task.id))
        if content and (is_news or not task.digest):
            self._duplicates.ended(task, outcome.digest if verdict.state is State.FETCHED else 0)
        ended = self._ended if is_news else self._failed
        ended.append((int(verdict.state), verdict.reason, task.attempt + retry, verdict.not_before, content, task.id))
        memory.move((State.OUT, ""), (verdict.state, verdict.reason))
        if task.digest and not retry:
            self._count_revisit(task, host, stays=not is_news)
        if retry:
            if verdict.not_before == 0.0:
                # Only a redirect is tried again at once, and it may have moved to another host.
                host = self.admission.host(outcome.redirect.request.host) if outcome.redirect else host
                host.waiting += 1
            elif memory.next_retry is None or verdict.not_before < memory.next_retry:
                memory.next_retry = verdict.not_before
        memory.hosts.offer(host)

    def _count_revisit(self, task: Task, host: Host, *, stays: bool) -> None:
        """A page that there is a copy of was asked for once more. A copy that `stays` is a page like any other."""
        if task.label not in NO_PAGES:
            self._memory.revisits -= 1
            host.pages += stays
            self._memory.pages += stays

    def _postpone(self, task: Task, verdict: Fate, host: Host) -> None:
        """No request was made of it: the URL waits, with all that is known of it."""
        memory = self._memory
        self._ended.append((int(verdict.state), verdict.reason, task.attempt, verdict.not_before, None, task.id))
        memory.move((State.OUT, ""), (verdict.state, verdict.reason))
        memory.next_retry = min(memory.next_retry or verdict.not_before, verdict.not_before)
        memory.hosts.offer(host)

    def _write_ends(self) -> None:
        self._connection.executemany(_END_TASK, self._ended)
        failed = [(*row[:4], row[0] == State.WAITING, *row[4:]) for row in self._failed]
        self._connection.executemany(_END_FAILED, failed)
        self._ended.clear()
        self._failed.clear()


def _note(outcome: Outcome) -> str:
    """What is remarkable about a page."""
    if outcome.note or not outcome.links_dropped:
        return outcome.note
    return f"about {outcome.links_dropped:,} {LEFT_OUT}"
