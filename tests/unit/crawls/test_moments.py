"""Points in time as users write them."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest

from dowse.core.errors import JobError
from dowse.crawls.moments import seconds_of

NOW = 1_000_000_000.0


def test_ages_and_dates_with_a_zone() -> None:
    assert seconds_of("90 min", "since", NOW) == NOW - 5_400
    assert seconds_of("2 weeks ago", "since", NOW) == NOW - 14 * 86_400
    assert seconds_of("1970-01-01T02:00+02:00", "since", NOW) == 0.0
    assert seconds_of(datetime(1970, 1, 2, tzinfo=UTC), "since", NOW) == 86_400.0
    assert seconds_of(12.5, "since", NOW) == 12.5


def test_a_day_is_that_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        begin = seconds_of("2026-11-01", "since", NOW)
        assert (
            begin == seconds_of(date(2026, 11, 1), "since", NOW) == datetime(2026, 10, 31, 15, tzinfo=UTC).timestamp()
        )
        assert seconds_of("2026-11-01", "at", NOW, at_end=True) == begin + 86_400
        assert seconds_of("2026-11-01 14:30", "at", NOW, at_end=True) == begin + 14.5 * 3_600
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "3 fortnights"])
def test_what_is_none_is_refused_with_the_name_of_the_option(text: str) -> None:
    with pytest.raises(JobError, match=r"^since: .* is no point in time"):
        seconds_of(text, "since", NOW)
