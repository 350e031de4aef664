"""Retries: which failures are tried again, when, and how often."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Failure, FailureKind
from dowse.core.retry_dates import JITTER, LONGEST_RETRY_AFTER, STATUS_WAITS, WAITS, next_attempt, retry_after

NOW = 1_000_000.0
PASSING = [kind for kind, waits in WAITS.items() if waits]


def wait(failure: Failure, attempt: int = 0, salt: int = 0) -> float:
    date = next_attempt(failure, attempt, NOW, 9, salt)
    assert date is not None
    return date - NOW


def test_every_kind_of_failure_has_its_line() -> None:
    assert set(WAITS) == set(FailureKind)


@pytest.mark.parametrize(
    "kind",
    ["tls", "too_large", "robots", "blocked_address", "media_type", "parse", "redirect", "http"],
)
def test_final_failures(kind: str) -> None:
    assert next_attempt(Failure(FailureKind(kind), retry_after=1.0), 0, NOW, 9) is None


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 410, 451, 501, 505, 0])
def test_final_statuses(status: int) -> None:
    assert next_attempt(Failure(FailureKind.HTTP, status=status), 0, NOW, 9) is None


@pytest.mark.parametrize(
    "failure",
    [Failure(FailureKind(kind)) for kind in ("dns", "connect", "timeout", "protocol")]
    + [Failure(FailureKind.HTTP, status=status) for status in (408, 429, 500, 502, 503, 504)],
)
def test_what_may_pass_waits_longer_each_time(failure: Failure) -> None:
    waits = [wait(failure, attempt) for attempt in range(3)]
    assert 0 < waits[0] < waits[1] < waits[2] <= 600


@pytest.mark.parametrize("retries", [0, 1, 2, 5])
def test_retries_are_counted(retries: int) -> None:
    failure = Failure(FailureKind.TIMEOUT)
    tries = [next_attempt(failure, attempt, NOW, retries) is not None for attempt in range(8)]
    assert tries == [True] * retries + [False] * (8 - retries)


@pytest.mark.parametrize(
    ("retry_after", "least", "most"),
    [
        (100.0, 100, 125),
        (0.0, 5, 6.25),  # no sooner than without it
        (-5.0, 5, 6.25),
        (10**9, LONGEST_RETRY_AFTER, LONGEST_RETRY_AFTER * 1.25),
        (math.inf, LONGEST_RETRY_AFTER, LONGEST_RETRY_AFTER * 1.25),
        (math.nan, 5, 6.25),
    ],
)
def test_retry_after_is_honoured_within_reason(retry_after: float, least: float, most: float) -> None:
    assert STATUS_WAITS[429][0] == 5
    assert least <= wait(Failure(FailureKind.HTTP, status=429, retry_after=retry_after)) <= most


@pytest.fixture
def far_from_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("far_from_greenwich")
@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (" 120 ", 120.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 120.0),
        ("Thursday, 01-Jan-70 00:02:00 GMT", 120.0),
        ("Thu Jan  1 00:02:00 1970", 120.0),
        ("Thu, 01 Jan 1970 00:02:00 -0000", 120.0),
        ("\u0661\u0662", None),
        ("\uff11\uff12", None),
        ("1\u00b2", None),
        ("-5", None),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date_in_greenwich(header: str, seconds: float | None) -> None:
    assert retry_after(header, 0.0) == seconds


@given(st.sampled_from(PASSING), st.integers(0, 12), st.integers(-(2**63), 2**63 - 1))
def test_jitter_only_adds_and_is_always_the_same(kind: FailureKind, attempt: int, salt: int) -> None:
    plain = WAITS[kind][min(attempt, len(WAITS[kind]) - 1)]
    date = next_attempt(Failure(kind), attempt, NOW, 20, salt)
    assert date is not None
    assert plain <= round(date - NOW, 6) <= plain * (1 + JITTER)
    assert date == next_attempt(Failure(kind), attempt, NOW, 20, salt)


def test_jitter_spreads_tasks_that_failed_together() -> None:
    waits = sorted(wait(Failure(FailureKind.CONNECT), salt=task) for task in range(1000))
    width = waits[0] * JITTER
    steps = [later - sooner for sooner, later in pairwise(waits)]
    assert waits[-1] - waits[0] > 0.98 * width
    assert max(steps) < 5 * width / 1000
