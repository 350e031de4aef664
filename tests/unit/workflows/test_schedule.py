"""Dates of a watch: ever later, none twice, none forgotten, whatever clocks do."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.errors import JobError
from dowse.core.options.watch_options import WatchOptions, seconds_of
from dowse.workflows.watch.schedule import Schedule, covered_by, covered_until, make_schedule

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Kolkata", "UTC"]
DAY = 86_400.0
MOMENTS = st.floats(946_684_800, 2_208_988_800)


def at(text: str, zone: ZoneInfo = BERLIN, fold: int = 0) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).timestamp()


def local(moment: float, zone: ZoneInfo = BERLIN) -> str:
    return datetime.fromtimestamp(moment, zone).strftime("%m-%d %H:%M")


def dates(schedule: Schedule, moment: float, number: int) -> list[float]:
    found = []
    for _ in range(number):
        moment = schedule.after(moment)
        found.append(moment)
    return found


def test_a_time_that_does_not_exist_runs_once_right_after_the_gap() -> None:
    schedule = Schedule(cron="30 2 * * *", zone=BERLIN)
    found = dates(schedule, at("2026-03-27T12:00"), 4)
    assert [local(each) for each in found] == ["03-28 02:30", "03-29 03:00", "03-30 02:30", "03-31 02:30"]


def test_a_time_that_comes_twice_runs_once_the_first_time() -> None:
    schedule = Schedule(cron="30 2 * * *", zone=BERLIN)
    found = dates(schedule, at("2026-10-24T12:00"), 2)
    assert found == [at("2026-10-25T02:30"), at("2026-10-26T02:30")]
    assert schedule.after(at("2026-10-25T02:15", fold=1)) == at("2026-10-26T02:30"), "not the past, nor once more"


def test_an_expression_of_every_hour_runs_by_real_time_through_both_nights() -> None:
    schedule = Schedule(cron="0 * * * *", zone=BERLIN)
    for evening in ("2026-03-28T22:30", "2026-10-24T22:30"):
        assert {later - earlier for earlier, later in pairwise(dates(schedule, at(evening), 12))} == {3600.0}


@given(st.sampled_from(ZONES), st.integers(0, 59), st.integers(0, 23), st.dates(date(2001, 1, 1), date(2036, 1, 1)))
def test_a_job_of_every_day_runs_once_on_each_day(zone: str, minute: int, hour: int, day: date) -> None:
    where = ZoneInfo(zone)
    found = dates(Schedule(cron=f"{minute} {hour} * * *", zone=where), at(f"{day}T12:00", where), 40)
    days = [datetime.fromtimestamp(moment, where).date() for moment in found]
    assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(days))


@given(
    st.sampled_from(ZONES),
    st.sampled_from(["*/7 * * * *", "0 2,3 * * *", "15,45 1-3 * * 0", "0 0 1 * *", "*/30 2 * * *", "59 23 L * *"]),
    MOMENTS,
)
def test_the_next_date_always_lies_ahead(zone: str, cron: str, moment: float) -> None:
    found = [moment, *dates(Schedule(cron=cron, zone=ZoneInfo(zone)), moment, 30)]
    assert all(later > earlier for earlier, later in pairwise(found))


@given(st.integers(1, 10**6), MOMENTS, MOMENTS)
def test_intervals_are_counted_from_the_first_run(every: int, anchor: float, moment: float) -> None:
    found = Schedule(every=every, anchor=anchor).after(moment)
    assert moment < found <= moment + every + 0.001
    assert (found - anchor) / every == pytest.approx(round((found - anchor) / every), abs=1e-3)


@given(st.integers(60, 10**5), st.floats(0, 0.9), st.lists(st.floats(0, 10**6), min_size=2, max_size=30), MOMENTS)
def test_runs_stand_for_all_dates_before_them_and_none_is_run_twice(
    every: int, share: float, looks: list[float], anchor: float
) -> None:
    """Somebody looks now and then, as after a machine was off, and runs what is due."""
    schedule = Schedule(every=every, anchor=anchor, jitter=int(every * share), seed="a crawl")
    covered, now, run = anchor, anchor, []
    for pause in looks:
        now += pause
        due = schedule.after(covered)
        if schedule.begins(due) <= now:
            run.append(due)
            covered = covered_by(schedule, due, now)
            assert schedule.begins(schedule.after(covered)) > now, "caught up once, not once more at once"
    assert all(later > earlier for earlier, later in pairwise(run))


@given(st.integers(1, 10**6), st.floats(0, 10**8), MOMENTS)
def test_nobody_waits_for_more_than_two_intervals_when_a_clock_goes_back(every: int, back: float, now: float) -> None:
    schedule = Schedule(every=every, anchor=now + back)
    assert schedule.after(covered_until(schedule, now + back, now)) - now <= 2 * every + 0.001


def test_a_clock_that_goes_back_a_little_repeats_no_run() -> None:
    schedule = Schedule(cron="0 6 * * *", zone=BERLIN)
    six = at("2026-11-16T06:00")
    assert schedule.after(covered_until(schedule, six, six - 120)) == six + DAY


def test_chance_is_the_same_after_a_restart_and_another_for_another_crawl() -> None:
    one, same, other = (Schedule(every=3600, jitter=600, seed=seed) for seed in ("a", "a", "b"))
    delays = [one.begins(each) - each for each in dates(one, 0.0, 50)]
    assert delays == [same.begins(each) - each for each in dates(same, 0.0, 50)]
    assert delays != [other.begins(each) - each for each in dates(other, 0.0, 50)]
    assert 0 <= min(delays) < 200 < 400 < max(delays) <= 600


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "every and cron: give every = '6h'"),
        ({"every": "6h", "cron": "0 6 * * *"}, "only one of them"),
        ({"cron": "61 * * * *"}, "cron: '61 * * * *' is no cron expression (bad minute)"),
        ({"cron": "0 6"}, "wrong number of fields"),
        ({"cron": "0 0 31 2,4 *"}, "bad day-of-month"),
        ({"cron": "0 6 * * *", "timezone": "Europe/Atlantis"}, "timezone: 'Europe/Atlantis' is none"),
        ({"cron": "0 6 * * *", "timezone": "../../etc/passwd"}, "timezone: "),
        ({"every": "6h", "timezone": "Europe/Berlin"}, "timezone: only for cron"),
        ({"every": "1h", "jitter": "1h"}, "jitter: must be shorter than every = '1h'"),
        ({"cron": "*/5 * * * *", "jitter": "10m"}, "jitter: must be shorter than the time"),
    ],
)
def test_what_is_wrong_is_said(options: dict[str, Any], said: str) -> None:
    with pytest.raises(JobError) as error:
        make_schedule(WatchOptions(**options), "a crawl")
    assert said in str(error.value)


def test_without_a_zone_it_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    schedule = make_schedule(WatchOptions(cron="0 6 * * *"), "a crawl")
    assert datetime.fromtimestamp(schedule.after(0.0), UTC).hour == 11


def test_spans_of_time() -> None:
    assert [seconds_of(text) for text in ("90s", "1h30m", "2d", "1w", "", "h", "6 h", "-1h")] == [
        90, 5400, 172_800, 604_800, 0, 0, 0, 0
    ]  # fmt: skip
