"""The store of a crawl: its frontier, its visits and its ledger. The only writer, batched in explicit transactions.

What every link and every page asks (is it known? which host is ready?) is answered from memory, see memory.py. The
frontier itself stays on disk. A lease policy says what goes out next, and bookkeeping writes what a mode keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import cast

from dowse.core.briefing import NOTHING, Briefing
from dowse.core.errors import StoreFull
from dowse.core.job import Job, takes_records
from dowse.core.model import Outcome, Request, State
from dowse.core.options.revisit_options import NO_WISHES, Wishes
from dowse.core.private_jobs import is_private
from dowse.core.protocols import StopReason, Tally, Wait, Work
from dowse.store.across_pages import compare_pages, separate_pages
from dowse.store.bookkeeping import Bookkeeping, pages_in_order
from dowse.store.folder import connect_memory, explained, take_over
from dowse.store.frontier import requeue
from dowse.store.frontier.commit import Batch
from dowse.store.frontier.lease_by_host import ByHost
from dowse.store.frontier.lease_policy import LeasePolicy
from dowse.store.frontier.leasing import Leasing
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.regaining import Regaining
from dowse.store.frontier.waiting import heed_clock, next_wait
from dowse.store.notes import keep_briefing
from dowse.store.ready_tables import CALL_BACK, UNPARK, made_ready
from dowse.store.revisits import ContentJudge, begin_budget, note_moved, with_revisits, within_budget
from dowse.store.revisits.resting import awaits_new_links, begin_rest, end_rest, links_rest, rest_finished
from dowse.store.schema import SET_META
from dowse.store.working_time import RUNS, WORKED, first_visits, worked_seconds


class CrawlStore:
    """The frontier, the visits and the ledger of one crawl."""

    def __init__(
        self,
        directory: Path | None,
        job: Job,
        policy: LeasePolicy | None = None,
        bookkeeping: Sequence[Bookkeeping] = (),
    ) -> None:
        """Take the crawl of this folder over, one process at a time; a new file gets its tables. Without a folder all
        is in memory and gone in the end. Without a `policy` hosts take turns."""
        self._job, self._bookkeeping = job, tuple(bookkeeping)
        self._policy = self._own_policy = policy or ByHost()
        self._stopped_before: StopReason = "interrupted"
        self._worked_before = 0.0
        with ExitStack() as undo:
            self._probes = directory is not None  # there is no web in memory
            place = job.store.store
            self._connection = take_over(directory, place, private=is_private(job)) if directory else connect_memory()
            self._regaining = Regaining(self._connection, self._reload)
            undo.callback(self._connection.close)
            with explained("open"), self._connection.transaction():
                self._bookkeeping = made_ready(self._connection, self._bookkeeping)
                self._load()  # within it, so that what cannot be read stays as the version has it that can
            undo.pop_all()

    def _load(self) -> None:
        self._policy = within_budget(self._connection, self._own_policy, self._bookkeeping)
        self._links_rest = links_rest(self._connection)
        self.has_budget = self._policy is not self._own_policy
        self._memory = Memory(self._job, self._bookkeeping)
        self._memory.load(self._connection, probes=self._probes)
        for each in self._bookkeeping:
            each.load(self._connection)
        self._leasing = Leasing(self._connection, self._memory, self._job, self._policy, self._transaction)

    def add_seeds(self, requests: Iterable[Request], priority: float, hint: bytes = b"", *, anew: bool = False) -> None:
        with self._transaction():
            batch = Batch(self._connection, self._memory, self._job, 0.0)
            for request in requests:
                batch.admission.seed(request, priority, hint, anew=anew)
            batch.write()

    def lease(self, now: float, limit: int, pages: int | None = None) -> Work:
        """The best tasks of the hosts that are ready, else the date when one will be, else None: nothing is left."""
        self._regaining.regain()
        work = self._leasing.lease(now, limit, pages)
        if self._links_rest and not work.tasks and work.wake_at is None and limit and pages != 0 and self._goes_on():
            work = self._leasing.lease(now, limit, pages)
        self._regaining.went_out(work.tasks)
        return work

    def commit(self, outcomes: Sequence[Outcome], now: float) -> None:
        """Write down what a batch of visits brought, all or nothing. After StoreAway the same batch comes again."""
        if not self._regaining.regain():
            with self._transaction():
                batch = Batch(self._connection, self._memory, self._job, now)
                for each in self._bookkeeping:
                    each.came_home(outcomes)
                for outcome in outcomes:
                    batch.record(outcome)
                batch.write()
        self._regaining.came_home(outcomes)
        self._memory.reading.difference_update(outcome.task.id for outcome in outcomes if outcome.task.body)

    def finish(self, reason: StopReason, now: float) -> StopReason:
        """Note why the run ended and give the reason back. Tasks that still wait are now what was not reached."""
        if self._memory.parked:
            reason = requeue.reason_after_retry(self._connection, reason, self._stopped_before)
        elif reason == "complete" and self._memory.counts[State.WAITING, ""] and self._job.scope.host_pages:
            reason = "host_pages"
        with self._transaction():
            self._connection.execute(CALL_BACK)
            reason = self._policy.finished(reason)
            if self._memory.parked:
                requeue.end_retries(self._connection)
            else:
                reason = rest_finished(self._connection, reason, has_enough=self._has_enough())
            self._connection.execute(UNPARK)
            for each in self._bookkeeping:
                each.finished()
            compare_pages(self._connection, self._job)
            self.set_meta("stop_reason", reason)
            self.set_meta("stopped_at", repr(now))
        if self._memory.parked or reason == "budget" or self._job.revisits.collection:
            self._reload()  # many rows went many ways; a run of retries is short enough to count them anew
        else:
            self._memory.counts[State.WAITING, ""] += self._memory.counts.pop((State.OUT, ""), 0)
        return reason

    def close(self) -> None:
        self._connection.close()

    def begin(self, job: str, now: float, briefing: Briefing = NOTHING, seal: str = "") -> None:
        """Note the job of this run, its briefing and whose it is (see credentials.py). Until `finish` it is running."""
        for (reason,) in self._connection.execute("SELECT value FROM meta WHERE name = 'stop_reason'").fetchall():
            self._stopped_before = cast(StopReason, reason)
        is_first = not self._connection.execute("SELECT 1 FROM meta WHERE name = 'job'").fetchone()
        with self._transaction():
            self.set_meta("job", job)
            if seal:
                self.set_meta("seal", seal)
            keep_briefing(self._connection, briefing)
            separate_pages(self._connection, self._job)
            if is_first:
                for each in self._bookkeeping:
                    each.started()
            self.set_meta("started_at", repr(now))
            self.set_meta(RUNS, str(sorted({*first_visits(self._connection), self._memory.next_visit})))
            self._connection.execute("DELETE FROM meta WHERE name IN ('stop_reason', 'stopped_at')")
        self._worked_before = worked_seconds(self._connection)
        self.heed_clock(now)

    def brief(self, briefing: Briefing) -> None:
        with self._transaction():
            keep_briefing(self._connection, briefing)
            for each in self._bookkeeping:
                each.briefed(briefing)

    def set_meta(self, name: str, value: str) -> None:
        self._connection.execute(SET_META, (name, value))

    def retry_failed(self, excluded: requeue.Excluded = requeue.no_url) -> None:
        """Let what failed wait again, and all else sit this run out."""
        with self._transaction():
            begin_budget(self._connection, 0, excluded)
            requeue.retry_failed(self._connection, excluded)
        self._memory.parked = True
        self._reload()

    def revisit(self, excluded: requeue.Excluded = requeue.no_url, budget: int = 0, wishes: Wishes = NO_WISHES) -> None:
        """Let every page wait again, or what is worth most of a budget of requests."""
        with self._transaction():
            self._bookkeeping = with_revisits(self._connection, self._bookkeeping, wishes)
            begin_rest(self._connection, self._stopped_before, is_bounded=wishes.collection > 0)
            begin_budget(self._connection, budget, excluded)
            if not budget:
                requeue.revisit(self._connection, excluded)
                for each in self._bookkeeping:
                    each.revisiting()
        self._reload()

    def note_moved(self, judge: ContentJudge) -> None:
        """Have pages judged that this recrawl found gone, and write down what became of them."""
        with self._transaction():
            note_moved(self._connection, judge)

    def reconsider(self, refuse: requeue.Refuse) -> None:
        """Ask again, under other rules, about what waits or was refused."""
        with self._transaction():
            batch = Batch(self._connection, self._memory, self._job, 0.0)
            requeue.reconsider(self._connection, batch.admission, refuse)
            self._memory.spellings.reconsider(refuse)
            batch.write()
        self._reload()

    def release(self) -> None:
        """Let wait what would not be skipped as a duplicate under the settings of this run."""
        with self._transaction():
            requeue.release(self._connection, self._job.dedup.dedup, self._job.urls.keep_parameters)
        self._reload()

    def news(self) -> list[str]:
        """What was learned about the site since this was asked last, in sentences."""
        return self._memory.news()

    def notices(self) -> list[str]:
        return [sentence for each in self._bookkeeping for sentence in each.notices()]

    def fetched_pages(self) -> list[tuple[str, float]]:
        return pages_in_order(self._connection, self._bookkeeping)

    @property
    def counts(self) -> Counter[tuple[State, str]]:
        return self._memory.counts

    @property
    def pages(self) -> int:
        return self._memory.pages

    @property
    def spent(self) -> int:
        return self._memory.spent

    @property
    def rereads(self) -> int:
        return sum([each.rereads for each in self._bookkeeping])

    @property
    def awaits_requisites(self) -> bool:
        self._regaining.regain()
        return self._leasing.awaits_requisites

    @property
    def bytes_received(self) -> int:
        return self._memory.bytes_received

    def answer(self, answers: Mapping[int, bool | None]) -> None:
        """A person has said of pages, by their tasks, whether they are wanted; None takes back what was said."""
        with self._transaction():
            for each in self._bookkeeping:
                each.answered(answers)

    @property
    def results(self) -> int:
        if takes_records(self._job):
            return self._memory.records
        return next((number for each in self._bookkeeping if (number := each.results) is not None), self.pages)

    @property
    def is_saturated(self) -> bool:
        return not (self._links_rest or self._memory.parked) and self._has_enough()  # a retry tries all that failed

    def _has_enough(self) -> bool:
        return any(each.is_saturated(self._memory.counts[State.WAITING, ""]) for each in self._bookkeeping)

    def _goes_on(self) -> bool:
        """All else was visited: let new links make the crawl go on. A retry takes for failed what it lets wait."""
        if self.has_budget or self._memory.parked or not awaits_new_links(self._connection) or self._has_enough():
            return False
        with self._transaction():
            end_rest(self._connection)
        self._reload()
        return True

    @property
    def found(self) -> Tally | None:
        return next((each.found for each in reversed(self._bookkeeping) if each.found is not None), None)

    def active_hosts(self) -> dict[str, int]:
        return self._memory.hosts.active()

    def heed_clock(self, now: float) -> None:
        with self._transaction():
            heed_clock(self._connection, self._memory, self._job.politeness, now)

    def next_wait(self, now: float) -> Wait | None:
        self._regaining.regain()
        return next_wait(self._connection, self._memory, self._job.politeness, now)

    def note_time(self, seconds: float) -> None:
        with self._transaction():
            self.set_meta(WORKED, repr(self._worked_before + seconds))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._regaining.regain()
        try:
            with self._connection.transaction():
                yield
        except StoreFull:
            self._reload()
            raise

    def _reload(self) -> None:
        """Rebuild memory from the tables; a batch that was rolled back must leave no trace in it."""
        before = self._memory
        self._load()
        self._memory.parked, self._memory.reading = before.parked, before.reading
