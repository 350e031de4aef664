"""How far a run is: the nearest of the ends that can be told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dowse.core.job import Limits
from dowse.engine.meter import End, Meter, Sample

Run = Callable[[Callable[[int], Sample], int], Meter]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A meter that was shown a sample a second, on a clock of the test's own."""
    now = 0.0
    monkeypatch.setattr("dowse.engine.meter.time.monotonic", lambda: now)

    def shown(sample: Callable[[int], Sample], seconds: int) -> Meter:
        nonlocal now
        made = Meter(sample(0))
        for second in range(1, seconds + 1):
            now += 1.0
            made.note(sample(second))
        return made

    return shown


def growing(second: int) -> Sample:
    """Ten pages a second, and each brings more links than one."""
    return Sample(10 * second, 1000 * second, second, 50 * second)


def falling(second: int) -> Sample:
    """Ten pages a second, half of which bring a new one."""
    return Sample(10 * second, 1000 * second, second, 200 - 5 * second)


def test_without_a_limit_no_end_is_in_sight_while_more_and_more_waits(run: Run) -> None:
    assert run(growing, 15).end(Limits(), 15.0) is None


@pytest.mark.parametrize(
    ("limits", "end"),
    [
        (Limits(max_pages=200), End(0.5, 10.0)),
        (Limits(max_bytes=40_000), End(0.25, 30.0)),
        (Limits(max_results=20), End(0.5, 10.0)),
        (Limits(max_time=40.0), End(0.25, 30.0)),
        (Limits(max_pages=200, max_time=12.0), End(10 / 12, 2.0)),
    ],
)
def test_a_limit_is_an_end(run: Run, limits: Limits, end: End) -> None:
    assert run(growing, 10).end(limits, 10.0) == pytest.approx(end)


def test_the_end_of_what_waits_is_told_when_it_falls(run: Run) -> None:
    assert run(falling, 10).end(Limits(), 10.0) == pytest.approx(End(100 / 250, 30.0))
    assert run(falling, 10).end(Limits(max_pages=1000), 10.0) == pytest.approx(End(100 / 250, 30.0)), "it is nearer"


def test_a_few_moments_tell_nothing(run: Run) -> None:
    assert run(falling, 3).end(Limits(), 3.0) is None


def test_a_crawl_that_stands_still_has_no_end(run: Run) -> None:
    still = run(lambda second: Sample(5, 5, 5, 5), 10)
    assert still.end(Limits(max_pages=10), 10.0) is None
    assert still.pages_per_second == 0.0


def test_pages_that_are_let_go_are_no_pace(run: Run) -> None:
    assert run(lambda second: Sample(100 - 10 * second, 1000 * second, 0, 0), 3).pages_per_second == 0
