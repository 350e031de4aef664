"""A stand-in for `dowse.app`: it notes what it was asked and answers from its fields."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import pytest

import dowse
from dowse.cli.main import main
from dowse.config import make_job
from dowse.core.errors import CrawlInterrupted
from dowse.core.job import Job
from dowse.core.results import Results
from dowse.core.troubles import Trouble
from dowse.engine.events import Event, Progress, Stopped, Visited
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode
from dowse.store.reading.reader import RenderingTotals
from dowse.store.reading.stories import Story


@dataclass
class Summary:
    directory: str = "out"
    stop_reason: str = "complete"
    counts: dict[str, int] = field(default_factory=lambda: {"fetched": 3})
    pages: int = 3
    elapsed: float = 1.5
    bytes_received: int = 120_000
    requisites: int = 0


@dataclass
class LedgerRow:
    state: str
    reason: str
    count: int


@dataclass
class Crawl:
    job: Job
    summary: Summary
    rows: list[LedgerRow]
    stories: dict[str, Story]
    directory: str = "out"
    learned: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    was_visited_again: bool = False
    upkeep: None = None

    def balance(self) -> list[LedgerRow]:
        return self.rows

    def status(self) -> Summary:
        return self.summary

    def rendering(self) -> RenderingTotals:
        return RenderingTotals(0, 0.0, 0, 0, 0)

    @property
    def mode(self) -> Mode[Any]:
        return find_mode(self.job.mode)

    def results(self) -> Results:
        return Results()

    def why(self, url: str) -> Story | None:
        return self.stories.get(url)

    def spent(self) -> int:
        return self.summary.pages

    def crowded(self) -> int:
        return 0


class FakeApp:
    """Notes (command, directory, overrides or job) in `calls`."""

    REPORT = "report.html"

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.listeners: list[Callable[[Event], None] | None] = []
        self.summary = Summary()
        self.ledger = [LedgerRow("fetched", "", 3), LedgerRow("out_of_scope", "host", 4)]
        self.stories: dict[str, Story] = {}
        self.job = make_job("site", "http://example.org/", max_pages=5, max_time=60)
        self.trouble: BaseException | None = None
        self.broken = False
        self.interrupted = False

    def story(self, url: str, **facts: Any) -> Story:
        known = {"state": "fetched", "reason": "", "depth": 0, "parents": [], "visits": []}
        return Story(url, **{**known, **facts})

    def start(self, job: Job, listener: Callable[[Event], None] | None = None) -> Summary:
        return self._run("start", job.output, job, listener)

    def resume(self, directory: str, listener: Callable[[Event], None] | None = None, **overrides: Any) -> Summary:
        return self._run("resume", directory, overrides, listener)

    def retry(self, directory: str, listener: Callable[[Event], None] | None = None, **overrides: Any) -> Summary:
        return self._run("retry", directory, overrides, listener)

    def recrawl(self, directory: str, listener: Callable[[Event], None] | None = None, **overrides: Any) -> Summary:
        return self._run("recrawl", directory, overrides, listener)

    def read(self, directory: str) -> Crawl:
        if self.trouble:
            raise self.trouble
        return Crawl(self.job, self.summary, self.ledger, self.stories)

    def export(self, crawl: Crawl, table: str, to: str, stream: BinaryIO, *others: object) -> int:
        self.calls.append(("export", crawl.directory, (table, to)))
        stream.write(b"url\nhttp://example.org/\n")
        if self.broken:
            raise OSError(28, "No space left on device")
        return 1

    def report(self, crawl: Crawl, stream: BinaryIO) -> None:
        self.calls.append(("report", crawl.directory, None))
        stream.write(b"<!doctype html>")

    def _run(self, command: str, directory: str, what: Any, listener: Callable[[Event], None] | None) -> Summary:
        self.calls.append((command, directory, what))
        if self.trouble:
            raise self.trouble
        if listener:
            progress = Progress(1.5, {"fetched": 3}, 3, 2.0, 120_000, {"example.org": 1})
            listener(Visited("http://example.org/", 200, "fetched"))
            listener(Stopped(self.summary.stop_reason, True, progress))
        self.summary.directory = directory
        if self.interrupted:
            raise CrawlInterrupted(directory, self.summary)
        return self.summary


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> FakeApp:
    fake = FakeApp()
    monkeypatch.setitem(sys.modules, "dowse.app", fake)
    monkeypatch.setattr(dowse, "app", fake, raising=False)
    return fake


@dataclass
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def invoke(app: FakeApp, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Run the command line in this process."""

    def run(*words: str) -> Result:
        code = main(list(words))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run
