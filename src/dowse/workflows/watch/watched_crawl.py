"""One crawl of a watch: when it is due, how it is run, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from dowse import app
from dowse.config import load_job, load_watch
from dowse.core.errors import CrawlLocked, CrawlMissing, DowseError, JobError
from dowse.core.job import Job
from dowse.core.options.watch_options import WatchOptions
from dowse.core.private_jobs import is_private
from dowse.core.revisits.changes import KINDS, Asked
from dowse.engine.loop import Listener
from dowse.settings import Value
from dowse.store.folder import holds_crawl, is_blank
from dowse.store.reading.newest_rows import newest_change, newest_visit
from dowse.store.reading.told_changes import told_changes
from dowse.store.watch_book import WatchBook
from dowse.workflows.watch.deliveries import Deliveries, Tell
from dowse.workflows.watch.schedule import Schedule, covered_by, covered_until, make_schedule

Watching = Callable[[], AbstractContextManager[Listener]]
"""Shows a run while it lasts."""

_UNFINISHED = ("interrupted", "killed")
_NEEDS = {"webhook_key": "notify_webhook", "smtp_password": "notify_email", "email_from": "notify_email"}
"""Options that nothing comes of without another."""


class Plan(NamedTuple):
    """What is to be watched, and how. `job` is that of a job file."""

    directory: Path
    watch: WatchOptions
    job: Job | None = None


class Run(NamedTuple):
    """What came of a run: `act` is start, resume or recrawl, `counts` has changes by kind."""

    act: str
    requests: int
    counts: dict[str, int]


def read_plan(place: str, given: dict[str, Value], *, once: bool = False) -> Plan:
    """The plan for a folder or a job file; options that are given win over those of the file."""
    written: dict[str, Value] = {}
    job: Job | None
    if Path(place).is_dir() or not place.endswith(".toml"):
        if not holds_crawl(Path(place)):
            raise CrawlMissing(f"there is no crawl in {place}; name the folder of one, or a job file (JOB.toml)")
        job, directory = None, Path(place)
    else:
        job, written = load_job(place), load_watch(place)
        directory = Path(job.output)
    if "every" in given or "cron" in given:  # another schedule than that of the file
        written = {name: value for name, value in written.items() if name not in ("every", "cron", "timezone")}
    merged: dict[str, Any] = {**written, **given}
    options = WatchOptions(**merged)
    if not once or options.every or options.cron:
        make_schedule(options, "")
    for need, wants in _NEEDS.items():
        if getattr(options, need) and not getattr(options, wants):
            raise JobError(f"{need}: of no use without {wants}")
    return Plan(directory, options, job)


class Standing(NamedTuple):
    """How a crawl stands before a run: how it ended, its last visit and its last change."""

    is_there: bool = False
    stop_reason: str = ""
    visits: int = 0
    changes: int = 0


def next_act(crawl: Standing) -> str:
    """What a run has to do. What was stopped in the middle goes on, with what is left of its budget."""
    if not crawl.is_there:
        return "start"
    return "resume" if crawl.stop_reason in _UNFINISHED else "recrawl"


class WatchedCrawl:
    """A crawl with its schedule, its book and its messages. Nobody else watches it until it is closed."""

    def __init__(self, plan: Plan, tell: Tell) -> None:
        self.directory = plan.directory
        self.name = str(plan.directory)
        self._plan = plan
        self._book = WatchBook(plan.directory, private=plan.job is not None and is_private(plan.job))
        try:
            self.deliveries = Deliveries(plan.directory, plan.watch, self._book, tell)
            self.deliveries.begin()
            if (found := self._standing()).is_there:
                self.deliveries.watch_from(found.changes)
        except BaseException:
            self._book.close()
            raise

    def schedule(self, now: float) -> Schedule:
        """Its dates. Intervals are counted from its first run."""
        anchor = self._book.fact("anchor")
        schedule = make_schedule(self._plan.watch, str(self.directory.absolute()))
        return schedule._replace(anchor=now if anchor is None else anchor)

    def due(self, now: float) -> float:
        """When it is to be run. What has not been crawled, or was stopped in the middle, is due at once."""
        schedule = self.schedule(now)
        if self._book.fact("running") or not self._standing().is_there:
            return now
        noted = self._book.fact("covered")
        if noted is None and schedule.every:
            return now
        covered = now if noted is None else covered_until(schedule, noted, now)
        if covered != noted:  # a date that passes while nobody watches is caught up
            self._book.note(covered=covered)
        return schedule.begins(schedule.after(covered))

    def run(self, now: float, watching: Watching) -> Run:
        """Visit it again, and note that."""
        schedule = self.schedule(now)
        covered = self._book.fact("covered")
        date = now if covered is None else min(now, schedule.after(covered))
        self._book.note(anchor=schedule.anchor)
        return self._run(now, watching, covered=covered_by(schedule, date, now))

    def run_once(self, now: float, watching: Watching) -> Run:
        """The same where somebody else has the schedule."""
        return self._run(now, watching)

    def _run(self, now: float, watching: Watching, **done: float) -> Run:
        """`done` is noted together with its end. A run that does not come to its end stays noted as running."""
        before = self._book.fact("running") or 0.0
        self._book.note(running=1.0, began=now)
        try:
            run = self._crawl(watching)
        except CrawlLocked:  # it has not even begun
            self._book.note(running=before)
            raise
        self._book.note(running=0.0, **done)
        return run

    def skip(self, now: float) -> float:
        """Let a run that cannot be go; when it is tried again."""
        schedule = self.schedule(now)
        with suppress(DowseError):  # where the disk is full, this cannot be noted either
            self._book.note(covered=now)
        return schedule.begins(schedule.after(now))

    def catch_up(self, now: float) -> None:
        """Make messages of what was seen before a watch ended, or while there was none."""
        if self._standing().is_there and not self._book.fact("running"):
            self.deliveries.make(now)

    def _crawl(self, watching: Watching) -> Run:
        before = self._standing()
        act = next_act(before)
        with watching() as listener:
            if act == "start":
                app.start(self._job(), listener, anew=holds_crawl(self.directory))
            elif act == "resume":
                app.resume(self.directory, listener)
            else:
                app.recrawl(self.directory, listener, budget=self._plan.watch.budget)
        self.deliveries.watch_from(before.changes)
        with app.read(self.directory) as crawl:
            database = crawl.reader.connection
            counts = Counter(row.kind for row in told_changes(database, Asked(after=before.changes)))
            return Run(
                act, newest_visit(database) - before.visits, {kind: counts[kind] for kind in KINDS if counts[kind]}
            )

    def _standing(self) -> Standing:
        """How the crawl stands. One that was ended before it had a job is none."""
        if not holds_crawl(self.directory) or is_blank(self.directory):
            return Standing()
        with app.read(self.directory) as crawl:
            if not crawl.reader.meta("job"):
                return Standing()
            database = crawl.reader.connection
            return Standing(True, crawl.stop_reason, newest_visit(database), newest_change(database))

    def _job(self) -> Job:
        if self._plan.job is None:
            raise CrawlMissing(f"the crawl in {self.directory} is gone; restore it, or stop watching it")
        return self._plan.job

    def close(self) -> None:
        """Leave it to others."""
        self._book.close()
