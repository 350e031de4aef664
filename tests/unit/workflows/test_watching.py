"""The loop of a watch with a clock of its own: what is due when clocks jump, machines sleep and crawls fail."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dowse.core.errors import CrawlError, CrawlLocked
from dowse.core.options.watch_options import WatchOptions
from dowse.workflows.watch.watched_crawl import Plan, Run, Standing, WatchedCrawl, next_act
from dowse.workflows.watch.watching import Clock, Report, Watch

BEGIN = 1_800_000_000.0
HOUR = 3600.0


class FakeClock:
    """Sleeping moves it; jumps are planned by the time that has passed."""

    def __init__(self) -> None:
        self.wall, self.passed = BEGIN, 0.0
        self.jumps: list[tuple[float, float]] = []

    def sleep(self, seconds: float) -> None:
        self.passed += max(seconds, 0.001)
        self.wall += max(seconds, 0.001)
        while self.jumps and self.jumps[0][0] <= self.passed:
            self.wall += self.jumps.pop(0)[1]

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.passed, self.sleep)


class FakeCrawl(WatchedCrawl):
    """A crawl that is there and always finds nothing, in no time; the rest is real."""

    trouble: BaseException | None = None
    signals: tuple[signal.Signals, ...] = ()

    def __init__(self, folder: Path, **options: Any) -> None:
        self.said: list[str] = []
        super().__init__(Plan(folder, WatchOptions(**options)), self.said.append)
        self.deliveries.make = lambda now: None  # type: ignore[method-assign]

    def _standing(self) -> Standing:
        return Standing(True, "complete")

    def _crawl(self, watching: Any) -> Run:
        for number in self.signals:
            with suppress(KeyboardInterrupt):  # as where it comes in a callback of a library
                signal.raise_signal(number)
        if self.trouble is not None:
            raise self.trouble
        return Run("recrawl", 1, {})


@contextmanager
def unseen() -> Iterator[Any]:
    yield None


class Ended(Exception):
    pass


def watched(crawl: FakeCrawl, clock: FakeClock, seconds: float) -> tuple[list[Report], list[str]]:
    """Watch it for so long, by the time that passes."""
    reports: list[Report] = []
    told: list[str] = []

    def sleep(pause: float) -> None:
        if clock.passed > seconds:
            raise Ended
        clock.sleep(pause)

    watch = Watch([crawl], reports.append, told.append, unseen, clock.clock()._replace(sleep=sleep))
    with pytest.raises(Ended):
        watch.run()
    return reports, told


def hours(reports: list[Report]) -> list[float]:
    return [round((report.at - BEGIN) / HOUR, 1) for report in reports if report.run or report.trouble]


def test_intervals_begin_at_once_and_do_not_drift(tmp_path: Path) -> None:
    crawl = FakeCrawl(tmp_path, every="6h")
    reports, told = watched(crawl, FakeClock(), 24.5 * HOUR)
    assert hours(reports) == [0.0, 6.0, 12.0, 18.0, 24.0]
    assert told == []


def test_a_cron_expression_waits_for_its_first_date(tmp_path: Path) -> None:
    crawl = FakeCrawl(tmp_path, cron="0 6 * * *", timezone="UTC")  # it begins at 08:00
    reports, _ = watched(crawl, FakeClock(), 48 * HOUR)
    assert hours(reports) == [22.0, 46.0]
    assert reports[0] == Report(BEGIN, str(tmp_path), None, "", BEGIN + 22 * HOUR), "said at once"


def test_a_machine_that_slept_catches_up_once(tmp_path: Path) -> None:
    clock = FakeClock()
    clock.jumps = [(2 * HOUR, 29 * HOUR)]
    reports, told = watched(FakeCrawl(tmp_path, every="6h"), clock, 8 * HOUR)
    assert hours(reports) == [0.0, 31.0, 36.0]
    assert told == ["the clock went forward by 1 day 5 h, or the machine slept; missed runs are caught up once"]


def test_a_restart_catches_up_once_and_keeps_the_rhythm(tmp_path: Path) -> None:
    first = FakeCrawl(tmp_path, every="6h")
    watched(first, FakeClock(), 7 * HOUR)
    first.close()
    clock = FakeClock()
    clock.wall = BEGIN + 40 * HOUR
    reports, _ = watched(FakeCrawl(tmp_path, every="6h"), clock, 9 * HOUR)
    assert hours(reports) == [40.0, 42.0, 48.0]


def test_a_date_that_passes_before_the_first_run_is_caught_up(tmp_path: Path) -> None:
    first = FakeCrawl(tmp_path, cron="0 6 * * *", timezone="UTC")
    watched(first, FakeClock(), 1 * HOUR)
    first.close()
    clock = FakeClock()
    clock.wall = BEGIN + 30 * HOUR
    reports, _ = watched(FakeCrawl(tmp_path, cron="0 6 * * *", timezone="UTC"), clock, 1 * HOUR)
    assert hours(reports) == [30.0]


@pytest.mark.parametrize("back", [3.0, 30.0, 300_000.0])
def test_a_clock_that_is_put_back_holds_nobody_up(tmp_path: Path, back: float) -> None:
    clock = FakeClock()
    clock.jumps = [(3 * HOUR, -back * HOUR)]
    crawl = FakeCrawl(tmp_path, every="6h")
    reports, told = watched(crawl, clock, 16 * HOUR)
    assert told[0].startswith("the clock was put back by ")
    assert 2 <= len(reports) <= 4
    assert [report.at for report in reports][1:] == sorted(report.at for report in reports[1:])


def test_a_clock_that_was_years_ahead_is_no_trouble(tmp_path: Path) -> None:
    clock = FakeClock()
    clock.jumps = [(1 * HOUR, 80_000 * 24 * HOUR), (2 * HOUR, -80_000 * 24 * HOUR)]
    reports, told = watched(FakeCrawl(tmp_path, cron="0 6 * * *", timezone="UTC"), clock, 30 * HOUR)
    assert len(told) == 2
    assert len(hours(reports)) == 2, "once in the year that was wrong, once the next morning"


def test_a_crawl_that_fails_is_said_and_tried_at_its_next_date(tmp_path: Path) -> None:
    crawl = FakeCrawl(tmp_path, every="6h")
    crawl.trouble = CrawlError("no room on the disk")
    reports, _ = watched(crawl, FakeClock(), 13 * HOUR)
    assert [(hour, report.trouble) for hour, report in zip(hours(reports), reports, strict=True)] == [
        (hour, "no room on the disk") for hour in (0.0, 6.0, 12.0)
    ]


def test_a_crawl_that_another_process_runs_is_tried_every_minute(tmp_path: Path) -> None:
    crawl = FakeCrawl(tmp_path, every="6h")
    crawl.trouble = CrawlLocked("another process is running it")
    reports, _ = watched(crawl, FakeClock(), 200)
    assert [round(report.at - BEGIN) for report in reports] == [0, 60, 120, 180]


@pytest.mark.parametrize("trouble", [None, CrawlError("no room on the disk")])
def test_an_interrupt_that_a_run_swallows_ends_the_watch(tmp_path: Path, trouble: CrawlError | None) -> None:
    crawl = FakeCrawl(tmp_path, every="6h")
    crawl.signals, crawl.trouble = (signal.SIGINT,), trouble
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        watched(crawl, FakeClock(), 13 * HOUR)
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        Watch([crawl], lambda _report: None, crawl.said.append, unseen).run_once()


def test_an_interrupt_ends_a_sleep(tmp_path: Path) -> None:
    clock = FakeClock()

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        if clock.passed > HOUR:
            signal.raise_signal(signal.SIGINT)

    crawl = FakeCrawl(tmp_path, every="6h")
    watch = Watch([crawl], lambda _report: None, crawl.said.append, unseen, clock.clock()._replace(sleep=sleep))
    with pytest.raises(KeyboardInterrupt):
        watch.run()
    assert clock.passed < HOUR + 1


def test_a_run_that_could_not_begin_is_not_one_that_was_stopped(tmp_path: Path) -> None:
    crawl = FakeCrawl(tmp_path, cron="0 6 * * *", timezone="UTC")
    crawl.trouble = CrawlLocked("another process is running it")
    with pytest.raises(CrawlLocked):
        crawl.run_once(BEGIN, unseen)
    assert crawl.due(BEGIN) > BEGIN
    crawl.trouble = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        crawl.run_once(BEGIN, unseen)
    assert crawl.due(BEGIN) == BEGIN


def test_dates_in_a_time_zone_are_those_of_the_zone(tmp_path: Path) -> None:
    crawl = FakeCrawl(tmp_path, cron="30 2 * * *", timezone="Europe/Berlin")
    schedule = crawl.schedule(BEGIN)
    assert schedule.zone == ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("standing", "act"),
    [
        (Standing(), "start"),
        (Standing(True, "complete"), "recrawl"),
        (Standing(True, "max_pages"), "recrawl"),
        (Standing(True, "budget"), "recrawl"),
        (Standing(True, "interrupted"), "resume"),
        (Standing(True, "killed"), "resume"),
    ],
)
def test_what_a_run_does(standing: Standing, act: str) -> None:
    assert next_act(standing) == act
