"""Politeness: how long a host rests, and how its answers change that."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.job import Politeness
from dowse.core.model import Failure, FailureKind, Outcome, Request, Task
from dowse.core.politeness import (
    ASSUMED_LATENCY,
    FIRST_BACKOFF,
    GOOD_ANSWERS,
    HARMLESS_FAILURES,
    HOPELESS_AT_FIRST,
    HOPELESS_COMPLAINTS,
    HOPELESS_FAILURES,
    LONGEST_BACKOFF,
    LONGEST_LATENCY_GAP,
    LONGEST_WISH,
    HostState,
    after_outcome,
    after_request,
    forgiven,
    gap,
    in_time,
    is_hopeless,
    why_resting,
)

TASK = Task(id=1, request=Request(url="https://e.org/", key_hash=1, host="e.org"), site="e.org")
ADAPTIVE = Politeness()
NO_DELAY = Politeness(delay=0.0)
NOW = 1_700_000_000.0


def answer(
    at: float,
    status: int = 200,
    elapsed: float = 0.5,
    kind: FailureKind | None = None,
    retry_after: float | None = None,
    crawl_delay: float | None = None,
) -> Outcome:
    if status >= 400:
        kind = FailureKind.HTTP
    failure = Failure(kind, retry_after=retry_after, status=status) if kind else None
    return Outcome(
        task=TASK, fetched_at=at - elapsed, elapsed=elapsed, status=status if kind in (None, FailureKind.HTTP) else 0,
        failure=failure, crawl_delay=crawl_delay,
    )  # fmt: skip


def visit(state: HostState, policy: Politeness, status: int = 200, **facts: float) -> HostState:
    """One request as soon as it is allowed, and its answer."""
    start = max(state.not_before, NOW)
    elapsed = facts.pop("elapsed", 0.5)
    state = after_request(state, start, policy)
    return after_outcome(state, answer(start + elapsed, status, elapsed, **facts), start + elapsed, policy)  # type: ignore[arg-type]


def fall_silent(state: HostState, policy: Politeness, kind: FailureKind = FailureKind.CONNECT) -> HostState:
    start = max(state.not_before, NOW)
    state = after_request(state, start, policy)
    return after_outcome(state, answer(start + 0.1, elapsed=0.1, kind=kind), start + 0.1, policy)


def repeat(times: int, state: HostState, policy: Politeness, status: int = 200) -> HostState:
    for _ in range(times):
        state = visit(state, policy, status)
    return state


# The gap of a healthy host


def test_no_delay_is_no_gap_at_all() -> None:
    state = HostState()
    for _ in range(5):
        assert gap(state, NO_DELAY) == 0.0
        assert after_request(state, NOW, NO_DELAY).not_before == NOW
        state = visit(state, NO_DELAY, elapsed=3.0)


def test_a_fixed_delay_is_kept_whatever_the_latency() -> None:
    policy = Politeness(delay=2.0)
    state = visit(HostState(), policy, elapsed=30.0)
    assert gap(state, policy) == 2.0
    assert after_request(state, NOW + 100, policy).not_before == NOW + 102


def test_without_a_delay_the_gap_is_about_the_latency() -> None:
    state = HostState()
    assert gap(state, ADAPTIVE) == ASSUMED_LATENCY
    state = visit(state, ADAPTIVE, elapsed=0.2)
    assert gap(state, ADAPTIVE) == pytest.approx(0.2)
    for _ in range(30):
        state = visit(state, ADAPTIVE, elapsed=0.8)
    assert gap(state, ADAPTIVE) == pytest.approx(0.8, rel=0.01)


def test_the_gap_of_a_slow_host_is_bounded() -> None:
    assert gap(visit(HostState(), ADAPTIVE, elapsed=300.0), ADAPTIVE) == LONGEST_LATENCY_GAP


def test_the_first_answer_corrects_the_assumed_latency() -> None:
    state = after_request(HostState(), NOW, ADAPTIVE)
    assert state.not_before == NOW + ASSUMED_LATENCY
    assert after_outcome(state, answer(NOW + 0.01, elapsed=0.01), NOW + 0.01, ADAPTIVE).not_before == NOW + 0.01


@pytest.mark.parametrize(("robots", "expected"), [("obey", 7.0), ("ignore", 0.0)])
def test_crawl_delay_is_a_floor_where_robots_are_obeyed(robots: str, expected: float) -> None:
    policy = msgspec.structs.replace(NO_DELAY, robots=robots)
    state = visit(HostState(), policy, crawl_delay=7.0)
    assert gap(state, policy) == expected
    assert state.not_before == NOW + expected  # counted from the request that brought it
    assert gap(visit(state, policy), policy) == expected  # an answer that does not mention it changes nothing


def test_crawl_delay_does_not_shorten_a_longer_delay() -> None:
    policy = Politeness(delay=9.0)
    assert gap(visit(HostState(), policy, crawl_delay=7.0), policy) == 9.0


@pytest.mark.parametrize(
    ("wish", "kept"), [(-1.0, 0.0), (math.nan, 0.0), (math.inf, LONGEST_WISH), (1e300, LONGEST_WISH), (0.0, 0.0)]
)
def test_absurd_crawl_delays(wish: float, kept: float) -> None:
    assert visit(HostState(), NO_DELAY, crawl_delay=wish).crawl_delay == kept


# Complaints


@pytest.mark.parametrize("status", [429, 503])
def test_a_complaint_starts_a_back_off(status: int) -> None:
    state = visit(HostState(), NO_DELAY, status)
    assert gap(state, NO_DELAY) == FIRST_BACKOFF
    assert state.not_before == NOW + 0.5 + FIRST_BACKOFF


@pytest.mark.parametrize("status", [200, 301, 304, 403, 404, 500, 502])
def test_other_answers_do_not(status: int) -> None:
    assert gap(visit(HostState(), NO_DELAY, status), NO_DELAY) == 0.0


def test_complaints_double_the_back_off_up_to_a_limit() -> None:
    state = HostState()
    backoffs = []
    for _ in range(12):
        state = visit(state, NO_DELAY, 429)
        backoffs.append(state.backoff)
    assert backoffs == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert LONGEST_BACKOFF == 300


def test_complaints_of_requests_sent_together_are_one() -> None:
    state = HostState()
    for _ in range(4):
        state = after_request(state, NOW, NO_DELAY)
    for number in range(4):
        state = after_outcome(state, answer(NOW + 1 + number, 429, elapsed=1 + number), NOW + 1 + number, NO_DELAY)
    assert state.backoff == FIRST_BACKOFF


def test_retry_after_is_waited_for() -> None:
    state = visit(HostState(), NO_DELAY, 503, retry_after=40.0)
    assert state.not_before == NOW + 0.5 + 40
    assert gap(state, NO_DELAY) == FIRST_BACKOFF
    assert visit(HostState(), NO_DELAY, 503, retry_after=1e9).not_before == NOW + 0.5 + LONGEST_WISH


def test_a_request_during_a_block_does_not_shorten_it() -> None:
    state = visit(HostState(), NO_DELAY, 503, retry_after=40.0)
    assert after_request(state, NOW + 1, NO_DELAY).not_before == NOW + 0.5 + 40


def test_good_answers_halve_the_back_off_until_it_is_gone() -> None:
    state = repeat(3, HostState(), NO_DELAY, 429)
    backoffs = []
    for _ in range(4):
        state = repeat(GOOD_ANSWERS - 1, state, NO_DELAY)
        before = state.backoff
        state = visit(state, NO_DELAY)
        backoffs.append((before, state.backoff))
    assert backoffs == [(4, 2), (2, 1), (1, 0), (0, 0)]
    assert gap(state, NO_DELAY) == 0.0


def test_good_answers_from_before_the_complaint_do_not_count() -> None:
    state = repeat(2, HostState(), NO_DELAY, 429)
    for _ in range(20):
        state = after_outcome(state, answer(NOW + 0.1, elapsed=0.1), NOW + 10, NO_DELAY)
    assert state.backoff == 2


# Silence


@pytest.mark.parametrize("kind", [FailureKind.DNS, FailureKind.CONNECT, FailureKind.TIMEOUT])
def test_a_run_of_silences_blocks_the_host_for_longer_and_longer(kind: FailureKind) -> None:
    state = HostState()
    waits = []
    for _ in range(HARMLESS_FAILURES + 4):
        asked = max(state.not_before, NOW)
        state = fall_silent(state, NO_DELAY, kind)
        waits.append(round(state.not_before - asked, 3))
    assert waits == [0, 0, 1.1, 2.1, 4.1, 8.1]


def test_silences_of_requests_sent_together_are_one_once_the_host_is_blocked() -> None:
    state = HostState()
    for number in range(20):
        state = after_outcome(state, answer(NOW + number, elapsed=30, kind=FailureKind.TIMEOUT), NOW + number, NO_DELAY)
    assert state.failures == HARMLESS_FAILURES + 1


def test_the_first_answer_ends_the_silence() -> None:
    state = HostState()
    for _ in range(8):
        state = fall_silent(state, NO_DELAY)
    state = visit(state, NO_DELAY)
    assert (state.failures, gap(state, NO_DELAY)) == (0, 0.0)
    assert state.not_before == state.last_request


@pytest.mark.parametrize("kind", [FailureKind.TLS, FailureKind.TOO_LARGE, FailureKind.PARSE])
def test_other_failures_are_no_silence(kind: FailureKind) -> None:
    state = HostState()
    for _ in range(9):
        state = fall_silent(state, NO_DELAY, kind)
    assert state.not_before == NOW


def test_a_host_is_hopeless_only_after_a_long_silence() -> None:
    state = visit(HostState(), NO_DELAY)
    hopeless = []
    for _ in range(HOPELESS_FAILURES + 1):
        state = fall_silent(state, NO_DELAY)
        hopeless.append(is_hopeless(state))
    assert hopeless == [False] * (HOPELESS_FAILURES - 1) + [True, True]
    assert 120 < state.last_request - NOW < 900
    assert not is_hopeless(visit(state, NO_DELAY))


def test_a_host_that_never_answered_is_hopeless_sooner() -> None:
    state = HostState()
    for _ in range(HOPELESS_AT_FIRST):
        assert not is_hopeless(state)
        state = fall_silent(state, NO_DELAY)
    assert is_hopeless(state)
    assert 10 < state.last_request - NOW < 60


def test_a_host_that_only_complains_is_hopeless_after_a_while_and_is_asked_as_before_when_it_is_back() -> None:
    state = repeat(HOPELESS_COMPLAINTS - 1, HostState(), NO_DELAY, 503)
    assert not is_hopeless(state)
    state = visit(state, NO_DELAY, 503)
    assert is_hopeless(state)
    assert 600 < state.last_request - NOW < 3600
    assert not is_hopeless(forgiven(state))
    state = visit(state, NO_DELAY)
    assert (is_hopeless(state), gap(state, NO_DELAY)) == (False, FIRST_BACKOFF)
    one_page_of_two = HostState()
    for _ in range(HOPELESS_COMPLAINTS):
        one_page_of_two = visit(visit(one_page_of_two, NO_DELAY, 503), NO_DELAY)
    assert not is_hopeless(one_page_of_two)


def test_a_host_that_asks_twice_for_a_day_is_hopeless() -> None:
    state = visit(HostState(), NO_DELAY, 503, retry_after=86_400.0)
    assert not is_hopeless(state)
    assert is_hopeless(visit(state, NO_DELAY, 503, retry_after=86_400.0))


# Requests that were never sent


def test_a_request_that_was_not_sent_gives_its_turn_back() -> None:
    policy = Politeness(delay=5.0)
    state = after_request(HostState(), NOW, policy)
    state = after_request(state, NOW + 5, policy)
    state = after_outcome(state, Outcome(task=TASK, fetched_at=NOW + 5, requested=False), NOW + 5, policy)
    assert state.not_before == NOW + 5


def test_what_is_given_back_does_not_lift_a_block() -> None:
    state = after_request(HostState(), NOW, NO_DELAY)
    state = after_request(state, NOW, NO_DELAY)
    state = after_outcome(state, answer(NOW + 1, 429, elapsed=1.0, retry_after=60.0), NOW + 1, NO_DELAY)
    state = after_outcome(state, Outcome(task=TASK, fetched_at=NOW + 1, requested=False), NOW + 1, NO_DELAY)
    assert state.not_before == NOW + 61


# What always holds

_EVENTS = st.one_of(
    st.tuples(st.just("request"), st.floats(0, 100)),
    st.tuples(st.sampled_from([200, 404, 429, 500, 503]), st.floats(0, 100)),
    st.tuples(st.sampled_from(["connect", "dns", "timeout", "tls"]), st.floats(0, 100)),
    st.tuples(st.just("unsent"), st.floats(0, 100)),
)


@given(st.lists(_EVENTS, max_size=40), st.sampled_from([-1.0, 0.0, 3.0]), st.sampled_from([None, 2.0]))
def test_invariants(events: list[tuple[str | int, float]], delay: float, crawl_delay: float | None) -> None:
    policy = Politeness(delay=delay)
    state, now = HostState(), NOW
    for event, seconds in events:
        now += seconds
        if event == "request":
            state = after_request(state, max(now, state.not_before), policy)
        elif event == "unsent":
            state = after_outcome(state, Outcome(task=TASK, fetched_at=now, requested=False), now, policy)
        elif isinstance(event, int):
            outcome = answer(now, event, elapsed=seconds, retry_after=seconds, crawl_delay=crawl_delay)
            state = after_outcome(state, outcome, now, policy)
        else:
            state = after_outcome(state, answer(now, 0, elapsed=seconds, kind=FailureKind(event)), now, policy)
        assert state.not_before == max(state.last_request + gap(state, policy), state.blocked_until)
        assert gap(state, policy) >= max(delay, state.crawl_delay)
        assert 0 <= state.backoff <= LONGEST_BACKOFF
        assert state.blocked_until <= now + LONGEST_WISH
    assert msgspec.json.decode(msgspec.json.encode(state), type=HostState) == state


DATES = st.floats(0, 2 * NOW)


@given(
    state=st.builds(HostState, DATES, DATES, DATES, DATES, st.floats(0, 60), st.floats(0, LONGEST_WISH)),
    policy=st.sampled_from([ADAPTIVE, NO_DELAY, Politeness(delay=7.0)]),
)
def test_whatever_the_clock_said_a_host_rests_no_longer_than_it_may_wish(state: HostState, policy: Politeness) -> None:
    state = msgspec.structs.replace(state, not_before=max(state.last_request + gap(state, policy), state.blocked_until))
    settled = in_time(state, NOW, policy)
    assert settled.not_before <= NOW + LONGEST_WISH
    assert settled.last_request <= NOW
    assert settled.previous_request <= NOW
    assert in_time(settled, NOW, policy) == settled


def test_a_clock_that_goes_right_moves_no_date() -> None:
    state = visit(HostState(), ADAPTIVE, 503, retry_after=600.0)
    assert in_time(state, NOW + 1, ADAPTIVE) is state


def test_a_clock_that_was_a_day_ahead_leaves_a_host_the_rest_that_it_asked_for() -> None:
    ahead = visit(HostState(not_before=NOW + 86_400), ADAPTIVE, 503, retry_after=600.0)
    assert in_time(ahead, NOW, ADAPTIVE).not_before == pytest.approx(NOW + 600.5)


@pytest.mark.parametrize(
    ("state", "policy", "why"),
    [
        (visit(HostState(), ADAPTIVE, 429, retry_after=60.0), ADAPTIVE, "it asked for patience (status 429 or 503)"),
        (visit(HostState(), NO_DELAY, crawl_delay=90.0), NO_DELAY,
         "its robots.txt asks for 1 min 30 s between requests"),
        (visit(HostState(), Politeness(delay=7.0)), Politeness(delay=7.0), "--delay is 7 s"),
        (visit(HostState(), ADAPTIVE, elapsed=9.0), ADAPTIVE, "it takes long to answer"),
        (HostState(NOW + 60, NOW, blocked_until=NOW + 60, failures=4), ADAPTIVE, "it was silent 4 times in a row"),
    ],
)  # fmt: skip
def test_why_a_host_rests(state: HostState, policy: Politeness, why: str) -> None:
    assert why_resting(state, policy) == why
