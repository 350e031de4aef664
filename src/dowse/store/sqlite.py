"""A crawl in one SQLite file: the only writer, batched in explicit transactions.

What every link and every page asks (is it known? which host is ready?) is answered from memory, see memory.py. The
frontier itself stays on disk.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from dowse.core.briefing import NOTHING, Briefing
from dowse.core.errors import StoreFull
from dowse.core.habits import Habits
from dowse.core.job import Job
from dowse.core.model import SITEMAP, Outcome, Request, State, Task
from dowse.core.politeness import after_request, gap
from dowse.core.private import is_private
from dowse.core.protocols import Ranker, StopReason, Wait, Work
from dowse.core.rule_hints import pack
from dowse.core.rules import Rule
from dowse.core.sitemap_turns import LISTS_FIRST, had_their_share
from dowse.core.url_keys import KEY_VERSION
from dowse.store.best_first.leads import Leads
from dowse.store.duplicates.repeated_tables import mark_repeated
from dowse.store.folder import connect_memory, explained, take_over
from dowse.store.frontier import requeue
from dowse.store.frontier.admission import PARKED, Admission
from dowse.store.frontier.commit import Batch
from dowse.store.frontier.hosts import Host
from dowse.store.frontier.lease_best_first import INDEX, UNUSED, BestFirst
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.requests import restored
from dowse.store.frontier.task_rows import LEASED
from dowse.store.frontier.waiting import heed_clock, next_wait
from dowse.store.named_files import NamedFiles
from dowse.store.page_types import PageTypes, due_pages, types_of
from dowse.store.rule_databases import insert_rules
from dowse.store.schema import SET_META
from dowse.store.task_states import LATER, NOT_DONE, READY
from dowse.store.versions import create, upgrade
from dowse.store.working_time import RUNS, WORKED, first_visits, worked_seconds

_LEASE = f"""{LEASED}
    WHERE task.host = ? AND task.{READY} AND task.depth <= ? AND task.priority < ?
        AND (? OR visit.digest <> 0)
    ORDER BY task.priority DESC, task.id LIMIT ?
"""

_LEASE_ONE = f"{LEASED} WHERE task.id = ?"
_SEND_OUT = f"UPDATE task SET state = {State.OUT} WHERE id = ?"
_CALL_BACK = f"UPDATE task SET state = {State.WAITING} WHERE state = {State.OUT}"

_LOOK_EVERY = 20
"""Pages between two looks at whether a focus crawl still finds anything."""

_STORED_AT_ONCE = 64
"""Stored pages that are out to be read at a time; they cost no request, so no limit on requests is theirs."""

_UNPARK = f"UPDATE task SET not_before = 0, reason = '' WHERE state = {State.WAITING} AND not_before = ?"


class SqliteStore:
    """The frontier, the visits and the ledger of one crawl."""

    def __init__(
        self,
        directory: Path | None,
        job: Job,
        ranker: Ranker | None = None,
        habits: Habits = Habits(),  # noqa: B008
    ) -> None:
        """Take the crawl of this folder over; a new file gets its tables. One process at a time.

        Without a folder all is in memory and gone in the end. With a `ranker` the best links of all hosts go first.
        """
        self._job = job
        self._ranker = ranker
        self._leads: Leads | None = None
        self._best: BestFirst | None = None
        self._habits = habits
        self._reading: set[int] = set()
        # Where a level is finished before the next is begun, a limit on depth is exact: otherwise a page could be found
        # by a long way first, when the short one leads over a slow page.
        self._by_level = habits.by_level and job.limits.depth >= 0 and not job.scope.host_pages
        self._stopped_before: StopReason = "interrupted"
        self._worked_before = 0.0
        with ExitStack() as undo:
            # There is no web in memory.
            self._probes = directory is not None
            self._connection = take_over(directory, private=is_private(job)) if directory else connect_memory()
            undo.callback(self._connection.close)
            with explained("open"):
                with self._transaction():
                    self._prepare()
                self._load()
            undo.pop_all()

    def _prepare(self) -> None:
        execute = self._connection.execute
        if "meta" not in self._connection.tables():
            create(self._connection)
            execute("INSERT INTO meta VALUES ('keys', ?)", (str(KEY_VERSION),))
        upgrade(self._connection)
        # What was out when a run was killed is fetched again; what sat out a retry run waits again.
        execute(_CALL_BACK)
        execute(_UNPARK, (PARKED,))

    def _load(self) -> None:
        self._memory = Memory(self._job)
        self._memory.load(self._connection, probes=self._probes)
        if self._habits.has_types:
            self._memory.types = PageTypes(self._connection)
        if self._ranker is not None:
            self._connection.execute(INDEX)
            self._connection.execute(UNUSED)
            self._best = BestFirst(self._connection, self._memory.hosts, self._job.politeness)
            files = NamedFiles(self._connection) if self._habits.names_files else None
            self._leads = self._leads or Leads(self._connection, self._ranker, files)
            self._leads.load()

    # What the loop asks

    def add_seeds(self, requests: Iterable[Request], priority: float, hint: bytes = b"") -> None:
        with self._transaction():
            admission = Admission(self._connection, self._memory, self._job)
            for request in requests:
                admission.seed(request, priority, hint)
            admission.write()
            admission.settle()
            Batch(self._connection, self._memory, self._job, 0.0).write()

    def lease(self, now: float, limit: int) -> Work:
        """The best tasks of the hosts that are ready, else the date when one will be, else None: nothing is left."""
        memory = self._memory
        if memory.next_retry is not None and memory.next_retry <= now:
            self._wake_retries(now)
        room = self._room_for_new()
        new = room > 0
        limit = min(limit, room) if new else limit
        work = self._lease_some(now, limit, new=new)
        if not new and not work.tasks and limit > 0 and not memory.counts[State.OUT, ""]:
            memory.count_revisits(self._connection)  # some may have ended without a visit
            if not memory.revisits:
                work = self._lease_some(now, limit, new=True)
        return work

    def _room_for_new(self) -> int:
        """How many pages may go out that there is no copy of, under a limit on pages.

        The pages that are to be visited again have their place in it, also while they fail. What is out is taken for
        new; where it is not, the new ones wait a little longer.
        """
        most, revisits = self._job.limits.max_pages, self._memory.revisits
        if not most or revisits <= 0:
            return sys.maxsize
        return most - self.spent - revisits - self._memory.counts[State.OUT, ""]

    def _lease_some(self, now: float, limit: int, *, new: bool) -> Work:
        """Lease what is ready; without `new` URLs, only pages that there is a copy of."""
        memory = self._memory
        if self._best is not None:
            return self._lease_best(self._best, now, limit, new=new)
        tasks: list[Task] = []
        stored = self._stored_tasks() if memory.types is not None else []
        date = memory.hosts.next_date()
        if limit <= 0 or date is None or date > now:
            return Work(stored, self._next_date(memory.hosts.next_date()))
        held_back: list[Host] = []
        with self._transaction():
            level = self._level() if new else sys.maxsize  # what was fetched is as deep as it is
            while len(tasks) < limit and (host := memory.hosts.next_ready(now)) is not None:
                leased = self._lease_from(host, now, limit - len(tasks), level, new=new)
                tasks += leased
                if leased:
                    memory.hosts.offer(host)
                else:
                    held_back.append(host)
        memory.counts[State.WAITING, ""] -= len(tasks)
        memory.counts[State.OUT, ""] += len(tasks)
        work = Work(stored + tasks, self._next_date(memory.hosts.next_date()))
        for host in held_back:
            memory.hosts.offer(host)
        return work

    def _lease_best(self, best: BestFirst, now: float, limit: int, *, new: bool) -> Work:
        counts, tasks = self._memory.counts, []
        if not counts[State.WAITING, ""]:
            return Work([], self._next_date(None))
        with self._transaction():
            lists_wait = had_their_share(self._memory.hosts.lists_asked, self._memory.pages)
            chosen = best.choose(now, limit, LISTS_FIRST if lists_wait else math.inf, new=new)
            if lists_wait and not chosen and best.wake_at == math.inf:
                chosen = best.choose(now, limit, new=new)
            for number, host in chosen:
                row = self._connection.execute(_LEASE_ONE, (number,)).fetchone()
                self._connection.execute(_SEND_OUT, (number,))
                tasks.append(self._task(row, host.name))
        self._note_turns(tasks)
        if self._leads is not None:
            self._leads.lease([task.id for task in tasks])
        counts[State.WAITING, ""] -= len(tasks)
        counts[State.OUT, ""] += len(tasks)
        return Work(tasks, self._next_date(best.wake_at))

    def _level(self) -> int:
        """How deep tasks may be that go out now: as deep as the shallowest that is not done, where levels count."""
        if not self._by_level or self._memory.parked:
            return sys.maxsize
        (level,) = self._connection.execute(f"SELECT min(depth) FROM task WHERE {NOT_DONE}").fetchone()
        return int(level or 0)

    def commit(self, outcomes: Sequence[Outcome], now: float) -> None:
        """Write down what a batch of visits brought: all of it or, when the disk is full, nothing."""
        with self._transaction():
            batch = Batch(self._connection, self._memory, self._job, now, self._leads)
            if self._leads is not None:
                self._leads.begin(outcomes)
            for outcome in outcomes:
                batch.record(outcome)
            batch.write()
        self._reading.difference_update(outcome.task.id for outcome in outcomes if outcome.task.body)

    def finish(self, reason: StopReason, now: float) -> StopReason:
        """Note why the run ended and give the reason back. Tasks that still wait are now what was not reached."""
        if self._memory.parked:
            reason = self._reason_after_retry(reason)
        elif reason == "complete" and self._memory.counts[State.WAITING, ""] and self._job.scope.host_pages:
            reason = "host_pages"
        with self._transaction():
            self._connection.execute(_CALL_BACK)
            if self._memory.parked:
                self._connection.execute(
                    "UPDATE task SET state = ?, reason = 'not retried', not_before = 0"
                    f" WHERE state = {State.WAITING} AND not_before < ?",
                    (int(State.FAILED), PARKED),
                )
                requeue.count_pages(self._connection)
            self._connection.execute(_UNPARK, (PARKED,))
            if self._leads is not None:
                self._leads.rejudge()
            if self._job.extract.tables:
                mark_repeated(self._connection)
            self.set_meta("stop_reason", reason)
            self.set_meta("stopped_at", repr(now))
        if self._memory.parked:
            self._reload()  # many rows went many ways; a run of retries is short enough to count them anew
        else:
            self._memory.counts[State.WAITING, ""] += self._memory.counts.pop((State.OUT, ""), 0)
        return reason

    def _reason_after_retry(self, reason: StopReason) -> StopReason:
        """A run of retries leaves the crawl as it was, unless it found more in one that was complete."""
        if reason == "interrupted" or self._stopped_before != "complete":
            return reason if reason == "interrupted" else self._stopped_before
        (parked,) = self._connection.execute(
            f"SELECT count(*) FROM task WHERE state = {State.WAITING} AND not_before = ?", (PARKED,)
        ).fetchone()
        return "retried" if parked else "complete"

    def close(self) -> None:
        self._connection.close()

    # What app asks

    def begin(self, job: str, now: float, briefing: Briefing = NOTHING, seal: str = "") -> None:
        """Note the job of this run, its briefing and whose it is (see credentials.py).

        Until `finish` the crawl counts as running.
        """
        row = self._connection.execute("SELECT value FROM meta WHERE name = 'stop_reason'").fetchone()
        self._stopped_before = cast(StopReason, row[0] if row else "interrupted")
        with self._transaction():
            self.set_meta("job", job)
            if seal:
                self.set_meta("seal", seal)
            self._connection.execute("DELETE FROM briefing")
            self._connection.executemany("INSERT INTO briefing VALUES (?, ?)", briefing.items())
            if self._by_level:
                self._connection.execute(f"CREATE INDEX IF NOT EXISTS task_level ON task (depth) WHERE {NOT_DONE}")
            self.set_meta("started_at", repr(now))
            runs = {*first_visits(self._connection), self._memory.next_visit}
            self.set_meta(RUNS, str(sorted(runs)))
            self._connection.execute("DELETE FROM meta WHERE name IN ('stop_reason', 'stopped_at')")
        self._worked_before = worked_seconds(self._connection)
        self.heed_clock(now)

    def set_rules(self, rules: Sequence[Rule]) -> None:
        """Keep a copy of a rule table in the place of the one before."""
        with self._transaction():
            self._connection.execute("DELETE FROM rules")
            insert_rules(self._connection, rules)

    def set_meta(self, name: str, value: str) -> None:
        self._connection.execute(SET_META, (name, value))

    def retry_failed(self, excluded: requeue.Excluded = lambda url: False) -> None:
        """Let what failed wait again, and all else sit this run out."""
        with self._transaction():
            requeue.retry_failed(self._connection, excluded)
        self._memory.parked = True
        self._reload()

    def revisit(self, excluded: requeue.Excluded = lambda url: False) -> None:
        """Let every page wait again."""
        with self._transaction():
            requeue.revisit(self._connection, excluded)
        self._reload()

    def reconsider(self, refuse: requeue.Refuse) -> None:
        """Ask again, under other rules, about what waits or was refused."""
        with self._transaction():
            requeue.reconsider(self._connection, Admission(self._connection, self._memory, self._job), refuse)
            self._memory.spellings.reconsider(refuse)
            Batch(self._connection, self._memory, self._job, 0.0).write()
        self._reload()

    def release(self) -> None:
        """Let wait what would not be skipped as a duplicate under the settings of this run."""
        with self._transaction():
            requeue.release(self._connection, self._job.dedup.dedup, self._job.urls.keep_parameters)
        self._reload()

    def news(self) -> list[str]:
        """What was learned about the site since this was asked last, in sentences."""
        news: list[str] = []
        for learner in (self._memory.variants, self._memory.spellings):
            if learner is not None and learner.news:
                news += learner.news
                learner.news.clear()
        return news

    def fetched_pages(self) -> list[tuple[str, float]]:
        """The pages in the order they were fetched, with their relevance: 1 where nobody has judged it."""
        judged = "SELECT task.url, judgement.relevance FROM judgement JOIN task ON task.id = judgement.task"
        fetched = "SELECT url, 1.0 FROM task WHERE state = ? AND reason = '' ORDER BY visit"
        if self._leads is not None:
            return self._connection.execute(f"{judged} ORDER BY judgement.id").fetchall()
        return self._connection.execute(fetched, (int(State.FETCHED),)).fetchall()

    @property
    def counts(self) -> Counter[tuple[State, str]]:
        return self._memory.counts

    @property
    def pages(self) -> int:
        return self._memory.pages

    @property
    def spent(self) -> int:
        if self._memory.parked:
            return self._memory.pages  # the lists were there before, and few are asked for again
        return self._memory.pages + self._memory.hosts.spent_on_lists

    @property
    def bytes_received(self) -> int:
        return self._memory.bytes_received

    @property
    def is_saturated(self) -> bool:
        patience, given = self._habits.patience
        if self._leads is None or not patience:
            return False
        relevances = self._leads.relevances
        if len(relevances) < patience or len(relevances) % _LOOK_EVERY:
            return False
        from dowse.core.saturation import find_threshold, prospect  # numpy comes with it

        threshold = find_threshold(relevances, given)
        return prospect(relevances, threshold, patience, self._memory.counts[State.WAITING, ""]).is_saturated

    @property
    def files(self) -> int | None:
        if self._leads is None or not self._habits.names_files:
            return None
        return sum(relevance >= self._habits.patience.threshold for relevance in self._leads.relevances)

    def active_hosts(self) -> dict[str, int]:
        return self._memory.hosts.active()

    def heed_clock(self, now: float) -> None:
        with self._transaction():
            heed_clock(self._connection, self._memory, self._job.politeness, now)

    def next_wait(self, now: float) -> Wait | None:
        return next_wait(self._connection, self._memory, self._job.politeness, now)

    def note_time(self, seconds: float) -> None:
        with self._transaction():
            self.set_meta(WORKED, repr(self._worked_before + seconds))

    # Inside

    def _lease_from(self, host: Host, now: float, limit: int, level: int, *, new: bool) -> list[Task]:
        memory, policy = self._memory, self._job.politeness
        room = min(limit, memory.hosts.room(host))
        if after_request(host.politeness, now, policy).not_before > now:
            room = 1  # the next request of this host has a later date
        # Lists that have had their share wait until there are no pages.
        bounds = (LISTS_FIRST, math.inf) if had_their_share(host.lists_asked, host.pages) else (math.inf,)
        for below in bounds:
            if rows := self._connection.execute(_LEASE, (host.id, level, below, new, room)).fetchall():
                break
        if self._reading:  # a page that is being read may have been told to wait again
            rows = [row for row in rows if row[0] not in self._reading]
        self._connection.executemany(_SEND_OUT, [(row[0],) for row in rows])
        for _ in rows:
            host.politeness = after_request(host.politeness, now, policy)
        host.waiting -= len(rows)
        memory.hosts.send_out(host, len(rows))
        tasks = [self._task(row, host.name) for row in rows]
        self._note_turns(tasks)
        return tasks

    def _note_turns(self, tasks: list[Task]) -> None:
        """Lists are counted, and a probe has its host for itself, for it may ask more than once."""
        for task in tasks:
            host = self._memory.hosts.by_name[task.request.host] if task.label == SITEMAP or task.twin else None
            if host and task.label == SITEMAP:
                self._memory.hosts.send_lists(host, 1)
            elif host and gap(host.politeness, self._job.politeness):
                host.probe = task.id

    def _stored_tasks(self) -> list[Task]:
        """Pages that got another page type since they were fetched."""
        pages = due_pages(self._connection, self._reading, _STORED_AT_ONCE - len(self._reading))
        self._reading.update(page.row[0] for page in pages)
        return [replace(self._task(page.row, page.host), hint=pack(page.types), body=page.body) for page in pages]

    def _task(self, row: tuple[Any, ...], host: str) -> Task:
        number, key_hash, url, key, site, *walk = row
        label, depth, priority, parent, attempt, redirects, chain, etag, last_modified, digest, before = walk
        task = Task(
            id=number,
            request=Request(url, key_hash, host, key or ""),
            site=self._memory.hosts.by_id[site].name,
            label=label,
            depth=depth,
            priority=priority,
            parent=parent,
            attempt=attempt,
            redirects=redirects,
            chain=chain,
            etag=etag,
            last_modified=last_modified,
            digest=digest,
            twin=self._memory.spellings.twin(number) if number in self._memory.spellings.probed else None,
            before=before,
        )
        if self._memory.has_requests:
            task = restored(self._connection, task)
        if self._memory.types is not None:
            task = replace(task, hint=pack(types_of(self._connection, number)))
        return task

    def _wake_retries(self, now: float) -> None:
        due = f"{LATER} AND not_before <= ?"
        with self._transaction():
            rows = self._connection.execute(
                f"SELECT host, reason, count(*) FROM task WHERE {due} GROUP BY 1, 2", (now,)
            ).fetchall()
            self._connection.execute(f"UPDATE task SET not_before = 0, reason = '' WHERE {due}", (now,))
            for number, reason, tasks in rows:
                self._memory.counts[State.WAITING, reason] -= tasks
                self._memory.counts[State.WAITING, ""] += tasks
                host = self._memory.hosts.by_id[number]
                host.waiting += tasks
                self._memory.hosts.offer(host)
            self._memory.note_retry(self._connection)

    def _next_date(self, of_hosts: float | None) -> float | None:
        """When the next task may go out, given when a host may be asked; None if none may in this run: all that waits
        is parked, or its hosts have had all their pages."""
        memory = self._memory
        dates = [date for date in (of_hosts, memory.next_retry) if date is not None and date < PARKED]
        if dates:
            return min(dates)
        return math.inf if memory.counts[State.OUT, ""] else None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            with self._connection.transaction():
                yield
        except StoreFull:
            self._reload()
            raise

    def _reload(self) -> None:
        """Rebuild memory from the tables; a batch that was rolled back must leave no trace in it."""
        if hasattr(self, "_memory"):
            before = self._memory
            self._load()
            self._memory.parked = before.parked
